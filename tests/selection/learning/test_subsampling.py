"""Intervals from samples of the items: of a mean, of neighbors, too few items, their coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.conftest import ROOT
from tests.selection.learning.interval_coverage import (
    DATA_SETS,
    POPULATIONS,
    REPEATS,
    SIZES,
    coverage,
    stability_coverage,
)

import assay
from assay.selection.learning_tasks.draw_intervals import draw_interval
from assay.selection.learning_tasks.repeated_kmeans import cluster_sets, lloyd
from assay.selection.learning_tasks.subsampling import (
    DependentMean,
    draw_subsamples,
    sampled_interval,
)

pytest.importorskip("sklearn")
HANDBOOK = ROOT / "docs" / "handbook" / "learning-task-intervals.md"


@pytest.mark.parametrize("share", [0.35, 0.5, 0.8])
def test_the_error_of_a_mean_is_that_of_independent_items(share: float) -> None:
    errors = []
    for seed in range(30):
        values = np.random.default_rng(seed).normal(size=200)
        samples = draw_subsamples((200, 1), share, 10, seed)
        assert samples is not None
        errors.append(samples.error(values[samples.rows].mean(axis=1)))
    assert np.mean(errors) == pytest.approx(1 / np.sqrt(200), rel=0.05)


def test_samples_have_no_item_twice_and_enough_items() -> None:
    samples = draw_subsamples((100, 3), 0.35, 10, 1)
    assert samples is not None
    assert all(len(np.unique(rows)) == 35 for rows in samples.rows)
    assert draw_subsamples((20, 3), 0.35, 10, 1) is None
    large = draw_subsamples((50_000, 200), 0.35, 10, 1)
    assert large is not None
    assert large.rows.shape[1] == 4_000_000 // (60 * 200)


def test_intervals_follow_the_confidence_and_stay_within_bounds() -> None:
    samples = draw_subsamples((100, 1), 0.35, 10, 1)
    drawn = np.random.default_rng(1).normal(0.98, 0.02, 60)
    ends = [
        sampled_interval(0.98, drawn, samples, assay.Bootstrap(confidence), (0.0, 1.0))
        for confidence in (0.8, 0.99)
    ]
    assert ends[0].low > ends[1].low
    assert ends[1].high == 1
    assert math.isnan(sampled_interval(0.98, drawn, samples, None).low)


def test_small_slices_and_equal_values() -> None:
    samples = draw_subsamples((100, 1), 0.35, 10, 1)
    assert samples is not None
    values = np.random.default_rng(2).random(100)
    mean = DependentMean(values, samples, values[samples.rows])
    few = np.arange(100) < 9
    assert mean.interval(few, assay.Bootstrap()).method == "too few units"
    assert mean.interval(~few, assay.Bootstrap()).method == "subsamples"
    same = DependentMean(np.ones(100), samples, np.ones((60, 35)))
    found = same.interval(np.full(100, True), assay.Bootstrap())
    assert found.low == pytest.approx(0.963, abs=1e-3)
    assert found.high == 1


def test_equal_draws_have_no_width() -> None:
    found = draw_interval(np.ones(10), assay.Bootstrap(), (0.0, 1.0))
    assert math.isnan(found.low)
    assert found.method == "no width"
    assert draw_interval(np.ones(1), assay.Bootstrap(), (0.0, 1.0)).method == "too few units"
    assert draw_interval(np.arange(3.0), None, (0.0, 1.0)).method == ""


def test_draws_have_the_interval_of_student_moved_by_johnsons_term() -> None:
    """By hand: 0, 0, 0, 4 has mean 1, s = 2, third moment 6, t = 3.182; 6/8 · 2/24 · (1 + 2t²)."""
    even = draw_interval(np.array([1.0, 2, 3, 4, 5]), assay.Bootstrap(), (-99.0, 99.0))
    assert even.low == pytest.approx(1.0368, abs=1e-4)
    assert even.high == pytest.approx(4.9632, abs=1e-4)
    found = draw_interval(np.array([0.0, 0, 0, 4]), assay.Bootstrap(), (-99.0, 99.0))
    assert found.low == pytest.approx(1 - 3.1824, abs=1e-3)
    assert found.high == pytest.approx(1 + 3.1824 + 0.0625 * (1 + 2 * 3.1824**2), abs=1e-3)


def test_clusters_of_many_sets_are_those_of_scikit_learn() -> None:
    from sklearn.cluster import KMeans

    sets = np.random.default_rng(0).normal(size=(12, 80, 3))
    start = sets[:, :5].copy()
    labels, within = lloyd(sets, start)
    for place in range(12):
        model = KMeans(5, init=start[place], n_init=1, algorithm="lloyd", tol=0, max_iter=100)
        np.testing.assert_array_equal(model.fit_predict(sets[place]), labels[place])
        assert within[place] == pytest.approx(model.inertia_)
    best = [KMeans(5, n_init=10, random_state=1).fit(each).inertia_ for each in sets]
    assert cluster_sets(sets, 5, 10, 1)[1].mean() == pytest.approx(np.mean(best), rel=0.01)


def test_intervals_are_at_least_as_wide_as_data_sets_differ() -> None:
    """Data sets of one population show how far the number really moves."""
    random = np.random.default_rng(3)
    values, widths = [], []
    for _ in range(40):
        y = random.integers(0, 2, 100)
        X = random.normal(size=(100, 2)) + 1.5 * y[:, None]
        found = assay.learn.reduction(X, y, methods="pca", dimensions=1)
        hit = next(each for each in found.scores.of("neighborhood_hit"))
        values.append(hit.value)
        widths.append((hit.high - hit.low) / 4)
    assert 0.95 <= np.mean(widths) / np.std(values) <= 1.5


def _handbook() -> dict[tuple[str, int, str], float]:
    """Return the coverage that the handbook states, by population, items and number."""
    rows = [line.split("|")[1:-1] for line in HANDBOOK.read_text().splitlines() if "%" in line]
    names = [f"{name} {size}" for name in POPULATIONS for size in SIZES]
    found = {}
    for number, *shares in ([cell.strip() for cell in row] for row in rows if len(row) == 9):
        for name, share in zip(names, shares, strict=True):
            population, size = name.rsplit(" ", 1)
            if share.endswith("%"):
                found[population, int(size), number] = float(share.removesuffix(" %")) / 100
    return found


@pytest.mark.simulate
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("population", POPULATIONS)
def test_intervals_cover_as_the_handbook_states(population: str, size: int) -> None:
    stated = _handbook()
    shares = coverage(population, size, DATA_SETS[size], REPEATS[size])
    shares |= stability_coverage(population, size)
    for number, share in shares.items():
        if (population, size, number) in stated:
            assert share == pytest.approx(stated[population, size, number], abs=0.02), number
