"""Tables from whatever a caller has in hand: a path, a frame, an Arrow table, dicts or arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from assay.core.errors import UsageError, did_you_mean
from assay.core.tables import Judgments, Run, Source
from assay.formats import trec
from assay.formats.delimited import read_table

_SYNONYMS = {
    "query": ("query", "query_id", "qid", "q_id", "topic", "query-id"),
    "doc": ("doc", "doc_id", "docid", "docno", "document", "pid", "corpus-id"),
    "grade": ("grade", "relevance", "rel", "label"),
    "score": ("score", "sim", "similarity"),
    "rank": ("rank",),
    "subtopic": ("subtopic", "iteration", "aspect"),
}
_TABULAR = (".csv", ".tsv", ".tab", ".parquet")


def frame_of(given: Any, what: str) -> tuple[pl.DataFrame, Source]:
    """Columns from a path, a Polars or pandas frame, anything with the Arrow stream, or a dict."""
    if isinstance(given, str | Path):
        return read_table(given)
    if isinstance(given, pl.DataFrame):
        return given, Source(what)
    if isinstance(given, pl.LazyFrame):
        return given.collect(), Source(what)
    if hasattr(given, "__arrow_c_stream__"):
        return pl.DataFrame(given), Source(what)
    if isinstance(given, Mapping):
        return pl.DataFrame({str(key): column for key, column in given.items()}), Source(what)
    raise UsageError(
        f"{what} cannot be read from a {type(given).__name__}: give a path, a Polars or pandas"
        " frame, an Arrow table or a dict"
    )


def judgments(given: Any) -> Judgments:
    """Judgments from a path, a frame, or a dict of query to {document: grade}."""
    if isinstance(given, Judgments):
        return given
    if _is_trec(given):
        return trec.read_qrels(given)
    if _is_nested(given):
        return Judgments.of(_unnest(given, "grade"), Source("qrels"))
    frame, source = frame_of(given, "qrels")
    return Judgments.of(_named(frame, ("query", "doc", "grade"), ("subtopic",), source), source)


def run(given: Any, name: str | None = None) -> Run:
    """A run from a path, a frame, or a dict of query to {document: score}."""
    if isinstance(given, Run):
        return given if name is None else Run(given.frame, given.source, name)
    if _is_trec(given):
        read = trec.read_run(given)
        return Run(read.frame, read.source, name or read.name)
    if _is_nested(given):
        frame, source = _unnest(given, "score"), Source(name or "run")
    else:
        frame, source = frame_of(given, name or "run")
        frame = _named(frame, ("query", "doc", "score"), ("rank",), source)
    checked = Run.of(frame, source)
    default = Path(given).stem if isinstance(given, str | Path) else "run"
    return Run(checked.frame, source, name or default)


def runs(given: Any) -> list[Run]:
    """One run, a sequence of runs, or a dict of name to run; names that repeat are told apart."""
    if isinstance(given, Mapping) and not _is_nested(given) and not _is_columns(given):
        found = [run(each, str(name)) for name, each in given.items()]
    elif isinstance(given, Sequence) and not isinstance(given, str):
        found = [run(each) for each in given]
    else:
        found = [run(given)]
    return _told_apart(found)


def _told_apart(found: list[Run]) -> list[Run]:
    names = [each.name for each in found]
    seen: dict[str, int] = {}
    result = []
    for each in found:
        seen[each.name] = seen.get(each.name, 0) + 1
        fresh = each.name if names.count(each.name) == 1 else f"{each.name} ({seen[each.name]})"
        result.append(Run(each.frame, each.source, fresh))
    return result


def _is_trec(given: Any) -> bool:
    if not isinstance(given, str | Path):
        return False
    return Path(str(given).removesuffix(".gz")).suffix.casefold() not in _TABULAR


def _is_nested(given: Any) -> bool:
    """Whether this is a dict of query to {document: number}."""
    if not isinstance(given, Mapping):
        return False
    inner = next((each for each in given.values()), None)
    return isinstance(inner, Mapping) and not any(
        isinstance(value, Mapping) or hasattr(value, "__len__") for value in inner.values()
    )


def _is_columns(given: Mapping[Any, Any]) -> bool:
    known = {synonym for names in _SYNONYMS.values() for synonym in names}
    return all(str(key) in known for key in given)


def _unnest(given: Mapping[Any, Mapping[Any, Any]], value: str) -> pl.DataFrame:
    sizes = [len(inner) for inner in given.values()]
    queries = pl.Series("query", [str(query) for query in given], dtype=pl.String)
    repeated = queries.gather(
        pl.Series(range(len(sizes))).repeat_by(pl.Series(sizes)).explode().drop_nulls()
    )
    docs = [str(doc) for inner in given.values() for doc in inner]
    numbers = [float(number) for inner in given.values() for number in inner.values()]
    return pl.DataFrame(
        {
            "query": repeated,
            "doc": pl.Series(docs, dtype=pl.String),
            value: pl.Series(numbers, dtype=pl.Float64),
        }
    )


def _named(
    frame: pl.DataFrame, needed: tuple[str, ...], welcome: tuple[str, ...], source: Source
) -> pl.DataFrame:
    """The columns under their own names, found by the names that other tools give them."""
    renamed = {}
    for name in (*needed, *welcome):
        found = next((each for each in _SYNONYMS[name] if each in frame.columns), None)
        if found is not None:
            renamed[found] = name
        elif name in needed:
            raise UsageError(
                f"{source.name}: no column for the {name} among {', '.join(frame.columns)};"
                f" call it {name}." + did_you_mean(name, frame.columns)
            )
    return frame.rename(renamed).select(list(renamed.values()))
