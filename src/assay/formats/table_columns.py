"""The columns of judgments and runs, under the names that other tools give them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

import polars as pl

from assay.core.errors import FormatError, nearest_names
from assay.core.phrases import list_phrase, quantity
from assay.core.tables import Judgments, Run, Source

Kind = Literal["run", "qrels"]
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
FEEDBACK = {
    "query": ("user", "user_id", "userid", "uid"),
    "doc": ("item", "item_id", "itemid", "movieid", "movie_id", "iid"),
    "score": ("prediction", "predicted", "est"),
    "grade": ("r_ui",),
}
"""What recommenders call them; these names do not say by themselves what a file holds."""
FEEDBACK_NAMES = frozenset(name for names in FEEDBACK.values() for name in names)
RATING = "rating"
"""A grade in judgments, and what a recommender predicts in a run."""
BESIDE_FEEDBACK = ("timestamp", "time", "date", "text", "title")
"""Columns beside a user and an item that are no grade."""
RUN_NAMES = ("name", "model", "method", "retriever")
"""Columns that may name runs, where pairs of query and document are repeated without them."""
_COLUMN_OF = {synonym: column for column, synonyms in SYNONYMS.items() for synonym in synonyms}
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")


def known_columns(names: Iterable[str]) -> set[str]:
    """Return which columns of judgments and runs are among these names."""
    folded = (name.strip().casefold() for name in names)
    return {_COLUMN_OF[name] for name in folded if name in _COLUMN_OF}


def is_known_column(name: str) -> bool:
    """Return whether a column of judgments or runs has that name."""
    return name.strip().casefold() in _COLUMN_OF


def ranks_documents(names: Iterable[str]) -> bool:
    """Return whether a table has queries and documents, as runs and judgments do."""
    return {"query", "doc"} <= known_columns(names)


def is_numeric_name(name: str) -> bool:
    """Return whether the name of a column is a number, so that the header is missing."""
    return _NUMBER.fullmatch(name.strip()) is not None


def table_kind(names: list[str]) -> Kind | None:
    """Return what a table holds: one with a grade holds judgments, one with a score a run."""
    columns = known_columns(names)
    if "grade" in columns or any(name.strip().casefold() == "corpus-id" for name in names):
        return "qrels"
    return "run" if columns & {"score", "rank"} else None


def frame_to_judgments(frame: pl.DataFrame, source: Source) -> Judgments:
    """Return judgments from a frame; BEIR calls the grade a score."""
    found = find_columns(frame.columns)
    notes: tuple[str, ...] = ()
    if "grade" not in found and "score" in found:
        frame = frame.rename({found["score"]: "grade"})
    elif _is_implicit(frame, found):
        frame, source, again = _without_repeated(
            frame.with_columns(grade=pl.lit(1.0)), source, found
        )
        notes = (
            f"{source.name}: there is no grade, so every row counts as relevant (grade 1){again}",
        )
    hint = " If every row is relevant, leave out the columns beside the query and the document."
    if {"score", "rank"} & {*found}:
        hint = " Is this a run? The judgments come first, then the runs."
    chosen = _rename_columns(
        frame, tuple(Judgments.columns), tuple(Judgments.optional), source, {"grade": hint}
    )
    texts = [each for each in chosen if each.name in ("subtopic", "stratum")]
    for each in texts:
        if each.dtype == pl.String:
            text = pl.col(each.name)
            chosen = chosen.with_columns(pl.when(text.str.contains(r"\S")).then(text))
    judged = Judgments.of(chosen, source)
    return replace(judged, notes=(*notes, *judged.notes)) if notes else judged


def _without_repeated(
    frame: pl.DataFrame, source: Source, found: dict[str, str]
) -> tuple[pl.DataFrame, Source, str]:
    """Return rows without a grade once each, as they say the same, and how many were repeated."""
    pair = pl.struct(found["query"], found["doc"])
    first = frame.select(pair.is_first_distinct()).to_series()
    if first.all():
        return frame, source, ""
    again = f"; {quantity(int((~first).sum()), 'repeated row')} left out"
    return frame.filter(first), source.of(first.arg_true()), again


def _is_implicit(frame: pl.DataFrame, found: dict[str, str]) -> bool:
    """Return whether the rows are queries or users with their relevant documents, and no grades."""
    used = {*found.values()}
    others = [name for name in frame.columns if name not in used]
    known = (*BESIDE_FEEDBACK, *SYNONYMS["query"])
    return (
        {"query", "doc"} <= {*found}
        and all(name.strip().casefold() in known for name in others)
        and not {"grade", "score", "rank"} & {*found}
    )


def frame_to_run(frame: pl.DataFrame, source: Source, name: str) -> Run:
    """Return a run from a frame; without a score, it is a predicted rating or the negative rank."""
    found = find_columns(frame.columns)
    rated = found.get("grade", "")
    if not {"score", "rank"} & {*found} and rated.strip().casefold() == RATING:
        frame = frame.rename({rated: "score"})
    if "score" not in found and "rank" in found:
        frame = frame.with_columns(score=-frame[found["rank"]].cast(pl.Float64, strict=False))
    hint = (
        " Are these judgments? The judgments come first, then the runs."
        if "grade" in found
        else " If the rows are in the order of the ranking, add a column rank (1, 2, … by query)."
    )
    chosen = _rename_columns(frame, ("query", "doc", "score"), ("rank",), source, {"score": hint})
    if "rank" in chosen.columns:
        whole = chosen["rank"].cast(pl.Int64, strict=False)
        chosen = chosen.drop("rank") if whole.null_count() else chosen.with_columns(whole)
    if "run" in found and frame.height and frame[found["run"]].n_unique() == 1:
        name = str(frame[found["run"]][0])
    return Run(Run.of(chosen, source).frame, source, name)


def split_frame(frame: pl.DataFrame) -> list[Run]:
    """Return the runs of a frame whose column ``run`` or ``system`` has more than one name."""
    found = find_columns(frame.columns)
    column = found.get("run") or _name_of_runs(frame, found)
    if column is None or frame[column].n_unique() < 2:
        return []
    parts = frame.partition_by(column, as_dict=True, maintain_order=True)
    return [frame_to_run(part, Source(str(name)), str(name)) for (name,), part in parts.items()]


def _name_of_runs(frame: pl.DataFrame, found: Mapping[str, str]) -> str | None:
    """Return a column such as ``name`` that alone separates the rows of a query and a document."""
    name = next((each for each in frame.columns if each.strip().casefold() in RUN_NAMES), None)
    if name is None or not {"query", "doc"} <= {*found}:
        return None
    pair = [found["query"], found["doc"]]
    repeated = frame.select(pair).is_duplicated().any()
    return name if repeated and not frame.select(*pair, name).is_duplicated().any() else None


def find_columns(columns: Sequence[str]) -> dict[str, str]:
    """Return the column for each declared name that has one."""
    folded = {column.strip().casefold(): column for column in reversed(columns)}
    found = {}
    for name, synonyms in SYNONYMS.items():
        # Beside an id such as qid, the column query holds the text of the query; beside docno,
        # docid is a number of PyTerrier's index.
        ids_first = sorted(synonyms, key=lambda each: (each != "docno", not each.endswith("id")))
        column = next((folded[synonym] for synonym in ids_first if synonym in folded), None)
        column = column or next((folded[n] for n in FEEDBACK.get(name, ()) if n in folded), None)
        if column is not None:
            found[name] = column
    return found


def _rename_columns(
    frame: pl.DataFrame,
    needed: tuple[str, ...],
    optional: tuple[str, ...],
    source: Source,
    hints: Mapping[str, str],
) -> pl.DataFrame:
    """Return the columns under their declared names; ``hints`` say what to do if one lacks."""
    found = find_columns(frame.columns)
    missing = [name for name in needed if name not in found]
    if missing:
        wanted = ", ".join(f"{name} (or {', '.join(SYNONYMS[name][1:3])})" for name in needed)
        raise FormatError(
            f"no column for the {' and the '.join(missing)} among {list_phrase(frame.columns)};"
            f" expected are {wanted}." + _similar_column_hint(missing, frame.columns, hints),
            source.name,
        )
    names = [name for name in (*needed, *optional) if name in found]
    return pl.DataFrame([frame[found[name]].alias(name) for name in names])


def _similar_column_hint(missing: list[str], columns: list[str], hints: Mapping[str, str]) -> str:
    """Return what to do: rename a column with a similar name, or write a header."""
    if any(is_numeric_name(column) for column in columns):
        return " Is there no header? Then write the names of the columns above the rows."
    for name in missing:
        near = [each for word in SYNONYMS[name] for each in nearest_names(word, columns, count=1)]
        if near:
            return f" Is the {name} in '{near[0]}'? Then rename that column."
    if len(missing) == 1:
        return f" Rename the column that holds it.{hints.get(missing[0], '')}"
    return " Rename the columns that hold them."
