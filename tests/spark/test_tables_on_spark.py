"""Classification, regression, clustering, agreement and click logs from Spark frames: same bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import assay
from assay.core.catalogue import catalogue
from assay.core.errors import AssayError
from assay.core.names import declared_variants
from assay.evidence.views.confusion import Confusion
from assay.evidence.views.contingency import Contingency
from assay.evidence.views.rating_table import RatingTable
from assay.evidence.views.threshold_table import ThresholdTable
from assay.evidence.views.value_pairs import ValueMoments, ValuePairs
from assay.formats.spark_frames import collect_frame

RANDOM = np.random.default_rng(26)
DECISIONS = pl.DataFrame(
    {
        "truth": RANDOM.choice(["cat", "dog", "eel"], 3000),
        "a": RANDOM.choice(["cat", "dog", "eel"], 3000),
        "b": RANDOM.choice(["cat", "dog"], 3000),
        "score": np.round(RANDOM.random(3000), 2),
    }
)
VALUES = pl.DataFrame(
    {
        "item": [f"i{n}" for n in range(3000)],
        "truth": RANDOM.normal(size=3000),
        "predicted": RANDOM.normal(size=3000),
    }
)
CLICKS = pl.DataFrame(
    {
        "session": np.repeat(np.arange(400), 10).astype(str),
        "query": np.repeat(np.arange(400) % 7, 10).astype(str),
        "rank": np.tile(np.arange(1, 11), 400),
        "doc": [f"d{n}" for n in RANDOM.permuted(np.tile(np.arange(10), (400, 1)), axis=1).ravel()],
        "click": (RANDOM.random(4000) < np.tile(0.5 / np.arange(1, 11), 400)).astype(int),
    }
)
RATINGS = pl.DataFrame(
    {
        "item": np.repeat(np.arange(300), 3).astype(str),
        "assessor": ["ann", "bob", "cem"] * 300,
        "label": RANDOM.integers(0, 3, 900).astype(str),
    }
)


def names(*views: Any) -> list[str]:
    """All declared variants of the measures of some views."""
    return [
        each.name
        for definition in catalogue().values()
        if definition.view in views
        for each in declared_variants(definition)
    ]


def same(found: Any, expected: Any) -> None:
    assert found.systems == expected.systems
    assert len(found.results) == len(expected.results) > 0
    for one, other in zip(found.results, expected.results, strict=True):
        assert one == other, one.measure
        assert one.values.tobytes() == other.values.tobytes()


def test_classes_are_counted_in_spark(spark: Any) -> None:
    frame = spark.createDataFrame(DECISIONS.to_arrow())
    for partitions in (1, 2, 8):
        for how in ({"predicted": "a"}, {"predicted": ["a", "b"]}):
            found = assay.classification(
                frame.repartition(partitions), names(Confusion), interval=None, **how
            )
            same(found, assay.classification(DECISIONS, names(Confusion), interval=None, **how))


def test_intervals_of_counted_classes(spark: Any) -> None:
    frame = spark.createDataFrame(DECISIONS.to_arrow())
    found = assay.classification(frame, "ACC F MCC", predicted="a")
    same(found, assay.classification(DECISIONS, "ACC F MCC", predicted="a"))


def test_scores_are_counted_in_spark(spark: Any) -> None:
    binary = DECISIONS.with_columns(truth=(pl.col("truth") == "cat").cast(pl.String))
    frame = spark.createDataFrame(binary.to_arrow())
    how: dict[str, Any] = {"score": "score", "positive": "true", "interval": None}
    found = assay.classification(frame, names(ThresholdTable), **how)
    same(found, assay.classification(binary, names(ThresholdTable), **how))


def test_clusters_are_counted_in_spark(spark: Any) -> None:
    frame = spark.createDataFrame(DECISIONS.to_arrow())
    for partitions in (1, 8):
        how: dict[str, Any] = {"cluster": ["a", "b"], "classes": "truth", "interval": None}
        found = assay.clustering(frame.repartition(partitions), None, names(Contingency), **how)
        same(found, assay.clustering(DECISIONS, None, names(Contingency), **how))


def test_values_and_ratings_are_collected(spark: Any) -> None:
    values, ratings = (spark.createDataFrame(each.to_arrow()) for each in (VALUES, RATINGS))
    asked = names(ValuePairs, ValueMoments)
    found = assay.regression(values.repartition(7), asked, item="item", interval=None)
    same(found, assay.regression(VALUES, asked, item="item", interval=None))
    asked = names(RatingTable)
    found = assay.agreement(ratings.repartition(7), asked, interval=None)
    same(found, assay.agreement(RATINGS, asked, interval=None))


def test_more_rows_than_one_machine_takes_are_refused(spark: Any) -> None:
    with pytest.raises(AssayError, match="the values: the Spark frame has more than 1,000 rows"):
        collect_frame(spark.range(2000), "the values", most=1000)


def test_click_logs_are_collected(spark: Any) -> None:
    frame = spark.createDataFrame(CLICKS.to_arrow())
    found = assay.clicks.fit(frame.repartition(7), "pbm").to_polars()
    assert found.equals(assay.clicks.fit(frame.repartition(2), "pbm").to_polars())
    assert_frame_equal(found, assay.clicks.fit(CLICKS, "pbm").to_polars(), abs_tol=1e-9)
