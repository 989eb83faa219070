"""Systems are paired by the names of items, never by the order of rows in different inputs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import assay
from assay.core.errors import AlignmentError, DataError

RANDOM = np.random.default_rng(3)
TRUTH = RANDOM.random(60) < 0.5
ITEMS = pl.DataFrame(
    {
        "id": [f"i{n}" for n in range(60)],
        "truth": np.where(TRUTH, "yes", "no"),
        "p": np.clip(0.5 + (TRUTH - 0.5) * 0.4 + RANDOM.normal(0, 0.2, 60), 0.01, 0.99),
        "segment": RANDOM.choice(["a", "b"], 60),
        "y": RANDOM.normal(0, 1, 60),
    }
).with_columns(
    better=pl.when(pl.col("truth") == "yes").then(pl.col("p") + 0.005).otherwise(pl.col("p")),
    guess=pl.col("y") + 0.1,
    other=pl.col("y") - 0.2,
)
SHUFFLED = ITEMS.sample(fraction=1.0, shuffle=True, seed=5)


def classified(data: object, score: str, name: str, **more: object) -> assay.Scores:
    options = {"score": score, "positive": "yes", "name": name, "interval": None} | more
    return assay.classification(data, "Brier", **options)


def test_named_items_are_paired_whatever_the_order_of_rows() -> None:
    base = classified(ITEMS, "p", "base", item="id")
    found = [
        assay.compare([base, classified(rows, "better", "new", item="id")], test="t").pairs["p"][0]
        for rows in (ITEMS, SHUFFLED)
    ]
    assert found[0] == found[1] < 0.01


def test_row_numbers_of_different_inputs_are_not_paired(tmp_path: Path) -> None:
    base, new = classified(ITEMS, "p", "base"), classified(SHUFFLED, "better", "new")
    with pytest.raises(DataError, match=r"no names.*name the column of items \(item=, --item\)"):
        assay.compare([base, new])
    with pytest.raises(DataError, match="name the column of items"):
        assay.gate([base, new], baseline="base", margin=0.1)
    predictors = [
        assay.regression(rows, "MAE", truth="y", predicted=column, name=column, interval=None)
        for rows, column in ((ITEMS, "guess"), (SHUFFLED, "other"))
    ]
    with pytest.raises(DataError, match="name the column of items"):
        assay.compare(predictors)
    file = tmp_path / "items.csv"
    ITEMS.write_csv(file)
    same = [classified(file, "p", "base"), classified(file, "better", "new")]
    assert assay.compare(same, test="t").pairs["p"][0] < 0.01


def test_numbers_are_those_of_the_whole_input_in_slices_and_after_gaps() -> None:
    scores = classified(ITEMS, "p", "base", by=["segment"])
    rows = (ITEMS["segment"] == "b").arg_true() + 1
    assert scores.of("Brier", "segment=b")[0].listed.units == tuple(map(str, rows.to_list()))
    gap = ITEMS.with_columns(p=pl.when(pl.col("id") != "i0").then("p"))
    dropped = classified(gap, "p", "base", missing="drop")
    assert dropped.of("Brier")[0].listed.units == tuple(map(str, range(2, 61)))
    held = assay.regression(ITEMS, "MAE", truth="y", predicted="guess", by=["segment"])
    assert held.of("MAE", "segment=b")[0].listed.units == tuple(map(str, rows.to_list()))


def test_an_item_that_stands_twice_is_refused() -> None:
    twice = {"id": ["a", "b", "a"], "truth": ["yes", "no", "yes"], "p": [0.5, 0.5, 0.5]}
    with pytest.raises(AlignmentError, match="item a occurs twice"):
        classified(twice, "p", "base", item="id")


def test_sets_of_labels_are_paired_by_item_too() -> None:
    rows = {"id": ["1", "2", "3"], "truth": ["a", "a;b", "b"], "predicted": ["a", "a", "b"]}
    other = {"id": ["3", "1", "2"], "truth": ["b", "a", "a;b"], "predicted": ["b", "b", "a;b"]}
    unnamed = [assay.labelsets(data, "F", interval=None) for data in (rows, other)]
    with pytest.raises(DataError, match="name the column of items"):
        assay.compare(unnamed)
    named = [assay.labelsets(data, "F", item="id", interval=None) for data in (rows, other)]
    found = assay.compare(named, test="t").pairs
    assert (found["wins"][0], found["ties"][0], found["losses"][0]) == (1, 1, 1)
