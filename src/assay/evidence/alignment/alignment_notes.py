"""Notes on an alignment: what was left out, and why queries may not match."""

from __future__ import annotations

from collections.abc import Iterable

from assay.core.errors import AlignmentError
from assay.core.phrases import are, quantity
from assay.evidence.alignment.judged_documents import JudgedDocuments
from assay.evidence.alignment.run_batches import BatchReader


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
    if silent == total and (unknown or not run.empty):
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
        text = f"{quantity(unjudged, 'retrieved document')} {are(unjudged)} unjudged"
        if conventions.unjudged in ("error", "drop"):
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
