"""Definition of a measure: the record that ``define`` creates next to the formula.

The decorator only returns an object; ``assay.core.catalogue`` finds all of them.
"""

from __future__ import annotations

import inspect
import typing
from collections import namedtuple
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np

from assay.core.arrays import Bools, Floats, Ints, ratio
from assay.core.curves import Columns
from assay.core.facts import NOTHING_KNOWN, Facts, Range, Settings
from assay.core.parameters import Flag, Kind, Value, parameter_kind

Better: TypeAlias = Literal["higher", "lower", "neither"]
Aggregate: TypeAlias = Literal["mean", "sum", "geometric", "micro", "whole"]
GEOMETRIC_FLOOR = 1e-5
"""The least value that a geometric mean takes, as in trec_eval."""
Closed: TypeAlias = Callable[..., tuple[float, float] | None]
"""The closed form of an interval, where a measure has one."""
Interval = TypeVar("Interval", bound=Closed)
Influence: TypeAlias = Callable[..., Floats | None]
"""The influence of one item of each cell on a value, where a measure has a closed form."""
Extremes: TypeAlias = Callable[..., Range | None]
"""The range of values over all grades that unjudged retrieved documents may have."""
Expected: TypeAlias = Callable[..., Floats | None]
"""The closed form of an expected value over the orders of tied documents."""


@dataclass(frozen=True)
class Ratio:
    """Numerators and denominators, one of each per unit.

    A measure that returns a ratio can be averaged over units (macro) or pooled (micro).
    """

    numerator: Floats
    denominator: Floats
    undefined: Bools | None = None
    """Units that are undefined on their own although they count when all are pooled."""

    @property
    def values(self) -> Floats:
        """The quotient of each unit, NaN where the denominator is 0."""
        quotient = ratio(self.numerator, self.denominator)
        return quotient if self.undefined is None else np.where(self.undefined, np.nan, quotient)

    def __getitem__(self, units: slice | Bools | Ints) -> Ratio:
        """Return some of the units."""
        undefined = None if self.undefined is None else self.undefined[units]
        return Ratio(self.numerator[units], self.denominator[units], undefined)


@dataclass(frozen=True)
class Undefined:
    """Reasons why a measure can be undefined: because of the truth, or of the system's answer."""

    truth: str | None = None
    answer: str | None = None


@dataclass(frozen=True)
class Exemption:
    """A law that a measure does not obey, with evidence that a test checks."""

    law: str
    why: str
    example: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Parameter:
    """One parameter of a measure, as its signature declares it."""

    name: str
    kind: Kind
    default: Value
    required: bool


@dataclass(frozen=True)
class Definition:
    """A measure as declared next to its formula; everything else follows from this record."""

    name: str
    function: Callable[..., Floats | Ratio]
    better: Better
    bounds: tuple[float, float]
    aggregate: Aggregate = "mean"
    unit: str | None = None
    label: str | None = None
    aliases: tuple[str, ...] = ()
    undefined: Undefined = Undefined()
    exempt: tuple[Exemption, ...] = ()
    variants: tuple[str, ...] = ()
    standard: bool = False
    synonyms: dict[str, str] = field(default_factory=dict)
    estimates: tuple[float, float] | None = None
    """The bounds of what is estimated, where the estimate itself may lie outside."""
    facts: Facts = NOTHING_KNOWN
    """Known properties of a ranking measure, on which bounds and ties rely."""
    tracer: list[Callable[..., Columns]] = field(default_factory=list, compare=False, repr=False)
    closed_form: list[Closed] = field(default_factory=list, compare=False, repr=False)
    influences: list[Influence] = field(default_factory=list, compare=False, repr=False)
    over_ties: list[Expected] = field(default_factory=list, compare=False, repr=False)
    over_holes: list[Extremes] = field(default_factory=list, compare=False, repr=False)

    def __hash__(self) -> int:
        return hash((self.name, self.module))

    def __call__(self, view: Any, *given: Value, **parameters: Value) -> Floats:
        """Return the value for each unit of the view; parameters as in the signature."""
        result = self.function(view, *given, **parameters)
        return result.values if isinstance(result, Ratio) else result

    @property
    def module(self) -> str:
        """The module in which the measure is declared."""
        return self.function.__module__

    @property
    def key(self) -> str:
        """The name with its task, which is unique."""
        return f"{self.task}.{self.name}"

    @cached_property
    def _hints(self) -> dict[str, Any]:
        return typing.get_type_hints(self.function, include_extras=True)

    @cached_property
    def view(self) -> Any:
        """The view from which the measure is computed: the type of its first parameter."""
        return _view_of(self.function)

    @property
    def task(self) -> str:
        """The task to which the measure belongs, as the view says."""
        return str(self.view.task)

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters of the formula, then those with which the view chooses evidence."""
        declared = list(inspect.signature(self.function).parameters.values())[1:]
        from_formula = [
            Parameter(
                name=each.name,
                kind=parameter_kind(self._hints[each.name]),
                default=None if each.default is each.empty else each.default,
                required=each.default is each.empty,
            )
            for each in declared
        ]
        flags = [
            Parameter(name, parameter_kind(Flag), default=False, required=False)
            for name in getattr(self.view, "selections", ())
        ]
        return tuple(from_formula + flags)

    @cached_property
    def _settings(self) -> Any:
        formula = list(inspect.signature(self.function).parameters.values())[1:]
        defaults = [each.default for each in formula if each.default is not each.empty]
        return namedtuple("Settings", [each.name for each in formula], defaults=defaults)

    def bind(self, **given: Value) -> Settings:
        """Return the parameters of the formula as one object, with defaults for those not given.

        All functions declared beside the formula take it, unless the formula has no parameters.
        """
        return self._settings(**given)

    @property
    def at(self) -> Parameter | None:
        """The parameter that is written after ``@``, if there is one."""
        return next((each for each in self.parameters if each.kind.after_at), None)

    @property
    def documentation(self) -> str:
        """The explanation beside the formula, which is also the help text."""
        return inspect.getdoc(self.function) or ""

    @property
    def summary(self) -> str:
        """The first sentence of the explanation, in plain words."""
        return " ".join(self.documentation.split("\n\n")[0].replace("``", "").split())

    def trace(self, function: Callable[..., Columns]) -> Callable[..., Columns]:
        """Declare the table from which the number comes, for a view of one unit."""
        self.tracer.append(function)
        return function

    def interval(self, function: Interval) -> Interval:
        """Declare a closed form of the interval: view, confidence level, settings to (low, high).

        It may return None for settings under which there is no closed form.
        """
        self.closed_form.append(function)
        return function

    def influence(self, function: Influence) -> Influence:
        """Declare how far one item of each cell moves the number: view and settings to its cells.

        The squares over all items add up to the variance; so two systems with the same items can
        be compared in closed form. It may return None for settings that have none.
        """
        self.influences.append(function)
        return function

    def expected(self, function: Expected) -> Expected:
        """Declare the expected value of each unit over the orders of tied documents.

        NaN for units that have no closed form, and None for settings under which none has.
        """
        self.over_ties.append(function)
        return function

    def extremes(self, function: Extremes) -> Extremes:
        """Declare the lowest and the highest value of each unit over grades of unjudged documents.

        It takes the view, the grades above 0 that they may have (rising), and the settings.
        None for settings under which nothing is known.
        """
        self.over_holes.append(function)
        return function


def _view_of(function: Callable[..., Any]) -> Any:
    """Return the type of the first parameter."""
    first = function.__code__.co_varnames[0]
    name = function.__annotations__[first]
    # Asked of every imported measure: a lookup by name is ten times as fast as type hints.
    return function.__globals__.get(name) or typing.get_type_hints(function)[first]


Define: TypeAlias = Callable[[Callable[..., Floats | Ratio]], Definition]


def define(
    name: str,
    *,
    better: Better = "higher",
    bounds: tuple[float, float] = (0, 1),
    aggregate: Aggregate | None = None,
    unit: str | None = None,
    label: str | None = None,
    aliases: Sequence[str] = (),
    undefined: Undefined | str | None = None,
    exempt: Sequence[Exemption] = (),
    variants: Sequence[str] = (),
    standard: bool = False,
    synonyms: dict[str, str] | None = None,
    estimates: tuple[float, float] | None = None,
    facts: Facts = NOTHING_KNOWN,
) -> Define:
    """Declare a measure. The decorated function becomes a ``Definition``; nothing is registered.

    ``undefined`` says why a value can be NaN (text alone: through the truth). ``unit`` asks the
    view for units of that kind, such as the classes of a confusion matrix. ``aggregate`` is by
    default the mean over the units, or ``whole`` where the unit is the whole set. ``variants`` are
    names with parameters that the laws try as well; ``standard`` measures are shown by default.
    ``synonyms`` are parameters (``gains``) and settings (``dcg=log2``) as other tools write them.
    ``estimates`` are the bounds of what a sample estimates, beyond which an estimate may lie.
    ``facts`` state what is known of a ranking measure, such as that it is a sum over documents.
    """
    reasons = Undefined(truth=undefined) if isinstance(undefined, str) else undefined

    def declare(function: Callable[..., Floats | Ratio]) -> Definition:
        """Return the definition of a formula."""
        kind = unit or getattr(_view_of(function), "unit_kind", None)
        return Definition(
            name=name,
            function=function,
            better=better,
            bounds=bounds,
            aggregate=aggregate or ("whole" if kind == "set" else "mean"),
            unit=unit,
            label=label,
            aliases=tuple(aliases),
            undefined=reasons or Undefined(),
            exempt=tuple(exempt),
            variants=tuple(variants),
            standard=standard,
            synonyms=synonyms or {},
            estimates=estimates,
            facts=facts,
        )

    return declare
