"""Counts and lists in messages: 1 query, 2 queries; a, b and 7 more."""

from __future__ import annotations

import re
from collections.abc import Sequence


def pluralize(one: str) -> str:
    """The word for several."""
    if one.endswith("y"):
        return f"{one[:-1]}ies"
    return f"{one}es" if one.endswith("s") else f"{one}s"


def quantity(number: int, one: str, several: str | None = None) -> str:
    """A number, and the words for one thing or for several."""
    return f"{number:,} {one if number == 1 else several or pluralize(one)}"


def are(number: int) -> str:
    """The verb for so many."""
    return "is" if number == 1 else "are"


def have(number: int) -> str:
    """The verb for so many."""
    return "has" if number == 1 else "have"


def decimal_comma_hint(given: object) -> str:
    """What to do about a number that is written with a comma, as it is in half of the world."""
    if re.fullmatch(r"[-+]?\d*,\d+", str(given).strip()) is None:
        return ""
    return f"; decimals are written with a point, {str(given).strip().replace(',', '.')}"


def list_phrase(names: Sequence[str], most: int = 12) -> str:
    """The first of many names, and how many more there are."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
