"""What is wrong or suspicious in judgments and runs, each finding with the place of an example."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import polars as pl

from assay.core.errors import AlignmentError
from assay.core.phrases import quantity
from assay.core.tables import Judgments, Run, Table
from assay.evidence.alignment.judgment_kinds import no_subtopics_note, refuse_invalid_sample
from assay.evidence.alignment.query_overlap import first_names, similar_id_hint
from assay.evidence.column_values import duplicate_error

CUTOFFS = (5, 10, 20, 100, 1000)
_KNOWN_COLUMNS = pl.col("query", "doc")


@dataclass(frozen=True)
class DataFinding:
    """One thing to know: an error must be mended, a warning looked at, a note is good to know."""

    severity: Literal["error", "warning", "note"]
    text: str


def _duplicate_findings(table: Table, keys: list[str], what: str) -> Iterator[DataFinding]:
    twice = table.frame.select(keys).is_duplicated().arg_true()
    if not len(twice):
        return
    rows = table.frame[twice].with_columns(row=twice)
    groups = rows.group_by(keys, maintain_order=True).agg(pl.col("row"))
    for group in groups[:5].iter_rows(named=True):
        named = f"{what} {group['doc']} for query {group['query']}"
        first, second = (int(row) for row in group["row"][:2])
        yield DataFinding("error", duplicate_error(table.source, named, first, second))
    if groups.height > 5:
        yield DataFinding(
            "error", f"{table.source.name}: {groups.height - 5:,} further {what}s twice"
        )


def judgment_findings(judgments: Judgments) -> list[DataFinding]:
    """What judgments show by themselves."""
    frame, source = judgments.frame, judgments.source
    keys = ["query", "doc"] + (["subtopic"] if "subtopic" in frame.columns else [])
    found = list(_duplicate_findings(judgments, keys, "judgment of document"))
    undefined = frame["grade"].is_nan() | frame["grade"].is_infinite()
    if len(bad := undefined.arg_true()):
        found.append(
            DataFinding("error", f"{source.place(int(bad[0]))}: a grade is not a finite number")
        )
    if len(odd := ((frame["grade"] % 1 != 0) & ~undefined).arg_true()):
        found.append(
            DataFinding(
                "warning",
                f"{source.place(int(odd[0]))}: the grade {frame['grade'][int(odd[0])]} is not a"
                f" whole number ({quantity(len(odd), 'such grade')}); trec_eval would cut it off",
            )
        )
    negative = int((frame["grade"] < 0).sum())
    if negative:
        found.append(
            DataFinding(
                "note", f"{source.name}: {quantity(negative, 'grade')} below 0: pooled, not judged"
            )
        )
    found += _extra_column_findings(judgments)
    relevant = frame.group_by("query").agg(best=pl.col("grade").max())
    none = relevant.filter(pl.col("best") <= 0)["query"].to_list()
    if none:
        text = f"{source.name}: {quantity(len(none), 'query')} without a relevant document"
        found.append(
            DataFinding("warning", f"{text} ({first_names(none)}); recall is undefined there")
        )
    return found


def _extra_column_findings(judgments: Judgments) -> Iterator[DataFinding]:
    """What is wrong with samples; and subtopics, which are perhaps assessors instead."""
    try:
        refuse_invalid_sample(judgments)
    except AlignmentError as complaint:
        yield DataFinding("error", str(complaint))
    if "subtopic" in judgments.frame.columns:
        try:
            no_subtopics_note(judgments)
        except AlignmentError as complaint:
            yield DataFinding("warning", str(complaint))


def run_findings(run: Run, tags: tuple[str, ...] = ()) -> list[DataFinding]:
    """What a run shows by itself."""
    found = list(_duplicate_findings(run, ["query", "doc"], "document"))
    score, source = run.frame["score"], run.source
    if len(bad := score.is_nan().arg_true()):
        text = f"{source.place(int(bad[0]))}: the score is not a number"
        found.append(DataFinding("error", f"{text} ({quantity(len(bad), 'such score')})"))
    if len(bad := score.is_infinite().arg_true()):
        text = f"{source.place(int(bad[0]))}: the score is infinite"
        found.append(DataFinding("warning", f"{text} ({quantity(len(bad), 'such score')})"))
    if len(tags) > 1:
        found.append(
            DataFinding(
                "warning", f"{source.name}: {len(tags)} run tags in one file ({first_names(tags)})"
            )
        )
    ordered = run.frame.with_row_index("row").sort("query", "score", descending=[False, True])
    placed = ordered.with_columns(place=pl.int_range(1, pl.len() + 1).over("query"))
    found += [DataFinding("warning", text) for text in rank_score_conflicts(run)]
    found += [*_tie_findings(run, placed), *_length_findings(run)]
    return found


def rank_score_conflicts(run: Run) -> Iterator[str]:
    """Ranks that do not follow the scores: under them another document comes first."""
    if "rank" not in run.frame.columns:
        return
    if nulls := run.frame["rank"].null_count():
        row = int(run.frame["rank"].is_null().arg_true()[0])
        text = f"{run.source.place(row)}: the rank is not a whole number"
        yield f"{text} ({quantity(nulls, 'such rank')})"
        return
    by_rank = run.frame.with_row_index("row").sort("query", "rank")
    rises = (pl.col("score") > pl.col("score").shift(1)) & (
        pl.col("query") == pl.col("query").shift(1)
    )
    against = by_rank.filter(rises)
    if against.height:
        row = int(against["row"].to_numpy().min())
        yield (
            f"{run.source.place(row)}: the rank goes against the score (in"
            f" {quantity(against['query'].n_unique(), 'query')}); scores decide, unless"
            " `order=rank`"
        )


def _tie_findings(run: Run, placed: pl.DataFrame) -> Iterator[DataFinding]:
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
    yield DataFinding("warning" if across else "note", text + "; ties are broken by document id")
    if across:
        yield DataFinding(
            "warning",
            f"{run.source.name}: ties reach across a cutoff: queries {across}; measures at these"
            " cutoffs depend on document ids",
        )


def _length_findings(run: Run) -> Iterator[DataFinding]:
    lengths = run.frame.group_by("query").len()
    longest = int(lengths["len"].max() or 0)  # type: ignore[arg-type]
    short = lengths.filter(pl.col("len") < longest)
    if short.height and short.height < lengths.height / 10:
        names = first_names(short["query"].to_list())
        text = (
            f"{quantity(short.height, 'query has', 'queries have')} fewer than {longest} documents"
        )
        yield DataFinding("note", f"{run.source.name}: {text} ({names})")
    if run.empty:
        yield DataFinding("warning", f"{run.source.name}: empty lists for {first_names(run.empty)}")


def joint_findings(judgments: Judgments, run: Run) -> list[DataFinding]:
    """What a run and judgments show together."""
    judged = set(judgments.frame["query"].unique().to_list())
    answered = set(run.frame["query"].unique().to_list()) | set(run.empty)
    hint = similar_id_hint(judged, answered)
    advice = f"; {hint}" if hint else ""
    name = run.source.name
    if not judged & answered:
        text = (
            f"{name}: none of its queries is judged (it answers {first_names(answered)}; judged are"
        )
        return [
            DataFinding(
                "error", f"{text} {first_names(judged)}){advice or '; are these the right qrels?'}"
            )
        ]
    found = []
    if missing := judged - answered:
        count = quantity(len(missing), "judged query is", "judged queries are")
        found.append(
            DataFinding("warning", f"{name}: {count} not answered ({first_names(missing)}){advice}")
        )
    if unknown := answered - judged:
        count = quantity(len(unknown), "query is", "queries are")
        found.append(
            DataFinding("warning", f"{name}: {count} not judged ({first_names(unknown)}){advice}")
        )
    return found + list(_document_findings(judgments, run))


def _document_findings(judgments: Judgments, run: Run) -> Iterator[DataFinding]:
    known = judgments.frame.select(_KNOWN_COLUMNS).unique()
    rows = run.frame.with_row_index("row").join(
        known.select("query").unique(), on="query", how="semi"
    )
    unjudged = rows.join(known, on=["query", "doc"], how="anti")
    top = rows.sort("query", "score", "doc", descending=[False, True, True]).group_by(
        "query", maintain_order=True
    )
    shown = top.head(10).join(known, on=["query", "doc"], how="anti").height
    of_ten = shown / max(top.head(10).height, 1)
    yield DataFinding(
        "note",
        f"{run.source.name}: {unjudged.height / max(rows.height, 1):.1%} of the documents are not"
        f" judged, {of_ten:.1%} of the first ten",
    )
    near = similar_judged_id(judgments.frame.select(_KNOWN_COLUMNS), run)
    if near:
        yield DataFinding("warning", near)


def similar_judged_id(judged: pl.DataFrame, run: Run) -> str:
    """A document that is not judged, but for zeros, case or blanks in its id; "" if none is so."""
    folded = pl.col("doc").str.to_lowercase().str.strip_chars().str.strip_chars_start("0")
    near = (
        run.frame.with_row_index("row")
        .select("row", _KNOWN_COLUMNS, folded=folded)
        .join(judged.select("query", judged="doc", folded=folded), on=["query", "folded"])
        .filter(pl.col("doc") != pl.col("judged"))
    )
    if near.is_empty():
        return ""
    near = near.join(judged, on=["query", "doc"], how="anti")
    if near.is_empty():
        return ""
    row = near.sort("row").row(0, named=True)
    return (
        f"{run.source.place(int(row['row']))}: the document '{row['doc']}' is not judged, but"
        f" '{row['judged']}' is ({quantity(near.height, 'such id')}): ids differ by zeros, case or"
        " blanks alone"
    )
