"""The text of names: where one ends, and the settings that are written within it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from assay.core.errors import BadParameter
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
    """What follows the head: ``(a=1,b=2)``, ``@10`` and ``:a=1`` in any order."""
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
    """The settings in a measure's own words, where it declares those of other tools.

    A synonym stands for a parameter (``gains``) or for one of its settings (``dcg=log2``); one
    that stands for nothing names what the measure does anyway.
    """
    own: dict[str, Value] = {}
    for said, value in given.items():
        meant = synonyms.get(f"{said}={strip_quotes(value)}", synonyms.get(said, said))
        if not meant:
            continue
        name, equals, setting = meant.partition("=")
        if name in own:
            raise BadParameter(f"{text}: {name} is said twice; write it once")
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
