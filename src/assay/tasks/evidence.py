"""Evidence of a task: its systems by name, the views of each, and their Scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, TypeAlias

from assay.core.catalogue import catalogue
from assay.core.definition import Definition
from assay.core.errors import NeedsInput
from assay.core.frozen_dataclass import dataclass
from assay.core.names import Measure, Required, measure
from assay.core.names import measures as measures_named
from assay.core.tables import Table
from assay.engine.local import evaluate
from assay.engine.result import ALL, Result
from assay.engine.scores import NUMBERED_ITEMS_ERROR, Scores
from assay.evidence.views.view import Views as Views
from assay.statistics.intervals.interval_settings import read_interval
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
    kinds: Iterable[Any]
    """The kinds of views that the measures use."""
    interval: Bootstrap | None
    results: Sequence[Result]

    def of(self, system: str) -> list[Result]:
        """Return the results of one system on all its units."""
        return [each for each in self.results if each.system == system and each.slice == ALL]


class TaskEvidence(ABC):
    """The systems of one task, read and checked once, to be evaluated, compared and drawn.

    A task says which systems there are and which views each of them allows; evaluating them
    (``scores``) is the same for every task.
    """

    task: str
    needs: Mapping[Any, str]
    """What has to be given for each kind of view."""
    groups: Mapping[str, frozenset[str]] = MappingProxyType({})
    """The units of each slice, where all systems have the same units."""
    numbered: bool = False
    """Whether only row numbers, in different inputs, identify the items."""
    condenses: ClassVar[bool] = False
    """Whether items that are alike are counted together, where that saves much."""
    has_items: ClassVar[bool] = False
    """Whether the items behind the views are known, so that systems are resampled together."""
    intervals: ClassVar[IntervalSettings] = staticmethod(add_intervals)
    """How the results of one view get their intervals."""

    @property
    @abstractmethod
    def systems(self) -> tuple[str, ...]:
        """The names of the systems, in the order in which they were given."""

    @abstractmethod
    def views(self, system: str, slice_name: str = ALL) -> Views:
        """Return how to build each view that the inputs of a system allow."""

    @abstractmethod
    def conventions(self, evaluation: Evaluation) -> dict[str, Any]:
        """Return what this task needs, besides what all tasks keep, to derive the numbers again."""

    @property
    def inputs(self) -> Mapping[str, Table]:
        """The tables whose digests are kept, by name."""
        return {}

    @property
    def sources(self) -> Mapping[str, str]:
        """The file of each system, where each has a file of its own."""
        return {}

    @property
    def needed(self) -> Required:
        """Parameters that a measure must have and its name need not say."""
        return ()

    @property
    def no_relevant(self) -> str:
        """Whether units that the truth leaves undefined are undefined or zero."""
        return "undefined"

    def slices(self, system: str) -> tuple[str, ...]:
        """Return the names of the slices of a system, without the whole."""
        return tuple(self.groups)

    def slice_units(self, system: str) -> Mapping[str, frozenset[str]]:
        """Return the units of each slice, where the results of the slices do not name them."""
        return {}

    def about(self, system: str) -> str:
        """Return what an explanation of a system is about."""
        return system

    def items(self, system: str) -> Views:
        """Return how to find the items behind each view, if the task ``has_items``."""
        return {}

    def warnings(self, evaluation: Evaluation) -> Sequence[str]:
        """Return what a user should know before relying on the numbers."""
        return ()

    def input_notes(self) -> Sequence[str]:
        """Return what a user should know about the inputs, whatever is computed from them."""
        nothing = Evaluation(measures=(), kinds=(), interval=None, results=())
        return tuple(dict.fromkeys(self.warnings(nothing)))

    def expand_names(self, measures: Any) -> Any:
        """Return the requested measures, with the names of sets written out."""
        return measures

    def configure(self, measures: list[Measure]) -> list[Measure]:
        """Return the measures with the parameters that the evidence implies."""
        return measures

    def describe_interval(self, interval: Bootstrap | None) -> dict[str, Any] | None:
        """Return the settings of the intervals; refuse those that the task does not have."""
        return dict(interval.description) if interval else None

    def complete(self, scores: Scores, evaluation: Evaluation) -> Scores:
        """Return the scores with what only this task adds."""
        return scores

    def select_measures(self, measures: Measures = None) -> list[Measure]:
        """Return the requested measures, or the standard ones that the inputs of a system allow."""
        if measures is None:
            named = self._standard_measures()
        else:
            named = measures_named(self.expand_names(measures), self.task, self.needed)
            views = [self.views(system) for system in self.systems]
            for each in named:
                if any(each.definition.view not in own for own in views):
                    raise NeedsInput(f"{each} needs {self.missing_input(each)}")
        return list({each.name: each for each in self.configure(named)}.values())

    def _standard_measures(self) -> list[Measure]:
        """Return the standard measures that systems allow, and what replaces those of the first."""
        known = [measure(each) for each in catalogue().standard(self.task)]
        views = [self.views(system) for system in self.systems]
        usual = [each for each in known if each.definition.standard]
        absent = {each.definition.name for each in usual if each.definition.view not in views[0]}
        others = [each for each in known if each.definition.replaces in absent]
        return [
            *(each for own in views for each in usual if each.definition.view in own),
            *(each for each in others if each.definition.view in views[0]),
        ]

    def missing_input(self, measure: Measure) -> str:
        """Return what a measure needs that the inputs do not have, and what to do about it."""
        return self.needs[measure.definition.view]

    def select_measures_of(self, view: Any, measures: Measures, why: str) -> list[Measure]:
        """Return the requested measures of one kind of view; refuse others for that reason."""
        selected = self.select_measures(measures)
        for each in selected:
            if each.definition.view is not view:
                raise NeedsInput(f"{each} needs {self.needs[each.definition.view]}, {why}")
        return selected

    def scores(
        self,
        measures: Measures = None,
        *,
        interval: Bootstrap | str | bool | None = Bootstrap(),  # noqa: B008 (frozen)
        progress: Progress | None = None,
    ) -> Scores:
        """Evaluate every system on all its units, then on each of its slices."""
        if not isinstance(interval, Bootstrap | None):
            interval = read_interval(interval)
        described = self.describe_interval(interval)
        selected = self.select_measures(measures)
        lacking: list[str] = []
        results: list[Result] = []
        for system in self.systems:
            if progress is not None:
                progress(system)
            slices = self.slices(system)
            lacking += self._lacking_note(system, selected)
            for part in (ALL, *slices):
                results += self.evaluate_slice(system, part, selected, interval)
        kinds = dict.fromkeys(each.definition.view for each in selected)
        evaluation = Evaluation(selected, kinds, interval, results)
        own, sources, inputs = self.conventions(evaluation), self.sources, self.inputs
        notes = tuple(dict.fromkeys([*self.warnings(evaluation), *lacking]))
        conventions = {
            "assay": VERSION,
            **own,
            **({"sources": dict(sources)} if sources else {}),
            **({NUMBERED_ITEMS_ERROR: True} if self.numbered else {}),
            "interval": described,
            "inputs": {name: table.digest() for name, table in inputs.items()},
        }
        formulas = {each.name: each for each in selected}
        paired = self.systems if self.has_items else ()
        items = {system: partial(self.items, system) for system in paired}
        scores = Scores(self.task, tuple(results), conventions, notes, items, self, formulas)
        return self.complete(scores, evaluation)

    def _lacking_note(self, system: str, selected: Sequence[Measure]) -> list[str]:
        """Return which of the measures a system does not have, as other systems do, and why."""
        views = self.views(system)
        lacking = [each for each in selected if each.definition.view not in views]
        if not lacking:
            return []
        kinds = dict.fromkeys(self.needs[each.definition.view] for each in lacking)
        needed = " or ".join(kind.partition(":")[0] for kind in kinds)
        return [f"{system} has no {needed}, and so no {', '.join(each.name for each in lacking)}"]

    def evaluate_slice(
        self, system: str, part: str, asked: Sequence[Measure], interval: Bootstrap | None
    ) -> list[Result]:
        """Return the results of one slice, in the order of the measures that its views allow."""
        views, policy = self.views(system, part), self.no_relevant
        allowed = [each for each in asked if each.definition.view in views]
        by_measure: dict[Measure, Result] = {}
        for kind in dict.fromkeys(each.definition.view for each in allowed):
            view = views[kind]()
            if self.condenses:
                view = view.condensed()
            own = [each for each in allowed if each.definition.view is kind]
            results = evaluate(view, own, system, part, policy)
            if interval is not None:
                results = type(self).intervals(results, view, own, interval)
            by_measure |= dict(zip(own, results, strict=True))
        return [by_measure[each] for each in allowed]
