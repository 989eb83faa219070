"""Means over very many items: the same bits as of all values together, which are computed later."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import assay
from assay.core.frozen_dataclass import replace
from assay.core.names import measure
from assay.engine.local import evaluate, measure_view
from assay.engine.long_results import LongResult
from assay.engine.result import Result
from assay.evidence.views.value_pairs import ValuePairs

SIZE = 140_000
MEASURES = ["MAE", "MSE", "bias", "sMAPE", "pinball(alpha=0.9)", "MAPE(floor=0.5)"]


def pairs(size: int = SIZE) -> ValuePairs:
    random = np.random.default_rng(5)
    truth = random.normal(size=size) * 10.0 ** random.integers(-8, 8, size)
    return replace(ValuePairs.of(truth, truth + random.normal(size=size)), as_given=True)


@pytest.mark.parametrize("name", MEASURES)
def test_a_mean_of_blocks_has_the_bits_of_the_whole(name: str) -> None:
    view, asked = pairs(), measure(name, "regression")
    [found] = evaluate(view, [asked], "system")
    whole = measure_view(view, asked)
    assert isinstance(found, LongResult)
    assert found.value == whole.summary(asked)
    assert "values" not in vars(found)
    assert found.undefined == {}
    assert found.summary()["units"] == SIZE
    assert found.values.tobytes() == whole.values.tobytes()


@pytest.mark.parametrize(
    ("truth", "predicted", "name"),
    [(0.0, 1.0, "MAPE"), (-2.0, 1.0, "MSLE"), (1e300, 1.0, "MAE"), (1e200, 1.0, "MSE")],
)
def test_items_that_cannot_be_measured_are_counted(
    truth: float, predicted: float, name: str
) -> None:
    view = pairs()
    view.truth[70_000], view.predicted[70_000] = truth, predicted
    asked = measure(name, "regression")
    [found] = evaluate(view, [asked], "system")
    whole = measure_view(view, asked)
    assert not isinstance(found, LongResult)
    assert found.value == whole.summary(asked) or np.isnan(found.value)
    assert found.summary()["undefined"] == int(np.isnan(whole.values).sum())


def test_the_result_is_one_like_others() -> None:
    view = pairs(70_000)
    [found] = evaluate(view, [measure("MAE", "regression")], "system")
    again = pickle.loads(pickle.dumps(found))
    assert type(again) is Result
    assert again == found
    assert replace(found, low=0.0).low == 0.0
    assert found.interval == ""
    with pytest.raises(AttributeError, match="valeus"):
        _ = found.valeus  # type: ignore[attr-defined]


def test_values_of_items_follow_the_rows() -> None:
    random = np.random.default_rng(6)
    truth, predicted = random.normal(size=(2, SIZE))
    scores = assay.regression(truth, predicted, "MAE", interval=None)
    [result] = scores.results
    assert result.values.tolist() == np.abs(predicted - truth).tolist()
    assert scores.per_unit()["value"].to_list() == result.values.tolist()
