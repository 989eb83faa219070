"""Counts and lists in messages: 1 query, 2 queries; a, b and 7 more."""

from __future__ import annotations

import re
from collections.abc import Sequence


def pluralize(one: str) -> str:
    """Return the plural of a word."""
    if one.endswith("y"):
        return f"{one[:-1]}ies"
    return f"{one}es" if one.endswith("s") else f"{one}s"


def quantity(number: int, one: str, several: str | None = None) -> str:
    """Return a number with its noun, in singular or plural."""
    return f"{number:,} {one if number == 1 else several or pluralize(one)}"


def are(number: int) -> str:
    """Return the verb "is" or "are"."""
    return "is" if number == 1 else "are"


def have(number: int) -> str:
    """Return the verb "has" or "have"."""
    return "has" if number == 1 else "have"


def decimal_comma_hint(given: object) -> str:
    """Return how to write a number that has a decimal comma; empty for other text."""
    if re.fullmatch(r"[-+]?\d*,\d+", str(given).strip()) is None:
        return ""
    return f"; decimals are written with a point, {str(given).strip().replace(',', '.')}"


def list_phrase(names: Sequence[str], most: int = 12) -> str:
    """Return the first of many names, and the number of the others."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
