"""Which queries judgments and a run have in common, and why others may not match."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import polars as pl

from assay.core.conventions import Conventions
from assay.core.errors import AlignmentError
from assay.core.phrases import are, quantity
from assay.core.tables import Run
from assay.evidence.alignment.judged_documents import JudgedDocuments


def compare_queries(
    judged: JudgedDocuments,
    run: Run,
    conventions: Conventions,
    unknown: Sequence[str],
    counts: dict[str, int],
) -> tuple[str, ...]:
    """Return notes on queries that only one side has; raise an error where a policy says so."""
    total, silent = counts["judged queries"], counts["unanswered queries"]
    hint = similar_id_hint(judged.queries, unknown)
    if silent == total and (unknown or not run.empty):
        raise AlignmentError(
            f"{run.source.name}: none of its queries is judged (it answers {first_names(unknown)};"
            f" judged are {first_names(judged.queries)}); {hint or 'are these the right qrels?'}"
        )
    notes: list[str] = []

    def note(policy: str, text: str, outcome: str = "", fix: str = "", hint: str = "") -> None:
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
        text = f"{quantity(unjudged, 'retrieved document')} {are(unjudged)} not judged"
        if conventions.unjudged in ("error", "drop"):
            note(conventions.unjudged, text, " and left out")
        elif not counts["judged documents"]:
            question = "do the ids of documents have the same form in both files?"
            note("keep", f"none of its {unjudged} documents is judged; {question}")
    return tuple(notes)


def similar_id_hint(first: Iterable[str], second: Iterable[str]) -> str:
    """Return a hint if an id of each differ only by leading zeros, case or spaces, else nothing."""
    own, other = set(first), set(second)
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


def similar_judged_id(judged: pl.DataFrame, run: Run) -> str:
    """Return a text on unjudged ids that differ from judged ones by zeros, case or spaces alone."""
    folded = pl.col("doc").str.to_lowercase().str.strip_chars().str.strip_chars_start("0")
    near = (
        run.frame.with_row_index("row")
        .select("row", "query", "doc", folded=folded)
        .join(judged.select("query", judged="doc", folded=folded), on=["query", "folded"])
        .filter(pl.col("doc") != pl.col("judged"))
    )
    if near.is_empty():  # the join below is costly
        return ""
    near = near.join(judged, on=["query", "doc"], how="anti")
    if near.is_empty():
        return ""
    row = near.sort("row").row(0, named=True)
    return (
        f"{run.source.place(int(row['row']))}: the document '{row['doc']}' is not judged, but"
        f" '{row['judged']}' is ({quantity(near.height, 'such id')}): ids differ by zeros, case or"
        " spaces alone"
    )
