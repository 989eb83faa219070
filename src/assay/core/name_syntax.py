"""The text of names: where one ends, and the settings that are written within it."""

from __future__ import annotations

from collections.abc import Mapping

from assay.core.errors import BadParameter
from assay.core.parameters import Value, strip_quotes


def split_names(text: str, separators: str = ", \t\n") -> list[str]:
    """The parts of a text between separators that stand outside brackets and quotes."""
    parts, depth, start = [], 0, 0
    for place, character in enumerate(text):
        depth += (character in "({") - (character in ")}")
        if depth == 0 and character in separators:
            parts.append(text[start:place])
            start = place + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


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
    """The settings in a measure's own words, where it declares those of other tools.

    A synonym stands for a parameter (``gains``) or for one of its settings (``dcg=log2``).
    """
    own: dict[str, Value] = {}
    for said, value in given.items():
        meant = synonyms.get(f"{said}={strip_quotes(value)}") or synonyms.get(said, said)
        name, equals, setting = meant.partition("=")
        if name in own:
            raise BadParameter(f"{text}: {name} is said twice; write it once")
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
