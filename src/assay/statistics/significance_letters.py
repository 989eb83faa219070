"""Compact letters: systems that share a letter are not told apart."""

from __future__ import annotations

import string

import numpy as np

from assay.core.arrays import Bools


def compact_letters(differ: Bools) -> list[str]:
    """The letters of each system, given which pairs differ; systems should come best first.

    Insert and absorb: begin with one group of all; each pair that differs splits every group that
    holds both; a group within another is dropped.
    """
    size = len(differ)
    groups = [frozenset(range(size))] if size else []
    for first, second in zip(*np.nonzero(np.triu(differ, 1)), strict=True):
        groups = _split(groups, int(first), int(second))
    groups.sort(key=lambda group: (min(group), sorted(group)))
    written: list[list[str]] = [[] for _ in range(size)]
    for number, group in enumerate(groups):
        for system in group:
            written[system].append(letter_name(number))
    separator = "" if len(groups) <= len(string.ascii_lowercase) else " "
    return [separator.join(each) for each in written]


def _split(groups: list[frozenset[int]], first: int, second: int) -> list[frozenset[int]]:
    whole = [group for group in groups if not (first in group and second in group)]
    parts = [
        group - {out}
        for group in groups
        if first in group and second in group
        for out in (first, second)
    ]
    kept = list(whole)
    for part in dict.fromkeys(parts):
        rivals = [*whole, *(other for other in parts if other != part)]
        if not any(part <= other for other in whole) and not any(part < other for other in rivals):
            kept.append(part)
    return kept


def letter_name(number: int) -> str:
    """A to z, then aa, ab and so on: the columns of a spreadsheet."""
    name = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        name = string.ascii_lowercase[rest] + name
    return name
