"""The only parser and printer of measure names.

``nDCG@10``, ``nDCG(gain=exp)@10``, ``AP(rel=2)``, ``classification.P`` print back as they read.
``nDCG@10:gain=exp`` is the same name for shells that mind parentheses. Names of other tools
(``ndcg_cut_10``, ``ndcg_cut.10``, ``recip_rank``, ``roc_auc``) are aliases in the declarations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, TypeAlias, TypeVar

import numpy as np

from assay.core.arrays import Floats
from assay.core.catalogue import catalogue
from assay.core.curves import Columns
from assay.core.definition import Definition, Ratio
from assay.core.errors import BadParameter, UnknownMeasure, did_you_mean
from assay.core.facts import Settings
from assay.core.name_search import (
    find_by_setting,
    find_definition,
    parse_settings,
    split_names,
    translate_settings,
)
from assay.core.parameters import Number, Value, format_value, parameter_kind

Result = TypeVar("Result")


@dataclass(frozen=True)
class Measure:
    """A definition with values for its parameters; also the key of its results."""

    definition: Definition
    settings: tuple[tuple[str, Value], ...] = ()
    average: str | None = None
    undefined: float | None = None
    """The value to use in place of undefined ones; None leaves them undefined."""

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"measure({self.definition.task}.{self.name})"

    def __call__(self, view: Any) -> Floats:
        """Return the value for each unit of the view."""
        found = self.parts(view)
        return found.values if isinstance(found, Ratio) else found

    @property
    def arguments(self) -> tuple[tuple[str, Value], ...]:
        """The settings that the formula takes (the others choose evidence)."""
        chosen = self.selections
        return tuple(pair for pair in self.settings if pair[0] not in chosen)

    @cached_property
    def bound(self) -> Settings:
        """The parameters of the formula with their values, as one object."""
        return self.definition.bind(**dict(self.arguments))

    @property
    def selections(self) -> frozenset[str]:
        """The evidence that is chosen before the formula sees it, such as ``judged_only``."""
        known = getattr(self.definition.view, "selections", ())
        return frozenset(name for name, value in self.settings if name in known and value)

    @property
    def unit(self) -> str | None:
        """The kind of unit; an average over classes is over every class, not the positive one."""
        unit = self.definition.unit
        return "every class" if self.average is not None and unit == "class" else unit

    @property
    def pooled(self) -> bool:
        """Whether numerators and denominators are added up before they are divided."""
        return (self.average or self.definition.aggregate) == "micro"

    def parts(self, view: Any) -> Floats | Ratio:
        """Return the values, or numerators and denominators where the formula yields them."""
        found = self.formula(view)
        if self.undefined is None or self.pooled:
            return found
        return self.filled(found.values if isinstance(found, Ratio) else found)

    def trace(self, view: Any) -> Columns:
        """Return the table from which the number of a view of one unit comes."""
        return self.apply(self.definition.tracer[0], view)

    def apply(self, function: Callable[..., Result], *given: Any) -> Result:
        """Call a function declared beside the formula; it takes the settings if there are any."""
        return function(*given, self.bound) if self.bound else function(*given)

    def formula(self, view: Any) -> Floats | Ratio:
        """Return the result of the formula, before undefined values are replaced."""
        return self.definition.function(view, *self.bound)

    def filled(self, values: Floats) -> Floats:
        """Return the values, with ``undefined`` in place of those that are."""
        if self.undefined is None or self.pooled:
            return values
        return np.where(np.isnan(values), self.undefined, values)

    @property
    def name(self) -> str:
        """The canonical name: only what differs from the declaration is written."""
        at = self.definition.at
        settings = dict(self.settings)
        depth = settings.pop(at.name, None) if at else None
        written = [
            f"{key}={format_value(settings[key])}" for key in self._order() if key in settings
        ]
        if self.average:
            written.append(f"average={self.average}")
        if self.undefined is not None:
            written.append(f"undefined={format_value(self.undefined)}")
        inside = f"({','.join(written)})" if written else ""
        return f"{self.definition.name}{inside}" + (
            f"@{format_value(depth)}" if depth is not None else ""
        )

    def default(self, parameter: str, value: Value) -> Measure:
        """Return the measure with a parameter set, if it has it and it is not set yet."""
        takes = any(each.name == parameter for each in self.definition.parameters)
        if not takes or any(name == parameter for name, _ in self.settings):
            return self
        given = dict(self.settings) | {parameter: value}
        settled = _check_settings(self.definition, given, self.name)
        return replace(settled, average=self.average, undefined=self.undefined)

    def _order(self) -> list[str]:
        return [each.name for each in self.definition.parameters]


_NAME = re.compile(r"(?P<head>[^\s(@:]+)(?P<rest>.*)", re.DOTALL)
_LEVEL = re.compile(r"(?P<name>.+)-l(?P<rel>\d+)", re.DOTALL)
"""The relevance level as ranx writes it: ``map@100-l2``."""
AVERAGES = ("macro", "micro", "weighted")


Required: TypeAlias = tuple[tuple[str, str], ...]
"""Parameters that measures need, and that are known wherever a name does not say them."""


def measure(
    name: str | Measure | Definition, task: str | None = None, needed: Required = ()
) -> Measure:
    """Return the measure of that name; within a task if one is given.

    ``needed`` supplies parameters that a measure must have and its name does not say.
    """
    if isinstance(name, Measure):
        return name
    if isinstance(name, Definition):
        return _check_settings(name, _required_settings(name, needed), name.name)
    if not isinstance(name, str):
        raise UnknownMeasure(f"{name!r} is not the name of a measure; write one such as 'nDCG@10'")
    return _parse_measure(name.strip(), task, needed)


def measures(
    names: str | Measure | Definition | Iterable[str | Measure | Definition],
    task: str,
    needed: Required = (),
) -> list[Measure]:
    """Return the measures of a text (separated by spaces or commas) or of several names."""
    listed = list(names) if isinstance(names, Iterable) and not isinstance(names, str) else [names]
    requested: dict[Measure, None] = {}
    for each in listed:
        texts = split_names(each) if isinstance(each, str) else [each]
        requested.update(dict.fromkeys(measure(text, task, needed) for text in texts))
    if not requested:
        raise UnknownMeasure("no measure is named; write one such as nDCG@10, or leave the choice")
    return list(requested)


@cache
def _parse_measure(text: str, task: str | None, needed: Required) -> Measure:
    level = _LEVEL.fullmatch(text)
    matched = _NAME.fullmatch(level["name"] if level else text)
    if not matched:
        raise UnknownMeasure("a measure's name is expected, such as nDCG@10")
    head, given = matched["head"], parse_settings(matched["rest"], text)
    if level:
        given["rel"] = level["rel"]
    before, dot, after = head.partition(".")
    if dot and after and before in catalogue().tasks:
        task, head = before, after
    selected = find_by_setting(head, given, task) if given else None
    if selected:
        (definition, preset), given = selected
    else:
        definition, preset = find_definition(head, task)
    return _check_settings(
        definition, _required_settings(definition, needed) | preset | given, text
    )


def _required_settings(definition: Definition, needed: Required) -> dict[str, Any]:
    wanted = {each.name for each in definition.parameters if each.required}
    return {name: value for name, value in needed if name in wanted}


def _check_settings(definition: Definition, given: dict[str, Any], text: str) -> Measure:
    """Check the parameters, and keep only those that differ from the declaration."""
    at = definition.at
    if "@" in given and at is None:
        raise BadParameter(f"{text}: {definition.name} takes nothing after @")
    given = translate_settings(given, definition.synonyms | ({"@": at.name} if at else {}), text)
    undefined = given.pop("undefined", None)
    if undefined is not None:
        undefined = parameter_kind(Number).take(undefined, definition.name, "undefined")
    average = given.pop("average", None)
    if average is not None and average not in AVERAGES:
        raise BadParameter(f"{text}: average={average} is not one of {', '.join(AVERAGES)}")
    known = {parameter.name: parameter for parameter in definition.parameters}
    if unknown := next((name for name in given if name not in known), None):
        takes = ", ".join(known) or "none"
        raise BadParameter(
            f"{text}: {definition.name} has no parameter '{unknown}' (it takes: {takes})."
            + did_you_mean(unknown, known)
        )
    settings = []
    for parameter in definition.parameters:
        if parameter.name in given:
            value = parameter.kind.take(given[parameter.name], definition.name, parameter.name)
            if value != parameter.default:
                settings.append((parameter.name, value))
        elif parameter.required:
            raise BadParameter(
                f"{text}: {definition.name} needs {parameter.name},"
                f" {parameter.kind.expects}; write for example {example_name(definition)}"
            )
    if average == "macro" and definition.unit != "class":
        average = _drop_default_average(definition, text)
    return Measure(definition, tuple(settings), average, undefined)


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


def example_name(definition: Definition) -> str:
    """Return the shortest valid name, with the parameters that the measure requires."""
    needed = [parameter for parameter in definition.parameters if parameter.required]
    if any(parameter is not definition.at for parameter in needed):
        return definition.variants[0]
    if not needed:
        return definition.name
    return f"{definition.name}@{needed[0].kind.example}"


def declared_variants(definition: Definition) -> Sequence[Measure]:
    """Return the measure with its defaults, and each of its declared variants."""
    texts = dict.fromkeys([example_name(definition), *definition.variants])
    return [measure(text, definition.task) for text in texts]
