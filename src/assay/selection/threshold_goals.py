"""Goals by which a threshold is chosen: what is sought, and under which condition."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.core.arrays import Bools, Floats, ratio
from assay.core.curves import Columns
from assay.core.errors import UnknownMeasure, UsageError, did_you_mean
from assay.core.names import measure
from assay.evidence.views.confusion import Confusion

HIGH = 0.9
"""What "high" means for rule-in and rule-out, unless the goal says otherwise."""
_CONDITION = re.compile(r"\s*(\w+)\s*([<>]=)\s*([^\s<>=]+)\s*")
"""A required rate as scorers write it: ``FPR<=0.05``."""


@dataclass(frozen=True)
class Goal:
    """A value to make as large as it goes, among the thresholds that meet a condition."""

    name: str
    meaning: str
    value: Callable[[Columns], Floats]
    allowed: Callable[[Columns], Bools] | None = None
    shown: Callable[[Floats], Floats] = lambda value: value
    """The value as a user knows it: a distance or a cost is made small, not large."""
    rate: str | None = None
    """The measure that is sought, where it is one of the rates shown beside the value."""


@dataclass(frozen=True)
class ThresholdChoice:
    """The threshold that a goal asks for; NaN with a reason where none meets its condition."""

    goal: str
    meaning: str
    threshold: float
    value: float
    ties: tuple[float, ...]
    """All thresholds at which the goal is reached as well, highest first; the first is chosen."""
    rates: dict[str, float]
    low: float = math.nan
    high: float = math.nan
    reason: str | None = None


def parse_goal(text: str) -> Goal:
    """The goal of that name, such as ``youden``, ``f:2`` or ``cost:fp=1,fn=20``.

    ``FPR<=0.05`` is ``fpr:0.05``, and ``TPR>=0.9`` is ``tpr:0.9``, as scorers write conditions.
    Several goals joined by ``+`` are one: the first is sought, where the others are kept.
    """
    text = OTHER_NAMES.get(" ".join(text.casefold().replace("+", " + ").split()), text)
    if "+" in text:
        return _combine_goals(text, [parse_goal(part) for part in text.split("+")])
    if found := _CONDITION.fullmatch(text):
        return _required_rate(text, *found.groups())
    text = re.sub(r"^[fF](\d+(?:\.\d+)?)$", r"f:\1", text.strip())  # F1 is what others call it
    text = re.sub(r"^cost\((.*)\)$", r"cost:\1", text)
    name, _, rest = text.partition(":")
    known = RATE_NAMES.get(name.casefold(), name) if rest else name
    maker = GOALS.get(known.casefold())
    return measure_goal(text) if maker is None else maker(text, rest.strip())


def _required_rate(text: str, name: str, relation: str, limit: str) -> Goal:
    """The goal that keeps a rate, from a condition such as ``FPR<=0.05``."""
    known = RATE_NAMES.get(name.casefold(), name.casefold())
    expected = dict.fromkeys([*RATE_NAMES.values(), "npv"], ">=") | {"fallout": "<="}
    if expected.get(known) != relation:
        raise UsageError(
            f"the goal '{text}' sets no condition that goals know; write FPR<=0.05, or TPR, TNR,"
            " PPV or NPV with >="
        )
    return replace(parse_goal(f"{name}:{limit}"), name=text.strip())


def measure_goal(text: str) -> Goal:
    """The best value of a measure of decisions, such as ``MCC`` or ``kappa``."""
    try:
        sought = measure(text, "classification")
    except UnknownMeasure:
        raise UsageError(
            f"there is no goal '{text}' (there are {', '.join(GOALS)}, and measures of decisions"
            f" such as MCC; other names of rates are {', '.join(RATE_NAMES)})."
            + did_you_mean(text, [*GOALS, *RATE_NAMES])
        ) from None
    definition = sought.definition
    if definition.view is not Confusion or definition.better == "neither" or sought.average:
        raise UsageError(
            f"the goal '{text}': {sought} is not a measure of yes-or-no decisions of which more or"
            " less is better; take one such as MCC, BA or F"
        )
    lower = definition.better == "lower"

    def value(at: Columns) -> Floats:
        """Return the value of the goal at each threshold."""
        found = sought(_decisions(at))
        return np.reshape(-found if lower else found, at["TP"].shape)

    meaning = f"the {'least' if lower else 'largest'} {sought}"
    return Goal(text, meaning, value, shown=np.negative if lower else lambda best: best)


def _decisions(at: Columns) -> Confusion:
    """The decisions at each threshold, as one view."""
    cells = np.stack([np.ravel(at[name]) for name in ("TP", "FN", "FP", "TN")], axis=-1)
    names = ("",) * len(cells)
    return Confusion(names, ("positive", "rest"), cells.reshape(-1, 2, 2), "positive")


def _combine_goals(text: str, parts: list[Goal]) -> Goal:
    """The first goal under the conditions of all."""
    conditions = [part.allowed for part in parts if part.allowed is not None]
    for part in parts[1:]:
        if part.allowed is None:
            raise UsageError(
                f"the goal '{text}': '{part.name}' sets no condition, so it must come first"
            )
    kept = ", ".join(part.meaning.partition(" with ")[2] for part in parts if part.allowed)
    return Goal(
        text,
        f"{parts[0].meaning.partition(' with ')[0]} with {kept}",
        parts[0].value,
        lambda at: np.logical_and.reduce([condition(at) for condition in conditions]),
        parts[0].shown,
        parts[0].rate,
    )


def _share(text: str, rest: str, default: float | None = None) -> float:
    if not rest and default is not None:
        return default
    try:
        share = float(rest)
    except ValueError:
        share = np.nan
    if not 0 <= share <= 1:
        name = text.partition(":")[0]
        raise UsageError(f"the goal '{text}' needs a number between 0 and 1, such as {name}:0.9")
    return share


def _plain(
    meaning: str, value: Callable[[Columns], Floats], **fields: Any
) -> Callable[[str, str], Goal]:
    """Return the maker of a goal that takes nothing after its name."""

    def make(text: str, rest: str) -> Goal:
        """Return the goal."""
        if rest:
            raise UsageError(f"the goal '{text}' takes nothing after its name")
        return Goal(text, meaning, value, **fields)

    return make


def _f_goal(text: str, rest: str) -> Goal:
    try:
        beta = float(rest or 1)
    except ValueError:
        beta = -1.0
    if not beta >= 0:
        raise UsageError(f"the goal '{text}' needs a number of at least 0, such as f:2")

    def value(at: Columns) -> Floats:
        """Return the value of the goal at each threshold."""
        weight = beta**2
        top = (1 + weight) * at["TP"]
        return ratio(top, top + weight * at["FN"] + at["FP"])

    return Goal(text, f"the largest F (beta {beta:g})", value, rate="F" if beta == 1 else None)


def _maximize_under(
    sought: str, words: str, *rates: str, default: float | None = None
) -> Callable[[str, str], Goal]:
    """Return the maker of a goal: the largest of one rate where others are at least so high.

    ``words`` names the two as users know them, such as ``TPR with precision``.
    """

    def make(text: str, rest: str) -> Goal:
        """Return the goal with the required rate."""
        share = _share(text, rest, default)
        return Goal(
            text,
            f"the largest {words} ≥ {share:g}",
            lambda at: at[sought],
            lambda at: np.logical_and.reduce([at[rate] >= share - 1e-12 for rate in rates]),
            rate=sought,
        )

    return make


def _fallout(text: str, rest: str) -> Goal:
    share = _share(text, rest)
    return Goal(
        text,
        f"the largest TPR with FPR ≤ {share:g}",
        lambda at: at["TPR"],
        lambda at: at["FPR"] <= share + 1e-12,
        rate="TPR",
    )


def _cost_goal(text: str, rest: str) -> Goal:
    prices = {"tp": 0.0, "fp": 0.0, "fn": 0.0, "tn": 0.0}
    for part in rest.split(","):
        name, equals, price = part.strip().partition("=")
        try:
            if not equals or name.casefold() not in prices:
                raise ValueError(part)
            prices[name.casefold()] = float(price)
        except ValueError:
            raise UsageError(
                f"the goal '{text}' needs what each outcome costs, such as cost:fp=1,fn=20"
            ) from None

    def value(at: Columns) -> Floats:
        """Return the value of the goal at each threshold."""
        return -sum((price * at[name.upper()] for name, price in prices.items()), np.zeros(1))

    return Goal(text, "the least cost", value, shown=np.negative)


def _weighted_goal(text: str, rest: str) -> Goal:
    try:
        sensitivity, specificity = (float(part) for part in rest.split(","))
    except ValueError:
        raise UsageError(
            f"the goal '{text}' needs the weights of sensitivity and specificity,"
            " such as weighted:0.3,0.7"
        ) from None
    return Goal(
        text,
        f"the largest {sensitivity:g} · TPR + {specificity:g} · TNR",
        lambda at: sensitivity * at["TPR"] + specificity * at["TNR"],
    )


RATE_NAMES = {
    "recall": "sensitivity",
    "tpr": "sensitivity",
    "tnr": "specificity",
    "ppv": "precision",
    "fpr": "fallout",
    "fall-out": "fallout",
}
"""Other names of the rates of which a goal requires a value, as in ``recall:0.95``."""
OTHER_NAMES = {
    "sensitivity + specificity": "youden",
    "closest": "corner",
    "closest corner": "corner",
    "errors": "ERR",
    "fewest errors": "ERR",
    "rule in": "rule-in",
    "rule out": "rule-out",
}
"""Other names of whole goals."""
GOALS: dict[str, Callable[[str, str], Goal]] = {
    "accuracy": _plain("the largest accuracy", lambda at: at["ACC"], rate="ACC"),
    "corner": _plain(
        "the least distance to FPR 0 and TPR 1",
        lambda at: -np.hypot(at["FPR"], 1 - at["TPR"]),
        shown=np.negative,
    ),
    "youden": _plain("the largest TPR − FPR", lambda at: at["Youden"], rate="Youden"),
    "f": _f_goal,
    "sensitivity": _maximize_under("TNR", "TNR with sensitivity", "TPR"),
    "specificity": _maximize_under("TPR", "TPR with specificity", "TNR"),
    "precision": _maximize_under("TPR", "TPR with precision", "PPV"),
    "npv": _maximize_under("TNR", "TNR with NPV", "NPV"),
    "fallout": _fallout,
    "rule-in": _maximize_under("TPR", "TPR with specificity and PPV", "TNR", "PPV", default=HIGH),
    "rule-out": _maximize_under(
        "TNR", "specificity with sensitivity and NPV", "TPR", "NPV", default=HIGH
    ),
    "cost": _cost_goal,
    "weighted": _weighted_goal,
}
