"""Classification, regression, clustering, agreement and click logs from Spark frames: same bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

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


def test_intervals_of_counted_clusters(spark: Any) -> None:
    frame = spark.createDataFrame(DECISIONS.to_arrow())
    how: dict[str, Any] = {"cluster": ["a", "b"], "classes": "truth"}
    found = assay.clustering(frame, None, "ARI NMI purity", **how)
    same(found, assay.clustering(DECISIONS, None, "ARI NMI purity", **how))
    with pytest.raises(assay.AssayError, match="clusterings have jackknife intervals"):
        assay.clustering(frame, None, "ARI", interval="bca", **how)


def test_few_values_and_ratings_are_collected(spark: Any) -> None:
    values, ratings = (spark.createDataFrame(each.to_arrow()) for each in (VALUES, RATINGS))
    asked = names(ValuePairs, ValueMoments)
    found = assay.regression(values.repartition(7), asked, item="item", interval=None)
    same(found, assay.regression(VALUES, asked, item="item", interval=None))
    asked = names(RatingTable)
    found = assay.agreement(ratings.repartition(7), asked, interval=None)
    same(found, assay.agreement(RATINGS, asked, interval=None))


MANY = 120_000
"""More values than one machine sorts at once, and more items than it keeps apart."""


@pytest.fixture(scope="module")
def many_values() -> pl.DataFrame:
    random = np.random.default_rng(7)
    truth = random.normal(size=MANY) * 10.0 ** random.integers(-5, 6, MANY)
    return pl.DataFrame(
        {"truth": truth, "a": truth + random.normal(size=MANY), "b": random.integers(0, 9, MANY)}
    )


@pytest.mark.parametrize("partitions", [1, 7])
def test_moments_are_added_up_in_spark(
    spark: Any, many_values: pl.DataFrame, partitions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assay.formats.containers.collect_frame", None)
    frame = spark.createDataFrame(many_values.to_arrow()).repartition(partitions)
    how: dict[str, Any] = {"predicted": ["a", "b"], "interval": None}
    asked = names(ValueMoments)
    found = assay.regression(frame, asked, **how)
    same(found, assay.regression(many_values, asked, **how))
    constant = many_values.with_columns(a=pl.lit(0.1))
    again = spark.createDataFrame(constant.to_arrow())
    same(
        assay.regression(again, asked, predicted="a", interval=None),
        assay.regression(constant, asked, predicted="a", interval=None),
    )


def test_values_that_need_all_items_are_collected(spark: Any, many_values: pl.DataFrame) -> None:
    frame = spark.createDataFrame(many_values.to_arrow())
    how: dict[str, Any] = {"predicted": "a", "interval": None}
    # Rows without items are numbered as they arrive: only the values of the whole are the same.
    found, expected = (assay.regression(each, "MAE R2", **how) for each in (frame, many_values))
    assert [each.value for each in found.results] == [each.value for each in expected.results]
    huge = many_values.with_columns(pl.col("truth") * 1e300)  # squares would overflow
    same(
        assay.regression(spark.createDataFrame(huge.to_arrow()), "RMSE R2", **how),
        assay.regression(huge, "RMSE R2", **how),
    )
    gap = many_values.with_columns(a=pl.when(pl.col("b") > 7).then(pl.col("a")))
    with pytest.raises(AssayError, match="predicted"):
        assay.regression(spark.createDataFrame(gap.to_arrow()), "R2", **how)


def test_too_many_values_say_what_can_be_computed(
    spark: Any, many_values: pl.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assay.tasks.regression.summed_values.MOST_ROWS", MANY - 1)
    frame = spark.createDataFrame(many_values.to_arrow())
    with pytest.raises(AssayError, match=r"measures of moments are computed \(RMSE, R2"):
        assay.regression(frame, "MAE", predicted="a", interval=None)
    assert assay.regression(frame, "R2", predicted="a", interval=None).systems == ("predictor",)


@pytest.fixture(scope="module")
def many_ratings() -> pl.DataFrame:
    random = np.random.default_rng(8)
    items = np.repeat(np.arange(60_000), 3)
    kept = random.random(len(items)) < 0.8
    table = pl.DataFrame(
        {
            "item": items.astype(str),
            "assessor": ["ann", "bob", "cem"] * 60_000,
            "label": random.integers(1, 5, len(items)),
        }
    )
    return table.filter(pl.Series(kept))


@pytest.mark.parametrize("scale", ["nominal", "interval"])
def test_items_that_were_rated_alike_are_counted_in_spark(
    spark: Any, many_ratings: pl.DataFrame, scale: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = assay.agreement(many_ratings, names(RatingTable), scale=scale, interval=None)
    interval = assay.agreement(many_ratings, "alpha", scale=scale)
    monkeypatch.setattr("assay.formats.containers.collect_frame", None)
    frame = spark.createDataFrame(many_ratings.to_arrow()).repartition(7)
    found = assay.agreement(frame, names(RatingTable), scale=scale, interval=None)
    same(found, expected)
    assert found.warnings == expected.warnings
    same(assay.agreement(frame, "alpha", scale=scale), interval)


def test_ratings_that_cannot_be_counted(spark: Any, many_ratings: pl.DataFrame) -> None:
    wide = many_ratings.head(600).pivot("assessor", index="item", values="label").drop("item")
    found = assay.agreement(spark.createDataFrame(wide.to_arrow()), "alpha", interval=None)
    same(found, assay.agreement(wide, "alpha", interval=None))
    twice = pl.concat([many_ratings, many_ratings[:1]])
    item = many_ratings["item"][0]
    with pytest.raises(AssayError, match=f"item {item} has several ratings of one assessor"):
        assay.agreement(spark.createDataFrame(twice.to_arrow()), interval=None)
    alone = many_ratings.filter(pl.col("assessor") == "ann")
    with pytest.raises(AssayError, match="are by one assessor, 'ann'"):
        assay.agreement(spark.createDataFrame(alone.to_arrow()), interval=None)


def test_more_rows_than_one_machine_takes_are_refused(spark: Any) -> None:
    with pytest.raises(AssayError, match="the values: the Spark frame has more than 1,000 rows"):
        collect_frame(spark.range(2000), "the values", most=1000)


@pytest.mark.parametrize("model", ["pbm", "dbn", "ubm", "sdbn", "rank-ctr"])
def test_click_lists_are_counted_in_spark(
    spark: Any, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = assay.clicks.fit(CLICKS, model)
    monkeypatch.setattr("assay.formats.containers.collect_frame", None)
    for partitions in (1, 7):
        frame = spark.createDataFrame(CLICKS.to_arrow()).repartition(partitions)
        found = assay.clicks.fit(frame, model)
        assert found.to_polars().equals(expected.to_polars())
        assert found.fit == expected.fit


def test_ranks_from_0_and_findings_of_click_logs_in_spark(spark: Any) -> None:
    moved = CLICKS.with_columns(pl.col("rank") - 1, pl.col("click") * 2)
    frame = spark.createDataFrame(moved.to_arrow()).repartition(5)
    found, expected = (assay.clicks.fit(each, "pbm", depth=8) for each in (frame, moved))
    assert found.to_polars().equals(expected.to_polars())
    gap = CLICKS.filter(~((pl.col("session") == "3") & (pl.col("rank") == 4)))
    noted = assay.clicks.fit(spark.createDataFrame(gap.to_arrow()), "pbm").notes
    assert [each for each in noted if each.startswith("the log, session 3: 1 list with a gap")]
    twice = pl.concat([CLICKS, CLICKS[:1].with_columns(doc=pl.lit("other"))])
    with pytest.raises(AssayError, match="the log, session 0: 1 rank that occurs twice in a list"):
        assay.clicks.fit(spark.createDataFrame(twice.to_arrow()), "pbm")
    with pytest.raises(AssayError, match="no order, so that each result needs its rank"):
        assay.clicks.fit(spark.createDataFrame(CLICKS.drop("rank").to_arrow()), "pbm")
