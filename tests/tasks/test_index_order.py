"""Series whose index is in another order than that of the true values."""

from __future__ import annotations

import warnings

import pandas as pd
import pytest

import assay
from assay.tasks.inputs.index_order import IndexOrderWarning

TRUTH = pd.Series([0, 1, 1, 0], index=[7, 3, 9, 1])
SCORE = pd.Series([0.1, 0.9, 0.7, 0.4], index=TRUTH.index)


def test_scores_and_weights_in_another_order_are_named_as_given() -> None:
    with pytest.warns(IndexOrderWarning, match=r"y_score.loc\[y_true.index\]"):
        assay.classification(TRUTH, y_score=SCORE.sort_index(), measures="AUC", interval=None)
    with pytest.warns(IndexOrderWarning, match=r"index of `sample_weight`"):
        assay.classification(TRUTH, TRUTH, "ACC", sample_weight=SCORE.sort_index(), interval=None)


def test_an_index_that_repeats_labels_says_nothing_of_the_order() -> None:
    truth = TRUTH.set_axis(["a", "a", "b", "b"])
    score = SCORE.set_axis(["b", "a", "b", "a"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assay.classification(truth, y_score=score, measures="AUC", interval=None)
