"""Default intervals cover the true value in 92 to 98 % of samples, or are not shown."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.statistics.coverage import GENERATORS, SEEDS, Generator

import assay
from assay.reports.text.score_notes import score_notes
from assay.statistics.intervals.interval_settings import FEW_PER_CELL

SAMPLES = [
    pytest.param(each, units, id=f"{each.name}-{units}")
    for each in GENERATORS
    for units in each.units
]


@pytest.mark.simulate
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("generator", "units"), SAMPLES)
def test_coverage_of_defaults(generator: Generator, units: int, seed: int) -> None:
    for name, share in generator.coverage(units, seed=seed).items():
        assert 0.92 <= share <= 0.98, (name, share)


@pytest.mark.parametrize(("generator", "units"), SAMPLES)
def test_a_few_intervals_of_every_generator_cover_it(generator: Generator, units: int) -> None:
    found = generator.coverage(units, simulations=20)
    assert set(found) == set(generator.measures)
    assert min(found.values()) >= 0.6


def clusters(size: int, items: int) -> assay.Scores:
    random = np.random.default_rng(1)
    chosen = random.integers(0, size, items)
    known = np.where(random.random(items) < 0.7, chosen, random.integers(0, size, items))
    data = {"c": [f"c{each}" for each in chosen], "class": [f"t{each}" for each in known]}
    return assay.clustering(data, cluster="c", measures="NMI AMI V MI VI ARI B3F")


def test_entropies_of_sparse_tables_have_no_interval_and_the_reason() -> None:
    found = clusters(20, 300)
    for name in ("NMI", "AMI", "V", "MI", "VI"):
        result = found.of(name)[0]
        assert math.isnan(result.low)
        assert result.interval == FEW_PER_CELL
    for name in ("ARI", "B3F"):
        assert found.of(name)[0].low < found.of(name)[0].high
    assert "fewer than 5 items for each pair of cluster and class" in " ".join(score_notes(found))


def test_entropies_of_full_tables_have_an_interval() -> None:
    for size, items in ((3, 50), (7, 300)):
        assert clusters(size, items).of("NMI")[0].low > 0


def test_intervals_near_one_stay_below_one() -> None:
    data = {"c": list("a" * 25 + "b" * 25), "class": list("x" * 25 + "y" * 24 + "x")}
    result = assay.clustering(data, cluster="c", measures="B3F").results[0]
    assert result.low < result.value < result.high < 1
