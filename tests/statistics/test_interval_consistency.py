"""One number has one interval: in its task, beside other systems, and whatever items are called."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import assay
from assay.core.catalogue import catalogue

ITEMS = 120
RANDOM = np.random.default_rng(7)
TRUTH = RANDOM.gamma(2.0, 2.0, ITEMS).round(2)
CHANCES = RANDOM.dirichlet(np.ones(3), ITEMS).round(2)
CHANCES[:, 2] = 1 - CHANCES[:, 0] - CHANCES[:, 1]
DATA = {
    "y": TRUTH,
    "one": np.abs(TRUTH + RANDOM.normal(0, 1, ITEMS)).round(2) + 0.01,
    "two": np.abs(TRUTH + RANDOM.normal(0, 2, ITEMS)).round(2) + 0.01,
    "density": RANDOM.uniform(0.01, 1, ITEMS),
    "label": np.asarray(list("abc"))[RANDOM.integers(0, 3, ITEMS)],
    **{name: np.abs(CHANCES[:, place]) for place, name in enumerate("abc")},
    **{name + "2": np.abs(CHANCES[:, place]) for place, name in enumerate("abc")},
    "weight": RANDOM.integers(1, 5, ITEMS).astype(float),
    "id": np.asarray([f"i{n}" for n in RANDOM.permutation(ITEMS)]),
}
"""More than ten rows: by its bytes row 10 comes before row 2."""
KEPT = assay.Bootstrap(resamples=200)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One file, so that its row numbers mean the same items for both systems."""
    path = tmp_path_factory.mktemp("items") / "items.csv"
    pl.DataFrame(DATA).write_csv(path)
    return path


def per_item(task: str) -> list[str]:
    """The measures of a task whose units are items, as they are called."""
    return [each.name for each in catalogue().of_task(task) if each.unit == "item"]


def systems(table: Path, task: str, measure: str, **more: Any) -> list[assay.Scores]:
    """Two systems of one table, in one measure."""
    if task == "classification":
        columns: list[dict[str, Any]] = [
            {"probabilities": {each: each + end for each in "abc"}} for end in ("", "2")
        ]
        make: Any = assay.classification
        more = {"truth": "label", **more}
    else:
        density = measure == "LogLik"
        make = assay.regression
        columns = (
            [{"density": "density"}] * 2
            if density
            else [{"predicted": "one"}, {"predicted": "two"}]
        )
        more = more if density else {"truth": "y", **more}
    return [
        make(table, measure, interval=KEPT, name=name, **each, **more)
        for name, each in zip(("first", "second"), columns, strict=True)
    ]


CASES = [(task, name) for task in ("regression", "classification") for name in per_item(task)]


GIVEN: list[dict[str, str]] = [{}, {"item": "id"}, {"weight": "weight"}]


@pytest.mark.parametrize(
    ("task", "measure", "given"),
    # Densities keep no items by which weights could be paired.
    [
        (*case, given)
        for case in CASES
        for given in GIVEN
        if (case[1], given) != ("LogLik", GIVEN[2])
    ],
)
def test_the_interval_of_a_task_is_that_of_a_comparison(
    table: Path, task: str, measure: str, given: dict[str, str]
) -> None:
    asked = {"top": "top(k=2)"}.get(measure, measure)
    found = systems(table, task, asked, **given)
    beside = assay.compare(found, interval=KEPT).systems.sort("system")
    scale = ITEMS if found[0].results[0].aggregate == "sum" else 1  # of which the mean is compared
    for row, scores in zip(beside.iter_rows(named=True), found, strict=True):
        one = scores.results[0]
        expected = (one.value / scale, one.low / scale, one.high / scale)
        assert (row["value"], row["low"], row["high"]) == pytest.approx(expected, rel=1e-12)
        assert row["interval"] == one.interval
        assert one.low < one.value < one.high


@pytest.mark.parametrize(
    ("task", "measure"), [*CASES, ("regression", "RMSE"), ("regression", "R2")]
)
def test_names_of_items_do_not_change_an_interval(table: Path, task: str, measure: str) -> None:
    asked = {"top": "top(k=2)"}.get(measure, measure)
    plain, named = (
        systems(table, task, asked, **given)[0].results[0] for given in ({}, {"item": "id"})
    )
    assert (plain.low, plain.high) == (named.low, named.high)


def test_a_sum_over_items_is_told_to_be_compared_by_its_mean(table: Path) -> None:
    found = assay.compare(systems(table, "classification", "LogLossSum"), interval=KEPT)
    assert any("compared is the mean of its units" in each for each in found.warnings)


def test_items_that_weigh_more_do_so_in_a_gate_and_are_checked_once(table: Path) -> None:
    found = systems(table, "regression", "MAE", weight="weight")
    gate = assay.gate(found, baseline="first", floor=3.0, margin=5.0)
    assert [each.rule for each in gate.checks] == ["floor", "baseline"]
    change = found[0].results[0].value - found[1].results[0].value
    assert f"change {change:+.4f}" in gate.checks[1].said
