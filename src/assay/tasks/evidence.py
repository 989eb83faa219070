"""The evidence of a task: named systems, the views of each, and their Scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.core.names import Measure
from assay.engine.scores import ALL, Result, Scores
from assay.statistics.intervals.unit_intervals import Bootstrap, add_intervals
from assay.tasks.evaluation import (
    IntervalSettings,
    Measures,
    Views,
    evaluate_system,
    select_measures,
)

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
        selected = self.select_measures(measures)
        results: list[Result] = []
        for system in self.systems:
            progress(system)
            for part in (ALL, *self.slices(system)):
                views = self.views(system, part)
                results += evaluate_system(
                    system,
                    [measure for measure in selected if measure.definition.view in views],
                    views,
                    interval,
                    self.no_relevant,
                    part,
                    type(self).intervals,
                )
        evaluation = Evaluation(selected, interval, results)
        items = {system: self.items(system) for system in self.systems}
        return Scores(
            self.task,
            tuple(results),
            self.conventions(evaluation),
            tuple(dict.fromkeys(self.warnings(evaluation))),
            {system: views for system, views in items.items() if views},
        )
