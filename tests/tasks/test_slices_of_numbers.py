"""Slices by a column of numbers: a range for each quarter of the items, where there are many."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import assay

RANDOM = np.random.default_rng(3)
TRUTH = RANDOM.integers(0, 2, 40)
GUESS = np.where(RANDOM.random(40) < 0.8, TRUTH, 1 - TRUTH)
AGES = np.arange(20, 60)


def _slices(scores: assay.Scores) -> list[str]:
    return [name for name in scores.summary()["slice"].unique(maintain_order=True) if name != "all"]


def test_many_numbers_are_cut_at_the_quartiles() -> None:
    shuffled = RANDOM.permutation(40)
    truth, guess, ages = TRUTH[shuffled], GUESS[shuffled], AGES[shuffled]
    found = assay.classification(truth, guess, "ACC", by={"age": ages}, interval=None)
    assert _slices(found) == [f"age={low} to {low + 9}" for low in (20, 30, 40, 50)]
    inside = (ages >= 30) & (ages <= 39)
    second = found.summary().filter(pl.col("slice") == "age=30 to 39")
    assert second["value"].item() == (truth == guess)[inside].mean()


@pytest.mark.parametrize("values", [AGES % 20, [f"site {age}" for age in AGES]])
def test_few_numbers_and_words_have_a_slice_each(values: Any) -> None:
    found = assay.classification(TRUTH, GUESS, "ACC", by={"of": values}, interval=None)
    assert len(_slices(found)) == len(set(values))


def test_items_without_a_number_are_a_slice() -> None:
    ages = np.where(AGES == 23, np.nan, AGES / 7)
    found = assay.classification(TRUTH, GUESS, "ACC", by={"age": ages}, interval=None)
    assert "age=(none)" in _slices(found)
    assert "age=2.857 to 4.286" in _slices(found)


def test_tied_numbers_stay_together() -> None:
    ages = np.where(AGES < 45, 30, AGES)
    few = assay.regression(AGES, AGES + 1, "MAE", by={"age": ages}, interval=None)
    assert len(set(ages)) < 21
    assert len(_slices(few)) == len(set(ages))
    ages = np.concatenate([np.repeat(30, 25), AGES])
    found = assay.regression(ages, ages + 1, "MAE", by={"age": ages}, interval=None)
    assert _slices(found) == ["age=20 to 30", "age=31 to 43", "age=44 to 59"]


def test_systems_with_gaps_have_the_same_ranges() -> None:
    one, two = GUESS.astype(float), GUESS.astype(float)
    one[:5] = np.nan
    found = assay.classification(
        pl.DataFrame({"truth": TRUTH, "one": one, "two": two, "age": AGES}).fill_nan(None),
        "ACC",
        predicted=["one", "two"],
        by="age",
        missing="drop",
        interval=None,
    )
    names = found.summary().group_by("system").agg(pl.col("slice").sort())["slice"].to_list()
    assert names[0] == names[1]


@pytest.mark.parametrize("task", ["labelsets", "spans", "clustering"])
def test_every_task_cuts_numbers(task: str) -> None:
    by: Any = {"age": AGES.tolist()}
    if task == "labelsets":
        sets = [["a"] if each else ["b"] for each in TRUTH]
        found = assay.labelsets(sets, sets, "Hamming", by=by, interval=None)
    elif task == "spans":
        tags = [["B-x"] if each else ["O"] for each in TRUTH]
        found = assay.spans(tags, tags, "F", by=by, interval=None)
    else:
        found = assay.clustering(TRUTH, GUESS, "purity", by=by, interval=None)
    assert _slices(found) == [f"age={low} to {low + 9}" for low in (20, 30, 40, 50)]


def test_ranges_of_negative_numbers_are_in_their_order() -> None:
    values = AGES - 39.5
    found = assay.classification(TRUTH, GUESS, "ACC", by={"x": values}, interval=None)
    low = [float(name.removeprefix("x=").split(" to ")[0]) for name in _slices(found)]
    assert low == [-19.5, -9.5, 0.5, 10.5]


@pytest.mark.parametrize("few", [[-10, -2, 3, 20], [-0.5, -0.25, 0.5, 3.0]])
def test_few_numbers_are_in_their_order(few: list[Any]) -> None:
    values = RANDOM.permutation(np.resize(few, 40))
    found = assay.classification(TRUTH, GUESS, "ACC", by={"x": values}, interval=None)
    assert _slices(found) == [f"x={each}" for each in few]


def test_crossed_slices_are_in_the_order_of_each_number() -> None:
    table = pl.DataFrame({"truth": TRUTH, "guess": GUESS})
    table = table.with_columns(x=pl.Series([1, -1] * 20), y=pl.Series([-3, -3, 2, 2] * 10))
    found = assay.classification(
        table, "ACC", truth="truth", predicted="guess", by="x,y", interval=None
    )
    assert _slices(found) == [f"x={x}, y={y}" for x in (-1, 1) for y in (-3, 2)]


def test_long_numbers_have_short_names_that_differ() -> None:
    values = np.resize([1 / 3, -1 / 30, 0.5], 40)
    found = assay.classification(TRUTH, GUESS, "ACC", by={"x": values}, interval=None)
    assert _slices(found) == ["x=-0.03333", "x=0.3333", "x=0.5"]
    inside = values == 1 / 3
    second = found.summary().filter(pl.col("slice") == "x=0.3333")
    assert second["value"].item() == (TRUTH == GUESS)[inside].mean()
    close = np.resize([1 / 3, 1 / 3 + 1e-7], 40)
    found = assay.classification(TRUTH, GUESS, "ACC", by={"x": close}, interval=None)
    assert _slices(found) == ["x=0.3333333", "x=0.3333334"]


def test_an_enum_has_the_order_of_its_declaration_and_items_without_one_are_last() -> None:
    sizes = pl.Series(["S", "L", None, "M"] * 10, dtype=pl.Enum(["S", "M", "L"]))
    table = pl.DataFrame({"truth": TRUTH, "guess": GUESS, "size": sizes})
    found = assay.classification(
        table, "ACC", truth="truth", predicted="guess", by="size", interval=None
    )
    assert _slices(found) == ["size=S", "size=M", "size=L", "size=(none)"]


def test_comparisons_list_ranges_in_the_order_of_the_numbers() -> None:
    queries = [f"q{n}" for n in range(40)]
    ranks = {query: {"d": 2.0, "e": 1.0} for query in queries}
    scores = assay.retrieval(
        {query: {"d": 1} for query in queries}, {"a": ranks, "b": ranks}, "AP", interval=None
    )
    sizes = dict(zip(queries, (AGES - 39.5).tolist(), strict=True))
    found = assay.compare(scores, baseline="a", by={"size": sizes})
    named = found.pairs["slice"].unique(maintain_order=True).to_list()
    starts = ("all", "size=-19.5", "size=-9.5", "size=0.5", "size=10.5")
    assert [name.split(" to ")[0] for name in named] == [*starts]
