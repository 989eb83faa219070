"""What the builders of views share: counting labels, and refusing what cannot be counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.arrays import Floats, Ints
from assay.core.errors import AlignmentError, DataError
from assay.core.tables import Source, Table


def finite_numbers(table: Table, column: str) -> Floats:
    """The numbers of a column, of which none may be missing, NaN or infinite."""
    numbers = table.frame[column]
    bad = (~numbers.is_finite()).arg_true()
    if len(bad):
        row = int(bad[0])
        raise DataError(
            f"{table.source.place(row)}: the {column} is {numbers[row]}; it must be finite"
        )
    return numbers.to_numpy()


def cross_tabulate(
    frame: pl.DataFrame, rows: str, columns: str, names: tuple[str, ...], others: tuple[str, ...]
) -> Floats:
    """How often the names of two columns meet, by weight if there are weights."""
    size = pl.col("weight").sum() if "weight" in frame.columns else pl.len().cast(pl.Float64)
    counted = frame.group_by(rows, columns).agg(size=size)
    table = np.zeros((len(names), len(others)))
    table[label_codes(counted[rows], names), label_codes(counted[columns], others)] = counted[
        "size"
    ].to_numpy()
    return table


def label_codes(column: pl.Series, names: tuple[str, ...]) -> Ints:
    """Return the place of each entry among the names, which may be in any order."""
    known = pl.Series(list(names), dtype=pl.String)
    if known.is_sorted():
        return known.search_sorted(column).cast(pl.Int64).to_numpy()
    order = known.arg_sort()
    return order.gather(known.gather(order).search_sorted(column)).cast(pl.Int64).to_numpy()


def sorted_labels(*columns: pl.Series) -> tuple[str, ...]:
    """The distinct entries of the columns together, in bytewise order."""
    return tuple(
        pl.concat([each.unique().alias("label") for each in columns]).unique().sort().to_list()
    )


def row_weights(frame: pl.DataFrame) -> Floats | None:
    """The weight of each row, if there are weights."""
    return frame["weight"].to_numpy() if "weight" in frame.columns else None


def canonical_order(*keys: NDArray[Any]) -> Ints:
    """An order of the rows that does not depend on how they were given: by the keys in turn.

    Rows that are alike in every key may stand either way round: nothing tells them apart.
    """
    order = np.argsort(keys[0], kind="stable")
    ordered = keys[0][order]
    if (ordered[1:] != ordered[:-1]).all():
        return order
    return np.lexsort(keys[::-1])


def refuse_empty(table: Table) -> None:
    """Complain about a table without rows."""
    if not len(table):
        raise DataError(f"{table.source.name}: there are no rows to evaluate")


def item_names(table: Table) -> tuple[str, ...]:
    """The names of the items, none of which may stand twice; nothing where they have no names."""
    if "item" not in table.frame.columns:
        return ()
    refuse_duplicate_keys(table, "item")
    return tuple(table.frame["item"].to_list())


def refuse_duplicate_keys(table: Table, *keys: str, otherwise: str = "") -> None:
    """Complain about the second row of the same key, and say where the first is."""
    own = table.frame.select(keys)
    again = (~own.select(pl.struct(keys).is_first_distinct()).to_series()).arg_true()
    if not len(again):
        return
    row = int(again[0])
    same = own.select(pl.all_horizontal([pl.col(key) == own[key][row] for key in keys]))
    first = int(same.to_series().arg_true()[0])
    what = " of ".join(f"{key} {own[key][row]}" for key in keys)
    raise AlignmentError(duplicate_error(table.source, what, first, row, otherwise))


def duplicate_error(source: Source, what: str, first: int, second: int, otherwise: str = "") -> str:
    """The complaint about what stands in two rows where one is expected."""
    return (
        f"{source.place(second)}: the {what} stands twice, first at {source.place(first)};"
        f" keep one of the two{otherwise}"
    )
