"""What users of scikit-learn and notebooks try first, and what they get."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import metrics

import assay
from assay.core.errors import UsageError

DRAWS = np.random.default_rng(1)
TRUTH = DRAWS.integers(0, 2, 120)
PROBABILITY = np.clip(0.3 * TRUTH + 0.7 * DRAWS.random(120), 0, 1)
CLUSTERS = DRAWS.integers(0, 3, 120)


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_a_system_without_probabilities_keeps_what_it_has(order: str) -> None:
    given = {"a": PROBABILITY, "b": 6 * PROBABILITY - 3}
    scores = assay.classification(TRUTH, y_score={name: given[name] for name in order})
    text, area = str(scores), metrics.roc_auc_score(TRUTH, PROBABILITY)
    assert scores["AUC"] == pytest.approx({"a": area, "b": area})
    assert set(scores["ACC"]) == {"a"}
    rows = [line.split() for line in text.splitlines()]
    assert ["b", "AUC", f"{area:.4f}"] in [row[:3] for row in rows]
    assert ["b", "ACC", "–", "–", "–"] in [row[:5] for row in rows]
    assert "b has no predicted classes or probabilities, and so no ACC, Brier, F" in text
    assert scores.to_markdown().count("| b |") == 1
    assert "b has no" in scores._repr_html_()


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_columns_of_a_frame_are_clusterings(make: Any) -> None:
    found = assay.clustering(TRUTH, make({"one": CLUSTERS, "two": TRUTH}), "ARI")["ARI"]
    expected = metrics.adjusted_rand_score(TRUTH, CLUSTERS)
    assert found == pytest.approx({"one": expected, "two": 1.0})
    with pytest.raises(UsageError, match="`labels_pred` has several columns; give a dict"):
        assay.clustering(TRUTH, np.c_[CLUSTERS, TRUTH])


def test_a_named_column_of_folds_has_folds() -> None:
    table = {"model": list("aaaaabbbbb"), "fold": [*range(5)] * 2, "ACC": [0.8, 0.9] * 5}
    found = assay.compare(assay.read_score_table(table, system_column="model", unit_column="fold"))
    assert found.conventions["test"] == "corrected-t"
    upper = {"Fold" if name == "fold" else name: each for name, each in table.items()}
    named = assay.read_score_table(upper, system_column="model", unit_column="Fold")
    assert named.results[0].unit_kind == "fold"


def test_ranges_are_slices() -> None:
    age = pd.Series(np.linspace(20, 80, 120), name="age")
    cut = pd.cut(age, [0, 40, 60, 100])
    scores = assay.classification(TRUTH, y_score=PROBABILITY, measures="ACC", by=cut)
    assert scores.slices == ("age=(0, 40]", "age=(40, 60]", "age=(60, 100]")
    expected = metrics.accuracy_score(TRUTH[age <= 40], PROBABILITY[age <= 40] >= 0.5)
    assert scores.of("ACC", "age=(0, 40]")[0].value == pytest.approx(expected)
    plain = assay.classification(TRUTH, y_score=PROBABILITY, measures="ACC", by=cut.astype(object))
    assert plain.to_dict() == scores.to_dict()


@pytest.mark.parametrize("by", ["age", ["age", "sex"]])
def test_a_name_beside_arrays_is_refused_as_a_name(by: Any) -> None:
    for evaluate in (assay.fairness, assay.classification):
        with pytest.raises(UsageError, match="`by=age` names a column, but the true values are"):
            evaluate(TRUTH, PROBABILITY > 0.5, by=by)


def test_counts_are_not_compared_between_slices() -> None:
    group = np.repeat(["a", "b"], [100, 20])
    asked = ["predicted_positives", "FP", "FPR"]
    scores = assay.classification(TRUTH, PROBABILITY > 0.5, asked, by={"group": group})
    assert scores.of("FP", "group=a")  # It is measured, but larger slices have more.
    assert assay.slice_gaps(scores)["measure"].to_list() == ["FPR"]
    assert set(assay.worst_slices(scores)["measure"]) <= {"FPR"}
