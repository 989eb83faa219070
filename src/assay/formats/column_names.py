"""The columns of judgments and runs, under whatever names other tools give them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

import polars as pl

from assay.core.errors import FormatError, nearest_names
from assay.core.tables import NO_SUBTOPIC, Judgments, Run, Source
from assay.formats.format import Kind

SYNONYMS = {
    "query": ("query", "query_id", "qid", "q_id", "topic", "topic_id", "query-id"),
    "doc": ("doc", "doc_id", "docid", "docno", "document", "pid", "corpus-id", "corpus_id"),
    "grade": ("grade", "relevance", "rel", "label", "judgment", "rating"),
    "score": ("score", "sim", "similarity"),
    "rank": ("rank", "position"),
    "subtopic": ("subtopic", "aspect", "iteration"),
    "stratum": ("stratum",),
    "probability": ("probability",),
    "stratum_size": ("stratum_size", "stratum-size"),
    "run": ("run", "tag", "run_id", "system"),
}
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")


def is_known_column(name: str) -> bool:
    """Whether some column goes by that name."""
    return any(name.strip().casefold() in names for names in SYNONYMS.values())


def ranks_documents(names: Iterable[str]) -> bool:
    """Whether a table with these columns has queries and documents, as runs and judgments do."""
    folded = {name.strip().casefold() for name in names}
    return bool(folded & {*SYNONYMS["query"]}) and bool(folded & {*SYNONYMS["doc"]})


def is_numeric_name(name: str) -> bool:
    """Whether the name of a column is a number: then it is a value, and the names are missing."""
    return _NUMBER.fullmatch(name.strip()) is not None


def table_kind(names: list[str]) -> Kind | None:
    """What a table with these columns holds: a grade tells judgments, a score tells a run."""
    folded = [name.strip().casefold() for name in names]
    if any(name in SYNONYMS["grade"] for name in folded) or "corpus-id" in folded:
        return "qrels"
    return (
        "run" if any(name in (*SYNONYMS["score"], *SYNONYMS["rank"]) for name in folded) else None
    )


def frame_to_judgments(frame: pl.DataFrame, source: Source) -> Judgments:
    """Judgments from a frame; BEIR calls the grade a score."""
    if "grade" not in _find_columns(frame, SYNONYMS) and "score" in _find_columns(frame, SYNONYMS):
        frame = frame.rename({_find_columns(frame, SYNONYMS)["score"]: "grade"})
    chosen = _rename_columns(frame, tuple(Judgments.columns), tuple(Judgments.optional), source)
    texts = [name for name in ("subtopic", "stratum") if chosen.schema.get(name) == pl.String]
    gaps = [pl.when(pl.col(each).str.contains(r"\S")).then(pl.col(each)) for each in texts]
    return clean_judgments(Judgments.of(chosen.with_columns(gaps), source))


def clean_judgments(judgments: Judgments) -> Judgments:
    """The judgments with finite grades, and without subtopics where all are 0 or Q0."""
    frame = judgments.frame
    bad = (~frame["grade"].is_finite()).arg_true()
    if len(bad):
        row = int(bad[0])
        raise FormatError(
            f"the grade is {frame['grade'][row]}, but a finite number is expected",
            judgments.source.place(row),
        )
    if "subtopic" in frame.columns and bool(frame["subtopic"].is_in(NO_SUBTOPIC).all()):
        return replace(judgments, frame=frame.drop("subtopic"))
    return judgments


def frame_to_run(frame: pl.DataFrame, source: Source, name: str) -> Run:
    """A run from a frame; where there is no score, the rank is its opposite."""
    found = _find_columns(frame, SYNONYMS)
    if "score" not in found and "rank" in found:
        rank = found["rank"]
        frame = frame.with_columns(score=-frame[rank].cast(pl.Float64, strict=False))
    chosen = _rename_columns(frame, ("query", "doc", "score"), ("rank",), source)
    if "rank" in chosen.columns:
        whole = chosen["rank"].cast(pl.Int64, strict=False)
        chosen = chosen.drop("rank") if whole.null_count() else chosen.with_columns(whole)
    if "run" in found and frame.height and frame[found["run"]].n_unique() == 1:
        name = str(frame[found["run"]][0])
    return Run(Run.of(chosen, source).frame, source, name)


def _find_columns(frame: pl.DataFrame, names: dict[str, tuple[str, ...]]) -> dict[str, str]:
    """The column of the frame for each name that has one."""
    folded = {column.strip().casefold(): column for column in reversed(frame.columns)}
    return {
        name: folded[next(each for each in synonyms if each in folded)]
        for name, synonyms in names.items()
        if any(each in folded for each in synonyms)
    }


def _similar_column_hint(lacking: list[str], columns: list[str]) -> str:
    """What to do: rename the column that comes near, or write the names where there are none."""
    if any(is_numeric_name(column) for column in columns):
        return " Is there no line of names? Then write it above the rows."
    for name in lacking:
        near = [each for word in SYNONYMS[name] for each in nearest_names(word, columns, count=1)]
        if near:
            return f" Is the {name} in '{near[0]}'? Then rename that column."
    return " Rename the columns that hold them."


def _rename_columns(
    frame: pl.DataFrame, needed: tuple[str, ...], welcome: tuple[str, ...], source: Source
) -> pl.DataFrame:
    """The columns under their own names, found by the names that other tools give them."""
    found = _find_columns(frame, {name: SYNONYMS[name] for name in (*needed, *welcome)})
    lacking = [name for name in needed if name not in found]
    if lacking:
        wanted = ", ".join(f"{name} (or {', '.join(SYNONYMS[name][1:3])})" for name in needed)
        raise FormatError(
            f"no column for the {' and the '.join(lacking)} among {', '.join(frame.columns)};"
            f" expected are {wanted}." + _similar_column_hint(lacking, frame.columns),
            source.name,
        )
    return frame.select(pl.col(column).alias(name) for name, column in found.items())
