"""What the builders of views share: counting labels, and refusing what cannot be counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.arrays import Floats, Ints
from assay.core.errors import AlignmentError, DataError
from assay.core.tables import Source, Table, ids_as_text
from assay.evidence.label_order import column_order, label_order


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


def canonical_order(*keys: NDArray[Any] | tuple[str, ...] | None) -> Ints:
    """Return an order of the rows that does not depend on how they were given: by each key in turn.

    Keys that are None or empty are left out. Rows that are equal in every key cannot be told apart,
    so their order does not matter.
    """
    columns = [np.asarray(key) for key in keys if key is not None and len(key)]
    order = np.argsort(columns[0], kind="stable")
    ordered = columns[0][order]
    return order if (ordered[1:] != ordered[:-1]).all() else np.lexsort(columns[::-1])


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
        f"{source.place(second)}: the {what} occurs twice, first at {source.place(first)};"
        f" keep one of the two{otherwise}"
    )


def check_weights(table: Table) -> Floats | None:
    """The weights, of which none may be negative and not all may be 0."""
    weights = row_weights(table.frame)
    if weights is None:
        return None
    finite_numbers(table, "weight")
    if len(below := np.flatnonzero(weights < 0)):
        row = int(below[0])
        raise DataError(
            f"{table.source.place(row)}: the weight is {weights[row]:g};"
            " a number of at least 0 is expected"
        )
    return weights


def ordered_labels(labels: pl.Series) -> tuple[tuple[str, ...], Ints]:
    """Return the distinct labels as text in their order, and the place of each entry among them."""
    text = ids_as_text(labels)
    names = label_order(text.unique().to_list(), column_order(labels))
    return names, label_codes(text, names)
