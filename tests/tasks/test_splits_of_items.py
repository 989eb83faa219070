"""One split of the items is evaluated, and the number records it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError

DRAW = np.random.default_rng(0)
ITEMS = pl.DataFrame(
    {
        "id": [f"i{n}" for n in range(40)],
        "truth": DRAW.choice(["a", "b"], 40),
        "predicted": DRAW.choice(["a", "b"], 40),
        "y": DRAW.normal(size=40),
        "guess": DRAW.normal(size=40),
    }
)
OPTIONS: dict[str, dict[str, Any]] = {
    "classification": {"measures": "ACC", "predicted": "predicted"},
    "regression": {"measures": "MAE", "truth": "y", "predicted": "guess"},
}


@pytest.mark.parametrize("task", OPTIONS)
@pytest.mark.parametrize("item", ["id", None])
def test_a_split_is_evaluated_and_recorded(task: str, item: str | None) -> None:
    splits = assay.split_items(ITEMS, item=item)
    evaluate = getattr(assay, task)
    found = evaluate(ITEMS, **OPTIONS[task], item=item, split="test", splits=splits)
    names = ITEMS["id"] if item else pl.Series(map(str, range(1, 41)))
    inside = ITEMS.filter(names.is_in(splits.units("test")))
    known = evaluate(inside, **OPTIONS[task])
    assert found.results[0].value == known.results[0].value
    assert found.conventions["split"] == "test"
    assert found.conventions["splits"] == splits.digest
    units = assay.regression(ITEMS, **OPTIONS["regression"], item=item, split="test", splits=splits)
    assert {*units.results[0].units} == {*splits.units("test")}


def test_arrays_and_folds() -> None:
    splits = assay.split_items(ITEMS, "k-fold", folds=4)
    y, guess = ITEMS["y"].to_numpy(), ITEMS["guess"].to_numpy()
    found = assay.regression(y, guess, "MAE", split="test", splits=splits, fold=2)
    rows = np.array([int(unit) - 1 for unit in splits.units("test", 2)])
    assert found.results[0].value == pytest.approx(np.abs(y - guess)[rows].mean())
    assert found.conventions["fold"] == "2"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"split": "test"}, "`splits=…`"),
        ({"splits": "SPLITS"}, "which one is evaluated"),
        ({"splits": "SPLITS", "split": "tset"}, "Did you mean test"),
        ({"splits": "SPLITS", "split": "test", "fold": 1}, "no folds"),
        ({"fold": 1}, "a fold is one of splits"),
        ({"splits": {"query": ["q1"], "split": ["test"]}, "split": "test"}, "item is expected"),
        ({"splits": {"item": ["i1", "i99"], "split": ["test"] * 2}, "split": "test"}, "item i99"),
        ({"splits": "SPLITS", "split": "test", "item": "name"}, "no column"),
    ],
)
def test_splits_that_do_not_fit(options: dict[str, Any], message: str) -> None:
    given = {"item": "id"} | options
    if given.get("splits") == "SPLITS":
        given["splits"] = assay.split_items(ITEMS, item="id")
    with pytest.raises(AssayError, match=message):
        assay.classification(ITEMS, "ACC", predicted="predicted", **given)


def test_the_commands_take_a_split(tmp_path: Path) -> None:
    table, splits = str(tmp_path / "items.csv"), str(tmp_path / "splits.csv")
    ITEMS.write_csv(table)
    assert call("split", "items", table, "--item", "id", "-o", splits).code == 0
    chosen = ("--item", "id", "--split", "test", "--splits", splits)
    done = call(
        "classification",
        table,
        "--predicted",
        "predicted",
        *chosen,
        "-m",
        "ACC",
        "--format",
        "json",
    )
    assert done.code == 0, done.err
    assert '"split": "test"' in done.out
    assert call("compare", "regression", table, "--truth", "y", "--predicted", "guess",
                "--predicted", "y", *chosen, "-m", "MAE").code == 0  # fmt: skip
    done = call("classification", table, "--sets", *chosen)
    assert (done.code, "--split is for" in done.err) == (2, True)
