"""What all tasks do alike: select measures, evaluate, add intervals, describe the conventions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from assay.core.catalogue import catalogue
from assay.core.definition import Definition
from assay.core.errors import NeedsInput
from assay.core.names import Measure, Required, example_name, measure, measures
from assay.core.tables import Table
from assay.engine.local import evaluate
from assay.engine.scores import ALL, Result
from assay.evidence.views.view import Views as Views
from assay.statistics.intervals.unit_intervals import Bootstrap, add_intervals
from assay.version import VERSION

Measures: TypeAlias = str | Measure | Definition | Iterable[str | Measure | Definition] | None
"""Measures as a caller names them; None for the standard ones of the task."""
IntervalSettings: TypeAlias = Callable[
    [Sequence[Result], Any, Sequence[Measure], Bootstrap], list[Result]
]
"""What gives the results of one view their intervals."""


def select_measures(
    asked: Measures, task: str, views: Views, needs: Mapping[Any, str], needed: Required = ()
) -> list[Measure]:
    """Return the measures asked for, or the standard ones that the input allows.

    ``needed`` are parameters that a measure must have and its name need not say.
    """
    if asked is None:
        return [
            measure(example_name(each), task)
            for each in catalogue().standard(task)
            if each.view in views
        ]
    named = measures(_expand_names(asked) if task == "retrieval" else asked, task, needed)
    for each in named:
        if each.definition.view not in views:
            raise NeedsInput(f"{each} needs {needs[each.definition.view]}")
    return named


def _expand_names(asked: Measures) -> list[str | Measure | Definition]:
    """Return the measures with trec_eval's sets and lists of depths written out."""
    from assay.tasks.trec_eval.requested_measures import expand_trec_names

    several = isinstance(asked, Iterable) and not isinstance(asked, str)
    listed: list[Any] = list(asked) if several else [asked]  # type: ignore[arg-type]
    expanded = [expand_trec_names(each) if isinstance(each, str) else [each] for each in listed]
    return [name for names in expanded for name in names]


def evaluate_system(
    system: str,
    asked: Sequence[Measure],
    views: Views,
    interval: Bootstrap | None,
    no_relevant: str = "undefined",
    slice_name: str = ALL,
    intervals: IntervalSettings = add_intervals,
) -> list[Result]:
    """The results of one system, each view made once, in the order in which they were asked for.

    ``intervals`` gives them their intervals.
    """
    by_measure: dict[Measure, Result] = {}
    for kind in dict.fromkeys(each.definition.view for each in asked):
        view = views[kind]()
        own = [each for each in asked if each.definition.view is kind]
        results = evaluate(view, own, system, slice_name, no_relevant)
        if interval is not None:
            results = intervals(results, view, own, interval)
        by_measure |= dict(zip(own, results, strict=True))
    return [by_measure[each] for each in asked]


def describe_conventions(
    inputs: Mapping[str, Table], interval: Bootstrap | None, **conventions: Any
) -> dict[str, Any]:
    """Return what is needed to derive the numbers again."""
    return {
        "assay": VERSION,
        **conventions,
        "interval": interval.described() if interval else None,
        "inputs": {name: table.digest() for name, table in inputs.items()},
    }
