"""Decisions: the same numbers as scikit-learn, for labels of all kinds, weights and averages."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import assay

metrics = pytest.importorskip("sklearn.metrics")

KINDS = {
    "text": np.asarray(["ant", "bee", "cow", "dog"], dtype=object),
    "integers": np.asarray([3, 1, 7, 12]),
    "booleans": np.asarray([False, True]),
    "floats": np.asarray([0.0, 1.0, 2.0]),
}


def draw(kind: str, seed: int = 0, size: int = 300) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    names = KINDS[kind]
    truth = random.choice(names, size)
    said = np.where(random.random(size) < 0.6, truth, random.choice(names, size))
    return truth, said, random.random(size)


def ours(name: str, truth: object, said: object, weight: object = None, **rest: object) -> float:
    data = {"truth": truth, "predicted": said}
    if weight is not None:
        data["weight"] = weight
    scores = assay.classification(
        data,
        [name],
        predicted="predicted",
        weight=None if weight is None else "weight",
        interval=None,
        **rest,
    )
    return scores.results[0].value


WHOLE = {
    "ACC": metrics.accuracy_score,
    "ERR": metrics.zero_one_loss,
    "BA": metrics.balanced_accuracy_score,
    "BA(adjusted=true)": lambda *a, **k: metrics.balanced_accuracy_score(*a, adjusted=True, **k),
    "MCC": metrics.matthews_corrcoef,
    "kappa": metrics.cohen_kappa_score,
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", WHOLE)
def test_measures_of_the_whole(kind: str, weighted: bool, name: str) -> None:
    truth, said, weight = draw(kind)
    chosen = weight if weighted else None
    expected = WHOLE[name](truth, said, sample_weight=chosen)
    assert ours(name, truth, said, chosen) == pytest.approx(expected, abs=1e-12)


AVERAGED = {
    "P": metrics.precision_score,
    "R": metrics.recall_score,
    "F": metrics.f1_score,
    "F(beta=2)": lambda *a, **k: metrics.fbeta_score(*a, beta=2, **k),
    "Jaccard": metrics.jaccard_score,
}


@pytest.mark.parametrize("kind", ["text", "integers", "booleans"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
@pytest.mark.parametrize("name", AVERAGED)
def test_averages(kind: str, weighted: bool, average: str, name: str) -> None:
    truth, said, weight = draw(kind, seed=1)
    chosen = weight if weighted else None
    expected = AVERAGED[name](truth, said, average=average, sample_weight=chosen)
    inside = name[:-1] + "," if name.endswith(")") else name + "("
    asked = f"{inside}average={average})"
    assert ours(asked, truth, said, chosen) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("weights", ["linear", "quadratic"])
def test_weighted_kappa(weights: str) -> None:
    truth, said, _ = draw("text", seed=2)
    expected = metrics.cohen_kappa_score(truth, said, weights=weights)
    assert ours(f"kappa(weights={weights})", truth, said) == pytest.approx(expected, abs=1e-12)


def test_likelihood_ratios_and_the_positive_class() -> None:
    truth, said, weight = draw("booleans", seed=3)
    plus, minus = metrics.class_likelihood_ratios(truth, said, sample_weight=weight)
    assert ours("LR+", truth, said, weight) == pytest.approx(plus)
    assert ours("LR-", truth, said, weight) == pytest.approx(minus)
    assert ours("P", truth, said) == pytest.approx(metrics.precision_score(truth, said))


def test_confusion_matrix_in_both_orientations() -> None:
    truth, said, weight = draw("text", seed=4)
    data = {"t": truth, "p": said, "w": weight}
    expected = metrics.confusion_matrix(truth, said)
    found = assay.confusion(data, truth="t", predicted="p")
    assert np.array_equal(found.matrix[0], expected)
    assert np.array_equal(found.frame("predicted").drop("predicted").to_numpy(), expected.T)
    weighted = assay.confusion(data, truth="t", predicted="p", weight="w")
    sums = metrics.confusion_matrix(truth, said, sample_weight=weight)
    assert weighted.matrix[0] == pytest.approx(sums)


def test_the_order_of_rows_changes_no_bit() -> None:
    truth, said, weight = draw("text", seed=5, size=2000)
    turned = np.random.default_rng(1).permutation(len(truth))
    for name in ("ACC", "MCC", "F(average=weighted)", "kappa"):
        one = ours(name, truth, said, weight)
        assert one == ours(name, truth[turned], said[turned], weight[turned])


CONTAINERS = {
    "arrays": lambda columns: columns,
    "polars": pl.DataFrame,
    "series": lambda columns: {name: pl.Series(each) for name, each in columns.items()},
    "pandas": lambda columns: pytest.importorskip("pandas").DataFrame(columns),
    "category": lambda columns: pytest.importorskip("pandas").DataFrame(columns).astype("category"),
    "arrow": lambda columns: pl.DataFrame(columns).to_arrow(),
}


@pytest.mark.parametrize("container", CONTAINERS)
def test_every_container_gives_the_same_bits(container: str) -> None:
    truth, said, _ = draw("text", seed=6)
    columns = {"truth": truth, "predicted": said}
    names = ["MCC", "F", "TNR"]
    plain = assay.classification(columns, names, predicted="predicted", interval=None)
    given = CONTAINERS[container](columns)
    other = assay.classification(given, names, predicted="predicted", interval=None)
    assert [each.value for each in plain.results] == [each.value for each in other.results]
