"""Decisions: numbers worked by hand, and what is undefined."""

from __future__ import annotations

import math

import numpy as np
import pytest

import assay
from assay.core.names import measure
from assay.engine.local import evaluate
from assay.testing import confusion, outcomes

METHOD_A = outcomes(tp=95, fp=30, fn=5, tn=70)


def value(name: str, view: object) -> float:
    return evaluate(view, [measure(name, "classification")], "it")[0].value


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("TP", 95),
        ("FP", 30),
        ("FN", 5),
        ("TN", 70),
        ("positives", 100),
        ("negatives", 100),
        ("right", 165),
        ("wrong", 35),
        ("ERR", 35 / 200),
        ("FNR", 0.05),
        ("Youden", 0.65),
        ("markedness", 95 / 125 + 70 / 75 - 1),
        ("LR+", 0.95 / 0.3),
        ("LR-", 0.05 / 0.7),
        ("DOR", 95 * 70 / (30 * 5)),
        ("predicted_prevalence", 0.625),
        ("Jaccard(percent=true)", 9500 / 130),
    ],
)
def test_every_count_and_rate(name: str, expected: float) -> None:
    assert value(name, METHOD_A) == pytest.approx(expected)


@pytest.mark.parametrize("prevalence", [0.001, 0.1, 0.5])
def test_predictive_values_at_another_prevalence_are_bayes(prevalence: float) -> None:
    sensitivity, specificity = 0.95, 0.7
    yes = sensitivity * prevalence + (1 - specificity) * (1 - prevalence)
    no = (1 - sensitivity) * prevalence + specificity * (1 - prevalence)
    found = value(f"PPV(prevalence={prevalence})", METHOD_A)
    assert found == pytest.approx(sensitivity * prevalence / yes)
    assert value(f"NPV(prevalence={prevalence})", METHOD_A) == pytest.approx(
        specificity * (1 - prevalence) / no
    )


def test_f_in_its_two_ways_of_weighting_and_its_two_forms() -> None:
    for beta in (0.5, 1, 2, 3):
        alpha = 1 / (1 + beta**2)
        assert value(f"F(beta={beta})", METHOD_A) == pytest.approx(
            value(f"F(alpha={alpha})", METHOD_A)
        )
    assert value("F(beta=0)", METHOD_A) == value("PPV", METHOD_A)
    assert value("F(alpha=0)", METHOD_A) == value("TPR", METHOD_A)
    silent = outcomes(tp=0, fp=0, fn=100, tn=20)
    assert math.isnan(value("F", silent))
    assert value("F(form=count)", silent) == 0


@pytest.mark.parametrize(
    ("name", "view", "reason"),
    [
        ("PPV", outcomes(0, 0, 10, 5), "no item was predicted to be of the class"),
        ("NPV", outcomes(10, 5, 0, 0), "every item was predicted to be of the class"),
        ("TPR", outcomes(0, 5, 0, 10), "no item belongs to the class"),
        ("TNR", outcomes(5, 0, 10, 0), "every item belongs to the class"),
        ("MCC", outcomes(0, 0, 0, 10), "all items belong to one class"),
        ("MCC", outcomes(5, 5, 0, 0), "all items were predicted to be of one class"),
        ("kappa", outcomes(0, 0, 0, 10), "all items are of one class, in truth and prediction"),
        ("ACC", outcomes(0, 0, 0, 0), "there are no items"),
        ("BA", outcomes(0, 0, 0, 0), "there are no items"),
        ("F", outcomes(0, 0, 0, 0), "no item belongs to the class"),
        ("Youden", outcomes(0, 5, 0, 10), "the items are all positive or all negative"),
    ],
)
def test_undefined_is_nan_with_a_reason(name: str, view: object, reason: str) -> None:
    result = evaluate(view, [measure(name, "classification")], "it")[0]
    assert math.isnan(result.value)
    assert list(result.undefined) == [reason]


def test_an_undefined_value_can_be_given_a_number() -> None:
    view = confusion([[3, 0, 1], [1, 0, 1], [0, 0, 4]])
    assert value("P", view) == pytest.approx((3 / 4 + 4 / 6) / 2)
    assert value("P(undefined=0)", view) == pytest.approx((3 / 4 + 0 + 4 / 6) / 3)
    assert str(measure("P(undefined=0)", "classification")) == "PPV(undefined=0)"


def test_averages_of_a_yes_or_no_question_are_over_both_classes() -> None:
    view = outcomes(tp=95, fp=30, fn=5, tn=70)
    assert value("TPR", view) == 0.95
    assert value("TPR(average=macro)", view) == pytest.approx((0.95 + 0.7) / 2)
    assert value("TPR(average=micro)", view) == pytest.approx(165 / 200)


def test_collapse_to_a_class_or_a_set_of_classes() -> None:
    view = confusion([[13, 2, 5], [4, 15, 1], [2, 1, 57]], labels=["woman", "man", "child"])
    one = view.against_rest(["woman"])
    assert one.matrix[0].tolist() == [[13, 7], [6, 74]]
    two = view.against_rest(["woman", "man"])
    assert two.labels == ("woman+man", "rest")
    assert two.matrix[0].tolist() == [[34, 6], [3, 57]]
    with pytest.raises(assay.AssayError, match=r"'wman' does not occur .* Did you mean woman"):
        view.against_rest(["wman"])


def test_parts_add_up_exactly_over_different_labels() -> None:
    one = confusion([[3, 1], [0, 2]], labels=["a", "b"])
    two = confusion([[4, 0], [2, 5]], labels=["b", "c"])
    both = one + two
    assert both.labels == ("a", "b", "c")
    assert np.array_equal(both.matrix[0], [[3, 1, 0], [0, 6, 0], [0, 2, 5]])
