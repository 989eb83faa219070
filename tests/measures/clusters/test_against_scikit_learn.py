"""Every measure that scikit-learn has too, on random groupings."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import assay
from assay import measure
from assay.core.tables import Assignments
from assay.evidence.views.contingency import build_contingency

cluster = pytest.importorskip("sklearn.metrics.cluster")
pytestmark = pytest.mark.oracle

ORACLES = {
    "NMI": cluster.normalized_mutual_info_score,
    "NMI(mean=min)": lambda t, c: cluster.normalized_mutual_info_score(t, c, average_method="min"),
    "NMI(mean=max)": lambda t, c: cluster.normalized_mutual_info_score(t, c, average_method="max"),
    "NMI(mean=geometric)": lambda t, c: cluster.normalized_mutual_info_score(
        t, c, average_method="geometric"
    ),
    "AMI": cluster.adjusted_mutual_info_score,
    "AMI(mean=max)": lambda t, c: cluster.adjusted_mutual_info_score(t, c, average_method="max"),
    "MI": cluster.mutual_info_score,
    "homogeneity": cluster.homogeneity_score,
    "completeness": cluster.completeness_score,
    "V": cluster.v_measure_score,
    "V(beta=0.5)": lambda t, c: cluster.v_measure_score(t, c, beta=0.5),
    "RI": cluster.rand_score,
    "ARI": cluster.adjusted_rand_score,
    "FM": cluster.fowlkes_mallows_score,
    "pairTP": lambda t, c: cluster.pair_confusion_matrix(t, c)[1, 1] / 2,
    "pairFP": lambda t, c: cluster.pair_confusion_matrix(t, c)[0, 1] / 2,
    "pairFN": lambda t, c: cluster.pair_confusion_matrix(t, c)[1, 0] / 2,
    "pairTN": lambda t, c: cluster.pair_confusion_matrix(t, c)[0, 0] / 2,
}


def groupings(items: int, clusters: int, classes: int, likeness: float, seed: int) -> Any:
    random = np.random.default_rng(seed)
    truth = random.integers(0, classes, items)
    return truth, np.where(
        random.random(items) < likeness, truth % clusters, random.integers(0, clusters, items)
    )


def table(truth: Any, found: Any) -> Any:
    return build_contingency(Assignments.of(pl.DataFrame({"cluster": found, "class": truth})))


@pytest.mark.parametrize("name", ORACLES)
@pytest.mark.parametrize(
    "shape", [(30, 3, 4, 0.5), (500, 12, 7, 0.3), (400, 90, 80, 0.0), (5000, 6, 6, 0.97)]
)
def test_equals_scikit_learn(name: str, shape: tuple[int, int, int, float]) -> None:
    truth, found = groupings(*shape, seed=sum(map(int, shape[:3])))
    expected = ORACLES[name](truth, found)
    assert measure(name, "clustering")(table(truth, found))[0] == pytest.approx(
        expected, rel=1e-9, abs=1e-12
    )


def test_adjusted_mutual_information_of_large_groups() -> None:
    truth, found = groupings(40_000, 5, 8, 0.4, seed=3)
    expected = cluster.adjusted_mutual_info_score(truth, found)
    assert measure("AMI")(table(truth, found))[0] == pytest.approx(expected, abs=1e-9)


def test_adjusted_mutual_information_averages_to_nothing_by_chance() -> None:
    values = [measure("AMI")(table(*groupings(60, 8, 5, 0, seed)))[0] for seed in range(40)]
    assert abs(np.mean(values)) < 0.02


def test_best_matching_equals_the_hungarian_method() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    for seed in range(5):
        truth, found = groupings(300, 7, 5, 0.4, seed)
        counts = cluster.contingency_matrix(truth, found)
        rows, columns = optimize.linear_sum_assignment(-counts)
        assert measure("matching")(table(truth, found))[0] == counts[rows, columns].sum() / 300


def test_text_and_numbers_give_the_same() -> None:
    truth, found = groupings(500, 12, 7, 0.3, seed=1)
    text = {"cluster": [f"k{n}" for n in found], "class": [f"t{n}" for n in truth]}
    numbers = {"cluster": found, "class": truth}
    wide = {"cluster": found * 1_000_003, "class": truth * 999_983}
    floats = {"cluster": found.astype(float), "class": truth}
    names = list(ORACLES)
    one, *others = (
        assay.clustering(each, names, interval=None) for each in (numbers, text, wide, floats)
    )
    for other in others:
        for name in names:
            assert other[name]["cluster"] == pytest.approx(one[name]["cluster"], abs=1e-13)
