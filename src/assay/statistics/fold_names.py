"""Folds of a repeated evaluation: which repetition and which part of it a unit is, by its name."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from assay.core.arrays import Ints
from assay.core.errors import UsageError

_TWO_NUMBERS = re.compile(r"\D*(\d+)\D+(\d+)\D*")
_NUMBER_AND_LETTER = re.compile(r"\D*(\d+)[^0-9A-Za-z]*([A-Za-z])")
NAMING_HINT = "1a, 1b, 2a … 5b, or r1f1, r1f2 … r5f2"
"""How units may be called so that repetition and half are known."""


def repetitions(units: Sequence[str]) -> list[tuple[int, str]] | None:
    """The repetition and the part of each unit; None where some name does not tell both."""
    found = [_NUMBER_AND_LETTER.fullmatch(unit) or _TWO_NUMBERS.fullmatch(unit) for unit in units]
    if not all(found):
        return None
    return [(int(each[1]), each[2].casefold().zfill(9)) for each in found if each]


def order_halves(units: Sequence[str]) -> Ints:
    """The places of ten units, the two halves of each of five repetitions one after the other."""
    known = repetitions(units)
    listed = ", ".join(units[:3]) + (" …" if len(units) > 3 else "")
    if known is None:
        raise UsageError(
            "a 5 × 2 test needs units that are called by repetition and half, such as"
            f" {NAMING_HINT};"
            f" these are called {listed}"
        )
    counts = [len({half for own, half in known if own == each}) for each in {r for r, _ in known}]
    if counts != [2] * 5 or len(known) != 10:
        raise UsageError(
            "a 5 × 2 test needs ten units, two halves of each of five repetitions; by their names"
            f" ({listed}) there are {len(known)} units of {len(counts)} repetitions"
        )
    return np.asarray(sorted(range(10), key=known.__getitem__))


def folds_per_repetition(units: Sequence[str]) -> int:
    """How many folds a repetition has: all units where their names tell of no repetitions.

    A name such as "fold 1 of 10" has two numbers too: they are taken for repetition and fold only
    where every repetition has the same folds, and at least two of them.
    """
    folds: dict[int, list[str]] = {}
    for repetition, fold in repetitions(units) or ():
        folds.setdefault(repetition, []).append(fold)
    each = {tuple(sorted(own)) for own in folds.values()}
    if len(each) != 1:
        return len(units)
    (common,) = each
    return len(common) if 2 <= len(common) == len(set(common)) else len(units)


def fold_names_note(units: Sequence[str]) -> str:
    """What the names of the units were taken to mean, for a note."""
    each = folds_per_repetition(units)
    times = len(units) // each
    read = "one cross-validation" if times == 1 else f"{times} repetitions, by their names,"
    return f"the {len(units)} units are taken for {read} of {each} folds"
