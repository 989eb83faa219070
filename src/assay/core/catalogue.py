"""What a measure is, and where all of them are found.

A measure is declared once, beside its formula, by ``define``; the decorator only returns an
object. The catalogue walks the folder of measures at the first question, and takes the measures
of other distributions through the entry-point group ``assay.measures``.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import chain
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np

from assay.core.arrays import Bools, Floats, Ints, ratio
from assay.core.curves import Columns as Columns
from assay.core.curves import Curve
from assay.core.errors import AssayError
from assay.core.parameters import Flag, Kind, Value, parameter_kind

Better: TypeAlias = Literal["higher", "lower", "neither"]
Aggregate: TypeAlias = Literal["mean", "sum", "geometric", "micro", "whole"]
ClosedForm: TypeAlias = Callable[..., tuple[float, float] | None]
"""The closed form of an interval, where a measure has one."""
Interval = TypeVar("Interval", bound=ClosedForm)
Influence: TypeAlias = Callable[..., Floats | None]
"""How far one item of each cell moves a number, where a measure can say so."""
Extremes: TypeAlias = Callable[..., tuple[Floats, Floats, Bools | bool] | None]
"""The lowest and the highest values over all grades that unjudged retrieved documents may have,
and for which units both are reached (others are outer bounds)."""
ExpectedOverTies: TypeAlias = Callable[..., Floats | None]
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
        """Some of the units."""
        undefined = None if self.undefined is None else self.undefined[units]
        return Ratio(self.numerator[units], self.denominator[units], undefined)


@dataclass(frozen=True)
class Undefined:
    """Why a measure can be undefined: through the truth, or through the answer."""

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
    """A measure as declared beside its formula: everything else follows from this record."""

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
    tracer: list[Callable[..., Columns]] = field(default_factory=list, compare=False, repr=False)
    closed_form: list[ClosedForm] = field(default_factory=list, compare=False, repr=False)
    influences: list[Influence] = field(default_factory=list, compare=False, repr=False)
    over_ties: list[ExpectedOverTies] = field(default_factory=list, compare=False, repr=False)
    over_holes: list[Extremes] = field(default_factory=list, compare=False, repr=False)

    def __hash__(self) -> int:
        return hash((self.name, self.module))

    def __call__(self, view: Any, **parameters: Value) -> Floats:
        """The value for each unit of the view; parameters as in the signature."""
        result = self.function(view, **parameters)
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
        first = self.function.__code__.co_varnames[0]
        name = self.function.__annotations__[first]
        # All measures are asked as they are found: to look up a name is ten times as fast.
        return self.function.__globals__.get(name) or self._hints[first]

    @property
    def task(self) -> str:
        """The task to which the measure belongs, as the view says."""
        return str(self.view.task)

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters of the formula, then those with which the view chooses evidence."""
        declared = list(inspect.signature(self.function).parameters.values())[1:]
        own = [
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
        return tuple(own + flags)

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
        """Declare a closed form of the interval: from a view and a confidence to (low, high).

        It may return None for settings under which there is no closed form.
        """
        self.closed_form.append(function)
        return function

    def influence(self, function: Influence) -> Influence:
        """Declare how far one item of each cell moves the number: from a view to its cells.

        The squares over all items add up to the variance; so two systems with the same items can
        be compared in closed form. It may return None for settings that have none.
        """
        self.influences.append(function)
        return function

    def expected(self, function: ExpectedOverTies) -> ExpectedOverTies:
        """Declare the expected value of each unit over the orders of tied documents.

        NaN for units that have no closed form, and None for settings under which none has.
        """
        self.over_ties.append(function)
        return function

    def extremes(self, function: Extremes) -> Extremes:
        """Declare the lowest and the highest value of each unit over grades of unjudged documents.

        It takes the view, the grades above 0 that they may have (rising), and the parameters.
        None for settings under which nothing is known.
        """
        self.over_holes.append(function)
        return function


Define: TypeAlias = Callable[[Callable[..., Floats | Ratio]], Definition]


def define(
    name: str,
    *,
    better: Better,
    bounds: tuple[float, float],
    aggregate: Aggregate = "mean",
    unit: str | None = None,
    label: str | None = None,
    aliases: Sequence[str] = (),
    undefined: Undefined | str | None = None,
    exempt: Sequence[Exemption] = (),
    variants: Sequence[str] = (),
    standard: bool = False,
    synonyms: dict[str, str] | None = None,
    estimates: tuple[float, float] | None = None,
) -> Define:
    """Declare a measure. The decorated function becomes a ``Definition``; nothing is registered.

    ``undefined`` says why a value can be NaN (text alone: through the truth). ``unit`` asks the
    view for units of that kind, such as the classes of a confusion matrix. ``variants`` are names
    with parameters that the laws try as well; ``standard`` measures are shown when none is asked.
    ``synonyms`` are parameters (``gains``) and settings (``dcg=log2``) as other tools write them.
    ``estimates`` are the bounds of what a sample estimates, beyond which an estimate may lie.
    """
    reasons = Undefined(truth=undefined) if isinstance(undefined, str) else undefined

    def declare(function: Callable[..., Floats | Ratio]) -> Definition:
        return Definition(
            name=name,
            function=function,
            better=better,
            bounds=bounds,
            aggregate=aggregate,
            unit=unit,
            label=label,
            aliases=tuple(aliases),
            undefined=reasons or Undefined(),
            exempt=tuple(exempt),
            variants=tuple(variants),
            standard=standard,
            synonyms=synonyms or {},
            estimates=estimates,
        )

    return declare


Declared = TypeVar("Declared", Definition, Curve)


class Catalogue(Mapping[str, Definition]):
    """All measures by their key (task and name), in the order of tasks and names."""

    def __init__(self, package: str = "assay.measures", group: str = "assay.measures") -> None:
        self._package = package
        self._group = group

    @cached_property
    def _found(self) -> tuple[dict[str, Definition], dict[str, Curve]]:
        definitions: dict[str, Definition] = dict(self.own)
        curves: dict[str, Curve] = {}
        for thing in chain(self._declared_measures, self._entry_point_measures()):
            if isinstance(thing, Definition):
                _add_declaration(definitions, thing.key, thing)
            else:
                _add_declaration(curves, thing.name, thing)
        return dict(sorted(definitions.items())), dict(sorted(curves.items()))

    @cached_property
    def own(self) -> dict[str, Definition]:
        """The measures of the folder alone: asking all distributions takes as long as the rest."""
        return _index_by_key(self._declared_measures)

    def families(self, task: str) -> dict[str, Definition]:
        """The measures of the folders that say in ``TASKS`` that they are for a task.

        Who asks for nDCG should not wait for clusters to be read. A folder that says nothing is
        for every task.
        """
        root = importlib.import_module(self._package)
        folders = [each for each in pkgutil.iter_modules(root.__path__) if each.ispkg]
        read = [importlib.import_module(f"{self._package}.{each.name}") for each in folders]
        chosen = [each for each in read if task in getattr(each, "TASKS", (task,))]
        modules = (module for folder in chosen for module in self._modules(folder))
        return _index_by_key(_declarations_in(modules))

    @cached_property
    def _declared_measures(self) -> list[Definition | Curve]:
        """What the folder of measures declares."""
        return _declarations_in(self._modules(importlib.import_module(self._package)))

    def _entry_point_measures(self) -> Iterator[Definition | Curve]:
        """What other distributions declare."""
        from importlib.metadata import entry_points

        for entry in entry_points(group=self._group):
            thing = entry.load()
            if not isinstance(thing, Definition | Curve):
                raise AssayError(
                    f"the entry point {entry.name} of {entry.value} is not a measure:"
                    " it must name a function decorated with assay.define or assay.curve"
                )
            yield thing

    @staticmethod
    def _modules(root: Any) -> Iterator[Any]:
        for found in pkgutil.walk_packages(root.__path__, prefix=root.__name__ + "."):
            yield importlib.import_module(found.name)

    @property
    def curves(self) -> dict[str, Curve]:
        """All curves by name."""
        return self._found[1]

    def __getitem__(self, key: str) -> Definition:
        return self._found[0][key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found[0])

    def __len__(self) -> int:
        return len(self._found[0])

    def of_task(self, task: str) -> list[Definition]:
        """The measures of a task, by name."""
        return [each for each in self.values() if each.task == task]


def _declarations_in(modules: Iterable[Any]) -> list[Definition | Curve]:
    return [
        thing
        for module in modules
        for thing in vars(module).values()
        if isinstance(thing, Definition | Curve) and thing.module == module.__name__
    ]


def _index_by_key(declared: Iterable[Definition | Curve]) -> dict[str, Definition]:
    found: dict[str, Definition] = {}
    for thing in declared:
        if isinstance(thing, Definition):
            _add_declaration(found, thing.key, thing)
    return found


def _add_declaration(known: dict[str, Declared], key: str, one: Declared) -> None:
    before = known.setdefault(key, one)
    if before is not one:
        raise AssayError(f"{key} is declared twice: in {before.module} and in {one.module}")


@cache
def catalogue() -> Catalogue:
    """The one catalogue of this process."""
    return Catalogue()
