"""Correlation: two orders of the same things to Scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from assay.core.errors import UsageError
from assay.core.tables import Orders, Source, Table
from assay.core.wording import are, counted
from assay.engine.scores import Scores
from assay.evidence.from_orders import (
    Leaderboard,
    joined_leaderboards,
    joined_runs,
    lists_of_all,
    order_pairs,
    pairs_in_both,
    ranked_lists,
)
from assay.evidence.orders import OrderPairs
from assay.evidence.ranked_lists import RankedLists
from assay.formats import containers
from assay.statistics.intervals import Bootstrap
from assay.tasks.assembly import Asked, chosen, described, scored
from assay.tasks.columns import columns_of, no_column
from assay.tasks.retrieval import retrieval

NEEDS = {OrderPairs: "two orders of the same items", RankedLists: "two rankings"}
DEFAULT = Bootstrap()


def correlation(
    data: Any,
    measures: Asked = None,
    *,
    item: str = "item",
    first: str = "first",
    second: str = "second",
    group: str | None = None,
    name: str = "orders",
    bootstrap: Bootstrap | None = DEFAULT,
) -> Scores:
    """Compare two orders of the same items, given by a number in each (higher is earlier).

    ``data`` is a path, a frame or a dict of columns; the other arguments name its columns.
    """
    columns = {"item": item, "first": first, "second": second, "group": group}
    orders = Orders.of(*columns_of(data, columns, "the orders"))
    views: dict[Any, Callable[[], Any]] = {
        OrderPairs: lambda: order_pairs(orders),
        RankedLists: lambda: ranked_lists(orders),
    }
    return _scores(views, measures, name, {"orders": orders}, bootstrap)


def correlation_of_runs(
    one: Any, two: Any, measures: Asked = None, *, bootstrap: Bootstrap | None = DEFAULT
) -> Scores:
    """Compare two runs query by query.

    Measures of two orders, such as tau, see the documents that both runs have; measures of two
    rankings, such as RBO, see all. Documents with equal scores are tied.
    """
    first, second = containers.runs([one, two])
    joined = joined_runs(first, second)
    notes = _left_out("query", joined["group"].n_unique(), first, second, "query")
    notes += _shared(joined, first.name, second.name)
    name = f"{first.name} – {second.name}"
    found = _of_joined(joined, measures, name, {"first": first, "second": second}, bootstrap, notes)
    of_queries = tuple(replace(each, unit_kind="query") for each in found.results)
    return replace(found, results=of_queries)


def _shared(joined: pl.DataFrame, first: str, second: str) -> tuple[str, ...]:
    """How many documents two runs have in common, where that is not all of them."""
    both = joined.drop_nulls().height
    if both == joined.height:
        return ()
    of = " and ".join(
        f"{joined[column].count():,} in {name}"
        for column, name in (("first", first), ("second", second))
    )
    return (
        f"the runs share {counted(both, 'document')}, of {of}: measures of two orders, such as tau,"
        " see these alone; measures of two rankings, such as RBO, see all",
    )


def _left_out(what: str, common: int, one: Table, two: Table, column: str) -> tuple[str, ...]:
    notes = []
    for each in (one, two):
        count = each.frame[column].n_unique()
        if count > common:
            missing = count - common
            notes.append(
                f"{each.source.name}: {missing:,} of {counted(count, what)} {are(missing)} not in"
                " the other"
            )
    return tuple(notes)


def correlation_of_leaderboards(
    one: Any,
    two: Any,
    measures: Asked = None,
    *,
    item: str | None = None,
    value: str | None = None,
    bootstrap: Bootstrap | None = DEFAULT,
) -> Scores:
    """Compare two leaderboards: tables of systems with a number each (higher is earlier).

    ``item`` and ``value`` name their columns: by default the first one, and the first with numbers
    among the others.
    """
    boards = [leaderboard(each, item, value) for each in (one, two)]
    return _of_boards(boards[0], boards[1], measures, "leaderboards", bootstrap)


def _of_boards(
    one: Leaderboard, two: Leaderboard, measures: Asked, name: str, bootstrap: Bootstrap | None
) -> Scores:
    joined = joined_leaderboards(one, two)
    common = joined.drop_nulls().height
    notes = _left_out("item", common, one, two, "item")
    return _of_joined(joined, measures, name, {"first": one, "second": two}, bootstrap, notes)


def leaderboard(given: Any, item: str | None, value: str | None) -> Leaderboard:
    """Systems and a number for each, from a table."""
    frame, source = containers.frame_of(given, "the leaderboard")
    for column in (item, value):
        if column is not None and column not in frame.columns:
            raise no_column(column, frame, source)
    key = item or frame.columns[0]
    numeric = [n for n, dtype in frame.schema.items() if n != key and dtype.is_numeric()]
    chosen_value = value or next(iter(numeric), None)
    if chosen_value is None:
        raise UsageError(
            f"{source.name}: no column holds numbers among {', '.join(frame.columns)}; a"
            " leaderboard has a system and its score in each row"
        )
    return Leaderboard.of(frame.select(item=key, value=chosen_value), source)


def correlation_of_scores(
    one: Scores,
    two: Scores | None = None,
    measures: Asked = None,
    *,
    by: str | None = None,
    other: str | None = None,
    bootstrap: Bootstrap | None = DEFAULT,
) -> Scores:
    """Compare the orders in which Scores put systems: by two measures, or in two evaluations.

    ``by`` is the measure of the first order and ``other`` that of the second: by default the first
    that was measured, and the same.
    """
    first = by or one.measures[0]
    board = _board(one, first, "first")
    return _of_boards(
        board, _board(two or one, other or first, "second"), measures, "systems", bootstrap
    )


def _board(scores: Scores, measure: str, which: str) -> Leaderboard:
    """The systems by a measure; turned round where less is better."""
    results = scores.of(measure)
    sign = -1 if results[0].better == "lower" else 1
    frame = pl.DataFrame(
        {"item": [each.system for each in results], "value": [sign * e.value for e in results]}
    )
    return Leaderboard.of(frame, Source(f"the {which} scores ({measure})"))


def correlation_of_judgments(
    one: Any,
    two: Any,
    runs: Any,
    measures: Asked = None,
    *,
    by: str = "AP",
    other: str | None = None,
    bootstrap: Bootstrap | None = DEFAULT,
) -> Scores:
    """Compare the orders of the same runs under two qrels, or under two measures of one."""
    first = retrieval(one, runs, by, bootstrap=None)
    second = retrieval(two, runs, other or by, bootstrap=None)
    found = correlation_of_scores(
        first,
        second,
        measures,
        by=first.measures[0],
        other=second.measures[0],
        bootstrap=bootstrap,
    )
    warnings = dict.fromkeys((*first.warnings, *second.warnings, *found.warnings))
    return replace(found, warnings=tuple(warnings))


def _of_joined(
    joined: pl.DataFrame,
    measures: Asked,
    name: str,
    inputs: Mapping[str, Table],
    bootstrap: Bootstrap | None,
    notes: tuple[str, ...],
) -> Scores:
    views: dict[Any, Callable[[], Any]] = {
        OrderPairs: lambda: pairs_in_both(joined),
        RankedLists: lambda: lists_of_all(joined),
    }
    return _scores(views, measures, name, inputs, bootstrap, notes)


def _scores(
    views: Mapping[Any, Callable[[], Any]],
    measures: Asked,
    name: str,
    inputs: Mapping[str, Table],
    bootstrap: Bootstrap | None,
    notes: tuple[str, ...] = (),
) -> Scores:
    asked = chosen(measures, "correlation", views, NEEDS)
    return Scores(
        task="correlation",
        results=tuple(scored(name, asked, views, bootstrap)),
        conventions=described(inputs, bootstrap),
        warnings=notes,
    )
