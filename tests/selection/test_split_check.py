"""Leaks planted between training and test data are found, and clean splits are not suspected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError

WORDS = np.array(
    [
        "red",
        "green",
        "blue",
        "dog",
        "cat",
        "house",
        "tree",
        "stone",
        "water",
        "fire",
        "wind",
        "moon",
        "sun",
        "star",
    ]
)
COLUMNS: dict[str, Any] = {"item": "id", "label": "y", "group": "who", "time": "when"}


def clean(seed: int, train: int = 200, test: int = 80) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Draw training and test data from one population."""
    draw, size = np.random.default_rng(seed), train + test
    x = draw.normal(size=size)
    frame = pl.DataFrame(
        {
            "id": [f"i{n}" for n in range(size)],
            "x": x,
            "z": draw.exponential(size=size),
            "count": draw.poisson(3, size),
            "color": draw.choice(["red", "green", "blue"], size),
            "text": [" ".join(draw.choice(WORDS, 12)) for _ in range(size)],
            "who": [f"{'train' if n < train else 'test'}-{n // 4}" for n in range(size)],
            "when": np.arange(size),
            "y": np.where(x + draw.normal(size=size) > 0, "yes", "no"),
        }
    )
    return frame[:train], frame[train:]


def found(train: pl.DataFrame, test: pl.DataFrame, **columns: Any) -> set[str]:
    return {*assay.check_split(train, test, **(COLUMNS | columns)).findings["check"]}


def test_planted_leaks_are_found() -> None:
    train, test = clean(1)
    assert found(train, test) == set()
    again = train[:5]
    assert found(train, pl.concat([test, again])) >= {
        "items in both",
        "groups in both",
        "repeated rows",
        "near-duplicates",
        "times",
    }
    near = test.with_columns(
        x=pl.concat([train["x"][:3] + 1e-7, test["x"][3:]]),
        z=pl.concat([train["z"][:3] - 1e-7, test["z"][3:]]),
        count=pl.concat([train["count"][:3], test["count"][3:]]),
    )
    assert found(train, near) == {"near-duplicates"}
    copied = [f"{text} indeed" for text in train["text"][:3]]
    texts = test.with_columns(text=pl.Series([*copied, *test["text"][3:]]))
    assert found(train, texts) == {"near-duplicates"}


def test_repeated_rows_beside_duplicates_in_training() -> None:
    train, test = clean(7)
    doubled = pl.concat([train, train[:60]])
    result = assay.check_split(doubled, pl.concat([test, train[150:153]]), **COLUMNS)
    row = result.findings.filter(check="repeated rows").row(0, named=True)
    assert (row["rows"], "test rows 81, 82, 83" in row["finding"]) == (3, True)
    assert any(note.startswith("120 rows more than once") for note in result.notes)
    colors = [frame.select("color", "count") for frame in clean(7)]
    notes = assay.check_split(*colors).notes
    assert "rows agree by chance, so that repeated ones are not looked for" in notes
    # The same numbers as whole numbers and as decimals.
    ids = train.with_columns(count=pl.col("count").cast(pl.Float64))
    assert "repeated rows" in found(ids, pl.concat([test, train[150:153]]))


def test_names_are_not_free_text() -> None:
    train, test = (
        frame.with_columns(
            code=pl.format("customer-number-{}", pl.col("when")),
            day=pl.lit("2026-01-01").str.to_date() + pl.duration(days=pl.col("when")),
        )
        for frame in clean(8)
    )
    result = assay.check_split(train, test, **COLUMNS)
    assert result.findings.is_empty()
    assert "compared as part of whole rows only: code, day" in result.notes


def test_types_that_differ_are_found() -> None:
    train, test = clean(9)
    words = test.with_columns(pl.col("x").cast(pl.String), color=pl.lit(3))
    result = assay.check_split(train, words, **COLUMNS)
    rows = result.findings.filter(check="type differs")["finding"].to_list()
    assert rows == [
        "x: numbers in the training data, text in the test data",
        "color: text in the training data, numbers in the test data",
    ]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), None])
def test_numbers_that_are_not_finite(number: float | None) -> None:
    train, test = clean(10)
    holes = pl.Series("x", [number, *train["x"][1:]], dtype=pl.Float64)
    assert found(train.with_columns(holes), test) == set()
    assert found(train, test.with_columns(holes[:80])) == set()
    values = assay.check_split(train.with_columns(holes), test, label="x", item="id").memorizing
    assert values["value"].is_finite().all()


def test_scaling_over_both_files_is_found() -> None:
    train, test = clean(2)
    both = pl.concat([train, test])["x"]
    scaled = [
        frame.with_columns((pl.col("x") - both.mean()) / both.std(ddof=0))
        for frame in (train, test)
    ]
    assert "scaling" in found(*scaled)
    own = [
        frame.with_columns((pl.col("x") - train["x"].mean()) / train["x"].std(ddof=0))
        for frame in (train, test)
    ]
    assert "scaling" not in found(*own)


def test_differences_are_found() -> None:
    train, test = clean(3)
    assert found(train, test.with_columns(pl.col("x") + 1)) == {"distribution"}
    assert "range" in found(train, test.with_columns(pl.col("z") + 20))
    new = test.with_columns(y=pl.lit("maybe"))
    assert found(train, new) >= {"missing in training", "missing in test"}


def test_memorizing_learners() -> None:
    train, test = clean(4)
    result = assay.check_split(train, test, **COLUMNS)
    values = dict(result.memorizing.select("learner", "value").iter_rows())
    most = train["y"].mode()[0]
    assert values["most frequent class"] == pytest.approx((test["y"] == most).mean())
    assert 0.4 < values["nearest training row"] < 0.9
    price = assay.check_split(train.drop("y"), test.drop("y"), label="z", item="id")
    assert price.memorizing["measure"].to_list() == ["RMSE", "RMSE"]
    exact = assay.check_split(train, train, label="y", item="id")
    assert dict(exact.memorizing.select("learner", "value").iter_rows())[
        "nearest training row"
    ] == pytest.approx(1.0)


def test_bad_files_are_refused() -> None:
    train, test = clean(5)
    with pytest.raises(AssayError, match="no column 'z'"):
        assay.check_split(train, test.drop("z"))
    with pytest.raises(AssayError, match="no column 'z', which"):
        assay.check_split(train.drop("z"), test)
    with pytest.raises(AssayError, match="no rows"):
        assay.check_split(train, test[:0])


def test_the_command(tmp_path: Path) -> None:
    for name, frame in zip(("train", "test"), clean(6), strict=True):
        frame.write_csv(tmp_path / f"{name}.csv")
    words = [str(tmp_path / f"{name}.csv") for name in ("train", "test")]
    done = call("split", "check", *words, "--label", "y", "--item", "id", "--time", "when")
    assert done.code == 0, done.err
    assert "nothing suspicious was found" in done.out
    assert "nearest training row" in done.out


@pytest.mark.simulate
def test_clean_splits_are_rarely_suspected() -> None:
    draw = np.random.default_rng(20261117)
    alarms = sum(
        bool(found(*clean(int(seed), int(draw.integers(60, 400)), int(draw.integers(20, 150)))))
        for seed in draw.integers(0, 2**31, 1000)
    )
    assert alarms <= 50
