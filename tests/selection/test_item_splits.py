"""Splits of items: laws of every method, times and gaps, files, figures and bad input."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError, DataError

SIZES = st.integers(12, 60)


def items(size: int, classes: int = 3, groups: int = 4) -> pl.DataFrame:
    places = range(size)
    return pl.DataFrame(
        {
            "id": [f"i{n * 7 % size}-{n}" for n in places],
            "kind": [f"c{n * n % classes}" for n in places],
            "who": [f"g{n // groups}" for n in places],
            "when": [float(n * 5 % 17) for n in places],
        }
    )


def parts(splits: assay.Splits, fold: str | None = None) -> dict[str, set[str]]:
    rows = splits.frame if fold is None else splits.frame.filter(fold=fold)
    return {name: {*own["item"]} for (name,), own in rows.group_by("split")}


@given(SIZES, st.integers(0, 3), st.sampled_from(["holdout", "k-fold", "nested"]))
def test_parts_are_disjoint_complete_and_the_same_for_the_same_seed(
    size: int, seed: int, method: str
) -> None:
    data = items(size)
    own: dict[str, dict[str, Any]] = {"k-fold": {"folds": 3}, "nested": {"folds": 3, "inner": 2}}
    options: dict[str, Any] = {"item": "id", "seed": seed} | own.get(method, {})
    made = assay.split_items(data, method, **options)
    assert made.digest == assay.split_items(data.reverse(), method, **options).digest
    for fold in (*made.folds, *([] if made.folds else [None])):
        found = parts(made, fold)
        assert not set.intersection(*found.values())
        if fold is None or "." not in fold:
            assert set.union(*found.values()) == {*data["id"]}


@given(SIZES, st.integers(2, 4), st.integers(0, 3))
def test_strata_keep_their_shares_within_one(size: int, folds: int, seed: int) -> None:
    data = items(size)
    made = assay.split_items(data, "k-fold", item="id", stratum="kind", folds=folds, seed=seed)
    tested = made.frame.filter(split="test").join(data, left_on="item", right_on="id")
    for (kind,), own in data.group_by("kind"):
        found = tested.filter(kind=kind).group_by("fold").len()["len"].to_list()
        counts = found + [0] * (folds - len(found))
        assert all(abs(count - own.height / folds) < 1 for count in counts)
    sizes = tested.group_by("fold").len()["len"]
    assert sizes.max() - sizes.min() <= 2


@given(SIZES, st.integers(0, 3))
def test_groups_stay_whole_and_balanced(size: int, seed: int) -> None:
    data = items(size)
    made = assay.split_items(data, "k-fold", item="id", group="who", folds=3, seed=seed)
    tested = made.frame.filter(split="test").join(data, left_on="item", right_on="id")
    assert tested.group_by("who").agg(pl.col("fold").n_unique())["fold"].max() == 1
    sizes = tested.group_by("fold").len()["len"]
    assert sizes.max() - sizes.min() <= 4  # no more than the largest group


def test_groups_with_strata_keep_the_classes_near_their_shares() -> None:
    data = items(60, classes=2, groups=3)
    made = assay.split_items(data, "k-fold", item="id", group="who", stratum="kind", folds=4)
    tested = made.frame.filter(split="test").join(data, left_on="item", right_on="id")
    for (kind,), own in data.group_by("kind"):
        for count in tested.filter(kind=kind).group_by("fold").len()["len"]:
            assert abs(count - own.height / 4) <= 3


@given(st.integers(24, 60), st.sampled_from([None, 1, 3]))
def test_times_are_in_order_and_equal_times_are_together(size: int, gap: float | None) -> None:
    data = items(size)
    options: dict[str, Any] = {"item": "id", "time": "when", "gap": gap}
    made = assay.split_items(data, shares=(40, 30, 30), **options)
    when = dict(data.select("id", "when").iter_rows())
    order = [parts(made)[name] for name in ("train", "validation", "test") if name in parts(made)]
    for one, other in pairwise(order):
        assert max(when[i] for i in one) + (gap or 0) <= min(when[i] for i in other)
        assert max(when[i] for i in one) < min(when[i] for i in other)
    folds = assay.split_items(data, "k-fold", folds=3, **options)
    for fold in folds.folds:
        found = parts(folds, fold)
        last = max(when[i] for i in found["train"])
        assert last + (gap or 0) <= min(when[i] for i in found["test"])
        if "later" in found:
            assert min(when[i] for i in found["later"]) > max(when[i] for i in found["test"])


def test_dates_have_gaps_of_days() -> None:
    days = {"day": [f"2026-03-{n:02}" for n in range(1, 11)]}
    found = parts(assay.split_items(days, shares=(50, 50), time="day", gap="2d"))
    assert found == {
        "train": {"1", "2", "3", "4"},
        "gap": {"5"},
        "test": {"6", "7", "8", "9", "10"},
    }


def test_leaving_out() -> None:
    one = assay.split_items(items(6), "leave-one-out", item="id")
    assert [len(parts(one, fold)["test"]) for fold in one.folds] == [1] * 6
    two = assay.split_items(items(12), "leave-p-out", group="who", left_out=2)
    assert [len(parts(two, fold)["test"]) for fold in two.folds] == [8] * 3
    with pytest.raises(AssayError, match="use k-fold"):
        assay.split_items(items(9000, groups=1), "leave-p-out", left_out=2)


def test_repeats_differ_and_nested_folds_split_training_items() -> None:
    again = assay.split_items(items(20), "k-fold", folds=2, repeats=2)
    assert again.folds == ["1-1", "1-2", "2-1", "2-2"]
    assert parts(again, "1-1") != parts(again, "2-1")
    nested = assay.split_items(items(40), "nested", folds=2, inner=3, group="who")
    inner = parts(nested, "1.1")
    assert set(inner) == {"train", "validation"}
    assert set.union(*inner.values()) == parts(nested, "1")["train"]


def test_files_keep_folds_and_their_digest(tmp_path: Path) -> None:
    made = assay.split_items(items(12), "k-fold", item="id", folds=3)
    made.write(tmp_path / "folds.csv")
    found = assay.Splits.read(tmp_path / "folds.csv")
    assert found.digest == made.digest
    assert found.made["seed"] == 1
    assert sorted(found.units("test", 2)) == sorted(parts(made, "2")["test"])
    with pytest.raises(AssayError, match="which of the 3 folds"):
        found.units("test")
    with pytest.raises(AssayError, match="no fold '9'"):
        found.units("test", "9")


@pytest.mark.parametrize(
    ("options", "method"),
    [
        ({}, "holdout"),
        ({"shares": (70, 30), "names": ["a", "b"]}, "holdout"),
        ({"folds": 4}, "k-fold"),
        ({"repeats": 2}, "k-fold"),
        ({"folds": 3, "inner": 2}, "nested"),
        ({"left_out": 2}, "leave-p-out"),
    ],
)
def test_settings_imply_the_method(options: dict[str, Any], method: str) -> None:
    assert assay.split_items(items(12), **options).made["method"] == method


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "loo"}, "no method of splitting 'loo'"),
        ({"stratum": "nope"}, "no column 'nope' for `stratum`"),
        ({"shares": (1, 2, 3, 4)}, "give a name for each"),
        ({"shares": (-1, 2)}, "numbers from 0"),
        ({"gap": "7d"}, "needs the column of times"),
        ({"time": "when", "gap": "7d"}, "give a number"),
        ({"time": "when", "group": "who"}, "keeps no groups"),
        ({"time": "kind"}, "'c0' is not a time"),
        ({"method": "k-fold", "folds": 1}, "at least 2"),
        ({"method": "k-fold", "folds": 90}, "90 folds need at least 90"),
        ({"method": "leave-one-out", "time": "when"}, "no account of time"),
        ({"item": "kind"}, "occurs twice"),
        ({"shares": (99, 1)}, "no item is in test"),
        ({"shares": (60, 20, 20), "time": "when", "gap": 90}, "no item is in train"),
        ({"method": "k-fold", "time": "when", "gap": 90}, "fold 1: no item is in train"),
        ({"method": "k-fold", "repeats": 10**9}, "at most 20,000,000 are written"),
        ({"method": "nested", "inner": 10**9}, "at most 20,000,000 are written"),
        ({"sharez": (1, 2)}, "no setting of a split 'sharez'"),
        ({"method": "holdout", "folds": 5}, "holdout does not use `folds`.* k-fold, nested"),
        ({"method": "k-fold", "inner": 2}, "k-fold does not use `inner`.* nested"),
        ({"shares": (1, 2), "folds": 5}, "no method of splitting uses shares, folds together"),
    ],
)
def test_bad_calls_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(AssayError, match=message):
        assay.split_items(items(20), **options)


def test_equal_and_distant_times_get_a_message() -> None:
    same = {"when": [1, 2, 3] + [4] * 30}
    with pytest.raises(AssayError, match="fold 1 has no items, since too many have the same time"):
        assay.split_items(same, "k-fold", folds=3, time="when", gap=1)
    days = {"day": [f"2026-03-{n:02}" for n in range(1, 11)]}
    for gap in ("99999999999999d", "4000000d"):
        with pytest.raises(AssayError, match="at most 100 years"):
            assay.split_items(days, time="day", gap=gap)
    assert parts(assay.split_items({"x": [1, 2]}, shares=(0, 1)))["test"] == {"1", "2"}


def test_missing_values_are_named_with_their_row() -> None:
    with pytest.raises(DataError, match="row 2 has no kind"):
        assay.split_items({"kind": ["a", None, "b"]}, stratum="kind")


def test_the_command_and_the_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    items(20).write_csv("data.csv")
    words = ("split", "items", "data.csv", "--item", "id", "--method", "k-fold", "--folds", "4")
    done = call(*words, "--by", "kind", "-o", "folds.csv")
    assert done.code == 0, done.err
    assert "4 folds: test 5, train 15" in done.err
    made = assay.split_items("data.csv", "k-fold", item="id", stratum="kind", folds=4)
    assert assay.Splits.read("folds.csv").digest == made.digest
    done = call("plot", "splits", "folds.csv", "-o", "splits.svg")
    assert done.code == 0, done.err
    points = assay.plot("splits", "folds.csv").points
    assert points["test"]["begin"] == [0, 5, 10, 15]  # each fold tests the next items
    done = call(*words[:-1], "1", "-o", "folds.csv")
    assert (done.code, "--folds is 1" in done.err) == (2, True)


@pytest.mark.parametrize("dates", [True, False])
def test_a_gap_of_hours_counts_between_dates(dates: bool) -> None:
    days = [f"2026-01-{day:02}" for day in range(1, 11)]
    column = pl.Series(days).str.to_date() if dates else pl.Series(days)
    data = pl.DataFrame({"day": column})
    for gap, left in [("24h", 0), ("36h", 1), ("48h", 1), ("49h", 2), ("1d", 0)]:
        found = assay.split_items(data, time="day", shares=(80, 20), gap=gap)
        assert found.frame.filter(split="gap").height == left, gap
