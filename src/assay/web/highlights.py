"""Words of the topic and of the assessor in the text of a document."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORDS = """
    a about after all also an and any are as at be been but by can could did do does for from
    had has have how if in into is it its may more most no not of on or other over should some
    such than that the their them then there these they this those to under use used using was
    were what when where which while who why will with within without would you your
"""
COMMON = frozenset(_WORDS.split())
"""Words that say nothing about a topic."""
Pieces = list[tuple[str, bool]]
"""A text in order, and which pieces are highlighted."""


def topic_words(texts: Iterable[str]) -> list[str]:
    """Return the words of a topic to highlight, without common ones, in order."""
    found = (word.casefold() for text in texts for word in re.findall(r"\w{2,}", text))
    return list(dict.fromkeys(word for word in found if word not in COMMON))[:100]


def _stem(word: str) -> str:
    """Return a word without the s of a plural."""
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plural else word


def highlight(text: str | None, words: Iterable[str]) -> Pieces:
    """Return the pieces of a text; a word is found with endings of up to three letters."""
    if not text:
        return []
    stems = sorted({re.escape(_stem(word)) for word in words if word}, key=len, reverse=True)
    if not stems:
        return [(text, False)]
    pattern = re.compile(rf"\b(?:{'|'.join(stems)})\w{{0,3}}\b", re.IGNORECASE)
    pieces: Pieces = []
    start = 0
    for match in pattern.finditer(text):
        if match.start() > start:
            pieces.append((text[start : match.start()], False))
        pieces.append((match.group(), True))
        start = match.end()
    if start < len(text):
        pieces.append((text[start:], False))
    return pieces
