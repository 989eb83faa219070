"""How functions of the library take arguments by name: also by those that other libraries use."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ParamSpec, TypeVar

from assay.core.errors import UsageError, did_you_mean

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
    "classes": "labels",
    "system": "system_column",
    "unit": "unit_column",
    "goal": "goals",
    "measure": "measures",
    "metric": "measures",
    "metrics": "measures",
    "run": "runs",
    "topics": "units",
    "norm": "normalize",
    "systems": "system",
    "scoring": "measures",
    "correction": "correct",
}
"""What scikit-learn, Fairlearn, PyTerrier and the options of commands call arguments; a function
that has an argument of such a name keeps it."""
_LEVEL = "The level is that of `interval`: interval=0.99 for 0.01."
ADVICE = {
    "names": ("runs", 'Runs are named by a dict, such as runs={"bm25": frame}.'),
    "alpha": ("correct", _LEVEL),
    "max_p": ("correct", _LEVEL),
    "cost": ("goals", "A cost is a goal: goals='cost:fp=5,fn=1'."),
    "decimal_comma": (
        "",
        "Read the file first: pandas.read_csv(file, sep=';', decimal=',') or"
        " polars.read_csv(file, separator=';', decimal_comma=True).",
    ),
}
"""What to write in place of arguments of other libraries or functions: the argument that a function
must have for the advice to hold (empty: any function), and the advice."""

LEARNING_NAMES = {
    "X": "data",
    "y": "target",
    "y_true": "target",
    "pos_label": "positive",
    "random_state": "seed",
    "test_size": "test_share",
    "n_neighbors": "neighbors",
    "n_components": "dimensions",
    "estimator": "learner",
    "scoring": "measures",
    "cv": "folds",
    "n_iter": "iterations",
    "learning_rate": "rate",
}
"""What scikit-learn calls the arguments of learning tasks."""


class UnknownArgument(UsageError, TypeError):
    """A function was called with arguments that it does not take."""

    def __init__(self, name: str, known: Iterable[str], where: str = "") -> None:
        self.name, self.known = name, tuple(known)
        instead, advice = ADVICE.get(name, (None, ""))
        hint = f" {advice}" if instead in ("", *self.known) else did_you_mean(name, self.known)
        if not hint and "measures" in self.known:
            hint = _setting_hint(name, where)
        super().__init__(
            f"{where}{where and ': '}there is no argument '{name}' (there are"
            f" {', '.join(self.known)}).{hint}"
        )


def _setting_hint(name: str, task: str) -> str:
    """Return how a setting is written in the names of measures, if some have one of that name."""
    from assay.core.catalogue import catalogue

    known = [each for each in catalogue().values() if name in (p.name for p in each.parameters)]
    example = [f"{each.name}({name}=…)" for each in sorted(known, key=lambda m: m.task != task)]
    if name == "average":
        example = ["F(average=macro)"]
    return f" It is a setting of measures, part of their names: {example[0]}." if example else ""


def explains_arguments(
    function: Callable[Parameters, Found], others: Mapping[str, str] = OTHER_NAMES
) -> Callable[Parameters, Found]:
    """Let a function take the names of other libraries, and name its arguments to other calls."""
    signature = inspect.signature(function)
    parameters = signature.parameters.values()
    named = [e.name for e in parameters if e.kind not in (e.VAR_KEYWORD, e.VAR_POSITIONAL)]
    takes_others = any(each.kind is each.VAR_KEYWORD for each in parameters)

    @functools.wraps(function)
    def call(*args: Parameters.args, **keywords: Parameters.kwargs) -> Found:
        """Call the function with its own names."""
        given: dict[str, Any] = keywords
        for name in [each for each in given if each not in named]:
            meant = others.get(name, "")
            if meant in named:
                _rename(given, name, meant, named.index(meant) < len(args))
            elif not takes_others:
                raise UnknownArgument(name, named, function.__name__)
        try:
            return function(*args, **keywords)
        except UnknownArgument as failure:
            names = dict.fromkeys([*named, *failure.known])
            raise UnknownArgument(failure.name, names, function.__name__) from None
        except TypeError:
            try:
                signature.bind(*args, **keywords)
            except TypeError as failure:
                what = f"{function.__name__}: {failure}; its arguments are {', '.join(named)}"
                if named[0] == "scores" and len(args) > 2:
                    what += "; `scores` are what assay.retrieval(qrels, runs, measures) returns"
                raise UsageError(what) from None
            raise

    return call


def _rename(given: dict[str, Any], name: str, meant: str, placed: bool) -> None:
    """Give an argument the name that the function has for it; it may be given by its place."""
    if meant in given or placed:
        what = "the first argument" if meant == "data" else f"`{meant}`"
        raise UsageError(f"`{name}` is another name of {what}, which is given too; leave one out")
    given[meant] = given.pop(name)
