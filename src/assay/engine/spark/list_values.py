"""What an executor computes: the formula values of whole lists, one part at a time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import polars as pl

from assay.core.arrays import Bools, Ints
from assay.core.conventions import Conventions
from assay.core.names import Measure
from assay.core.names import measures as measures_named
from assay.core.row_hashes import row_hash
from assay.core.tables import Judgments, Run, Source
from assay.engine.formula_values import FormulaValues
from assay.engine.local import compute_values, select_evidence
from assay.engine.spark.packed_values import pack_values
from assay.engine.spark.sent_judgments import SentJudgments
from assay.evidence.alignment.align import join_run
from assay.evidence.alignment.judged_documents import JudgedDocuments
from assay.evidence.alignment.run_batches import BatchReader
from assay.evidence.views.rankings import Rankings

SAMPLE = 3
"""So many bad rows of a part are shown."""
TOP = 10
"""The depth at which unjudged documents are counted."""
_FIRST = "\0"
"""A query and a document that sort before all others."""
NAMELESS = "\0nameless"
"""What stands in place of a run in rows without the name of one; it sorts before every name."""
Align = Callable[[Judgments, Run, Conventions], Any]


@dataclass(frozen=True)
class KeyedSource(Source):
    """Where rows are that have no numbers: they are named by their keys."""

    keys: pl.DataFrame = field(default_factory=pl.DataFrame)

    def place(self, row: int) -> str:
        """Return the run with the query and the document of a row."""
        query, doc = self.keys["query"][row], self.keys["doc"][row]
        return f"{self.name}, query {query}, document {doc}"


@dataclass(frozen=True)
class ListValues:
    """Computes the values of all lists in a table of whole lists.

    It travels to the executors: it holds names and tables, no open files and no measures.
    """

    judgments: Judgments
    measures: tuple[str, ...]
    conventions: Conventions
    corpus: int | None = None
    numbered: bool = False
    """Whether queries are given by their places among the judged ones rather than by name."""
    interleaved: bool = False
    """Whether the rows of a list may be apart."""
    _prepared: ClassVar[list[tuple[Judgments, Conventions, JudgedDocuments]]] = []
    """The judgments of this process, which are prepared once for all tasks."""

    def __getstate__(self) -> dict[str, Any]:
        names = ("measures", "conventions", "corpus", "numbered", "interleaved")
        return {"judgments": self._sent} | {name: self.__dict__[name] for name in names}

    @cached_property
    def _sent(self) -> SentJudgments:
        return SentJudgments.of(self.judgments)

    @cached_property
    def parsed(self) -> list[Measure]:
        """The measures."""
        return measures_named(list(self.measures), "retrieval")

    @cached_property
    def judged(self) -> JudgedDocuments:
        """The judgments as alignment needs them."""
        for judgments, conventions, prepared in self._prepared:
            if judgments is self.judgments and conventions == self.conventions:
                return prepared
        prepared = JudgedDocuments.of(self.judgments, self.conventions)
        self._prepared[:] = [(self.judgments, self.conventions, prepared)]
        return prepared

    def rows(self, lists: pl.DataFrame) -> Iterator[dict[str, Any]]:
        """Yield a packed row for each run; ``lists`` is sorted by run, the rows of a list adjoin.

        The latter is not needed if lists are interleaved.
        """
        usable, bad = split_bad_rows(lists)
        starts = group_starts(usable, ["run"])
        ends = np.append(starts[1:], usable.height)
        pieces = [
            self._join(usable[int(start) : int(end)])
            for start, end in zip(starts, ends, strict=True)
        ]
        values = self._values(pieces)
        first = 0
        for piece in pieces:
            chosen = np.arange(first, first + len(piece.queries))
            first += len(piece.queries)
            own = [each.take(chosen) for each in values]
            number = self.judged.number if self.numbered else None
            yield piece.row(own, bad.pop(piece.name, None), number)
        for name, notes in bad.items():
            yield _JoinedRun(name, None, {"bad": notes["bad"], "sample": notes["sample"]}).row([])

    def _join(self, rows: pl.DataFrame) -> _JoinedRun:
        """Join the lists of one run with the judgments."""
        name = rows["run"][0]
        frame = rows.drop("run")
        run = Run(frame, KeyedSource(name, keys=frame), name)
        answered = replace(self.conventions, missing_queries="skip", unknown_queries="drop")
        rankings, reader = join_run(
            self.judged, run, answered, self.corpus, gather=self.interleaved
        )
        views: dict[Any, Any] = {Rankings: rankings}
        kinds = {each.definition.view for each in self.parsed} - {Rankings}
        if kinds and rankings.queries:
            known = self.judgments.frame["query"].is_in(list(rankings.queries))
            own = replace(self.judgments, frame=self.judgments.frame.filter(known))
            views |= {kind: _align_kind(kind)(own, run, answered).rankings for kind in kinds}
        return _JoinedRun(name, rankings, _notes(reader, rankings, frame), views)

    def _values(self, pieces: Sequence[_JoinedRun]) -> list[FormulaValues]:
        """Return the values of each measure for the queries of all runs, one after the other."""
        if not any(piece.queries for piece in pieces):
            return []
        found = []
        seen: dict[Any, list[Any]] = {}
        for each in self.parsed:
            kind = each.definition.view
            if kind not in seen:
                seen[kind] = _join_views([p.views[kind] for p in pieces if p.queries], kind)
            views = [select_evidence(view, each) for view in seen[kind]]
            found.append(FormulaValues.joined([compute_values(view, each) for view in views]))
        return found

    def unanswered(self) -> tuple[tuple[str, ...], list[FormulaValues]]:
        """Return the judged queries, and their values for a run that answers none of them."""
        rules = replace(self.conventions, missing_queries="zero", unknown_queries="drop")
        # A run must answer something: a query before all others, which is left out afterwards.
        first = self.judgments.frame[:1].with_columns(
            query=pl.lit(_FIRST), doc=pl.lit(_FIRST), grade=pl.lit(1.0)
        )
        if "stratum_size" in first.columns:
            first = first.with_columns(stratum_size=pl.lit(1.0))
        table = replace(self.judgments, frame=pl.concat([first, self.judgments.frame]))
        answer = pl.DataFrame({"query": [_FIRST], "doc": [_FIRST], "score": [1.0]})
        run = Run(answer, Source("an empty run"), "an empty run")
        queries = self.judged.queries
        others = np.arange(1, len(queries) + 1)
        views: dict[Any, Any] = {}
        for kind in {each.definition.view for each in self.parsed}:
            if kind is Rankings:
                judged = JudgedDocuments.of(table, rules)
                views[kind] = join_run(judged, run, rules, self.corpus)[0]
            else:
                views[kind] = _align_kind(kind)(table, run, rules).rankings
        values = [
            compute_values(select_evidence(views[each.definition.view], each), each).take(others)
            for each in self.parsed
        ]
        return queries, values


@dataclass(frozen=True)
class _JoinedRun:
    """Lists of one run beside the judgments, and what was noted on the way."""

    name: str
    rankings: Rankings | None
    notes: dict[str, Any]
    views: Mapping[Any, Any] = field(default_factory=dict)

    @property
    def queries(self) -> tuple[str, ...]:
        """The judged queries that the run answers here."""
        return () if self.rankings is None else self.rankings.queries

    def row(
        self,
        values: Sequence[FormulaValues],
        bad: Mapping[str, Any] | None = None,
        number: Mapping[str, int] | None = None,
    ) -> dict[str, Any]:
        """Return the packed row, with the numbers of queries if there are any."""
        missing = np.zeros(0, dtype=bool) if self.rankings is None else self.rankings.missing
        packed, flags, ratios = pack_values(values)
        notes = {
            **self.notes,
            **(bad or {}),
            "ratios": ratios,
            "overflow": [each.overflow for each in values],
        }
        return {
            "run": self.name,
            "queries": list(self.queries) if number is None else [],
            "places": b"" if number is None else _places(self.queries, number),
            "missing": missing.tobytes(),
            "values": packed,
            "flags": flags,
            "notes": json.dumps(notes),
        }


def _places(queries: Sequence[str], number: Mapping[str, int]) -> bytes:
    """Return the numbers of queries as bytes."""
    return np.fromiter(map(number.__getitem__, queries), np.int32, len(queries)).tobytes()


def _align_kind(kind: Any) -> Align:
    from assay.evidence.alignment.judgment_kinds import ALIGN

    align: Align = ALIGN[kind]
    return align


def _join_views(views: Sequence[Any], kind: Any) -> list[Any]:
    """Return one view of all queries where that is possible: formulas are called less often."""
    return [views[0].join(views[1:])] if kind is Rankings and views else list(views)


def group_starts(rows: pl.DataFrame, keys: Sequence[str]) -> Ints:
    """Return where each group of equal keys begins."""
    if rows.is_empty():
        return np.empty(0, dtype=np.int64)
    changed: Bools = np.zeros(rows.height - 1, dtype=bool)
    for key in keys:
        changed |= rows[key][1:].ne_missing(rows[key][:-1]).to_numpy()
    return np.append(0, np.flatnonzero(changed) + 1)


def split_bad_rows(lists: pl.DataFrame) -> tuple[pl.DataFrame, dict[str, dict[str, Any]]]:
    """Return the rows that are complete, and the number and a sample of the others by run."""
    whole = pl.all_horizontal(pl.col("run", "query", "doc", "score").is_not_null())
    usable = lists.filter(whole)
    if usable.height == lists.height:
        return usable, {}
    bad: dict[str, dict[str, Any]] = {}
    others = lists.filter(~whole).with_columns(pl.col("run").fill_null(NAMELESS))
    for (name,), rows in others.partition_by("run", as_dict=True).items():
        sample = rows.head(SAMPLE).select("query", "doc", "score").rows()
        bad[str(name)] = {"bad": rows.height, "sample": sample}
    return usable, bad


def _notes(reader: BatchReader, rankings: Rankings, frame: pl.DataFrame) -> dict[str, Any]:
    """Return what the driver adds up or lists."""
    return {
        "counts": reader.counts,
        "unknown": reader.unknown,
        "unranked": reader.unranked,
        "hash": row_hash(frame),
        "top": int(np.minimum(rankings.retrieved, TOP).sum()),
        "judged at top": int(rankings.judged(TOP).count.sum()),
    }
