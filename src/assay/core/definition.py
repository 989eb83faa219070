"""Definition of a measure: the record that ``define`` creates next to the formula.

The decorator only returns an object; ``assay.core.catalogue`` finds all of them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from types import SimpleNamespace
from typing import Any, Literal, TypeAlias, TypeVar

from assay.core.arrays import Floats
from assay.core.arrays import Ratio as Ratio
from assay.core.curves import Columns
from assay.core.facts import NOTHING_KNOWN, Facts, Range, Settings
from assay.core.frozen_dataclass import dataclass, field
from assay.core.parameters import Parameter, Value, read_signature

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


def _find_declared(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


@dataclass(frozen=True, eq=False)
class Definition:
    """A measure as declared next to its formula; everything else follows from this record."""

    name: str
    function: Callable[..., Floats | Ratio]
    better: Better
    bounds: tuple[float, float]
    aggregate: Aggregate = "mean"
    unit: str | None = None
    label: str = ""
    aliases: tuple[str, ...] = ()
    undefined: Undefined = Undefined()
    exempt: tuple[Exemption, ...] = ()
    variants: tuple[str, ...] = ()
    standard: bool = False
    replaces: str | None = None
    """The standard measure in whose place this one is shown, where the inputs do not allow it."""
    synonyms: dict[str, str] = field(default_factory=dict)
    together: dict[str, str] = field(default_factory=dict)
    """Parameters that have an effect only beside another one."""
    estimates: tuple[float, float] | None = None
    """The bounds of what is estimated, where the estimate itself may lie outside."""
    chance: float | None = None
    """The value of random scores, if no parameters are given; less means that they are reversed."""
    biased: bool = False
    """Whether a sample is expected to give another value than the population, so far off that no
    interval around it holds its level: a maximum, or a mean of absolute gaps."""
    facts: Facts = NOTHING_KNOWN
    """Known properties of a ranking measure, on which bounds and ties rely."""
    tracer: list[Callable[..., Columns]] = field(default_factory=list, repr=False)
    closed_form: list[Closed] = field(default_factory=list, repr=False)
    influences: list[Influence] = field(default_factory=list, repr=False)
    over_ties: list[Expected] = field(default_factory=list, repr=False)
    over_holes: list[Extremes] = field(default_factory=list, repr=False)
    module: str = field(init=False)
    """The module in which the measure is declared."""
    view: Any = field(init=False)
    """The view from which the measure is computed: the type of its first parameter."""
    task: str = field(init=False)
    """The task to which the measure belongs, as the view says."""
    key: str = field(init=False)
    """The name with its task, which is unique."""
    parameters: tuple[Parameter, ...] = field(init=False)
    """The parameters of the formula, then those with which the view selects evidence."""
    at: Parameter | None = field(init=False)
    """The parameter that is written after ``@``, if there is one."""
    example: str = field(init=False)
    """A valid name: alone, or with parameters where the measure requires some."""
    bind: Callable[..., Settings] = field(init=False)
    """Returns the parameters of the formula as one object, with defaults for those not given.

    All functions declared beside the formula take it, unless the formula has no parameters.
    """

    def __post_init__(self) -> None:
        view, parameters = read_signature(self.function)
        needs = any(each.required for each in parameters)
        defaults = {each.name: each.default for each in parameters if not each.selects}
        self.__dict__.update(
            module=self.function.__module__,
            view=view,
            task=view.task,
            key=f"{view.task}.{self.name}",
            parameters=parameters,
            at=next((each for each in parameters if each.kind.after_at), None),
            example=self.variants[0] if needs and self.variants else self.name,
            bind=partial(SimpleNamespace, **defaults),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the place of the declaration: its functions belong to the module."""
        return _find_declared, (self.module, self.function.__name__)

    def __call__(self, view: Any, *given: Value, **parameters: Value) -> Floats:
        """Return the value for each unit of the view; parameters as in the signature."""
        found = self.function(view, *given, **parameters)
        return found.values if isinstance(found, Ratio) else found

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
    exempt: Exemption | Sequence[Exemption] = (),
    variants: Sequence[str] = (),
    standard: bool = False,
    replaces: str | None = None,
    synonyms: dict[str, str] | None = None,
    together: dict[str, str] | None = None,
    estimates: tuple[float, float] | None = None,
    chance: float | None = None,
    biased: bool = False,
    facts: Facts = NOTHING_KNOWN,
) -> Define:
    """Declare a measure. The decorated function becomes a ``Definition``; nothing is registered.

    ``undefined`` says why a value can be NaN (text alone: through the truth). ``unit`` asks the
    view for units of that kind, such as the classes of a confusion matrix. ``aggregate`` is by
    default the mean over the units, or ``whole`` where the unit is the whole set. ``label`` is by
    default the name of the function in words, or the name of the measure if that is the same
    abbreviation. ``variants`` are names with parameters that the laws try as well; ``standard``
    measures are shown by default, one that ``replaces`` such a measure where that is impossible.
    ``synonyms`` are parameters (``gains``) and settings (``dcg=log2``) as other tools write them.
    ``together`` names for a parameter the one without which it has no effect.
    ``estimates`` are the bounds of what a sample estimates, beyond which an estimate may lie.
    ``chance`` is the value of random scores: less raises the question of the positive class.
    ``biased`` measures, such as a maximum, have no interval: noise alone moves their value.
    ``facts`` state what is known of a ranking measure, such as that it is a sum over documents.
    """

    def declare(function: Callable[..., Floats | Ratio]) -> Definition:
        """Return the definition of a formula."""
        kind = unit or getattr(read_signature(function)[0], "unit_kind", None)
        same = name.isupper() and name.casefold() == function.__name__
        return Definition(
            name=name,
            function=function,
            better=better,
            bounds=bounds,
            aggregate=aggregate or ("whole" if kind == "set" else "mean"),
            unit=unit,
            label=label or (name if same else function.__name__.replace("_", " ")),
            aliases=tuple(aliases),
            undefined=_undefined_reasons(undefined),
            exempt=(exempt,) if isinstance(exempt, Exemption) else tuple(exempt),
            variants=tuple(variants),
            standard=standard,
            replaces=replaces,
            synonyms=synonyms or {},
            together=together or {},
            estimates=estimates,
            chance=chance,
            biased=biased,
            facts=facts,
        )

    return declare


def _undefined_reasons(given: Undefined | str | None) -> Undefined:
    """Return why values are undefined; a text alone is the reason in the truth."""
    return Undefined(truth=given) if isinstance(given, str) else given or Undefined()
