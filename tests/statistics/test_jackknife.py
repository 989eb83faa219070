from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay import measure
from assay.engine.local import evaluate
from assay.evidence.views.contingency import Contingency
from assay.statistics.intervals.interval_settings import Bootstrap
from assay.statistics.intervals.jackknife import add_jackknife_intervals, jackknife_ends


def table(counts: Any) -> Any:
    counts = np.asarray(counts, dtype=float)
    clusters, classes = (tuple(f"{n}" for n in range(size)) for size in counts.shape)
    return Contingency.of(counts, clusters, classes)


def interval(name: str, counts: Any) -> Any:
    view, asked = table(counts), measure(name, "clustering")
    result = add_jackknife_intervals(evaluate(view, [asked], "s"), view, [asked], Bootstrap())[0]
    return result.value, result.low, result.high


def test_of_a_mean_it_is_the_interval_of_student() -> None:
    stats = pytest.importorskip("scipy.stats")
    values = np.asarray([1.0, 4, 2, 8, 5])
    without = (values.sum() - values) / 4
    low, high = jackknife_ends(values.mean(), without, np.ones(5), 0.95)
    expected = stats.t.interval(0.95, 4, values.mean(), stats.sem(values))
    assert (low, high) == pytest.approx(expected)


def test_wilson_equals_statsmodels() -> None:
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    expected = proportion.proportion_confint(37, 50, method="wilson")
    assert interval("purity", [[20, 5], [8, 17]])[1:] == pytest.approx(expected)


def test_a_share_of_all_items_reaches_one_exactly() -> None:
    assert interval("purity", [[7, 0], [0, 6]])[2] == 1.0


def test_a_tie_for_the_commonest_class_does_no_harm() -> None:
    value, low, high = interval("purity", [[100, 100, 0], [0, 0, 100]])
    assert low < value < high


def test_independent_clusters_tell_nothing() -> None:
    random = np.random.default_rng(0)
    value, low, _ = interval("NMI", random.multinomial(500, np.full(100, 0.01)).reshape(10, 10))
    assert value > 0.03
    assert low == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["NMI", "ARI", "purity", "B3F", "AMI"])
def test_covers_the_truth(name: str) -> None:
    """300 items: entropies of 5 × 5 cells, which have 12 items each; the others of 10 × 10."""
    size = 5 if name in ("NMI", "AMI") else 10
    share = np.full((size, size), 0.4 / size**2) + np.eye(size) * 0.6 / size
    truth = measure(name, "clustering")(table(share * 1e9 if name != "AMI" else share * 1e6))[0]
    random = np.random.default_rng(4)
    hits = []
    for _ in range(300):
        _, low, high = interval(name, random.multinomial(300, share.ravel()).reshape(size, size))
        hits.append(low <= truth <= high)
    assert np.mean(hits) > 0.9
