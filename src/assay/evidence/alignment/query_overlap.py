"""Which queries judgments and a run have in common, and hints on why others have no partner."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assay.core.conventions import Conventions
from assay.core.errors import AlignmentError
from assay.core.phrases import are, quantity
from assay.core.tables import Run
from assay.evidence.alignment.judged_documents import JudgedDocuments

_JUDGED = ("judged query is", "judged queries are")
_RETRIEVED = ("retrieved document is", "retrieved documents are")


def compare_queries(
    judged: JudgedDocuments,
    run: Run,
    conventions: Conventions,
    unknown: Sequence[str],
    counts: dict[str, int],
) -> tuple[str, ...]:
    """What a user should know of queries without a partner; a complaint where policies say so."""
    total, silent = counts["judged queries"], counts["unanswered queries"]
    hint = similar_id_hint(judged.queries, unknown)
    if silent == total and (unknown or not run.empty):
        raise AlignmentError(
            f"{run.source.name}: none of its queries is judged (it answers {first_names(unknown)};"
            f" judged are {first_names(judged.queries)}); {hint or 'are these the right qrels?'}"
        )
    said = [
        _unanswered_note(run, conventions, silent, total, hint) if silent else "",
        _unknown_queries_note(run, conventions, unknown, "" if silent else hint) if unknown else "",
        _empty_overlap_error(run, conventions, counts["empty queries"])
        if counts["empty queries"]
        else "",
        _unjudged_queries_note(run, conventions, counts),
    ]
    return tuple(each for each in said if each)


def _unanswered_note(run: Run, conventions: Conventions, silent: int, total: int, hint: str) -> str:
    text = f"{run.name}: {silent} of {quantity(total, 'judged query')} {are(silent)} not answered"
    ending = f"; {hint}" if hint else ""
    if conventions.missing_queries == "error":
        raise AlignmentError(
            f"{text}{ending}; answer all, or choose `missing_queries=zero` or"
            " `missing_queries=skip`"
        )
    outcome = {"zero": f"score{'s' * (silent == 1)} zero", "skip": f"{are(silent)} left out"}
    return f"{text} and {outcome[conventions.missing_queries]}{ending}"


def _unknown_queries_note(
    run: Run, conventions: Conventions, unknown: Sequence[str], hint: str
) -> str:
    text = (
        f"{run.name}: {quantity(len(unknown), 'query')} without judgments ({first_names(unknown)})"
    )
    ending = f"; {hint}" if hint else ""
    if conventions.unknown_queries == "error":
        raise AlignmentError(f"{text}{ending}; take them out, or choose `unknown_queries=drop`")
    return f"{text} {are(len(unknown))} left out{ending}"


def _empty_overlap_error(run: Run, conventions: Conventions, count: int) -> str:
    text = f"{run.name}: {quantity(count, *_JUDGED)} answered with an empty list"
    if conventions.empty_queries == "error":
        raise AlignmentError(f"{text}; choose `empty_queries=keep`, `missing` or `zero`")
    return text


def _unjudged_queries_note(run: Run, conventions: Conventions, counts: dict[str, int]) -> str:
    found, unjudged = counts["judged documents"], counts["unjudged documents"]
    if unjudged and conventions.unjudged == "error":
        raise AlignmentError(f"{run.name}: {quantity(unjudged, *_RETRIEVED)} not judged")
    if unjudged and conventions.unjudged == "drop":
        return f"{run.name}: {quantity(unjudged, *_RETRIEVED)} not judged and left out"
    if unjudged and not found:
        return (
            f"{run.name}: none of its {unjudged} documents is judged; do the ids of documents have"
            " the same form in both files?"
        )
    return ""


def similar_id_hint(first: Iterable[str], second: Iterable[str]) -> str:
    """A hint where ids of the two differ only by zeros, case or blanks."""
    own, other = set(first), set(second)
    folded = {_normalized_ids(name): name for name in sorted(other - own, key=str.encode)}
    for name in sorted(own - other, key=str.encode):
        if _normalized_ids(name) in folded:
            twin = folded[_normalized_ids(name)]
            return (
                f"'{twin}' and '{name}' differ only by {_describe_difference(twin, name)}: mend one"
                " file"
            )
    return ""


def _normalized_ids(name: str) -> str:
    return name.strip().casefold().lstrip("0")


def _describe_difference(first: str, second: str) -> str:
    if first.strip() == second.strip():
        return "blanks"
    return "case" if first.casefold() == second.casefold() else "zeros at the beginning"


def first_names(names: Iterable[str]) -> str:
    """The first names, and whether there are more."""
    ordered = sorted(names, key=str.encode)
    return ", ".join(ordered[:3]) + (" …" if len(ordered) > 3 else "") if ordered else "none"
