"""Finding a definition by its name, by an alias, or in the way other tools write it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TypeAlias

from assay.core.catalogue import catalogue
from assay.core.definition import Definition
from assay.core.errors import UnknownMeasure, nearest_names
from assay.core.name_syntax import parse_settings

_TRAILING = re.compile(r"(?P<head>.+?)[._](?P<at>\d[\d.]*)")
_OPEN = re.compile(r"(?P<head>.+[._])(?P<digits>\d+)")
Found: TypeAlias = tuple[Definition, dict[str, str]]
"""A definition, and the parameters that an alias sets."""
Index: TypeAlias = dict[str, list[Found]]


def find_definition(head: str, task: str | None) -> Found:
    """Return the measure of that name, and the parameters that an alias sets.

    The families of the task come first, then all measures of this distribution, then those of
    others: a name that is found early costs less to find. Last come the names of scikit-learn's
    scorers, ``f1_macro`` and ``neg_log_loss``.
    """
    found = None if task is None else _find_any(head, task, _index_of_task(task))
    found = found or _find_any(head, task, _index_of_assay())
    found = found or _find_any(head, task, _full_index())
    found = found or _find_scorer(head, task)
    if found is None:
        raise UnknownMeasure(_unknown_name(head, task))
    return found


def _find_any(head: str, task: str | None, index: Index) -> Found | None:
    """Return the measure of a name or alias, or of one that ends in ``.10`` or ``_10``."""
    found = _find(head, task, index) or _find_open(head, task, index)
    if found is None and (trailing := _TRAILING.fullmatch(head)):
        plain = _find(trailing["head"], task, index)
        found = plain and (plain[0], {"@": trailing["at"]} | plain[1])
    return found


def find_by_setting(
    head: str, given: Mapping[str, str], task: str | None
) -> tuple[Found, dict[str, str]] | None:
    """Return the measure that a setting selects, and the other settings.

    ``NumRet[rel]`` is an alias for NumRet with any ``rel``, which is kept; ``SetP[relative=true]``
    is one for SetP with that setting.
    """
    for name, value in given.items():
        if found := _find_any(f"{head}[{name}]", task, _index_of_assay()):
            return found, dict(given)
        if found := _find_any(f"{head}[{name}={value}]", task, _index_of_assay()):
            return found, {key: text for key, text in given.items() if key != name}
    return None


def _find_scorer(head: str, task: str | None) -> Found | None:
    """Return the measure of classes in ``f1_macro``, or the loss in ``neg_log_loss``."""
    if averaged := re.fullmatch(_AVERAGED, head):
        found = _find_any(averaged[1], task or "classification", _index_of_assay())
        if found and found[0].unit == "class":
            return found[0], found[1] | {"average": averaged[2]}
    if head.startswith("neg_"):
        found = _find_any(head.removeprefix("neg_"), task, _index_of_assay())
        return found if found and found[0].better == "lower" else None
    return None


@cache
def tasks() -> frozenset[str]:
    """Return the names of all tasks that have measures."""
    return frozenset(definition.task for definition in catalogue().own.values())


@cache
def _index_of_task(task: str) -> Index:
    """Return every name and alias in the families of a task."""
    return _indexed(catalogue().families(task).values())


@cache
def _full_index() -> Index:
    """Return every name and alias, including those of other distributions."""
    return _indexed(catalogue().values())


@cache
def _index_of_assay() -> Index:
    """Return every name and alias of the measures in this distribution."""
    return _indexed(catalogue().own.values())


def _indexed(definitions: Iterable[Definition]) -> Index:
    """Return names and aliases, with the parameters that an alias sets."""
    index: Index = {}
    for definition in definitions:
        index.setdefault(definition.name, []).append((definition, {}))
        for alias in definition.aliases:
            head, _, inside = alias.partition("(")
            preset = parse_settings(f"({inside}", alias) if inside else {}
            index.setdefault(head, []).append((definition, preset))
    return index


def _find(head: str, task: str | None, index: Index) -> Found | None:
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


def _find_open(head: str, task: str | None, index: Index) -> Found | None:
    """Return the measure of an alias with a star for digits, such as ``rbp.*(p=0.*)``."""
    matched = _OPEN.fullmatch(head)
    found = matched and _find(f"{matched['head']}*", task, index)
    if not matched or not found:
        return None
    return found[0], {key: text.replace("*", matched["digits"]) for key, text in found[1].items()}


def _unknown_name(head: str, task: str | None) -> str:
    """Return the message for a name that no measure has, with the closest known one."""
    known = {
        name: definition
        for name, pairs in _full_index().items()
        for definition, _ in reversed(pairs)
        if "[" not in name and task in (None, definition.task)
    }
    elsewhere = sorted({d.task for d, _ in _full_index().get(head, [])})
    hint = f" It is a measure of {', '.join(elsewhere)}." if elsewhere else ""
    within = f" of {task}" if task else ""
    hint = hint or _rewritten(head, known)
    if not hint:
        near = nearest_names(head, [name.replace("*", "10") for name in known])
        written = [_complete_name(name, known[name]) if name in known else name for name in near]
        hint = f" Did you mean {' or '.join(written)}?" if written else ""
    hint = hint or "  'assay measures' lists them all."
    return f"there is no measure{within} called '{head}'.{hint}"


_AVERAGED = r"(.+)[_-](macro|micro|weighted)"


def _complete_name(name: str, definition: Definition) -> str:
    """Return a name with the least that its measure needs, so that it can be asked for."""
    needed = [each for each in definition.parameters if each.required]
    if not needed:
        return name
    if any(each is not definition.at for each in needed):
        return definition.variants[0]
    return f"{name}@{needed[0].kind.example}"


def _rewritten(head: str, known: Mapping[str, Definition]) -> str:
    """Return how to write a name that ends in its depth: nDCG10."""
    found = re.fullmatch(r"(.+?)[_-]?(\d+)", head)
    name = next((each for each in known if found and each.casefold() == found[1].casefold()), None)
    if found is None or name is None:
        return ""
    at, complete = known[name].at, _complete_name(name, known[name])
    simple = at is not None and at.kind.accepts(found[2]) and "(" not in complete
    return f" Did you mean {f'{name}@{found[2]}' if simple else complete}?"
