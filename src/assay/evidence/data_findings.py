"""What is wrong or suspicious in judgments and runs: findings with the place of an example."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

import polars as pl

from assay.core.errors import AlignmentError
from assay.core.phrases import quantity
from assay.core.tables import Judgments, Run, Table
from assay.evidence.alignment.align import first_names, similar_id_hint
from assay.evidence.alignment.judged_documents import similar_judged_id
from assay.evidence.alignment.judgment_kinds import no_subtopics_note, refuse_invalid_sample
from assay.evidence.alignment.run_order import rank_score_conflicts
from assay.evidence.column_values import duplicate_error

CUTOFFS = (5, 10, 20, 100, 1000)


@dataclass(frozen=True)
class DataFinding:
    """One thing to know: an error must be fixed, a warning checked, a note is informative."""

    severity: Literal["error", "warning", "note"]
    text: str


_error, _warning, _note = (partial(DataFinding, each) for each in ("error", "warning", "note"))


def _duplicate_findings(table: Table, keys: list[str], what: str) -> Iterator[DataFinding]:
    twice = table.frame.select(keys).is_duplicated().arg_true()
    if not len(twice):
        return
    rows = table.frame[twice].with_columns(row=twice)
    groups = rows.group_by(keys, maintain_order=True).agg(pl.col("row"))
    for group in groups[:5].iter_rows(named=True):
        named = f"{what} {group['doc']} for query {group['query']}"
        first, second = (int(row) for row in group["row"][:2])
        yield _error(duplicate_error(table.source, named, first, second))
    if groups.height > 5:
        yield _error(f"{table.source.name}: {groups.height - 5:,} further duplicates of a {what}")


def judgment_findings(judgments: Judgments) -> Iterator[DataFinding]:
    """Yield what judgments show by themselves."""
    frame, source = judgments.frame, judgments.source
    keys = ["query", "doc"] + (["subtopic"] if "subtopic" in frame.columns else [])
    yield from _duplicate_findings(judgments, keys, "judgment of document")
    grade = frame["grade"]
    undefined = grade.is_nan() | grade.is_infinite()
    if len(bad := undefined.arg_true()):
        yield _error(f"{source.place(int(bad[0]))}: a grade is not a finite number")
    if len(odd := ((grade % 1 != 0) & ~undefined).arg_true()):
        yield _warning(
            f"{source.place(int(odd[0]))}: the grade {grade[int(odd[0])]} is not a whole number"
            f" ({quantity(len(odd), 'such grade')}); trec_eval would cut it off"
        )
    if negative := int((grade < 0).sum()):
        yield _note(f"{source.name}: {quantity(negative, 'grade')} below 0: pooled, unjudged")
    try:
        refuse_invalid_sample(judgments)
    except AlignmentError as error:
        yield _error(str(error))
    if "subtopic" in frame.columns:  # which are perhaps assessors instead
        try:
            no_subtopics_note(judgments)
        except AlignmentError as error:
            yield _warning(str(error))
    relevant = frame.group_by("query").agg(best=pl.col("grade").max())
    if none := relevant.filter(pl.col("best") <= 0)["query"].to_list():
        text = f"{source.name}: {quantity(len(none), 'query')} without a relevant document"
        yield _warning(f"{text} ({first_names(none)}); recall is undefined there")


def run_findings(run: Run, tags: tuple[str, ...] = ()) -> Iterator[DataFinding]:
    """Yield what a run shows by itself."""
    yield from _duplicate_findings(run, ["query", "doc"], "document")
    score, source = run.frame["score"], run.source
    for finding, wrong, what in (
        (_error, score.is_nan(), "not a number"),
        (_warning, score.is_infinite(), "infinite"),
    ):
        if len(bad := wrong.arg_true()):
            text = f"{source.place(int(bad[0]))}: the score is {what}"
            yield finding(f"{text} ({quantity(len(bad), 'such score')})")
    if len(tags) > 1:
        yield _warning(f"{source.name}: {len(tags)} run tags in one file ({first_names(tags)})")
    yield from map(_warning, rank_score_conflicts(run))
    yield from _tie_findings(run)
    yield from _length_findings(run)


def _tie_findings(run: Run) -> Iterator[DataFinding]:
    ordered = run.frame.sort("query", "score", descending=[False, True])
    placed = ordered.with_columns(place=pl.int_range(1, pl.len() + 1).over("query"))
    groups = (
        placed.group_by("query", "score")
        .agg(first=pl.col("place").min(), last=pl.col("place").max())
        .filter(pl.col("last") > pl.col("first"))
    )
    if groups.is_empty():
        return
    tied = int((groups["last"] - groups["first"] + 1).sum())
    crossing = {
        k: groups.filter((pl.col("first") <= k) & (pl.col("last") > k))["query"].n_unique()
        for k in CUTOFFS
    }
    across = ", ".join(f"{count:,} at {k}" for k, count in crossing.items() if count)
    share = tied / placed.height
    text = f"{run.source.name}: {tied:,} documents ({share:.1%}) share their score with another"
    yield (_warning if across else _note)(text + "; ties are broken by document id")
    if across:
        yield _warning(
            f"{run.source.name}: ties reach across a cutoff: queries {across}; measures at these"
            " cutoffs depend on document ids"
        )


def _length_findings(run: Run) -> Iterator[DataFinding]:
    lengths = run.frame.group_by("query").len()
    longest = int(lengths["len"].max() or 0)  # type: ignore[arg-type]
    short = lengths.filter(pl.col("len") < longest)
    if short.height and short.height < lengths.height / 10:
        text = quantity(short.height, "query has", "queries have")
        names = first_names(short["query"].to_list())
        yield _note(f"{run.source.name}: {text} fewer than {longest} documents ({names})")
    if run.empty:
        yield _warning(f"{run.source.name}: empty lists for {first_names(run.empty)}")


def joint_findings(judgments: Judgments, run: Run) -> Iterator[DataFinding]:
    """Yield what a run and judgments show together."""
    judged = set(judgments.frame["query"].unique().to_list())
    answered = set(run.frame["query"].unique().to_list()) | set(run.empty)
    hint = similar_id_hint(judged, answered)
    advice = f"; {hint}" if hint else ""
    name = run.source.name
    if not judged & answered:
        yield _error(
            f"{name}: none of its queries is judged (it answers {first_names(answered)}; judged in"
            f" {judgments.source.name} are {first_names(judged)})"
            f"{advice or '; are these the right qrels?'}"
        )
        return
    if missing := judged - answered:
        count = quantity(len(missing), "judged query is", "judged queries are")
        yield _warning(f"{name}: {count} not answered ({first_names(missing)}){advice}")
    if unknown := answered - judged:
        count = quantity(len(unknown), "query is", "queries are")
        yield _warning(f"{name}: {count} unjudged ({first_names(unknown)}){advice}")
    yield from _document_findings(judgments, run)


def _document_findings(judgments: Judgments, run: Run) -> Iterator[DataFinding]:
    keys = ["query", "doc"]
    known = judgments.frame.select(keys).unique()
    rows = run.frame.join(known.select("query").unique(), on="query", how="semi")
    ordered = rows.sort("query", "score", "doc", descending=[False, True, True])
    top = ordered.group_by("query", maintain_order=True).head(10)
    unjudged, of_ten = (
        each.join(known, on=keys, how="anti").height / max(each.height, 1) for each in (rows, top)
    )
    yield _note(
        f"{run.source.name}: {unjudged:.1%} of the documents are unjudged, {of_ten:.1%} of the"
        " first ten"
    )
    if near := similar_judged_id(judgments.frame.select(keys), run):
        yield _warning(near)
