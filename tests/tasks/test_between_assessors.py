"""Who agrees with whom in Python, and what of agreement cannot be drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import cohen_kappa_score

import assay
from assay.core.errors import UnknownMeasure, UsageError

RANDOM = np.random.default_rng(5)
TRUTH = RANDOM.integers(0, 3, 50)
RATINGS = {
    name: np.where(RANDOM.random(50) < right, TRUTH, RANDOM.integers(0, 3, 50))
    for name, right in (("ann", 0.9), ("ben", 0.7), ("cem", 0.4))
}
SCORES = assay.agreement(
    pl.DataFrame(RATINGS), "kappa percent", assessors=[*RATINGS], interval=None
)


@pytest.mark.parametrize("measure", ["kappa", "percent"])
def test_each_pair_is_in_a_row_and_a_column(measure: str) -> None:
    found = SCORES.between_assessors(measure)
    assert found.columns == ["assessor", *RATINGS]
    assert found["assessor"].to_list() == [*RATINGS]
    for one, two in ((a, b) for a in RATINGS for b in RATINGS):
        cell = found.filter(assessor=one)[two].item()
        a, b = RATINGS[one], RATINGS[two]
        expected = cohen_kappa_score(a, b) if measure == "kappa" else np.mean(a == b)
        assert cell is None if one == two else cell == pytest.approx(expected)


def test_pairs_that_share_no_item_are_undefined() -> None:
    ratings = np.asarray([[1, 1, np.nan], [0, 0, np.nan], [1, np.nan, 1], [0, np.nan, 1]])
    found = assay.agreement(ratings, "percent", interval=None).between_assessors("percent")
    second, third = found.columns[2:]
    assert found.filter(assessor=second)[third].is_nan().all()
    assert found.filter(assessor=third)[second].is_nan().all()


def test_one_group_of_several_is_named() -> None:
    table = np.stack([*RATINGS.values()], axis=1)
    scores = assay.agreement({"new": table, "old": table[::2]}, "kappa", interval=None)
    with pytest.raises(UsageError, match="`system` names one group of new, old"):
        scores.between_assessors()
    found = scores.between_assessors(system="old")
    expected = assay.agreement(table[::2], "kappa", interval=None).between_assessors()
    assert found.equals(expected)


@pytest.mark.parametrize(
    ("ask", "error", "said"),
    [
        (lambda: SCORES.between_assessors("alpha"), UsageError, "alpha is not measured for each"),
        (lambda: SCORES.between_assessors("kapa"), UnknownMeasure, "Did you mean kappa"),
        (
            lambda: assay.classification([1, 0], [1, 0]).between_assessors(),
            UsageError,
            "only scores of agreement",
        ),
        (lambda: SCORES.per_class(), UsageError, "only scores of classifiers"),
    ],
)
def test_what_is_not_of_pairs_is_refused(ask: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        ask()


def test_a_figure_that_cannot_be_drawn_leads_to_one_that_can() -> None:
    sets, tags = [["a"], ["b"]], [["B-x"], ["O"]]
    labelsets, spans = assay.labelsets(sets, sets, "F"), assay.spans(tags, tags, "F")
    for scores in (SCORES, labelsets, spans):
        with pytest.raises(UsageError, match=r"the values: plot\(\) without a name draws it"):
            scores.plot("confusion")
        assert "<svg" in scores.plot().svg
