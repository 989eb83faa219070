"""Notes on what two orders do not have in common."""

from __future__ import annotations

import polars as pl

from assay.core.phrases import are, quantity
from assay.core.tables import Table


def overlap_notes(joined: pl.DataFrame, first: str, second: str) -> tuple[str, ...]:
    """Return how many documents two runs have in common, where that is not all of them."""
    both = joined.drop_nulls().height
    if both == joined.height:
        return ()
    of = " and ".join(
        f"{joined[column].count():,} in {name}"
        for column, name in (("first", first), ("second", second))
    )
    return (
        f"the runs share {quantity(both, 'document')}, of {of}: measures of two orders, such as"
        " tau,"
        " see these alone; measures of two rankings, such as RBO, see all",
    )


def left_out_notes(what: str, common: int, one: Table, two: Table, column: str) -> tuple[str, ...]:
    """Return how many queries or items of each of two tables the other one lacks."""
    notes = []
    for each in (one, two):
        count = each.frame[column].n_unique()
        if count > common:
            missing = count - common
            notes.append(
                f"{each.source.name}: {missing:,} of {quantity(count, what)} {are(missing)} not in"
                " the other"
            )
    return tuple(notes)
