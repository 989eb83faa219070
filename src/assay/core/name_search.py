"""Syntax of measure names, and search by name, by alias, or by the name that other tools use."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TypeAlias

from assay.core.catalogue import catalogue
from assay.core.definition import Definition
from assay.core.errors import BadParameter, UnknownMeasure, did_you_mean
from assay.core.parameters import Value, strip_quotes


def split_names(text: str, separators: str = ", \t\n") -> list[str]:
    """Return the parts of a text between separators that stand outside brackets and quotes."""
    parts, depth, start = [], 0, 0
    for place, character in enumerate(text):
        depth += (character in "({") - (character in ")}")
        if depth == 0 and character in separators:
            parts.append(text[start:place])
            start = place + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


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
                    if i and c in "(@:" and _positions_outside_brackets(rest, i)
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

    A synonym stands for a parameter (``gains``) or for one of its settings (``dcg=log2``).
    """
    own: dict[str, Value] = {}
    for written, value in given.items():
        meaning = synonyms.get(f"{written}={strip_quotes(value)}") or synonyms.get(written, written)
        name, equals, setting = meaning.partition("=")
        if name in own:
            raise BadParameter(f"{text}: {name} is set twice; write it once")
        own[name] = setting if equals else value
    return own


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
    other distributions.
    """
    found = _find_any(head, task, _index(catalogue().search(task, *_written_names(head))))
    found = found or _find_any(head, task, _full_index())
    if found is None:
        raise UnknownMeasure(_unknown_name(head, task))
    return found


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
    known = [
        name
        for name, pairs in _full_index().items()
        if any(task in (None, definition.task) for definition, _ in pairs)
    ]
    elsewhere = sorted({d.task for d, _ in _full_index().get(head, [])})
    hint = f" It is a measure of {', '.join(elsewhere)}." if elsewhere else ""
    within = f" of {task}" if task else ""
    hint = hint or _rewritten(head, known) or did_you_mean(head, known)
    hint = hint or "  'assay measures' lists them all."
    return f"there is no measure{within} called '{head}'.{hint}"


_AVERAGED = r"(.+)[_-](macro|micro|weighted)"


def _rewritten(head: str, known: Sequence[str]) -> str:
    """Return how to write here what other tools make part of a name: nDCG10, f1_macro."""
    for pattern, form in ((r"(.+?)[_-]?(\d+)", "{}@{}"), (_AVERAGED, "'{}(average={})'")):
        found = re.fullmatch(pattern, head)
        stem = found[1].casefold() if found else ""
        name = next((each for each in known if each.casefold() == stem), None)
        if found and name:
            return f" Did you mean {form.format(name, found[2])}?"
    return ""
