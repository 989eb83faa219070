"""Thresholds by goal: exact over all distinct scores, ties, conditions, intervals."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from sklearn.metrics import (
    balanced_accuracy_score,
    cohen_kappa_score,
    matthews_corrcoef,
    zero_one_loss,
)

import assay
from assay.selection.threshold_goals import parse_goal

GOALS = [
    "accuracy",
    "corner",
    "youden",
    "f:1",
    "f:2",
    "sensitivity:0.95",
    "specificity:0.9",
    "precision:0.8",
    "npv:0.9",
    "fallout:0.05",
    "rule-in:0.7",
    "rule-out:0.7",
    "cost:fp=1,fn=20",
    "weighted:0.3,0.7",
]


def draw(seed: int, size: int = 60) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    truth = random.random(size) < 0.4
    truth[:2] = [True, False]
    return truth, np.round(random.normal(size=size) + 1.3 * truth, 1)


def sought(goal: str, tp: int, fp: int, fn: int, tn: int) -> float | None:
    """What a goal makes of one cut; None where its condition is not met."""
    tpr, tnr = tp / (tp + fn), tn / (tn + fp)
    ppv = tp / (tp + fp) if tp + fp else math.nan
    npv = tn / (tn + fn) if tn + fn else math.nan
    name, _, rest = goal.partition(":")
    square = float(rest) ** 2 if name == "f" else 1.0
    values = {
        "accuracy": (tp + tn) / (tp + fp + fn + tn),
        "corner": -math.sqrt((1 - tnr) ** 2 + (1 - tpr) ** 2),
        "youden": tpr + tnr - 1,
        "f": (1 + square) * tp / ((1 + square) * tp + square * fn + fp),
        "sensitivity": tnr if tpr >= 0.95 else None,
        "specificity": tpr if tnr >= 0.9 else None,
        "precision": tpr if ppv >= 0.8 else None,
        "npv": tnr if npv >= 0.9 else None,
        "fallout": tpr if 1 - tnr <= 0.05 + 1e-12 else None,
        "rule-in": tpr if min(tnr, ppv) >= 0.7 else None,
        "rule-out": tnr if min(tpr, npv) >= 0.7 else None,
        "cost": -(fp + 20.0 * fn),
        "weighted": 0.3 * tpr + 0.7 * tnr,
    }
    return values[name]


def by_force(goal: str, truth: np.ndarray, score: np.ndarray) -> tuple[float, set[float]]:
    """The best value over every cut, and the scores at which it is reached."""
    found: dict[float, list[float]] = {}
    for cut in [*sorted(set(score.tolist())), math.inf]:
        said = score >= cut
        sides = [(said & truth), (said & ~truth), (~said & truth), (~said & ~truth)]
        value = sought(goal, *(int(side.sum()) for side in sides))
        if value is not None and not math.isnan(value):
            found.setdefault(round(value, 10), []).append(cut)
    return (max(found), set(found[max(found)])) if found else (math.nan, set())


@pytest.mark.parametrize("goal", GOALS)
def test_every_goal_against_trying_every_cut(goal: str) -> None:
    for seed in range(8):
        truth, score = draw(seed)
        data = {"truth": truth, "score": score}
        chosen = assay.threshold(data, goal, interval=None)[goal]
        value, cuts = by_force(goal, truth, score)
        if math.isnan(value):
            assert math.isnan(chosen.threshold)
            assert chosen.reason
            continue
        assert abs(chosen.value) == pytest.approx(abs(value), abs=1e-9), seed
        assert set(chosen.ties) == cuts, seed
        assert chosen.threshold == max(cuts)


def test_intervals_are_named_by_method_or_level() -> None:
    truth, score = draw(3, size=300)
    data = {"truth": truth, "score": score}
    usual, wide = (assay.threshold(data, "mcc", interval=each)["mcc"] for each in (True, 0.99))
    assert wide.low <= usual.low < usual.high < wide.high
    assert math.isnan(assay.threshold(data, "mcc", interval=False)["mcc"].low)
    with pytest.raises(assay.AssayError, match="`interval` is a method"):
        assay.threshold(data, "mcc", interval=7)


def test_goals_joined_are_a_goal_under_conditions() -> None:
    truth, score = draw(3, size=300)
    data = {"truth": truth, "score": score}
    goal = "f:1+specificity:0.9+precision:0.5"
    chosen = assay.threshold(data, goal, interval=None)[goal]
    table = assay.threshold(data, "f:1", interval=None).table
    kept = table.filter((table["TNR"] >= 0.9) & (table["PPV"] >= 0.5))
    assert chosen.value == pytest.approx(kept["F"].max())


def test_a_condition_that_no_threshold_meets() -> None:
    data = {"truth": [1, 0, 1, 0], "score": [1.0, 2.0, 1.0, 2.0]}
    chosen = assay.threshold(data, "precision:0.99", interval=None).chosen[0]
    assert math.isnan(chosen.threshold)
    assert chosen.reason == "no threshold gives precision ≥ 0.99"
    one_class = assay.threshold({"truth": [1, 1], "score": [1.0, 2.0]}, "youden").chosen[0]
    assert one_class.reason == "the items are all positive or all negative"


def test_saying_no_to_all_can_be_the_best_choice() -> None:
    data = {"truth": [0] * 9 + [1], "score": [float(n) for n in range(9, -1, -1)]}
    chosen = assay.threshold(data, "accuracy", interval=None).chosen[0]
    assert chosen.threshold == math.inf
    assert chosen.value == 0.9


def test_the_interval_holds_the_threshold_and_narrows() -> None:
    widths = []
    for size in (100, 6400):
        random = np.random.default_rng(1)
        truth = random.random(size) < 0.5
        score = random.normal(size=size) + 2 * truth
        chosen = assay.threshold({"truth": truth, "score": score}, "youden").chosen[0]
        assert chosen.low <= chosen.threshold <= chosen.high
        widths.append(chosen.high - chosen.low)
    assert widths[1] < widths[0]


@pytest.mark.parametrize(
    ("goal", "message"),
    [
        ("yuoden", r"there is no goal 'yuoden' .* Did you mean youden"),
        ("sensitivity", r"needs a number between 0 and 1, such as sensitivity:0.9"),
        ("sensitivity:95", r"needs a number between 0 and 1"),
        ("f:-1", r"needs a number of at least 0"),
        ("cost:fp=1,xx=2", r"needs what each outcome costs"),
        ("weighted:0.3", r"needs the weights of sensitivity and specificity"),
        ("youden:3", r"takes nothing after its name"),
        ("precision:0.8+youden", r"'youden' sets no condition"),
    ],
)
def test_bad_goals(goal: str, message: str) -> None:
    with pytest.raises(assay.AssayError, match=message):
        assay.threshold({"truth": [1, 0], "score": [1.0, 0.0]}, goal)


@pytest.mark.parametrize(
    ("words", "goal"),
    [
        ("Rule out", "rule-out"),
        ("sensitivity+specificity", "youden"),
        ("closest corner", "corner"),
        ("fewest errors", "ERR"),
    ],
)
def test_goals_in_the_words_of_the_lectures(words: str, goal: str) -> None:
    assert parse_goal(words).meaning == parse_goal(goal).meaning


def test_a_goal_that_was_not_asked_for_is_told() -> None:
    found = assay.threshold({"truth": [1, 0, 1, 0], "score": [0.9, 0.1, 0.6, 0.4]}, "youden")
    with pytest.raises(
        assay.AssayError, match="no threshold was chosen for the goal 'f'; there are"
    ):
        found["f"]


@pytest.mark.parametrize(
    ("name", "best"),
    [
        ("mcc", lambda truth, said: matthews_corrcoef(truth, said)),
        ("kappa", lambda truth, said: cohen_kappa_score(truth, said)),
        ("BA", lambda truth, said: balanced_accuracy_score(truth, said)),
        ("ERR", lambda truth, said: -zero_one_loss(truth, said)),
    ],
)
def test_a_measure_of_decisions_is_a_goal(
    name: str, best: Callable[[np.ndarray, np.ndarray], float]
) -> None:
    truth, score = draw(11)
    found = assay.threshold({"truth": truth, "score": score}, name)[name]
    # A cut at which all are positive leaves MCC undefined, where scikit-learn says 0.
    values = {cut: best(truth, score >= cut) for cut in np.unique(score)[1:]}
    largest = max(values.values())
    assert abs(found.value) == pytest.approx(abs(largest))
    assert found.ties == tuple(
        cut for cut in sorted(values, reverse=True) if values[cut] == pytest.approx(largest)
    )
    assert found.low <= found.threshold <= found.high


def test_a_measure_under_a_condition() -> None:
    truth, score = draw(3)
    data = {"truth": truth, "score": score}
    found = assay.threshold(data, ["mcc", "mcc+sensitivity:0.95"])
    assert found["mcc+sensitivity:0.95"].rates["TPR"] >= 0.95 > found["mcc"].rates["TPR"]
    assert found["mcc+sensitivity:0.95"].value <= found["mcc"].value


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("AUC", "not a measure of yes-or-no decisions"),
        ("mc", "there is no goal 'mc'.*measures of decisions such as MCC"),
        ("F(average=macro)", "not a measure of yes-or-no decisions"),
    ],
)
def test_what_is_no_goal_is_told(name: str, message: str) -> None:
    with pytest.raises(assay.AssayError, match=message):
        assay.threshold({"truth": ["yes", "no"], "score": [1.0, 0.0]}, name)


def test_conditions_of_scorers_are_goals() -> None:
    truth, scores = [0, 1, 0, 1, 1, 0], [0.1, 0.3, 0.4, 0.6, 0.8, 0.7]
    for condition, goal in (("FPR<=0.4", "fall-out:0.4"), ("PPV >= 0.7", "precision:0.7")):
        found = assay.threshold(truth, scores, [condition, goal], interval=None)
        assert found[condition].threshold == found[goal].threshold
    for wrong in ("FPR>=0.4", "TPR<=0.4", "MCC>=0.2"):
        with pytest.raises(assay.AssayError, match=r"write FPR<=0\.05, or TPR, TNR, PPV or NPV"):
            assay.threshold(truth, scores, wrong)
    with pytest.raises(assay.AssayError, match=r"a number between 0 and 1, such as FPR:0.9"):
        assay.threshold(truth, scores, "FPR<=5")
    with pytest.raises(assay.AssayError, match=r"other names of rates are .*fpr"):
        assay.threshold(truth, scores, "foo")


def test_thresholds_are_of_one_system() -> None:
    with pytest.raises(assay.AssayError, match="one system, but there is a dict of a, b"):
        assay.threshold([0, 1], {"a": [0.1, 0.9], "b": [0.2, 0.8]})
