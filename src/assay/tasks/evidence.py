"""Evidence of a task: its systems by name, the views of each, and their Scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from assay.core.catalogue import catalogue
from assay.core.definition import Definition
from assay.core.errors import NeedsInput
from assay.core.names import Measure, Required, measure, measures
from assay.core.tables import Table
from assay.engine.local import evaluate
from assay.engine.scores import ALL, NUMBERED_ITEMS_ERROR, Result, Scores
from assay.evidence.views.view import Views as Views
from assay.statistics.intervals.unit_intervals import Bootstrap, add_intervals
from assay.version import VERSION

Measures: TypeAlias = str | Measure | Definition | Iterable[str | Measure | Definition] | None
"""Measures as a caller names them; None for the standard ones of the task."""
IntervalSettings: TypeAlias = Callable[
    [Sequence[Result], Any, Sequence[Measure], Bootstrap], list[Result]
]
"""What gives the results of one view their intervals."""
Progress = Callable[[str], None]
"""Receives the name of each system before it is evaluated."""


@dataclass(frozen=True)
class Evaluation:
    """The measures that were computed, how their intervals were made, and the results."""

    measures: Sequence[Measure]
    interval: Bootstrap | None
    results: Sequence[Result]

    def of(self, system: str) -> list[Result]:
        """Return the results of one system on all its units."""
        return [each for each in self.results if each.system == system and each.slice == ALL]


class TaskEvidence(ABC):
    """The systems of one task, read and checked once, to be evaluated, compared and drawn.

    A task says which systems there are and which views each of them allows; evaluating them is
    the same for every task.
    """

    task: ClassVar[str]
    needs: ClassVar[Mapping[Any, str]]
    """What has to be given for each kind of view."""
    intervals: ClassVar[IntervalSettings] = staticmethod(add_intervals)
    """How the results of one view get their intervals."""
    no_relevant: str = "undefined"
    """Whether units that the truth leaves undefined are undefined or zero."""

    @property
    @abstractmethod
    def systems(self) -> tuple[str, ...]:
        """The names of the systems, in the order in which they were given."""

    @abstractmethod
    def views(self, system: str, slice_name: str = ALL) -> Views:
        """Return how to build each view that the inputs of a system allow."""

    @abstractmethod
    def conventions(self, evaluation: Evaluation) -> dict[str, Any]:
        """Return what is needed to derive the numbers again."""

    def slices(self, system: str) -> tuple[str, ...]:
        """Return the names of the slices of a system, without the whole."""
        return ()

    def about(self, system: str) -> str:
        """Return what an explanation of a system is about."""
        return system

    def items(self, system: str) -> Views:
        """Return how to find the items behind each view, for resampling systems together."""
        return {}

    def warnings(self, evaluation: Evaluation) -> Sequence[str]:
        """Return what a user should know before relying on the numbers."""
        return ()

    def select_measures(self, measures: Measures = None) -> list[Measure]:
        """Return the requested measures, or the standard ones that the inputs of a system allow."""
        first, *others = (self.views(system) for system in self.systems)
        selected = select_measures(measures, self.task, first, self.needs)
        for views in others:
            again = None if measures is None else selected
            allowed = select_measures(again, self.task, views, self.needs)
            selected += [measure for measure in allowed if measure not in selected]
        return selected

    def scores(
        self,
        measures: Measures = None,
        *,
        interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
        progress: Progress = lambda system: None,
    ) -> Scores:
        """Evaluate every system on all its units, then on each of its slices."""
        systems, selected = self.systems, self.select_measures(measures)
        results: list[Result] = []
        items: dict[str, Views] = {}
        for system in systems:
            progress(system)
            if found := self.items(system):
                items[system] = found
            for part in (ALL, *self.slices(system)):
                results += evaluate_system(
                    system,
                    selected,
                    self.views(system, part),
                    interval,
                    self.no_relevant,
                    part,
                    type(self).intervals,
                )
        evaluation = Evaluation(selected, interval, results)
        return Scores(
            self.task,
            tuple(results),
            self.conventions(evaluation),
            tuple(dict.fromkeys(self.warnings(evaluation))),
            items,
        )


def select_measures(
    asked: Measures, task: str, views: Views, needs: Mapping[Any, str], needed: Required = ()
) -> list[Measure]:
    """Return the measures asked for, or the standard ones that the input allows.

    ``needed`` are parameters that a measure must have and its name need not say.
    """
    if asked is None:
        return [measure(each) for each in catalogue().standard(task) if each.view in views]
    named = measures(asked, task, needed)
    for each in named:
        if each.definition.view not in views:
            raise NeedsInput(f"{each} needs {needs[each.definition.view]}")
    return named


def evaluate_system(
    system: str,
    asked: Sequence[Measure],
    views: Views,
    interval: Bootstrap | None,
    no_relevant: str = "undefined",
    slice_name: str = ALL,
    intervals: IntervalSettings = add_intervals,
) -> list[Result]:
    """Return the results of one system in the order of the measures that its views allow."""
    allowed = [each for each in asked if each.definition.view in views]
    by_measure: dict[Measure, Result] = {}
    for kind in dict.fromkeys(each.definition.view for each in allowed):
        view = views[kind]()
        own = [each for each in allowed if each.definition.view is kind]
        results = evaluate(view, own, system, slice_name, no_relevant)
        if interval is not None:
            results = intervals(results, view, own, interval)
        by_measure |= dict(zip(own, results, strict=True))
    return [by_measure[each] for each in allowed]


def describe_conventions(
    inputs: Mapping[str, Table],
    interval: Bootstrap | None,
    sources: Mapping[str, str] | None = None,
    numbered: bool = False,
    **conventions: Any,
) -> dict[str, Any]:
    """Return what is needed to derive the numbers again.

    ``numbered`` means that only row numbers, in different inputs, identify the items.
    """
    return {
        "assay": VERSION,
        **conventions,
        **({"sources": dict(sources)} if sources else {}),
        **({NUMBERED_ITEMS_ERROR: True} if numbered else {}),
        "interval": interval.described() if interval else None,
        "inputs": {name: table.digest() for name, table in inputs.items()},
    }


Member = TypeVar("Member")


@dataclass(frozen=True)
class MemberEvidence(TaskEvidence, Generic[Member]):
    """The systems of a task by name, each with what was read for it."""

    members: Mapping[str, Member]

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(self.members)

    @property
    def first(self) -> Member:
        """The system that was named first."""
        return next(iter(self.members.values()))
