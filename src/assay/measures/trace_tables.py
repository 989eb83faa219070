"""The forms in which traces arrive at their number: line by line, or in a column that runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from assay.core.arrays import Floats, Ints, ratio
from assay.core.curves import Columns
from assay.core.definition import Definition
from assay.core.facts import NO_SETTINGS, Settings
from assay.evidence.views.rankings import Hits, Rankings

Lines: TypeAlias = dict[str, float]
"""Quantities of a formula by what they are."""
Quantities: TypeAlias = Callable[..., Lines]
"""From a view and the settings to the quantities of a formula."""


def show_formula(definition: Definition, formula: str) -> Callable[[Quantities], Quantities]:
    """Declare that a measure shows these quantities, one below the other, and then its formula."""

    def declare(quantities: Quantities) -> Quantities:
        """Declare the trace of the measure."""

        @definition.trace
        def trace(view: Any, s: Settings = NO_SETTINGS) -> Columns:
            """Return the quantities and the value."""
            shown = quantities(view, s) if vars(s) else quantities(view)
            lines = shown | {f"{definition.name}: {formula}": definition(view, **vars(s))[0]}
            return {"quantity": list(lines), "value": np.asarray(list(lines.values()), float)}

        return quantities

    return declare


def list_ranks(rankings: Rankings, cutoff: int | None = None) -> Ints:
    """Return every rank of the one list, within the cutoff."""
    end = int(rankings.retrieved[0])
    return np.arange(1, (end if cutoff is None else min(end, cutoff)) + 1)


def at_every_rank(rank: Ints, found: Hits, values: Any) -> Floats:
    """Return a value for every rank: those of the documents found, and 0 for the others."""
    placed = np.zeros(len(rank))
    placed[found.rank - 1] = values
    return placed


def running_mean(values: Floats, weight: Floats) -> Floats:
    """Return the weighted mean of the values so far, at each value; undefined ones do not count."""
    counts = np.where(np.isnan(values), 0, weight)
    return ratio(np.cumsum(np.where(counts > 0, counts * values, 0)), np.cumsum(counts))


def disagreement_table(seen: Floats, chance: Floats, apart: Floats, name: str) -> Columns:
    """Return observed and chance disagreement for each pair of labels, and 1 − their ratio."""
    observed, expected = np.cumsum(seen * apart), np.cumsum(chance * apart)
    return {
        "seen": seen,
        "by chance": chance,
        "apart": apart,
        "disagreement so far": observed,
        "by chance so far": expected,
        name: 1 - ratio(observed, expected),
    }
