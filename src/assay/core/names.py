"""The only parser and printer of measure names.

``nDCG@10``, ``nDCG(gain=exp)@10``, ``AP(rel=2)``, ``classification.P`` print back as they read.
``nDCG@10:gain=exp`` is the same name for shells that mind parentheses. Names of other tools
(``ndcg_cut_10``, ``ndcg_cut.10``, ``recip_rank``, ``roc_auc``) are aliases in the declarations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from assay.core.arrays import Floats
from assay.core.catalogue import Definition, Ratio, catalogue
from assay.core.errors import BadParameter, UnknownMeasure, did_you_mean
from assay.core.name_syntax import parse_settings, split_names, translate_settings
from assay.core.parameters import Number, Value, format_value, parameter_kind


@dataclass(frozen=True)
class Measure:
    """A definition with its parameters settled: what is asked for, and the key of its values."""

    definition: Definition
    settings: tuple[tuple[str, Value], ...] = ()
    average: str | None = None
    undefined: float | None = None
    """The value that stands for an undefined one; None leaves it undefined."""

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"measure({self.definition.task}.{self.name})"

    def __call__(self, view: Any) -> Floats:
        """The value for each unit of the view."""
        found = self.parts(view)
        return found.values if isinstance(found, Ratio) else found

    @property
    def arguments(self) -> tuple[tuple[str, Value], ...]:
        """The settings that the formula takes (the others choose evidence)."""
        chosen = self.selections
        return tuple(pair for pair in self.settings if pair[0] not in chosen)

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
        """The values, or numerators and denominators where the formula yields them."""
        found = self.formula(view)
        if self.undefined is None or self.pooled:
            return found
        return self.filled(found.values if isinstance(found, Ratio) else found)

    def formula(self, view: Any) -> Floats | Ratio:
        """What the formula yields by itself, before anything stands for what is undefined."""
        return self.definition.function(view, **dict(self.arguments))

    def filled(self, values: Floats) -> Floats:
        """The values, with ``undefined`` in place of those that are."""
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
        """The measure with a parameter set, if it takes one of that name and it is not set yet."""
        takes = any(each.name == parameter for each in self.definition.parameters)
        if not takes or any(name == parameter for name, _ in self.settings):
            return self
        given = dict(self.settings) | {parameter: value}
        settled = _check_settings(self.definition, given, self.name)
        return replace(settled, average=self.average, undefined=self.undefined)

    def _order(self) -> list[str]:
        return [each.name for each in self.definition.parameters]


_NAME = re.compile(r"(?P<head>[^\s(@:]+)(?P<rest>.*)", re.DOTALL)
_TRAILING = re.compile(r"(?P<head>.+?)[._](?P<at>\d[\d.]*)")
_LEVEL = re.compile(r"(?P<name>.+)-l(?P<rel>\d+)", re.DOTALL)
"""The relevance level as ranx writes it: ``map@100-l2``."""
_OPEN = re.compile(r"(?P<head>.+[._])(?P<digits>\d+)")
FoundDefinition: TypeAlias = tuple[Definition, dict[str, str]]
"""A definition, and the parameters that an alias brings along."""
Index: TypeAlias = dict[str, list[FoundDefinition]]
AVERAGES = ("macro", "micro", "weighted")


Required: TypeAlias = tuple[tuple[str, str], ...]
"""Parameters that measures need, and that are known wherever a name does not say them."""


def measure(
    name: str | Measure | Definition, task: str | None = None, needed: Required = ()
) -> Measure:
    """The measure of that name; within a task if one is given.

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
    """Several measures from one text (parted by blanks, or by commas outside brackets) or many."""
    listed = list(names) if isinstance(names, Iterable) and not isinstance(names, str) else [names]
    asked: dict[Measure, None] = {}
    for each in listed:
        texts = split_names(each) if isinstance(each, str) else [each]
        asked.update(dict.fromkeys(measure(text, task, needed) for text in texts))
    if not asked:
        raise UnknownMeasure("no measure is named; write one such as nDCG@10, or leave the choice")
    return list(asked)


@cache
def _parse_measure(text: str, task: str | None, needed: Required) -> Measure:
    level = _LEVEL.fullmatch(text)
    matched = _NAME.fullmatch(level["name"] if level else text)
    if not matched:
        raise UnknownMeasure("a measure's name is expected, such as nDCG@10")
    head, given = matched["head"], parse_settings(matched["rest"], text)
    if level:
        given["rel"] = level["rel"]
    if "." in head and head.startswith(tuple(f"{known}." for known in _tasks())):
        task, head = head.split(".", 1)
    found = None if task is None else _find_any(head, task, _task_index(task))
    found = found or _find_any(head, task, _own_index()) or _find_any(head, task, _index())
    if found is None:
        raise UnknownMeasure(_unknown_measure(head, task))
    definition, preset = found
    return _check_settings(
        definition, _required_settings(definition, needed) | preset | given, text
    )


def _required_settings(definition: Definition, needed: Required) -> dict[str, Any]:
    wanted = {each.name for each in definition.parameters if each.required}
    return {name: value for name, value in needed if name in wanted}


def _find_any(head: str, task: str | None, index: Index) -> FoundDefinition | None:
    """A measure by its name, by an open alias, or with a number after a dot or a line below."""
    found = _find_definition(head, task, index) or _find_open(head, task, index)
    if found is None and (trailing := _TRAILING.fullmatch(head)):
        plain = _find_definition(trailing["head"], task, index)
        found = plain and (plain[0], {"@": trailing["at"]} | plain[1])
    return found


@cache
def _tasks() -> frozenset[str]:
    return frozenset(definition.task for definition in catalogue().own.values())


@cache
def _task_index(task: str) -> Index:
    """Every name and alias in the families of a task."""
    return _build_index(catalogue().families(task).values())


@cache
def _index() -> Index:
    """Every name and alias, those of other distributions too."""
    return _build_index(catalogue().values())


@cache
def _own_index() -> Index:
    """Every name and alias of our own."""
    return _build_index(catalogue().own.values())


def _build_index(definitions: Iterable[Definition]) -> Index:
    """Names and aliases, with the parameters that an alias brings along."""
    index: Index = {}
    for definition in definitions:
        index.setdefault(definition.name, []).append((definition, {}))
        for alias in definition.aliases:
            head, _, inside = alias.partition("(")
            preset = parse_settings(f"({inside}", alias) if inside else {}
            index.setdefault(head, []).append((definition, preset))
    return index


def _find_definition(head: str, task: str | None, index: Index) -> FoundDefinition | None:
    for fold in (str, str.casefold):
        found = [
            pair
            for name, pairs in index.items()
            if fold(name) == fold(head)
            for pair in pairs
            if task in (None, pair[0].task)
        ]
        owners = {definition.key: (definition, preset) for definition, preset in found}
        exact = [pair for pair in owners.values() if pair[0].name == head]
        if len(owners) > 1 and len(exact) == 1:
            return exact[0]
        if len(owners) > 1:
            raise UnknownMeasure(
                f"'{head}' could be {' or '.join(sorted(owners))}: write one of them"
            )
        if owners:
            return next(iter(owners.values()))
    return None


def _find_open(head: str, task: str | None, index: Index) -> FoundDefinition | None:
    """An alias with a star for digits, such as ``rbp.*(p=0.*)``."""
    matched = _OPEN.fullmatch(head)
    found = matched and _find_definition(f"{matched['head']}*", task, index)
    if not matched or not found:
        return None
    return found[0], {key: text.replace("*", matched["digits"]) for key, text in found[1].items()}


def _unknown_measure(head: str, task: str | None) -> str:
    known = [
        name
        for name, pairs in _index().items()
        if any(task in (None, definition.task) for definition, _ in pairs)
    ]
    elsewhere = sorted({d.task for d, _ in _index().get(head, [])})
    hint = f" It is a measure of {', '.join(elsewhere)}." if elsewhere else ""
    within = f" of {task}" if task else ""
    hint = hint or _suggest_rewriting(head, known) or did_you_mean(head, known)
    hint = hint or "  'assay measures' lists them all."
    return f"there is no measure{within} called '{head}'.{hint}"


_AVERAGED_NAME = r"(.+)[_-](macro|micro|weighted)"


def _suggest_rewriting(head: str, known: Sequence[str]) -> str:
    """The way to write what others write as part of a name: nDCG10, f1_macro."""
    for pattern, form in ((r"(.+?)[_-]?(\d+)", "{}@{}"), (_AVERAGED_NAME, "'{}(average={})'")):
        found = re.fullmatch(pattern, head)
        stem = found[1].casefold() if found else ""
        name = next((each for each in known if each.casefold() == stem), None)
        if found and name:
            return f" Did you mean {form.format(name, found[2])}?"
    return ""


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
    if stranger := next((name for name in given if name not in known), None):
        takes = ", ".join(known) or "none"
        raise BadParameter(
            f"{text}: {definition.name} has no parameter '{stranger}' (it takes: {takes})."
            + did_you_mean(stranger, known)
        )
    settings = []
    for parameter in definition.parameters:
        if parameter.name in given:
            value = parameter.kind.take(given[parameter.name], definition.name, parameter.name)
            if value != parameter.default:
                settings.append((parameter.name, value))
        elif parameter.required:
            example = (
                f"{definition.name}@10"
                if parameter is at
                else f"{definition.name}({parameter.name}=…)"
            )
            raise BadParameter(
                f"{text}: {definition.name} needs {parameter.name},"
                f" {parameter.kind.expects}; write for example {example}"
            )
    if average == "macro" and definition.unit != "class":
        average = _drop_default_average(definition, text)
    return Measure(definition, tuple(settings), average, undefined)


def _drop_default_average(definition: Definition, text: str) -> str | None:
    """A mean over units that are no classes: it need not be written where it is the default."""
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
    """A name that can be asked for as it stands, with the least that the measure needs."""
    needed = [parameter for parameter in definition.parameters if parameter.required]
    if any(parameter is not definition.at for parameter in needed):
        return definition.variants[0]
    if not needed:
        return definition.name
    return f"{definition.name}@{'10' if needed[0].kind.word == 'depth' else '0.5'}"


def declared_variants(definition: Definition) -> Sequence[Measure]:
    """The measure as it stands, and each of its declared variants."""
    texts = dict.fromkeys([example_name(definition), *definition.variants])
    return [measure(text, definition.task) for text in texts]
