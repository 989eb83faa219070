"""An interval depends neither on the order of the lines nor on the unit of the weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import assay

ITEMS = 60


def _shuffled(data: dict[str, Any], seed: int = 3) -> dict[str, Any]:
    order = np.random.default_rng(seed).permutation(ITEMS)
    return {name: np.asarray(column)[order] for name, column in data.items()}


def _values(weighted: bool = False, named: bool = False) -> dict[str, Any]:
    random = np.random.default_rng(1)
    truth = np.round(random.normal(size=ITEMS), 1)
    data = {"truth": truth, "predicted": np.round(truth + random.normal(size=ITEMS), 1)}
    data |= {"weight": random.uniform(0.5, 2, ITEMS)} if weighted else {}
    return data | ({"item": np.asarray([f"i{n}" for n in range(ITEMS)])} if named else {})


def _guesses(weighted: bool = False) -> dict[str, Any]:
    random = np.random.default_rng(2)
    chances = np.round(random.dirichlet(np.ones(3), ITEMS), 1)
    chances[:, 2] = 1 - chances[:, 0] - chances[:, 1]
    data = {"truth": np.asarray(list("abc"))[random.integers(0, 3, ITEMS)]}
    data |= {name: np.abs(chances[:, place]) for place, name in enumerate("abc")}
    return data | ({"weight": random.uniform(0.5, 2, ITEMS)} if weighted else {})


def _ends(scores: assay.Scores) -> list[tuple[str, float, float]]:
    return [(each.measure, each.low, each.high) for each in scores.results]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("named", [False, True])
def test_the_lines_of_values_may_stand_in_any_order(weighted: bool, named: bool) -> None:
    data = _values(weighted, named)
    settings = {"weight": "weight" if weighted else None, "item": "item" if named else None}
    asked = "MAE MSE RMSE R2 EV MedAE Pearson Spearman"
    one = assay.regression(data, asked, **settings)
    two = assay.regression(_shuffled(data), asked, **settings)
    assert _ends(one) == _ends(two)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_lines_of_forecasts_may_stand_in_any_order(weighted: bool) -> None:
    data = _guesses(weighted)
    settings = {
        "probabilities": ["a", "b", "c"],
        "weight": "weight" if weighted else None,
    }
    asked = "Brier LogLoss AUC_OvR"
    one = assay.classification(data, asked, **settings)
    two = assay.classification(_shuffled(data), asked, **settings)
    assert _ends(one) == _ends(two)


def test_the_lines_of_densities_may_stand_in_any_order() -> None:
    data = {"density": np.random.default_rng(4).uniform(0.1, 2, ITEMS)}
    one = assay.regression(data, density="density")
    two = assay.regression(_shuffled(data), density="density")
    assert _ends(one) == _ends(two)


def test_each_item_keeps_the_number_of_its_line() -> None:
    data = {"truth": [5.0, 1.0, 3.0], "predicted": [5.0, 2.0, 1.0]}
    frame = assay.regression(data, "MAE").per_unit()
    assert frame["unit"].to_list() == ["1", "2", "3"]
    assert frame["value"].to_list() == [0, 1, 2]


def _close(one: assay.Scores, two: assay.Scores) -> None:
    for (name, low, high), other in zip(_ends(one), _ends(two), strict=True):
        assert (low, high) == pytest.approx(other[1:], abs=1e-9), name
        assert low < high, name


METHODS = ("expanded", "percentile", "bca", "t", "wilson")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("factor", [100, 1 / 75])
def test_weights_of_decisions_may_have_any_unit(method: str, factor: float) -> None:
    data = _guesses(weighted=True)
    data["predicted"] = np.asarray(list("abc"))[np.argmax([data[each] for each in "abc"], axis=0)]
    data["truth"] = np.where(data["truth"] == "c", "b", data["truth"])
    data["predicted"] = np.where(data["predicted"] == "c", "b", data["predicted"])
    settings: dict[str, Any] = {
        "predicted": "predicted",
        "score": "a",
        "positive": "a",
        "weight": "weight",
        "interval": assay.Bootstrap(method=method, resamples=300),
    }
    asked = "ACC TPR F1 MCC AUC AUC(max_fpr=0.4) Gini AP Brier"
    scaled = data | {"weight": data["weight"] * factor}
    _close(
        assay.classification(data, asked, **settings),
        assay.classification(scaled, asked, **settings),
    )


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("factor", [100, 1 / 75])
def test_weights_of_values_may_have_any_unit(method: str, factor: float) -> None:
    data = _values(weighted=True)
    scaled = data | {"weight": data["weight"] * factor}
    asked = "MAE RMSE R2 Pearson MAE(average=weighted)"
    bootstrap = assay.Bootstrap(method=method, resamples=300)
    _close(
        assay.regression(data, asked, weight="weight", interval=bootstrap),
        assay.regression(scaled, asked, weight="weight", interval=bootstrap),
    )


def test_equal_weights_are_no_weights() -> None:
    data = _values()
    one = assay.regression(data, "MAE RMSE R2")
    weighted = data | {"weight": np.full(ITEMS, 7.0)}
    _close(one, assay.regression(weighted, "MAE RMSE R2", weight="weight"))


def test_weights_widen_as_the_effective_size_says() -> None:
    """Half of the items with almost no weight leave half of the items."""
    truth = np.tile([0, 0, 1, 1], 50)
    data = {"truth": truth, "predicted": np.tile([0, 1, 1, 1], 50)}
    data["weight"] = np.repeat([1.0, 1e-9], 100)
    half = {name: column[:100] for name, column in data.items()}
    settings: dict[str, Any] = {"predicted": "predicted", "positive": "1"}
    one = assay.classification(data, "ACC MCC", weight="weight", **settings)
    two = assay.classification(half, "ACC MCC", **settings)
    for mine, other in zip(_ends(one), _ends(two), strict=True):
        assert mine[1:] == pytest.approx(other[1:], abs=1e-6)


@pytest.mark.parametrize("factor", [100, 1 / 75])
def test_thresholds_with_weights_of_any_unit(factor: float) -> None:
    random = np.random.default_rng(5)
    truth = random.integers(0, 2, ITEMS)
    data = {"truth": truth, "score": truth + random.normal(size=ITEMS)}
    data["weight"] = random.uniform(0.5, 2, ITEMS)
    scaled = data | {"weight": data["weight"] * factor}
    one, two = (
        assay.threshold(each, "youden", weight="weight", positive="1")["youden"]
        for each in (data, scaled)
    )
    assert (one.low, one.high) == (two.low, two.high)
    assert one.low < one.high
