"""Text of messages: counts such as 1 query and 2 queries, lists, quoted data, lines."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Sequence

MOST_CHARACTERS = 900
"""The greatest length of a message; a longer one loses its middle."""
UNBOUNDED = 1_000_000
"""The width where lines may be as long as they like."""
NARROW = 80
"""The width where nobody says how wide it is: in a file, or in a pipe."""
_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)

_OBEYED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def percent(share: float) -> str:
    """Return a share in whole percents; halves are rounded up, as people do: 92.5 % to 93 %.

    An undefined share is a dash.
    """
    if math.isnan(share):
        return "–"
    return f"{math.floor(abs(share) * 100 + 0.5 + 1e-9) * (1 if share >= 0 else -1)}%"


def rate_percent(share: float) -> str:
    """Return a share in percent; one that is nearly all or nearly nothing is not rounded to it."""
    if share in (0, 1) or 0.005 <= share < 0.995 or math.isnan(share):
        return percent(share)
    if 0 < share < 0.0005:
        return "<0.1%"
    return ">99.9%" if 0.9995 <= share < 1 else f"{share:.1%}"


def find_control(text: str) -> int | None:
    """Return the place of the first character that a terminal would obey; None without one.

    Line feeds, tabs and carriage returns are parts of tables.
    """
    found = _OBEYED.search(text)
    return None if found is None else found.start()


def escape_controls(text: str) -> str:
    """Return a text with control characters as escapes, since a terminal obeys them.

    Line feeds and tabs stay. Half surrogates and characters that change the direction of writing
    are escaped as well.
    """
    return _CONTROLS.sub(_escape, text)


def escape_json_controls(text: str) -> str:
    """Return JSON in which control characters within strings are written as escapes."""
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def shorten(text: str, most: int = MOST_CHARACTERS) -> str:
    """Return a text of at most that many characters: its start and its end."""
    if len(text) <= most:
        return text
    end = most // 3
    return f"{text[: most - end - 3]} … {text[-end:]}"


def wrap_sentence(said: str, width: int = UNBOUNDED, first: str = "") -> str:
    """Return a sentence in lines of at most that width, all but the first indented."""
    room = NARROW if width >= UNBOUNDED else max(width, 20)
    return textwrap.fill(
        said,
        room,
        initial_indent=first,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def pluralize(one: str) -> str:
    """Return the plural of a word."""
    if one.endswith("y"):
        return f"{one[:-1]}ies"
    return f"{one}es" if one.endswith("s") else f"{one}s"


def quantity(number: int, one: str, several: str | None = None) -> str:
    """Return a number with its noun, in singular or plural."""
    many = several or pluralize(one)
    return f"{number:,} {one if number == 1 else many}"


def are(number: float) -> str:
    """Return the verb "is" or "are"."""
    return "is" if number == 1 else "are"


def have(number: int) -> str:
    """Return the verb "has" or "have"."""
    return "has" if number == 1 else "have"


def decimal_comma_hint(given: object) -> str:
    """Return how to write a number that has a decimal comma; empty for other text."""
    if re.fullmatch(r"[-+]?\d*,\d+", str(given).strip()) is None:
        return ""
    point = str(given).strip().replace(",", ".")
    return f"; decimals are written with a point, {point} (or see `decimal_comma`)"


def list_phrase(names: Sequence[str], most: int = 12) -> str:
    """Return the first of many names, and the number of the others."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
