"""Judgments and a run to rankings: the one place that joins, orders and breaks ties."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from assay.core.arrays import Ints, offsets_of, places
from assay.core.conventions import Conventions
from assay.core.errors import AlignmentError
from assay.core.tables import Judgments, Run, Table
from assay.evidence.rankings import Hits, Rankings


@dataclass(frozen=True)
class Alignment:
    """What came of joining a run with judgments: the rankings, and what a user should know."""

    rankings: Rankings
    warnings: tuple[str, ...]


def align(
    judgments: Judgments, run: Run, conventions: Conventions, corpus: int | None = None
) -> Alignment:
    """The rankings of one run, over the judged queries."""
    judged = one_grade(judgments)
    ordered = order(run, conventions)
    queries = _queries(judged)
    lengths = ordered.group_by("query").len()
    retrieved = queries.join(lengths, on="query", how="left", maintain_order="left")["len"]
    missing = retrieved.is_null().to_numpy()
    warnings = _compare(queries, lengths, run, conventions)
    hits = _join(ordered, judged)
    rankings = Rankings(
        queries=tuple(queries["query"].to_list()),
        retrieved=retrieved.fill_null(0).cast(pl.Int64).to_numpy(),
        hits=Hits(_offsets(hits, queries), hits["place"].to_numpy(), hits["grade"].to_numpy()),
        pool=_pool(judged, queries),
        missing=missing,
        tie_first=hits["tie_first"].to_numpy(),
        tie_last=hits["tie_last"].to_numpy(),
        row=hits["row"].to_numpy(),
        corpus=corpus,
        recall_levels=conventions.recall_levels,
    )
    if conventions.missing_queries == "skip":
        rankings = rankings.take(np.flatnonzero(~missing))
    return Alignment(rankings, warnings)


def order(run: Run, conventions: Conventions) -> pl.DataFrame:
    """The run in the order in which a user sees it, with places from 1 and groups of ties."""
    refuse_repeats(run, ["query", "doc"], "document")
    frame = run.frame.with_row_index("row")
    if conventions.own_document == "drop":
        frame = frame.filter(pl.col("query") != pl.col("doc"))
    if conventions.score_type == "float32":
        frame = frame.with_columns(pl.col("score").cast(pl.Float32))
    keys, falling = _order_keys(conventions, frame)
    ordered = frame.sort(keys, descending=falling)
    place = pl.int_range(1, pl.len() + 1).over("query")
    ordered = ordered.with_columns(place=place, row=pl.col("row").cast(pl.Int64))
    return ordered.with_columns(
        tie_first=pl.col("place").min().over("query", "score"),
        tie_last=pl.col("place").max().over("query", "score"),
    )


def _order_keys(conventions: Conventions, frame: pl.DataFrame) -> tuple[list[str], list[bool]]:
    if conventions.ties == "rank column" and "rank" in frame.columns:
        return ["query", "rank", "row"], [False, False, False]
    if conventions.ties == "document ascending":
        return ["query", "score", "doc"], [False, True, False]
    if conventions.ties == "document descending":
        return ["query", "score", "doc"], [False, True, True]
    return ["query", "score", "row"], [False, True, False]


def one_grade(judgments: Judgments) -> pl.DataFrame:
    """One grade for each document of a query: the best over its subtopics, if there are any."""
    subtopics = "subtopic" in judgments.frame.columns
    keys = ["query", "doc", "subtopic"] if subtopics else ["query", "doc"]
    refuse_repeats(judgments, keys, "judgment of document")
    return (
        judgments.frame.group_by("query", "doc").agg(pl.col("grade").max())
        if subtopics
        else (judgments.frame)
    )


def refuse_repeats(table: Table, keys: list[str], what: str) -> None:
    """Complain of rows that stand twice, with the places of both."""
    repeated = ~table.frame.select(keys).is_unique()
    if not repeated.any():
        return
    rows = repeated.arg_true()
    first = table.frame.row(int(rows[0]), named=True)
    twins = [
        int(row) for row in rows if all(table.frame[key][int(row)] == first[key] for key in keys)
    ]
    raise AlignmentError(
        f"{table.source.place(twins[1])}: the {what} {first['doc']} for query {first['query']}"
        f" stands twice, first at {table.source.place(twins[0])}; keep one of the two"
    )


def _queries(judged: pl.DataFrame) -> pl.DataFrame:
    return judged.select(pl.col("query").unique()).sort("query")


def _compare(
    queries: pl.DataFrame, lengths: pl.DataFrame, run: Run, conventions: Conventions
) -> tuple[str, ...]:
    common = queries.join(lengths, on="query", how="semi").height
    if common == 0 and lengths.height:
        raise AlignmentError(
            f"{run.source.name}: none of its queries is judged (it answers"
            f" {_some(lengths)}; judged are {_some(queries)}); are these the right qrels?"
        )
    warnings = []
    if silent := queries.height - common:
        outcome = {"zero": "they score zero", "skip": "they are left out", "error": ""}
        text = f"{run.name}: {silent} of {queries.height} judged queries are not answered"
        if conventions.missing_queries == "error":
            raise AlignmentError(f"{text}; the profile {conventions.profile} refuses that")
        warnings.append(f"{text}; {outcome[conventions.missing_queries]}")
    if unknown := lengths.height - common:
        warnings.append(f"{run.name}: {unknown} queries without judgments are left out")
    return tuple(warnings)


def _some(frame: pl.DataFrame) -> str:
    names = sorted(frame["query"].to_list(), key=str.encode)
    return ", ".join(names[:3]) + (" …" if len(names) > 3 else "")


def _join(ordered: pl.DataFrame, judged: pl.DataFrame) -> pl.DataFrame:
    joined = ordered.join(judged, on=["query", "doc"], how="inner")
    return joined.sort("query", "place")


def _offsets(rows: pl.DataFrame, queries: pl.DataFrame) -> Ints:
    counts = rows.group_by("query").len()
    counted = queries.join(counts, on="query", how="left", maintain_order="left")["len"]
    return offsets_of(counted.fill_null(0).cast(pl.Int64).to_numpy())


def _pool(judged: pl.DataFrame, queries: pl.DataFrame) -> Hits:
    best = judged.sort(["query", "grade"], descending=[False, True])
    offsets = _offsets(best, queries)
    return Hits(offsets, places(offsets), best["grade"].to_numpy())
