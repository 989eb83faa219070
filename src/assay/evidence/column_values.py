"""The values of columns as views need them: numbers, weights, codes of labels, names of items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.arrays import Bools, Floats, Ints, sorted_sum
from assay.core.errors import AlignmentError, DataError, no_rows
from assay.core.tables import Source, Table, ids_as_text
from assay.evidence.alike_items import are_distinct, dense_ranks, sort_entries
from assay.evidence.labels import column_order, label_order

TableOf = TypeVar("TableOf", bound=Table)
LARGEST_WEIGHT = 1e100
"""The largest weight of an item: sums of squares and products with values stay finite."""


def refuse_rows(source: Source, wrong: pl.Series | Bools, text: Callable[[int], str]) -> None:
    """Raise an error with the place and the text of the first row that is wrong, if any is."""
    rows = np.flatnonzero(wrong)
    if len(rows):
        row = int(rows[0])
        raise DataError(f"{source.place(row)}: {text(row)}")


def select_rows(table: TableOf, rows: pl.Series) -> TableOf:
    """Return the rows of a table where ``rows`` is true, under the name of its source.

    Column by column: a filter of the frame waits for threads of Polars, which takes milliseconds
    while the threads of another library spin.
    """
    frame = pl.DataFrame([column.filter(rows) for column in table.frame])
    return type(table)(frame, Source(table.source.name))


def finite_numbers(table: Table, column: str) -> Floats:
    """Return the numbers of a column, of which none may be missing, NaN or infinite."""
    numbers = table.frame[column]
    finite = numbers.is_finite()
    if not finite.null_count() and finite.all():
        return numbers.to_numpy()
    refuse_rows(
        table.source,
        ~finite.fill_null(True),
        lambda row: f"the {column} is {numbers[row]}; it must be finite",
    )
    return numbers.to_numpy()


def nonnegative_numbers(table: Table, column: str) -> Floats:
    """Return the numbers of a column, which must be finite and at least 0."""
    numbers = finite_numbers(table, column)
    refuse_rows(
        table.source,
        numbers < 0,
        lambda row: f"the {column} is {numbers[row]:g}; a number of at least 0 is expected",
    )
    return numbers


def label_codes(column: pl.Series, names: Sequence[str]) -> Ints:
    """Return the place of each entry of a column of text among the names, which have it."""
    return column.cast(pl.Enum(list(names))).to_physical().to_numpy().astype(np.int64)


def sorted_labels(column: pl.Series) -> tuple[str, ...]:
    """Return the distinct entries of a column, in bytewise order."""
    return tuple(column.unique().sort().to_list())


def canonical_order(*keys: NDArray[Any] | tuple[str, ...] | None) -> Ints:
    """Return an order of the rows that does not depend on how they were given: by each key in turn.

    Keys that are None or empty are left out. Rows that are equal in every key are identical, so
    their order does not matter.
    """
    columns = [np.asarray(key) for key in keys if key is not None and len(key)]
    if len(columns[0]) <= MOST_SORTED_AT_ONCE:
        return np.lexsort(columns[::-1])
    return sort_entries(*map(dense_ranks, columns))


MOST_SORTED_AT_ONCE = 100_000
"""Of more rows than this, each key is sorted on its own: plain numbers are sorted much faster."""


def refuse_empty(table: Table) -> None:
    """Raise an error for a table without rows."""
    if table.frame.is_empty():
        raise no_rows(table.source.name)


def item_names(table: Table) -> tuple[str, ...]:
    """Return the names of the items, each of which occurs once; nothing if they have no names."""
    if "item" not in table.frame.columns:
        return ()
    refuse_duplicate_keys(table, "item")
    return tuple(table.frame["item"].to_list())


def refuse_duplicate_keys(table: Table, *keys: str, otherwise: str = "") -> None:
    """Raise an error for the second row with the same key, naming the place of the first."""
    own = table.frame.select(keys)
    if len(keys) == 1 and are_distinct(own.to_series()):
        return
    again = (~own.select(pl.struct(keys).is_first_distinct()).to_series()).arg_true()
    if not len(again):
        return
    row = int(again[0])
    same = own.select(pl.all_horizontal([pl.col(key) == own[key][row] for key in keys]))
    first = int(same.to_series().arg_true()[0])
    what = " of ".join(f"{key} {own[key][row]}" for key in keys)
    raise AlignmentError(duplicate_error(table.source, what, first, row, otherwise))


def duplicate_error(source: Source, what: str, first: int, second: int, otherwise: str = "") -> str:
    """Return the message about what is in two rows where one is expected."""
    return (
        f"{source.place(second)}: the {what} occurs twice, first at {source.place(first)};"
        f" keep one of the two{otherwise}"
    )


def check_weights(table: Table) -> Floats | None:
    """Return the weights of the rows, at least 0 and at most 1e100; None if there are none.

    A table without rows is refused.
    """
    refuse_empty(table)
    if "weight" not in table.frame.columns:
        return None
    weights = nonnegative_numbers(table, "weight")
    refuse_rows(
        table.source,
        weights > LARGEST_WEIGHT,
        lambda row: f"the weight is {weights[row]:g}; at most {LARGEST_WEIGHT:g} can be added up",
    )
    return weights


def ordered_labels(labels: pl.Series) -> tuple[tuple[str, ...], Ints]:
    """Return the distinct labels as text in their order, and the place of each entry among them."""
    text = ids_as_text(labels)
    names = label_order(text.unique().to_list(), column_order(labels))
    return names, label_codes(text, names)


def effective_size(weights: Floats | None) -> float | None:
    """The square of the sum over the sum of the squares: the number of items if all weigh alike.

    It is the same in whatever unit the weights are given. None where there are no weights.
    """
    if weights is None:
        return None
    squares = float(sorted_sum(weights**2))
    return float(sorted_sum(weights)) ** 2 / squares if squares else 0.0


def pooled_effective_size(
    total: float, size: float | None, other_total: float, other_size: float | None
) -> float | None:
    """The effective size of two parts together; a part that counts items has none of its own."""
    if size is None and other_size is None:
        return None
    squares = sum(
        whole**2 / (whole if worth is None else worth)
        for whole, worth in ((total, size), (other_total, other_size))
        if whole
    )
    return (total + other_total) ** 2 / squares if squares else 0.0
