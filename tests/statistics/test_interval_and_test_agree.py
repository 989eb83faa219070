"""The interval of a difference excludes 0 exactly where its test rejects, for every test."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import assay
from assay.core.errors import UsageError
from assay.reports.text.score_notes import REMARKS
from assay.statistics.intervals.interval_settings import (
    ALL_REJECTED,
    NO_SPREAD,
    NO_WIDTH,
    OF_RANKS,
    TOO_FEW,
)
from assay.statistics.significance_tests import joint_tests, paired_tests

KINDS = ("normal", "ties", "few values", "0-1", "constant", "skewed", "mostly zero", "opposites")
HALVES = tuple(f"r{r}f{f}" for r in range(1, 6) for f in (1, 2))


def draw(random: np.random.Generator, kind: str, units: int, binary: bool) -> np.ndarray:
    """Values of three systems on so many units."""
    shape = (units, 3)
    if binary or kind == "0-1":
        return (random.random(shape) < random.random(3)).astype(float)
    step = random.random(3) / math.sqrt(units)
    return {
        "normal": lambda: random.normal(size=shape) + 2 * step,
        "ties": lambda: np.round(random.normal(size=shape) + 2 * step, 1),
        "few values": lambda: random.choice((0.0, 0.1, 0.2), size=shape) + random.choice((0, 0.1)),
        "constant": lambda: random.random((units, 1)).round(2) + random.choice((0, 0.25), size=3),
        "skewed": lambda: random.exponential(size=shape) + 2 * step,
        "mostly zero": lambda: (
            (random.random(shape) < 0.25) * random.choice((0.1, 0.2), size=shape)
        ),
        "opposites": lambda: (
            np.sign(random.normal(size=shape) + 3 * step) * random.integers(1, 4, size=shape)
        ),
    }[kind]()


def table(values: np.ndarray, names: tuple[str, ...]) -> pl.DataFrame:
    """A table of scores of the systems a, b and c."""
    rows = [
        {"system": system, "query": names[unit], "value": float(values[unit, place])}
        for place, system in enumerate("abc")
        for unit in range(len(values))
    ]
    return pl.DataFrame(rows)


def check(row: dict[str, Any], level: float) -> str:
    """Check one pair, and return what was seen."""
    if math.isnan(row["low"]):
        assert row["interval"] in REMARKS, row
        assert row["interval"] != TOO_FEW or not row["p"] < level, row
        assert row["interval"] != ALL_REJECTED or row["p"] < level, row
        return str(row["interval"])
    assert row["low"] < row["high"], row
    outside = row["low"] > 0 or row["high"] < 0
    assert outside == (row["p"] < level), row
    return "rejected" if outside else "kept"


def compare(test: str, seed: int, **more: Any) -> set[str]:
    """Compare random systems, and return what was seen."""
    random = np.random.default_rng([seed, 17])
    kind = KINDS[seed % len(KINDS)]
    units = 10 if test.startswith("5x2") else int(random.choice((2, 3, 4, 5, 6, 7, 9, 10, 12, 30)))
    names = HALVES if test.startswith("5x2") else tuple(f"q{n}" for n in range(units))
    values = draw(random, kind, units, test in ("mcnemar", "mcnemar-chi2", "cochran"))
    confidence = float(random.choice((0.8, 0.9, 0.95)))
    found = assay.compare(
        table(values, names),
        test=test,
        permutations=400,
        interval=assay.Bootstrap(resamples=50, confidence=confidence),
        **more,
    )
    rows = found.pairs.filter(pl.col("p").is_not_nan()).rows(named=True)
    open_end = {"greater": "high", "less": "low"}.get(more.get("alternative", ""))
    ends = [abs(row[open_end]) for row in rows if open_end]
    assert all(math.isnan(end) or math.isinf(end) for end in ends)
    return {check(row, 1 - confidence) for row in rows}


@pytest.mark.parametrize("test", [*paired_tests(), *joint_tests()])
def test_interval_and_p_value_agree(test: str) -> None:
    seen = set().union(*(compare(test, seed) for seed in range(24)))
    if test == "friedman":
        assert seen <= {OF_RANKS}
    elif test != "bootstrap-plain":
        assert {"rejected", "kept"} <= seen
        assert seen & {NO_WIDTH, NO_SPREAD, TOO_FEW, ALL_REJECTED} or test == "randomized-tukey"


@pytest.mark.parametrize("alternative", ["greater", "less"])
@pytest.mark.parametrize(
    "test", [name for name, each in paired_tests().items() if not each.two_sided]
)
def test_one_sided_interval_and_p_value_agree(test: str, alternative: str) -> None:
    seen = set().union(*(compare(test, seed, alternative=alternative) for seed in range(8)))
    assert "kept" in seen or test == "bootstrap-plain"


@pytest.mark.parametrize("test", ["5x2-F", "mcnemar-chi2", "tukey", "friedman", "cochran"])
def test_a_test_without_a_one_sided_form_says_so(test: str) -> None:
    values = np.random.default_rng(1).integers(0, 2, (10, 3)).astype(float)
    with pytest.raises(UsageError, match="no one-sided form"):
        assay.compare(table(values, HALVES), test=test, alternative="greater")


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("measure", ["MCC", "AUC"])
def test_intervals_of_whole_tables_agree(measure: str, alternative: str) -> None:
    seen = set()
    for seed in range(6):
        random = np.random.default_rng(seed)
        truth = np.repeat(["n", "y"], [12 + seed, 14])
        first = random.normal(size=len(truth)) + (truth == "y")
        second = random.normal(size=len(truth)) + (seed % 3) * (truth == "y")
        data = {"truth": truth, "item": range(len(truth)), "one": first, "two": second}
        systems = [
            assay.classification(
                data, measure, score=name, threshold=0.5, positive="y", item="item", name=name
            )
            for name in ("one", "two")
        ]
        found = assay.compare(systems, baseline="one", alternative=alternative)
        seen.add(check(found.pairs.row(0, named=True), 0.05))
    assert "kept" in seen


@pytest.mark.parametrize("grouped", ["weights", "clusters"])
@pytest.mark.parametrize("test", ["randomization", "bootstrap", "bootstrap-t", "t"])
def test_weighted_and_clustered_units_agree(test: str, grouped: str) -> None:
    seen = set()
    for seed in range(8):
        random = np.random.default_rng([seed, 3])
        names = tuple(f"q{n}" for n in range(24))
        values = draw(random, KINDS[seed % 4], 24, binary=False)
        more: dict[str, Any] = {"weights": {name: float(random.integers(1, 5)) for name in names}}
        interval = assay.Bootstrap(resamples=50)
        if grouped == "clusters":
            clusters = {name: f"c{random.integers(0, 9)}" for name in names}
            more, interval = {}, assay.Bootstrap(resamples=50, clusters=clusters)
        scores = table(values, names)
        found = assay.compare(scores, test=test, permutations=500, interval=interval, **more)
        seen |= {check(row, 0.05) for row in found.pairs.iter_rows(named=True)}
    assert {"rejected", "kept"} <= seen
