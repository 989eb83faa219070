"""How wide words are in a drawing, as far as that is known without the font."""

from __future__ import annotations

from unicodedata import combining, east_asian_width

NARROW = frozenset("iljtfrI.,:;'|!()[]{}- /\\")
WIDE = frozenset("mwMW%@—…")
BOLD = 1.1


def text_width(words: str, size: float = 11.5, bold: bool = False) -> float:
    """At least as wide as the usual fonts without serifs draw the words at that size."""
    return sum(map(_letter_width, words)) * size * (BOLD if bold else 1)


def _letter_width(letter: str) -> float:
    """The width of a letter as a share of the size."""
    if combining(letter):
        return 0.0
    if letter in NARROW:
        return 0.41
    if letter in WIDE or east_asian_width(letter) in "WF":
        return 1.02
    return 0.79 if letter.isupper() or letter in "&+=<>~#" or not letter.isascii() else 0.64
