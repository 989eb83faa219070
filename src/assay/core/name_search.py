"""Syntax of measure names, and search by name, by alias, or by the name that other tools use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import TypeAlias

from assay.core.catalogue import catalogue
from assay.core.definition import Definition
from assay.core.errors import BadParameter, UnknownMeasure, nearest_names
from assay.core.parameters import Value, strip_quotes

_TABLE_ENTRY = re.compile(r"\s*-?[\d.]+\s*:\s*-?[\d.]+\s*")
"""A further entry of a table without braces, as in ``gains=0:0,1:0.5``."""


def split_names(text: str, separators: str = ", \t\n") -> list[str]:
    """Return the parts of a text between separators outside brackets.

    Entries of a table without braces stay together: ``nDCG(gains=0:0,1:0.5)``.
    """
    parts: list[str] = []
    depth, start = 0, 0
    for place, character in enumerate(text):
        depth += (character in "({") - (character in ")}")
        if depth == 0 and character in separators:
            parts.append(text[start:place])
            start = place + 1
    parts.append(text[start:])
    whole: list[str] = []
    for part in (each.strip() for each in parts if each.strip()):
        if whole and "=" in whole[-1] and _TABLE_ENTRY.fullmatch(part):
            whole[-1] = f"{whole[-1]},{part}"
        else:
            whole.append(part)
    return whole


def parse_settings(rest: str, text: str) -> dict[str, str]:
    """Return what follows the head: ``(a=1,b=2)``, ``@10`` and ``:a=1`` in any order."""
    given: dict[str, str] = {}
    while rest:
        if rest.startswith("(") and (close := _closing_bracket(rest)):
            inside, rest = rest[1:close], rest[close + 1 :]
            pieces = split_names(inside, ",")
        elif rest.startswith(("@", ":")):
            end = next(
                (
                    i
                    for i, c in enumerate(rest)
                    if i and _begins_setting(rest, i, c) and _positions_outside_brackets(rest, i)
                ),
                None,
            )
            piece, after = rest[1:end], "" if end is None else rest[end:]
            pieces = [f"@={piece}"] if rest.startswith("@") else [piece]
            rest = after
        else:
            raise BadParameter(f"{text}: '{rest}' is not understood; write NAME(key=value)@depth")
        for piece in pieces:
            key, equals, value = piece.partition("=")
            if key == "@" and not value.strip():
                raise BadParameter(f"{text}: after @ a number is missing, such as {text}10")
            if not equals or not value.strip():
                raise BadParameter(f"{text}: '{piece}' should read key=value")
            given[key.strip()] = value.strip()
    return given


def translate_settings(
    given: Mapping[str, Value], synonyms: Mapping[str, str], text: str
) -> dict[str, Value]:
    """Return the settings in a measure's own words, where it declares those of other tools.

    A synonym stands for a parameter (``gains``) or for one of its settings (``dcg=log2``); an
    empty one names what the measure does anyway.
    """
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


def _begins_setting(text: str, place: int, character: str) -> bool:
    """Return whether a setting begins here; a colon before a number belongs to a table."""
    return character in "(@" or (character == ":" and text[place + 1 : place + 2].isalpha())


def _positions_outside_brackets(text: str, place: int) -> bool:
    return text.count("{", 0, place) == text.count("}", 0, place)


def _closing_bracket(text: str) -> int | None:
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return place
    return None


_TRAILING = re.compile(r"(?P<head>.+?)[._](?P<at>\d[\d.]*)")
_OPEN = re.compile(r"(?P<head>.+[._])(?P<digits>\d+)")
Found: TypeAlias = tuple[Definition, dict[str, str]]
"""A definition, and the parameters that an alias sets."""
Index: TypeAlias = dict[str, list[Found]]


def find_definition(head: str, task: str | None) -> Found:
    """Return the measure of that name, and the parameters that an alias sets.

    Modules whose source has the name are searched first, then all measures, including those of
    other distributions, and last the names of scikit-learn's scorers, ``f1_macro`` and
    ``neg_log_loss``.
    """
    found = _find_written(head, task)
    found = found or _find_any(head, task, _full_index())
    found = found or _find_scorer(head, task)
    if found is None:
        raise UnknownMeasure(_unknown_name(head, task))
    return found


def _find_written(head: str, task: str | None) -> Found | None:
    """Return a measure from the modules whose source has the name."""
    return _find_any(head, task, _index(catalogue().search(task, *_written_names(head))))


def _written_names(head: str) -> list[str]:
    """Return how a declaration may write the name or alias that a head stands for."""
    heads = [head]
    if matched := _OPEN.fullmatch(head):
        heads.append(f"{matched['head']}*")
    if trailing := _TRAILING.fullmatch(head):
        heads.append(trailing["head"])
    return [f'"{each}{end}' for each in heads for end in '"(']


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
        if found := _find_written(f"{head}[{name}]", task):
            return found, dict(given)
        if found := _find_written(f"{head}[{name}={value}]", task):
            return found, {key: text for key, text in given.items() if key != name}
    return None


def _find_scorer(head: str, task: str | None) -> Found | None:
    """Return the measure of classes in ``f1_macro``, or the loss in ``neg_log_loss``."""
    if averaged := re.fullmatch(_AVERAGED, head):
        found = _find_written(averaged[1], task or "classification")
        if found and found[0].unit == "class":
            return found[0], found[1] | {"average": averaged[2]}
    if head.startswith("neg_"):
        found = _find_written(head.removeprefix("neg_"), task)
        return found if found and found[0].better == "lower" else None
    return None


@cache
def _full_index() -> Index:
    """Return every name and alias, including those of other distributions."""
    return _index(catalogue())


def _index(definitions: Mapping[str, Definition]) -> Index:
    """Return names and aliases, with the parameters that an alias sets."""
    index: Index = {}
    for definition in definitions.values():
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
