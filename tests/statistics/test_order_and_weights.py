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
    asked = "Brier LogLoss ECE MCE AUC_OvR"
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
    assert dict(zip(frame["unit"], frame["value"], strict=True)) == {"1": 0, "2": 1, "3": 2}
