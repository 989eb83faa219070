"""What a law is, and the laws that every view has.

A law is checked on primitive data (words, matrices, lists), from which a view is built: so that a
counterexample can stand in a declaration, and a test can check that it is one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache, reduce
from numbers import Real
from operator import add
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from assay.core.catalogue import catalogue
from assay.core.names import Measure, declared_variants
from assay.engine.local import aggregate, evaluate, measure_view
from assay.engine.result import Result
from assay.statistics.intervals.unit_intervals import Bootstrap, add_intervals

TOLERANCE = 1e-12
FEW = Bootstrap(resamples=12)


@dataclass(frozen=True)
class Law:
    """A property that holds for every measure of a view, unless a declaration says otherwise."""

    name: str
    examples: SearchStrategy[Any]
    holds: Callable[[Measure, Any], bool]
    tries: int = 25
    """How many examples are tried."""


@dataclass(frozen=True)
class ViewLaws:
    """How evidence of one kind is drawn and built, and the laws that its measures obey."""

    view: type
    examples: SearchStrategy[Any]
    build: Callable[[Any], Any]
    rows: Callable[[Any], list[Any]]
    """The lines of the tables in which the evidence of an example would be given."""
    of_rows: Callable[[list[Any]], Any]
    """The view that is made of such lines."""
    split: Callable[[Any], Sequence[Any]] | None = None
    """Parts of the evidence that add up to the whole; None where parts do not add up."""
    laws: Sequence[Law] = field(default_factory=list)
    ideal_is_best: bool = True
    """Whether nothing is better than ``ideal()``."""

    def all_laws(self) -> list[Law]:
        """The laws of every view, as far as it has none of the same name, then its own."""
        general = [
            Law("bounds", self.examples, self._within_bounds),
            Law("reasons", self.examples, self._undefined_has_a_reason),
            Law("alone", self.examples, self._alone_or_beside_others),
            Law("left alone", self.examples, self._evidence_is_left_alone, tries=3),
            Law("resamples", self.examples, self._resamples_at_once, tries=4),
            Law(
                "order of lines",
                st.tuples(self.examples, st.integers(0, 999)),
                self._lines_in_any_order,
                tries=3,
            ),
        ]
        general.append(Law("trace", self.examples, self._trace_arrives, tries=12))
        if self.ideal_is_best:
            general.append(Law("ideal", self.examples, self._nothing_beats_the_ideal))
        if self.split is not None:
            general.append(Law("parts", self.examples, self._parts_make_the_whole))
        own = {law.name for law in self.laws}
        return [law for law in general if law.name not in own] + list(self.laws)

    def result(self, measure: Measure, example: Any) -> Result:
        """What the engine makes of the evidence."""
        return evaluate(self.build(example), [measure], "system")[0]

    def _evidence_is_left_alone(self, measure: Measure, example: Any) -> bool:
        """A measure writes into no array of the view, and says the same when asked again."""
        view = self.build(example)
        lock(view)
        once, again = (evaluate(view, [measure], "system")[0] for _ in range(2))
        return same(once, again)

    def _resamples_at_once(self, measure: Measure, example: Any) -> bool:
        """Many resamples at once are what each is alone; the plain counts are the plain view."""
        view = self.build(example)
        cells = view.cells
        if cells is None or measure.unit == "item":
            return True
        rows = np.stack((cells, 2 * cells, np.arange(len(cells)) % 3, cells[::-1]))
        together = measure_view(view.reweight(rows), measure).values.reshape(len(rows), -1)
        alone = [measure_view(view.reweight(row[None, :]), measure).values for row in rows]
        plain = measure_view(view, measure).values
        return close(together, np.stack(alone)) and close(alone[0], plain)

    def _lines_in_any_order(self, measure: Measure, example: tuple[Any, int]) -> bool:
        """The order of lines changes no bit: of the values, of the summary, or of the interval."""
        drawn, seed = example
        lines = self.rows(drawn)
        turned = random.Random(seed).sample(lines, len(lines))
        one, two = (self._with_interval(measure, each) for each in (lines, turned))
        return (
            same_numbers(np.sort(one.values), np.sort(two.values))
            and same_numbers([one.value, one.low, one.high], [two.value, two.low, two.high])
            and (one.unit_kind == "item" or one.units == two.units)
        )

    def _with_interval(self, measure: Measure, lines: list[Any]) -> Result:
        view = self.of_rows(lines)
        return add_intervals(evaluate(view, [measure], "system"), view, [measure], FEW)[0]

    def _trace_arrives(self, measure: Measure, example: Any) -> bool:
        """The table behind a number ends with the number."""
        if not measure.definition.tracer:
            return True
        return all(
            _ends_with(measure.trace(view), value)
            for view, value in alone(measure, self.build(example))
            if not np.isnan(value) and value != measure.undefined
        )

    def _nothing_beats_the_ideal(self, measure: Measure, example: Any) -> bool:
        """A perfect system is best, in the direction that the measure declares."""
        view = self.build(example)
        own, best = measure_view(view, measure), measure_view(view.ideal(), measure)
        if own.view.units == best.view.units:
            each = zip(own.values, best.values, strict=True)
            return all(not_worse(measure, *both) for both in each)
        return not_worse(measure, summary(measure, view), summary(measure, view.ideal()))

    def _within_bounds(self, measure: Measure, example: Any) -> bool:
        values = measure_view(self.build(example), measure).values
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
        return same(whole, evaluate(reduce(add, parts), [measure], "system")[0])


@cache
def neighbours(measure: Measure) -> list[Measure]:
    """The measures of the same view before and after this one in the catalogue."""
    same_view = [each for each in catalogue().values() if each.view is measure.definition.view]
    place = same_view.index(measure.definition)
    chosen = {same_view[place - 1], same_view[(place + 1) % len(same_view)]}
    return [declared_variants(each)[-1] for each in sorted(chosen, key=lambda each: each.name)]


def alone(measure: Measure, view: Any) -> Iterator[tuple[Any, float]]:
    """Each view of which a trace is asked, with its value: as ``explain`` takes them."""
    found = measure_view(view, measure)
    units = len(found.view.units)
    if units == 1 or measure.unit == "item":
        yield found.view, aggregate(measure, found.values, found.parts, found.view.support)
    elif found.view.unit_kind == "query":
        for number in range(units):
            yield found.view.take([number]), found.values[number]
    elif measure.definition.unit == "class":
        for name, value in zip(found.view.units, found.values, strict=True):
            yield replace(view, positive=name).by("class"), value


def _ends_with(table: dict[str, Any], value: float) -> bool:
    """Whether the last row of a table has the value; a list in which nothing counts has no row."""
    first, *_ = table
    if "rank" in first and not len(table[first]):
        return True
    last = [column[-1] for column in table.values() if isinstance(column[-1], Real)]
    return bool(np.isclose(np.asarray(last, float), value, rtol=1e-9, atol=1e-9).any())


def same(one: Result, other: Result) -> bool:
    """Whether two results are the same to the last bit, unit by unit and in summary."""
    return (
        one.units == other.units
        and np.array_equal(one.values, other.values, equal_nan=True)
        and np.array_equal([one.value], [other.value], equal_nan=True)
        and one.reasons == other.reasons
    )


def lock(thing: Any) -> None:
    """Make every array of a view such that writing into it is an error."""
    if isinstance(thing, np.ndarray):
        thing.flags.writeable = False
    elif is_dataclass(thing):
        for each in fields(thing):
            lock(getattr(thing, each.name))
    elif isinstance(thing, Mapping):
        lock(tuple(thing.values()))
    elif isinstance(thing, tuple | list):
        for each in thing:
            lock(each)


def summary(measure: Measure, view: Any) -> float:
    """The one number that the engine would show."""
    found = measure_view(view, measure)
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


def same_numbers(one: Any, other: Any) -> bool:
    """Whether all numbers are the same bits, or both undefined."""
    return np.array_equal(np.asarray(one), np.asarray(other), equal_nan=True)


def close(one: Any, other: Any) -> bool:
    """Whether numbers differ by no more than rounding."""
    return bool(np.allclose(one, other, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True))


def same_number(one: float, other: float) -> bool:
    """Whether two numbers are the same bits, or both undefined."""
    return bool(np.array_equal([one], [other], equal_nan=True))
