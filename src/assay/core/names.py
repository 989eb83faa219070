"""The only parser and printer of measure names.

``nDCG@10``, ``nDCG(gain=exp)@10``, ``AP(rel=2)``, ``classification.P`` print back as they read.
``nDCG@10:gain=exp`` is the same name for shells that mind parentheses. Names of other tools
(``ndcg_cut_10``, ``ndcg_cut.10``, ``recip_rank``, ``roc_auc``) are aliases in the declarations.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any, TypeAlias

import numpy as np

from assay.core.arrays import Floats, Ratio, unit_values
from assay.core.curves import Columns
from assay.core.definition import Definition
from assay.core.errors import BadParameter, UnknownMeasure, did_you_mean
from assay.core.facts import Settings
from assay.core.frozen_dataclass import dataclass, field
from assay.core.name_search import AVERAGES, find_definition, hyphen_hint, split_names
from assay.core.parameters import Number, Value, format_value, parameter_kind, strip_quotes

Required: TypeAlias = tuple[tuple[str, str], ...]
"""Parameters that measures need, and that are known wherever a name does not say them."""


@dataclass(frozen=True)
class Measure:
    """A definition with values for its parameters; also the key of its results."""

    definition: Definition
    settings: tuple[tuple[str, Value], ...] = ()
    average: str | None = None
    undefined: float | None = None
    """The value to use in place of undefined ones; None leaves them undefined."""
    name: str = field(init=False, compare=False)
    """The canonical name: only what differs from the declaration is written."""
    bound: Settings = field(init=False, compare=False)
    """The parameters of the formula with their values, as one object."""
    selections: frozenset[str] = field(init=False, compare=False)
    """The evidence that is chosen before the formula sees it, such as ``judged_only``."""
    unit: str | None = field(init=False, compare=False)
    """The kind of unit; an average over classes is over every class, not the positive one."""
    pooled: bool = field(init=False, compare=False)
    """Whether numerators and denominators are added up before they are divided."""
    arguments: tuple[Settings, ...] = field(init=False, compare=False)
    """The last argument of what is declared beside the formula: the settings, if there are any."""
    formula: Callable[[Any], Floats | Ratio] = field(init=False, compare=False)
    """The formula with its parameters: undefined values are not replaced yet."""
    parts: Callable[[Any], Floats | Ratio] = field(init=False, compare=False, repr=False)
    """Returns the values, or numerators and denominators where the formula yields them."""

    def __post_init__(self) -> None:
        declared, given = self.definition, dict(self.settings)
        selecting = {each.name for each in declared.parameters if each.selects}
        all_classes = self.average is not None and declared.unit == "class"
        bound = declared.bind(**{k: v for k, v in given.items() if k not in selecting})
        pooled = (self.average or declared.aggregate) == "micro"
        formula = partial(declared.function, **vars(bound))
        self.__dict__.update(
            name=_write_name(self),
            bound=bound,
            selections=frozenset(name for name in selecting if given.get(name)),
            unit="every class" if all_classes else declared.unit,
            pooled=pooled,
            arguments=(bound,) if vars(bound) else (),
            formula=formula,
            parts=formula if self.undefined is None or pooled else self._filled_parts,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what was given; the rest follows."""
        return type(self), (self.definition, self.settings, self.average, self.undefined)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"measure({self.definition.task}.{self.name})"

    def __call__(self, view: Any) -> Floats:
        """Return the value for each unit of the view."""
        return unit_values(self.parts(view))

    def _filled_parts(self, view: Any) -> Floats | Ratio:
        """Return the values of the formula, with ``undefined`` in place of those that are."""
        return self.fill_undefined(unit_values(self.formula(view)))

    def trace(self, view: Any) -> Columns:
        """Return the table from which the number of a view of one unit comes."""
        return self.definition.tracer[0](view, *self.arguments)

    def fill_undefined(self, values: Floats) -> Floats:
        """Return the values, with ``undefined`` in place of those that are."""
        if self.undefined is None or self.pooled:
            return values
        return np.where(np.isnan(values), self.undefined, values)

    def default(self, parameter: str, value: Value) -> Measure:
        """Return the measure with a parameter set, if it has it and it is not set yet."""
        given = dict(self.settings)
        if parameter in given or all(e.name != parameter for e in self.definition.parameters):
            return self
        given |= {parameter: value, "average": self.average, "undefined": self.undefined}
        return _check_settings(self.definition, given, self.name)


def _write_name(measure: Measure) -> str:
    at = measure.definition.at
    inside = dict(measure.settings)
    depth = inside.pop(at.name, None) if at else None
    inside |= {"average": measure.average, "undefined": measure.undefined}
    written = [f"{key}={format_value(value)}" for key, value in inside.items() if value is not None]
    return (
        measure.definition.name
        + (f"({','.join(written)})" if written else "")
        + ("" if depth is None else f"@{format_value(depth)}")
    )


def measure(name: Any, task: str | None = None, needed: Required = ()) -> Measure:
    """Return the measure of that name; within a task if one is given.

    A measure of Assay or of ir_measures will do in place of the name.
    ``needed`` supplies parameters that a measure must have and its name does not say.
    """
    if isinstance(name, Measure):
        return name
    if isinstance(name, Definition):
        return _check_settings(name, {}, name.name, needed)
    if not isinstance(name, str) and not _prints_a_name(name):
        raise UnknownMeasure(f"{name!r} is not the name of a measure; write one such as 'nDCG@10'")
    return _parse_measure(str(name).strip(), task, needed)


def _prints_a_name(given: Any) -> bool:
    """Return whether this may be a measure of another library, rather than data or a function."""
    data = given is None or isinstance(given, Iterable | numbers.Number)
    return not data and not str(given).startswith("<")


def listed_measures(given: Any) -> list[Any]:
    """Return one measure or several as a list.

    One is a text, a measure, or an object of another library, such as ir_measures, that prints as
    its name.
    """
    several = isinstance(given, Iterable) and not isinstance(given, str)
    return list(given) if several else [given]


def measure_text(given: Any) -> str:
    """Return the name of a measure, whether it is a text or an object that has or prints it."""
    return given.name if isinstance(given, Definition) else str(given)


def measure_texts(given: Any) -> list[str]:
    """Return the names of one measure or several; a text has names between spaces or commas."""
    return [name for each in listed_measures(given) for name in split_names(measure_text(each))]


def measures(
    names: str | Measure | Definition | Iterable[str | Measure | Definition],
    task: str,
    needed: Required = (),
) -> list[Measure]:
    """Return the measures of a text (separated by spaces or commas) or of several names."""
    requested: dict[Measure, None] = {}
    given = listed_measures(names)
    texts = [t for each in given for t in (split_names(each) if isinstance(each, str) else [each])]
    for place, text in enumerate(texts):
        try:
            requested[measure(text, task, needed)] = None
        except UnknownMeasure as failure:
            near = map(str, texts[max(place - 1, 0) : place + 2])
            raise UnknownMeasure(f"{failure}{hyphen_hint(near, task)}") from None
    if not requested:
        raise UnknownMeasure("no measure is named; write one such as nDCG@10, or leave the choice")
    return list(requested)


@cache
def _parse_measure(text: str, task: str | None, needed: Required) -> Measure:
    definition, given = find_definition(text, task)
    return _check_settings(definition, given, text, needed)


def _check_settings(
    definition: Definition, written: Mapping[str, Value], text: str, needed: Required = ()
) -> Measure:
    """Check the parameters, and keep only those that differ from the declaration."""
    given = _translate_settings(_name_average(written, definition), definition, text)
    undefined, average = given.pop("undefined", None), given.pop("average", None)
    if undefined is not None:
        undefined = parameter_kind(Number).take(undefined, definition.name, "undefined")
    if average is not None and average not in AVERAGES:
        raise BadParameter(f"{text}: average={average} is not one of {', '.join(AVERAGES)}")
    known = [parameter.name for parameter in definition.parameters]
    if unknown := next((name for name in given if name not in known), None):
        raise BadParameter(
            f"{text}: {definition.name} has no parameter '{unknown}' (it takes:"
            f" {', '.join(known) or 'none'}).{did_you_mean(unknown, known)}"
        )
    settings = []
    for parameter in definition.parameters:
        name = parameter.name
        found = given if name in given or not parameter.required else dict(needed)
        if name in found:
            value = parameter.kind.take(found[name], definition.name, name)
            if value != parameter.default:
                settings.append((name, value))
        elif parameter.required:
            raise BadParameter(
                f"{text}: {definition.name} needs {name}, {parameter.kind.expects};"
                f" write for example {_complete_example(definition, given)}"
            )
    _check_together(definition, given, dict(settings), text)
    if average == "macro" and definition.unit != "class":
        average = _drop_default_average(definition, text)
    return Measure(definition, tuple(settings), average, undefined)


def _check_together(
    definition: Definition, given: Mapping[str, Value], settings: Mapping[str, Value], text: str
) -> None:
    """Refuse a parameter that has no effect, as the one that it belongs to is not set."""
    for name, other in definition.together.items():
        if name in given and other not in settings:
            kinds = {each.name: each.kind.expects for each in definition.parameters}
            raise BadParameter(
                f"{text}: {name} has no effect without {other} ({kinds[other]}); write for example"
                f" {next(each for each in definition.variants if f'{name}=' in each)}"
            )


def _complete_example(definition: Definition, given: Mapping[str, Value]) -> str:
    """Return the example of a measure with the settings that were given, such as a cutoff."""
    _, written = find_definition(definition.example, definition.task)
    example = _translate_settings(written, definition, definition.example)
    return str(_check_settings(definition, {**example, **given}, definition.example))


def _name_average(given: Mapping[str, Value], definition: Definition) -> dict[str, Value]:
    """Return the settings with the measure's word for an average: ``mean`` for its parameter."""
    own = next((each.kind for each in definition.parameters if each.name == "mean"), None)
    known = dict(given)
    if own is None and given.get("mean") in AVERAGES and "average" not in given:
        known["average"] = known.pop("mean")
    elif own and "average" in given and "mean" not in given and own.accepts(str(given["average"])):
        known["mean"] = known.pop("average")
    return known


def _translate_settings(
    given: Mapping[str, Value], definition: Definition, text: str
) -> dict[str, Value]:
    """Return the settings in a measure's own words, where it declares those of other tools.

    A synonym stands for a parameter (``gains``) or for one of its settings (``dcg=log2``); an
    empty one names what the measure does anyway.
    """
    if "@" in given and definition.at is None:
        raise BadParameter(f"{text}: {definition.name} takes nothing after @")
    synonyms = definition.synonyms | ({"@": definition.at.name} if definition.at else {})
    own: dict[str, Value] = {}
    for written, value in given.items():
        meaning = synonyms.get(f"{written}={strip_quotes(value)}", synonyms.get(written, written))
        if not meaning:
            continue
        name, equals, setting = meaning.partition("=")
        if name in own:
            raise BadParameter(f"{text}: {name} is set twice; write it once")
        own[name] = setting if equals else value
    return own


def _drop_default_average(definition: Definition, text: str) -> str | None:
    """Return the average to write where units are not classes: None if the mean is the default."""
    if definition.aggregate in ("mean", "micro"):
        return None if definition.aggregate == "mean" else "macro"
    says = {"whole": "one number for all units", "geometric": "a geometric mean"}.get(
        definition.aggregate, f"a {definition.aggregate}"
    )
    raise BadParameter(
        f"{text}: {definition.name} is {says}, of which there is no macro average;"
        f" write {definition.name} without average=macro"
    )


def declared_variants(definition: Definition) -> Sequence[Measure]:
    """Return the measure with its defaults, and each of its declared variants."""
    texts = dict.fromkeys([definition.example, *definition.variants])
    return [measure(text, definition.task) for text in texts]
