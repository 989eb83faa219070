"""Two orders of the same things: two columns, two runs, two leaderboards or two evaluations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

import polars as pl

from assay.core.errors import UsageError
from assay.core.tables import Table
from assay.engine.result import ALL
from assay.engine.scores import Scores
from assay.evidence.order_rows import (
    Leaderboard,
    Orders,
    join_leaderboards,
    join_runs,
    order_rows,
)
from assay.evidence.views.order_pairs import (
    OrderPairs,
    RankedLists,
    build_order_pairs,
    build_ranked_lists,
)
from assay.formats import containers
from assay.formats.arrays import to_series
from assay.formats.decimal_commas import with_decimal_commas
from assay.formats.table_files import is_table_file
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.correlation.leaderboards import leaderboard, scores_leaderboard
from assay.tasks.correlation.order_containers import are_files, named_numbers, names_items
from assay.tasks.correlation.order_notes import left_out_notes, overlap_notes
from assay.tasks.evidence import Evaluation, Measures, TaskEvidence, Views
from assay.tasks.inputs.array_columns import require_length, slice_arrays, split_arguments
from assay.tasks.inputs.table_columns import row_slices, select_columns
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence
from assay.tasks.scores.read_scores import merge_scores

NEEDS = {OrderPairs: "two orders of the same items", RankedLists: "two rankings"}


@dataclass(frozen=True)
class OrderColumns:
    """Which columns of a table hold two orders of the same items."""

    item: str = "item"
    first: str = "first"
    second: str = "second"
    group: str | None = None
    ranks: bool = False
    """Whether the numbers are ranks, so that the lowest comes first."""


@dataclass(frozen=True)
class CorrelationEvidence(TaskEvidence):
    """Two orders of the same things, each given by a number (higher is earlier)."""

    task = "correlation"
    needs = NEEDS
    name: str
    orders: tuple[str, str]
    """What the two orders are called."""
    tables: Mapping[str, Table]
    joined: pl.DataFrame
    """The things of either order, with both numbers: group, item, first, second."""
    notes: tuple[str, ...] = ()
    unit_kind: str | None = None
    """What a unit is called, where the view does not know it."""
    rows: Mapping[str, pl.Series] = field(default_factory=dict, repr=False)
    """Which of the things are in each slice."""

    @classmethod
    def read(cls, data: Any, columns: OrderColumns) -> CorrelationEvidence:
        """Read two columns of one table."""
        named = asdict(columns)
        ranks = named.pop("ranks")
        return cls.read_table(data, named, ranks=ranks)

    @classmethod
    def read_table(
        cls,
        data: Any,
        columns: Mapping[str, str | None],
        name: str = "orders",
        ranks: bool = False,
        by: Sequence[str] = (),
    ) -> CorrelationEvidence:
        """Read two columns of one table: ``item``, ``first``, ``second`` and perhaps ``group``.

        Without a column of items, each row is one. ``by`` names columns that define slices.
        """
        frame, source = select_columns(data, columns, "the orders")
        if columns["item"] is None:
            frame = frame.with_columns(item=pl.int_range(1, pl.len() + 1).cast(pl.String))
        orders = Orders.of(frame, source)
        names = (str(columns["first"]), str(columns["second"]))
        rows = row_slices(*containers.to_frame(data, "the orders"), by) if by else {}
        return cls(name, names, {"orders": orders}, _upward(order_rows(orders), ranks), rows=rows)

    @classmethod
    def read_runs(cls, one: Any, two: Any) -> CorrelationEvidence:
        """Read two runs, which are compared query by query."""
        first, second = containers.to_runs([one, two])
        joined = join_runs(first, second)
        notes = left_out_notes("query", joined["group"].n_unique(), first, second, "query")
        notes += overlap_notes(joined, first.name, second.name)
        names, inputs = (first.name, second.name), {"first": first, "second": second}
        return cls(f"{first.name} – {second.name}", names, inputs, joined, notes, "query")

    @classmethod
    def read_leaderboards(
        cls,
        one: Any,
        two: Any,
        item: str | None = None,
        value: str | None = None,
        ranks: bool = False,
    ) -> CorrelationEvidence:
        """Read two tables of systems with a number each, or a rank."""
        boards = leaderboard(one, item, value), leaderboard(two, item, value)
        found = cls.of_boards(*boards, "leaderboards")
        return replace(found, joined=_upward(found.joined, ranks))

    @classmethod
    def read_two(
        cls, given: tuple[Any, Any], columns: OrderColumns, decimal_comma: bool
    ) -> CorrelationEvidence:
        """Read two leaderboards, or two runs from files that are no tables."""
        if are_files(*given) and not all(map(is_table_file, given)):
            return cls.read_runs(*given)
        usual = OrderColumns()
        item = None if columns.item == usual.item else columns.item
        value = None if columns.first == usual.first else columns.first
        one, two = (
            with_decimal_commas(named_numbers(each, which), decimal_comma)
            for each, which in zip(given, ("first", "second"), strict=True)
        )
        return cls.read_leaderboards(one, two, item, value, columns.ranks)

    @classmethod
    def of_boards(cls, one: Leaderboard, two: Leaderboard, name: str) -> CorrelationEvidence:
        """Return the evidence of two leaderboards that were read."""
        joined = join_leaderboards(one, two)
        notes = left_out_notes("item", joined.drop_nulls().height, one, two, "item")
        names = (one.source.name, two.source.name)
        return cls(name, names, {"first": one, "second": two}, joined, notes)

    @classmethod
    def of_scores(
        cls,
        one: Scores,
        two: Scores | None = None,
        by: str | None = None,
        other: str | None = None,
    ) -> CorrelationEvidence:
        """Return the orders in which Scores put systems, by two measures or in two evaluations."""
        first = by or one.measures[0]
        second = scores_leaderboard(two or one, other or first, "second")
        return cls.of_boards(scores_leaderboard(one, first, "first"), second, "systems")

    @classmethod
    def read_judgments(
        cls, one: Any, two: Any, runs: Any, by: str = "AP", other: str | None = None
    ) -> CorrelationEvidence:
        """Read the orders of the same runs under two qrels, or under two measures of one."""
        first = RetrievalEvidence.read(one, runs).scores(by, interval=None)
        second = RetrievalEvidence.read(two, runs).scores(other or by, interval=None)
        found = cls.of_scores(first, second, first.measures[0], second.measures[0])
        notes = dict.fromkeys((*first.warnings, *second.warnings, *found.notes))
        return replace(found, notes=tuple(notes))

    @property
    def systems(self) -> tuple[str, ...]:
        """One: the two orders together."""
        return (self.name,)

    @property
    def inputs(self) -> Mapping[str, Table]:
        """The tables of the orders."""
        return self.tables

    @cached_property
    def pairs(self) -> OrderPairs:
        """The numbers of the things that both orders have."""
        return build_order_pairs(self.joined)

    def slices(self, system: str) -> tuple[str, ...]:
        """Return the names of the slices."""
        return tuple(self.rows)

    def views(self, system: str, slice_name: str = ALL) -> Views:
        """Return how to build the pairs of numbers, and the two rankings."""
        if slice_name != ALL:
            part = self.joined.filter(self.rows[slice_name])
            return {
                OrderPairs: lambda: build_order_pairs(part),
                RankedLists: lambda: build_ranked_lists(part),
            }
        return {
            OrderPairs: lambda: self.pairs,
            RankedLists: lambda: build_ranked_lists(self.joined),
        }

    def inversions(self) -> pl.DataFrame:
        """Return every pair in opposite order, group by group, widest apart first."""
        parts = []
        for number, name in enumerate(self.pairs.groups):
            table = pl.DataFrame(self.pairs.only(number).inversions())
            group = pl.Series("group", [name] * table.height, pl.String)
            parts.append(table.insert_column(0, group))
        listed = pl.concat([part for part in parts if part.height] or parts[:1])
        return listed.drop("group") if len(self.pairs.groups) == 1 else listed

    def complete(self, scores: Scores, evaluation: Evaluation) -> Scores:
        """Return the scores; the units of two runs are queries."""
        if self.unit_kind is None:
            return scores
        named = tuple(replace(each, unit_kind=self.unit_kind) for each in scores.results)
        return replace(scores, results=named)

    def about(self, system: str) -> str:
        """Return the names of the table and of its columns."""
        files = dict.fromkeys(table.source.name for table in self.tables.values())
        return f"{' and '.join(files)}, {' and '.join(self.orders)}"

    def conventions(self, evaluation: Evaluation) -> dict[str, Any]:
        """Return the sizes of slices: two orders are compared as they are."""
        sizes = {name: int(inside.sum()) for name, inside in self.rows.items()}
        return {"slices": sizes} if sizes else {}

    def warnings(self, evaluation: Evaluation) -> Sequence[str]:
        """Return what the two orders do not share."""
        return self.notes


def correlation(
    data: Any,
    other: Any = None,
    measures: Measures = None,
    *,
    item: str | None = "item",
    first: str = "first",
    second: str = "second",
    group: str | None = None,
    ranks: bool = False,
    name: str = "orders",
    by: Any = (),
    decimal_comma: bool = False,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Compare two orders of the same items, given by a number in each (higher is earlier).

    ``data`` and ``other`` are arrays of the two numbers; dicts of item to number, Series with an
    index, frames or files are two leaderboards, whose items are joined by name (files may also be
    two runs). A dict of name to array compares several with the first. Or ``data`` is a path, a
    frame or a dict of columns, the other arguments name its columns (``item=None``: each row is an
    item), and the second one may list the measures. ``decimal_comma`` reads numbers such as 0,25.
    With ``ranks`` the numbers are ranks, and the lowest comes first. ``by`` names columns of the
    table, or holds arrays beside arrays, whose values define slices of the items.
    """
    if (names_items(data) and names_items(other)) or are_files(data, other):
        if by is not None and len(by):
            raise UsageError("`by` needs both numbers in one table, or arrays; join them by item")
        names = OrderColumns(item or "item", first, ranks=ranks)
        two_boards = CorrelationEvidence.read_two((data, other), names, decimal_comma)
        return replace(two_boards, name=name).scores(measures, interval=interval)
    if isinstance(other, Mapping):
        found = [
            correlation(data, each, measures, ranks=ranks, name=str(key), by=by, interval=interval)
            for key, each in other.items()
        ]
        return merge_scores(found)
    other, measures = split_arguments(data, other, measures)
    data = with_decimal_commas(data, decimal_comma)
    if other is not None:
        two = {"first": to_series(data, "the first numbers"), "second": to_series(other, "`other`")}
        require_length(len(two["second"]), len(two["first"]), "other")
        added = slice_arrays(by, len(two["first"]))
        data = {"item": [str(at + 1) for at in range(len(two["first"]))], **two, **added}
        by = tuple(added)
    columns = {"item": item, "first": first, "second": second, "group": group}
    by = [by] if isinstance(by, str) else by
    evidence = CorrelationEvidence.read_table(data, columns, name, ranks, by)
    return evidence.scores(measures, interval=interval)


def _upward(joined: pl.DataFrame, ranks: bool) -> pl.DataFrame:
    """Return the numbers so that the highest comes first: ranks with their signs changed."""
    return joined.with_columns(-pl.col("first", "second")) if ranks else joined
