"""Multiple comparisons: corrections of p-values, and letters for what differs significantly."""

from __future__ import annotations

import string
from collections.abc import Callable

import numpy as np

from assay.core.arrays import Bools, Floats
from assay.core.errors import unknown_name


def adjust_p_values(p: Floats, correction: str) -> Floats:
    """Return the corrected p-values of one family; those that are NaN stay NaN and do not count."""
    check_correction(correction)
    result = np.array(p, dtype=np.float64)
    known = ~np.isnan(result)
    order = np.argsort(result[known], kind="stable")
    rising = CORRECTIONS[correction](result[known][order])
    back = np.empty_like(rising)
    back[order] = np.minimum(rising, 1.0)
    result[known] = back
    return result


def check_correction(name: str) -> None:
    """Raise an error unless there is a correction of that name."""
    if name not in CORRECTIONS:
        raise unknown_name("correction", name, CORRECTIONS)


def _benjamini_yekutieli(p: Floats) -> Floats:
    harmonic = (1 / np.arange(1, len(p) + 1)).sum()
    return _step_up(p * len(p) * harmonic / np.arange(1, len(p) + 1))


def _step_up(p: Floats) -> Floats:
    return np.minimum.accumulate(p[::-1])[::-1]


CORRECTIONS: dict[str, Callable[[Floats], Floats]] = {
    "holm": lambda p: np.maximum.accumulate(p * np.arange(len(p), 0, -1)),
    "hochberg": lambda p: _step_up(p * np.arange(len(p), 0, -1)),
    "bonferroni": lambda p: p * len(p),
    "bh": lambda p: _step_up(p * len(p) / np.arange(1, len(p) + 1)),
    "by": _benjamini_yekutieli,
    "none": lambda p: p,
}
"""Sorted p-values to corrected ones. holm, hochberg and bonferroni control the family-wise error
rate (hochberg only for independent or positively dependent tests), bh and by the false discovery
rate."""


def compact_letters(differ: Bools) -> list[str]:
    """Return letters for systems, best first: those that share one do not differ significantly.

    Insert and absorb: start with one group of all; each pair that differs splits every group that
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
    whole = [group for group in groups if not {first, second} <= group]
    split = [group for group in groups if {first, second} <= group]
    parts = [group - {out} for group in split for out in (first, second)]
    kept = list(whole)
    for part in dict.fromkeys(parts):
        rivals = [*whole, *(other for other in parts if other != part)]
        if not any(part <= other for other in whole) and not any(part < other for other in rivals):
            kept.append(part)
    return kept


def letter_name(number: int) -> str:
    """Return a to z, then aa, ab and so on, as columns of a spreadsheet are named."""
    name = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        name = string.ascii_lowercase[rest] + name
    return name
