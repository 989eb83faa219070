"""How items are split: shares, folds, gap and seed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.core.arrays import Floats
from assay.core.errors import UsageError, unknown_name
from assay.core.phrases import list_phrase

MOST_ROWS = 20_000_000
"""More rows than this are refused: leaving items out has a row for every fold and item."""


@dataclass(frozen=True)
class SplitSettings:
    """How items are split."""

    shares: Sequence[float] = (80, 20)
    names: Sequence[str] | None = None
    """The names of the parts; by default train and test, or train, validation and test."""
    folds: int = 5
    repeats: int = 1
    """Number of times that the folds are drawn."""
    inner: int = 5
    """The number of inner folds of nested ones."""
    left_out: int = 1
    """How many items are left out at a time."""
    gap: str | float | None = None
    """The time between training items and the items after them: a number, or as 7d, 12h, 30m."""
    seed: int = 1

    def part_names(self) -> Sequence[str]:
        """Return the names of the parts."""
        known = {2: ("train", "test"), 3: ("train", "validation", "test")}
        names = self.names or known.get(len(self.shares))
        if names is None:
            raise UsageError(f"{len(self.shares)} shares: give a name for each with `names`")
        return names


def refuse_many_rows(method: str, used: SplitSettings, items: int) -> None:
    """Refuse folds whose table would be too large."""
    copies = {"k-fold": used.repeats * used.folds, "nested": used.folds * (1 + used.inner)}
    rows = copies.get(method, 1) * items
    if rows > MOST_ROWS:
        raise UsageError(
            f"{method} has {rows:,} rows; at most {MOST_ROWS:,} are written: use fewer folds or"
            " repeats"
        )


def read_settings(given: dict[str, Any]) -> SplitSettings:
    """Return the settings, each checked."""
    known = SplitSettings.__dataclass_fields__
    for name in given:
        if name not in known:
            raise unknown_name("setting of a split", name, known)
    used = SplitSettings(**given)
    for name, least in (("folds", 2), ("repeats", 1), ("inner", 2), ("left_out", 1)):
        if getattr(used, name) < least:
            raise UsageError(f"`{name}` is {getattr(used, name)}: at least {least} is needed")
    return used


USED = {
    "holdout": ("shares", "gap", "seed"),
    "k-fold": ("folds", "repeats", "gap", "seed"),
    "leave-one-out": (),
    "leave-p-out": ("left_out",),
    "nested": ("folds", "inner", "gap", "seed"),
}
"""The settings that each method uses; a split by shares also has names."""


def find_method(method: str | None, given: Iterable[str]) -> str:
    """Return the method, by default the first that uses all settings that are given.

    A setting that a named method does not use is refused.
    """
    wanted = [name for name in given if name not in ("gap", "seed")]
    missed = {
        each: [name for name in wanted if name not in (*used, *["names"] * (each == "holdout"))]
        for each, used in USED.items()
    }
    if method is None:
        fits = [each for each in ("holdout", "k-fold", "nested", "leave-p-out") if not missed[each]]
        if fits:
            return fits[0]
        raise UsageError(f"no method of splitting uses {list_phrase(wanted)} together; name one")
    if method not in USED:
        raise unknown_name("method of splitting", method, USED)
    if missed[method]:
        name = missed[method][0]
        others = [each for each in USED if name not in missed[each]]
        raise UsageError(
            f"a split by {method} does not use `{name}`: leave it out, or split by"
            f" {list_phrase(others)}"
        )
    return method


def describe_settings(method: str, used: SplitSettings) -> dict[str, Any]:
    """Return the settings that the method uses."""
    given = {name: getattr(used, name) for name in USED[method]}
    given |= {"names": list(used.part_names())} if "shares" in given else {}
    return {name: value for name, value in given.items() if value is not None}


def check_shares(shares: Sequence[float], names: Sequence[str]) -> Floats:
    """Return the shares as parts of 1."""
    if len(shares) != len(names) or len(set(names)) < len(names):
        raise UsageError(f"{len(shares)} shares and {len(names)} names: give a name for each share")
    if not all(math.isfinite(share) and share >= 0 for share in shares) or not sum(shares) > 0:
        raise UsageError(
            f"shares are {list(shares)}: numbers from 0 are expected, such as 60,20,20"
        )
    parts = np.asarray(shares, dtype=np.float64)
    return parts / parts.sum()
