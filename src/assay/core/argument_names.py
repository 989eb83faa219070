"""Names that other libraries have for arguments, and the error for arguments that do not exist."""

from __future__ import annotations

import functools
from collections.abc import Callable
from inspect import signature
from typing import Any, ParamSpec, TypeVar

from assay.core.arguments import UnknownArgument
from assay.core.errors import UsageError

Parameters = ParamSpec("Parameters")
Found = TypeVar("Found")
OTHER_NAMES = {
    "y_true": "data",
    "labels_true": "data",
    "y_proba": "y_score",
    "y_prob": "y_score",
    "pos_label": "positive",
    "weights": "weight",
    "sample_weight": "weight",
    "sample_weights": "weight",
    "sensitive_features": "by",
    "X": "features",
    "goal": "goals",
    "measure": "measures",
    "metrics": "measures",
    "scoring": "measures",
    "correction": "correct",
}
"""What scikit-learn, Fairlearn, PyTerrier and the options of commands call arguments; a function
that has an argument of such a name keeps it."""


def with_other_names(function: Callable[Parameters, Found]) -> Callable[Parameters, Found]:
    """Let a function take the names of other libraries; refuse others with the names it has."""
    own = list(signature(function).parameters)

    @functools.wraps(function)
    def call(*args: Parameters.args, **keywords: Parameters.kwargs) -> Found:
        """Call the function with its own names."""
        if unknown := [name for name in keywords if name not in own]:
            given: dict[str, Any] = keywords
            for name in unknown:
                _rename(given, name, own, len(args), function.__name__)
        return function(*args, **keywords)

    return call


def _rename(given: dict[str, Any], name: str, own: list[str], places: int, called: str) -> None:
    """Give an argument the name that the function has for it."""
    meant = OTHER_NAMES.get(name)
    if meant not in own:
        raise UnknownArgument(name, own, called)
    if meant in given or own.index(meant) < places:
        what = "the first argument" if meant == "data" else f"`{meant}`"
        raise UsageError(f"`{name}` is another name of {what}, which is given too; leave one out")
    given[meant] = given.pop(name)
