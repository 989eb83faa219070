"""What is wrong or suspicious in judgments and runs, each finding with the place of an example."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import polars as pl

from assay.core.errors import AlignmentError
from assay.core.tables import Judgments, Run, Table
from assay.core.wording import counted
from assay.evidence.absent_subtopics import whole_queries
from assay.evidence.comparison import near_misses, some
from assay.evidence.counting import standing_twice
from assay.evidence.strata import refuse_unsound

CUTOFFS = (5, 10, 20, 100, 1000)
_OWN = pl.col("query", "doc")


@dataclass(frozen=True)
class Finding:
    """One thing to know: an error must be mended, a warning looked at, a note is good to know."""

    severity: Literal["error", "warning", "note"]
    text: str


def _repeats(table: Table, keys: list[str], what: str) -> Iterator[Finding]:
    twice = table.frame.select(keys).is_duplicated().arg_true()
    if not len(twice):
        return
    rows = table.frame[twice].with_columns(row=twice)
    groups = rows.group_by(keys, maintain_order=True).agg(pl.col("row"))
    for group in groups[:5].iter_rows(named=True):
        named = f"{what} {group['doc']} for query {group['query']}"
        first, second = (int(row) for row in group["row"][:2])
        yield Finding("error", standing_twice(table.source, named, first, second))
    if groups.height > 5:
        yield Finding("error", f"{table.source.name}: {groups.height - 5:,} further {what}s twice")


def of_judgments(judgments: Judgments) -> list[Finding]:
    """What judgments show by themselves."""
    frame, source = judgments.frame, judgments.source
    keys = ["query", "doc"] + (["subtopic"] if "subtopic" in frame.columns else [])
    found = list(_repeats(judgments, keys, "judgment of document"))
    undefined = frame["grade"].is_nan() | frame["grade"].is_infinite()
    if len(bad := undefined.arg_true()):
        found.append(
            Finding("error", f"{source.place(int(bad[0]))}: a grade is not a finite number")
        )
    if len(odd := ((frame["grade"] % 1 != 0) & ~undefined).arg_true()):
        found.append(
            Finding(
                "warning",
                f"{source.place(int(odd[0]))}: the grade {frame['grade'][int(odd[0])]} is not a"
                f" whole number ({counted(len(odd), 'such grade')}); trec_eval would cut it off",
            )
        )
    negative = int((frame["grade"] < 0).sum())
    if negative:
        found.append(
            Finding(
                "note", f"{source.name}: {counted(negative, 'grade')} below 0: pooled, not judged"
            )
        )
    found += _beside_grades(judgments)
    relevant = frame.group_by("query").agg(best=pl.col("grade").max())
    none = relevant.filter(pl.col("best") <= 0)["query"].to_list()
    if none:
        text = f"{source.name}: {counted(len(none), 'query')} without a relevant document"
        found.append(Finding("warning", f"{text} ({some(none)}); recall is undefined there"))
    return found


def _beside_grades(judgments: Judgments) -> Iterator[Finding]:
    """What is wrong with samples; and subtopics, which are perhaps assessors instead."""
    try:
        refuse_unsound(judgments)
    except AlignmentError as complaint:
        yield Finding("error", str(complaint))
    if "subtopic" in judgments.frame.columns:
        try:
            whole_queries(judgments)
        except AlignmentError as complaint:
            yield Finding("warning", str(complaint))


def of_run(run: Run, tags: tuple[str, ...] = ()) -> list[Finding]:
    """What a run shows by itself."""
    found = list(_repeats(run, ["query", "doc"], "document"))
    score, source = run.frame["score"], run.source
    if len(bad := score.is_nan().arg_true()):
        text = f"{source.place(int(bad[0]))}: the score is not a number"
        found.append(Finding("error", f"{text} ({counted(len(bad), 'such score')})"))
    if len(bad := score.is_infinite().arg_true()):
        text = f"{source.place(int(bad[0]))}: the score is infinite"
        found.append(Finding("warning", f"{text} ({counted(len(bad), 'such score')})"))
    if len(tags) > 1:
        found.append(
            Finding("warning", f"{source.name}: {len(tags)} run tags in one file ({some(tags)})")
        )
    ordered = run.frame.with_row_index("row").sort("query", "score", descending=[False, True])
    placed = ordered.with_columns(place=pl.int_range(1, pl.len() + 1).over("query"))
    found += [Finding("warning", text) for text in ranks_against_scores(run)]
    found += [*_ties(run, placed), *_lengths(run)]
    return found


def ranks_against_scores(run: Run) -> Iterator[str]:
    """Ranks that do not follow the scores: under them another document comes first."""
    if "rank" not in run.frame.columns:
        return
    if nulls := run.frame["rank"].null_count():
        row = int(run.frame["rank"].is_null().arg_true()[0])
        text = f"{run.source.place(row)}: the rank is not a whole number"
        yield f"{text} ({counted(nulls, 'such rank')})"
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
            f" {counted(against['query'].n_unique(), 'query')}); scores decide, unless `order=rank`"
        )


def _ties(run: Run, placed: pl.DataFrame) -> Iterator[Finding]:
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
    yield Finding("warning" if across else "note", text + "; ties are broken by document id")
    if across:
        yield Finding(
            "warning",
            f"{run.source.name}: ties reach across a cutoff: queries {across}; measures at these"
            " cutoffs depend on document ids",
        )


def _lengths(run: Run) -> Iterator[Finding]:
    lengths = run.frame.group_by("query").len()
    longest = int(lengths["len"].max() or 0)  # type: ignore[arg-type]
    short = lengths.filter(pl.col("len") < longest)
    if short.height and short.height < lengths.height / 10:
        names = some(short["query"].to_list())
        text = (
            f"{counted(short.height, 'query has', 'queries have')} fewer than {longest} documents"
        )
        yield Finding("note", f"{run.source.name}: {text} ({names})")
    if run.empty:
        yield Finding("warning", f"{run.source.name}: empty lists for {some(run.empty)}")


def of_both(judgments: Judgments, run: Run) -> list[Finding]:
    """What a run and judgments show together."""
    judged = set(judgments.frame["query"].unique().to_list())
    answered = set(run.frame["query"].unique().to_list()) | set(run.empty)
    hint = near_misses(judged, answered)
    advice = f"; {hint}" if hint else ""
    name = run.source.name
    if not judged & answered:
        text = f"{name}: none of its queries is judged (it answers {some(answered)}; judged are"
        return [
            Finding("error", f"{text} {some(judged)}){advice or '; are these the right qrels?'}")
        ]
    found = []
    if missing := judged - answered:
        count = counted(len(missing), "judged query is", "judged queries are")
        found.append(Finding("warning", f"{name}: {count} not answered ({some(missing)}){advice}"))
    if unknown := answered - judged:
        count = counted(len(unknown), "query is", "queries are")
        found.append(Finding("warning", f"{name}: {count} not judged ({some(unknown)}){advice}"))
    return found + list(_documents(judgments, run))


def _documents(judgments: Judgments, run: Run) -> Iterator[Finding]:
    known = judgments.frame.select(_OWN).unique()
    rows = run.frame.with_row_index("row").join(
        known.select("query").unique(), on="query", how="semi"
    )
    unjudged = rows.join(known, on=["query", "doc"], how="anti")
    top = rows.sort("query", "score", "doc", descending=[False, True, True]).group_by(
        "query", maintain_order=True
    )
    shown = top.head(10).join(known, on=["query", "doc"], how="anti").height
    of_ten = shown / max(top.head(10).height, 1)
    yield Finding(
        "note",
        f"{run.source.name}: {unjudged.height / max(rows.height, 1):.1%} of the documents are not"
        f" judged, {of_ten:.1%} of the first ten",
    )
    near = ids_nearly_judged(judgments.frame.select(_OWN), run)
    if near:
        yield Finding("warning", near)


def ids_nearly_judged(judged: pl.DataFrame, run: Run) -> str:
    """A document that is not judged, but for zeros, case or blanks in its id; "" if none is so."""
    folded = pl.col("doc").str.to_lowercase().str.strip_chars().str.strip_chars_start("0")
    near = (
        run.frame.with_row_index("row")
        .select("row", _OWN, folded=folded)
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
        f" '{row['judged']}' is ({counted(near.height, 'such id')}): ids differ by zeros, case or"
        " blanks alone"
    )
