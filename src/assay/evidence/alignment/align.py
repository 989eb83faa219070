"""The one place where judgments and a run are joined, with notes on what does not match."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

import numpy as np

from assay.core.arrays import Ints, unit_offsets
from assay.core.conventions import Conventions
from assay.core.errors import AlignmentError
from assay.core.frozen_dataclass import dataclass, field, replace
from assay.core.phrases import are, quantity
from assay.core.tables import Judgments, Run
from assay.evidence.alignment.judged_documents import JudgedDocuments
from assay.evidence.alignment.run_batches import BatchReader, Interleaved
from assay.evidence.alignment.run_order import rank_documents
from assay.evidence.views.rankings import Hits, Rankings
from assay.evidence.views.view import View

QueryIds = TypeVar("QueryIds", bound=View)


@dataclass(frozen=True)
class Alignment(Generic[QueryIds]):
    """A run joined with judgments: the rankings, and what a user should know."""

    rankings: QueryIds
    warnings: tuple[str, ...]
    counts: dict[str, int] = field(default_factory=dict)
    """How many queries and documents there are, and how many do not fit, by kind."""


def align(
    judgments: Judgments | JudgedDocuments,
    run: Run,
    conventions: Conventions,
    corpus: int | None = None,
) -> Alignment[Rankings]:
    """Return the rankings of one run, over the judged queries."""
    judged = (
        judgments
        if isinstance(judgments, JudgedDocuments)
        else JudgedDocuments.of(judgments, conventions)
    )
    rankings, reader = join_run(judged, run, conventions, corpus)
    return Alignment(rankings, alignment_notes(judged, reader), reader.counts)


def align_part(judgments: Judgments, run: Run, conventions: Conventions) -> Rankings:
    """Return the rankings over some of the judgments, once all of them have been compared."""
    return join_run(JudgedDocuments.of(judgments, conventions), run, conventions)[0]


def join_run(
    judged: JudgedDocuments,
    run: Run,
    conventions: Conventions,
    corpus: int | None = None,
    *,
    gather: bool = False,
) -> tuple[Rankings, BatchReader]:
    """Return the rankings of a run, gathered first where its queries are interleaved.

    The reader has counted what fits and what does not.
    """
    reader = BatchReader(run, conventions, judged.number, judged.seed)
    try:
        retrieved, columns = _find_judged(judged, reader, gather)
    except Interleaved:
        pass
    else:
        return _build_rankings(judged, reader, retrieved, columns, corpus), reader
    return join_run(judged, run, conventions, corpus, gather=True)


def _find_judged(
    judged: JudgedDocuments, reader: BatchReader, gather: bool
) -> tuple[Ints, list[Ints]]:
    """Return the length of each list (-1 if there is none) and, by query and rank, its hits.

    These are columns: the rows of their judgments, their ranks, the first and last ranks with the
    same score, and the rows of the run.
    """
    retrieved = np.full(len(judged.queries), -1, dtype=np.int64)
    parts = [[np.empty(0, np.int64)] * 5]
    for batch in reader.read(gather=gather):
        known = batch.number < len(judged.queries)
        retrieved[batch.number[known]] = np.diff(batch.offsets)[known]
        rows, at = judged.find(batch.doc, batch.key)
        ranks = rank_documents(batch, rows, reader.conventions)
        part = [at, ranks.place, ranks.tie_first, ranks.tie_last, batch.row[rows]]
        if (ranks.position[1:] < ranks.position[:-1]).any():
            order = np.argsort(ranks.position, kind="stable")  # quick: only ties are out of order
            part = [column[order] for column in part]
        parts.append(part)
    query = judged.query[np.concatenate([part[0] for part in parts])]
    if not (query[1:] < query[:-1]).any():
        return retrieved, [np.concatenate(column) for column in zip(*parts, strict=True)]
    order = np.argsort(query, kind="stable")  # quick: the hits of a query are adjacent
    return retrieved, [np.concatenate(column)[order] for column in zip(*parts, strict=True)]


def _build_rankings(
    judged: JudgedDocuments,
    reader: BatchReader,
    retrieved: Ints,
    columns: list[Ints],
    corpus: int | None,
) -> Rankings:
    """Return the rankings as the conventions leave them, and count what does not fit."""
    conventions, (at, rank, tie_first, tie_last, row) = reader.conventions, columns
    missing, retrieved = retrieved < 0, np.maximum(retrieved, 0)
    empty = [judged.number[name] for name in reader.run.empty if name in judged.number]
    if conventions.empty_queries in ("keep", "zero"):
        missing[empty] = False
    reader.counts |= {
        "judged queries": len(judged.queries),
        "unanswered queries": int(missing.sum()),
        "unjudged queries": len(reader.unknown),
        "empty queries": len(empty),
        "judged documents": len(row),
        "unjudged documents": int(retrieved.sum()) - len(row),
    }
    offsets = unit_offsets(np.bincount(judged.query[at], minlength=len(judged.queries)))
    rankings = Rankings(
        queries=judged.queries,
        retrieved=retrieved,
        hits=Hits(offsets, rank, judged.grade[at]),
        pool=judged.pool,
        missing=missing,
        tie_first=tie_first,
        tie_last=tie_last,
        row=row,
        corpus=corpus,
        recall_levels=conventions.recall_levels,
        negatives_judged=conventions.negative_grades == "judged",
        zero_if_empty=conventions.empty_queries == "zero",
    )
    return _apply_conventions(conventions, rankings)


def _apply_conventions(conventions: Conventions, rankings: Rankings) -> Rankings:
    """Return the queries and documents that the conventions leave."""
    if conventions.missing_queries == "skip":
        rankings = rankings.take(np.flatnonzero(~rankings.missing))
    if rankings.zero_if_empty:
        rankings = replace(rankings, missing=rankings.missing | (rankings.retrieved == 0))
    if conventions.unjudged == "drop":
        rankings = rankings.select("judged_only")
    if conventions.depth is not None:  # ties stay as they were in the whole list
        kept = rankings.only(rankings.hits.rank <= conventions.depth)
        rankings = replace(kept, retrieved=np.minimum(rankings.retrieved, conventions.depth))
    return rankings


def alignment_notes(judged: JudgedDocuments, reader: BatchReader) -> tuple[str, ...]:
    """Return what a user should know about a run; raise an error where a policy says so."""
    return (*judged.warnings, *_row_notes(reader), *_query_notes(judged, reader))


def _row_notes(reader: BatchReader) -> list[str]:
    """Return notes on rows that were left out, and on the order."""
    rules, name = reader.conventions, reader.run.name
    outcome = "left out" if rules.nan_scores == "drop" else "put at the end"
    kept = f"left out (the {rules.duplicates} is kept)"
    kinds = {
        "duplicates": ("duplicate document", "", kept),
        "scores that are not numbers": ("document", " whose score is not a number", outcome),
        "infinite scores": ("score", "", "infinite"),
        "own documents": ("document", " with the id of the query", "left out"),
    }
    notes = [
        f"{name}: {quantity(number, noun)}{which} {are(number)} {became}"
        for kind, (noun, which, became) in kinds.items()
        if (number := reader.counts.get(kind))
    ]
    if reader.unranked:
        notes.append(f"{name}: there is no rank to order by; ordered by score")
    return notes


def _query_notes(judged: JudgedDocuments, reader: BatchReader) -> list[str]:
    """Return notes on queries and documents that only one side has; raise an error by policy."""
    run, conventions, counts = reader.run, reader.conventions, reader.counts
    unknown, silent = reader.unknown, counts["unanswered queries"]
    total = len(judged.queries)
    hint = similar_id_hint(judged.queries, unknown)
    if silent == total and unknown:
        raise AlignmentError(
            f"{run.source.name}: none of its queries is judged (it answers {first_names(unknown)};"
            f" judged in {judged.source} are {first_names(judged.queries)});"
            f" {hint or 'are these the right qrels?'}"
        )
    notes: list[str] = []

    def note(policy: str, text: str, outcome: str = "", fix: str = "", hint: str = "") -> None:
        """Add a note, or raise an error under that policy."""
        said, hinted = f"{run.name}: {text}", f"; {hint}" if hint else ""
        if policy == "error":
            raise AlignmentError(f"{said}{hinted}{fix}")
        notes.append(f"{said}{outcome}{hinted}")

    if silent:
        text = f"{silent} of {quantity(total, 'judged query')} {are(silent)} not answered"
        outcome = f"score{'s' * (silent == 1)} zero"
        if conventions.missing_queries == "skip":
            outcome = f"{are(silent)} left out"
        fix = "; answer all, or choose `missing_queries=zero` or `missing_queries=skip`"
        note(conventions.missing_queries, text, f" and {outcome}", fix, hint)
    if unknown:
        text = f"{quantity(len(unknown), 'query')} without judgments ({first_names(unknown)})"
        fix = "; take them out, or choose `unknown_queries=drop`"
        outcome = f" {are(len(unknown))} left out"
        note(conventions.unknown_queries, text, outcome, fix, "" if silent else hint)
    if empty := counts["empty queries"]:
        text = f"{quantity(empty, 'judged query')} {are(empty)} answered with an empty list"
        fix = "; choose `empty_queries=keep`, `missing` or `zero`"
        note(conventions.empty_queries, text, fix=fix)
    if unjudged := counts["unjudged documents"]:
        if conventions.unjudged in ("error", "drop"):
            text = f"{quantity(unjudged, 'retrieved document')} {are(unjudged)} unjudged"
            note(conventions.unjudged, text, " and left out")
        elif not counts["judged documents"]:
            question = "do the ids of documents have the same form in both files?"
            note("keep", f"none of its {unjudged} documents is judged; {question}")
    return notes


def similar_id_hint(first: Iterable[str], second: Iterable[str]) -> str:
    """Return a hint if an id of each differ only by leading zeros, case or spaces, else nothing."""
    own, other = set(first), set(second)
    if not other:
        return ""
    folded = {_normalized_ids(name): name for name in sorted(other - own, key=str.encode)}
    for name in sorted(own - other, key=str.encode):
        if _normalized_ids(name) in folded:
            twin = folded[_normalized_ids(name)]
            difference = "case" if twin.casefold() == name.casefold() else "leading zeros"
            if twin.strip() == name.strip():
                difference = "spaces"
            return f"'{twin}' and '{name}' differ only by {difference}: fix one of the files"
    return ""


def _normalized_ids(name: str) -> str:
    return name.strip().casefold().lstrip("0")


def first_names(names: Iterable[str]) -> str:
    """Return the first names in bytewise order, with … if there are more."""
    ordered = sorted(names, key=str.encode)
    return ", ".join(ordered[:3]) + (" …" if len(ordered) > 3 else "") if ordered else "none"
