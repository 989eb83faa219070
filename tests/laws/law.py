"""What a law is, and the laws that every view has.

A law is checked on primitive data (words, matrices, lists), from which a view is built: so that a
counterexample can stand in a declaration, and a test can check that it is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from hypothesis.strategies import SearchStrategy

from assay.core.catalogue import catalogue
from assay.core.names import Measure, variants_of
from assay.engine.local import aggregate, evaluate, measured
from assay.engine.scores import Result
from assay.engine.streaming import evaluate_parts

TOLERANCE = 1e-12


@dataclass(frozen=True)
class Law:
    """A property that holds for every measure of a view, unless a declaration says otherwise."""

    name: str
    examples: SearchStrategy[Any]
    holds: Callable[[Measure, Any], bool]


@dataclass(frozen=True)
class ViewLaws:
    """How evidence of one kind is drawn and built, and the laws that its measures obey."""

    view: type
    examples: SearchStrategy[Any]
    build: Callable[[Any], Any]
    split: Callable[[Any], Sequence[Any]] | None = None
    """Parts of the evidence that add up to the whole; None where parts do not add up."""
    laws: Sequence[Law] = field(default_factory=list)

    def all_laws(self) -> list[Law]:
        """The laws of every view, then its own."""
        general = [
            Law("bounds", self.examples, self._within_bounds),
            Law("reasons", self.examples, self._undefined_has_a_reason),
            Law("alone", self.examples, self._alone_or_beside_others),
        ]
        if self.split is not None:
            general.append(Law("parts", self.examples, self._parts_make_the_whole))
        return general + list(self.laws)

    def result(self, measure: Measure, example: Any) -> Result:
        """What the engine makes of the evidence."""
        return evaluate(self.build(example), [measure], "system")[0]

    def _within_bounds(self, measure: Measure, example: Any) -> bool:
        values = measured(self.build(example), measure).values
        low, high = measure.definition.bounds
        defined = values[~np.isnan(values)]
        return bool(np.all((defined >= low - TOLERANCE) & (defined <= high + TOLERANCE)))

    def _undefined_has_a_reason(self, measure: Measure, example: Any) -> bool:
        result = self.result(measure, example)
        declared = measure.definition.undefined
        undefined = np.isnan(result.values)
        return all(
            (reason in (declared.truth, declared.answer) and bool(reason))
            if gone
            else reason is None
            for gone, reason in zip(undefined, result.reasons, strict=True)
        )

    def _alone_or_beside_others(self, measure: Measure, example: Any) -> bool:
        view = self.build(example)
        alone = evaluate(view, [measure], "system")[0]
        beside = evaluate(view, [*neighbours(measure), measure], "system")[-1]
        return same(alone, beside)

    def _parts_make_the_whole(self, measure: Measure, example: Any) -> bool:
        parts = [self.build(part) for part in self.split(example)]  # type: ignore[misc]
        whole = evaluate(self.build(example), [measure], "system")[0]
        return same(whole, evaluate_parts(parts, [measure], "system")[0])


@cache
def neighbours(measure: Measure) -> list[Measure]:
    """The measures of the same view before and after this one in the catalogue."""
    same_view = [each for each in catalogue().values() if each.view is measure.definition.view]
    place = same_view.index(measure.definition)
    chosen = {same_view[place - 1], same_view[(place + 1) % len(same_view)]}
    return [variants_of(each)[-1] for each in sorted(chosen, key=lambda each: each.name)]


def same(one: Result, other: Result) -> bool:
    """Whether two results are the same to the last bit, unit by unit and in summary."""
    return (
        one.units == other.units
        and np.array_equal(one.values, other.values, equal_nan=True)
        and np.array_equal([one.value], [other.value], equal_nan=True)
        and one.reasons == other.reasons
    )


def summary(measure: Measure, view: Any) -> float:
    """The one number that the engine would show."""
    found = measured(view, measure)
    return aggregate(measure, found.values, found.parts, found.view.support)


def not_worse(measure: Measure, before: float, after: float) -> bool:
    """Whether a change for the better did not make the number worse; undefined says nothing."""
    if np.isnan(before) or np.isnan(after):
        return True
    slack = TOLERANCE * max(1.0, abs(before), abs(after))
    match measure.definition.better:
        case "higher":
            return after >= before - slack
        case "lower":
            return after <= before + slack
        case _:
            return True


def same_number(one: float, other: float) -> bool:
    """Whether two numbers are the same bits, or both undefined."""
    return bool(np.array_equal([one], [other], equal_nan=True))
