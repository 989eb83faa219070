"""The job over runs on a cluster: what executors return, joined for each run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import polars as pl

from assay.core.errors import AlignmentError, DataError, UsageError
from assay.core.names import Measure
from assay.core.phrases import quantity
from assay.core.tables import Judgments, Source, fingerprint
from assay.engine.formula_values import FormulaValues, MeasuredQueries
from assay.engine.spark.frames import (
    first_keys,
    functions,
    is_shuffled,
    plain_failures,
    shuffle_partitions,
)
from assay.engine.spark.in_place import InPlaceStream, are_apart, join_ends
from assay.engine.spark.list_cut import cut_lists, cut_notes, needed_depth
from assay.engine.spark.list_stream import ListGroup, ListStream
from assay.engine.spark.list_values import NAMELESS, ListValues
from assay.engine.spark.measured_run import MeasuredRun, describe_bad_row
from assay.engine.spark.packed_values import COLUMNS, States
from assay.engine.spark.query_stream import JUDGMENTS, JoinedValues, QueryStream, mix_rows
from assay.evidence.views.view import bytewise_order

Path = Literal["fast", "shuffle", "plain"]
SCHEMA = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
MANY_RUNS = 16
"""With so many runs, the lists of one run stay together as far as partitions allow."""
Silent = tuple[tuple[str, ...], list[FormulaValues]]
"""The judged queries in bytewise order, and their values for a run that answers none of them."""


@dataclass(frozen=True)
class Measured:
    """What a job measured: the runs by name, and the judgments as far as the driver has them."""

    runs: Mapping[str, MeasuredRun]
    judgments: Judgments
    values: ListValues
    notes: tuple[str, ...] = ()
    """What a user should know about rows that were left out."""


@dataclass(frozen=True)
class RankingJob:
    """Runs on a cluster, and what is to be computed for each of their lists."""

    rows: Any
    """A Spark frame of run, query, doc, score and perhaps rank."""
    values: ListValues
    partitions: int | None = None
    """Into how many parts the lists are divided; Spark decides if None."""
    path: Path = "fast"
    bad_rows: Literal["error", "drop"] = "error"
    """Rows without a query, a document or a score."""
    judged: Any = None
    """A Spark frame of query, doc and grade, if the judgments are too many to send."""
    names: tuple[str, ...] = ()
    """The names of the runs in their order, where they are known before."""
    cut: bool = True
    """Whether lists are cut to the depth that the measures need before rows are shuffled."""

    def __post_init__(self) -> None:
        rules = self.values.conventions
        for name, choice in (
            ("order", rules.order == "file"),
            ("ties", rules.ties == "file order"),
            ("duplicates", rules.duplicates != "error"),
        ):
            if choice:
                raise UsageError(
                    f"the rows of a Spark table have no order, but `{name}={getattr(rules, name)}`"
                    " needs one; order by score or rank, and remove duplicates beforehand"
                )

    @property
    def only(self) -> str | None:
        """The name of the run if it is the only one."""
        return self.names[0] if len(self.names) == 1 else None

    def states(self) -> Any:
        """Return the Spark frame of what executors return."""
        keys = ["run", "query"]
        parts = [] if self.partitions is None else [self.partitions]
        if self.judged is not None:
            values = self.values
            joined = JoinedValues(values.measures, values.conventions, values.corpus)
            rows = mix_rows(self._cut(self.rows), self.judged).repartition(*parts, "query")
            mixed = rows.sortWithinPartitions("query", "run")
            return mixed.mapInArrow(QueryStream(joined).__call__, SCHEMA)
        if self.path == "plain":
            group = ListGroup(self.values)
            # Spark counts the parameters of a function, and would take a method's self for a key.
            return self.rows.groupBy(*keys).applyInArrow(lambda table: group(table), SCHEMA)
        rows = self._unnamed_rows
        keys = [name for name in keys if name in rows.columns]
        stream = ListStream(self.values, only=self.only)
        shuffled = self._cut(rows).repartition(*parts, *self._shuffle_keys(keys))
        sorted_rows = shuffled.sortWithinPartitions(*keys)
        return sorted_rows.mapInArrow(stream.__call__, SCHEMA)

    @property
    def _unnamed_rows(self) -> Any:
        """The rows, without the name of the run if it is the only one: a constant costs time."""
        return self.rows if self.only is None else self.rows.drop("run")

    @cached_property
    def depth(self) -> int | None:
        """How many documents of each list are shuffled; all if None."""
        if not self.cut or self.path == "plain":
            return None
        return needed_depth(self.values.parsed, self.values.conventions)

    def _cut(self, rows: Any) -> Any:
        return rows if self.depth is None else cut_lists(rows, self.depth, self.values.conventions)

    def tries_in_place(self) -> bool:
        """Return whether lists are evaluated where they are if each is together there."""
        wanted = self.path == "fast" and self.partitions is None and self.judged is None
        return wanted and not is_shuffled(self.rows) and not are_apart(self._first_keys)

    @cached_property
    def _first_keys(self) -> pl.DataFrame:
        return first_keys(self.rows)

    def _in_place(self) -> pl.DataFrame | None:
        """Return what executors return for lists where they are; None if they must be shuffled."""
        if not self.tries_in_place():
            return None
        stream = InPlaceStream(self.values, only=self.only)
        found = self._unnamed_rows.mapInArrow(stream.__call__, SCHEMA).toArrow()
        return join_ends(pl.DataFrame(found), self.values)

    def _shuffle_keys(self, keys: list[str]) -> list[Any]:
        """Return by what lists are divided: by groups of queries where there are many runs.

        A partition with a few lists of every run would join each run with the judgments.
        """
        runs = len(self.names) or self._first_keys["run"].n_unique()
        if runs < MANY_RUNS:
            return list(keys)
        f = functions()
        partitions = self.partitions or shuffle_partitions(self.rows)
        groups = max(1, -(-4 * partitions // runs))
        return ["run", f.pmod(f.hash("query"), f.lit(groups))]

    def run(self) -> Measured:
        """Run the job; return what was measured for each run, by name."""
        with plain_failures("the runs"):
            whole = self._in_place()
            found = pl.DataFrame(self.states().toArrow()) if whole is None else whole
        states = States(found)
        depth = self.depth if whole is None else None
        failures = sorted(each["failure"] for each in states.notes if "failure" in each)
        if failures:
            raise AlignmentError(failures[0])
        by_run = states.by_run()
        self._check_bad_rows(states, by_run)
        if not any(note.get("counts") for note in states.notes):
            raise DataError("the runs: there are no rows to evaluate")
        if self.judged is None:
            silent, judgments = self.values.unanswered(), self.values.judgments
        else:
            silent, judgments = _judged_queries(states, by_run.pop(JUDGMENTS, []))
        remarks = (*_nameless_rows(states, by_run.pop(NAMELESS, [])), *cut_notes(depth))
        names = [name for name in self.names if name in by_run]
        names += sorted(by_run.keys() - set(names), key=str.encode)
        runs = {name: self._join(name, states, by_run[name], silent) for name in names}
        runs = {name: replace(run, depth=depth) for name, run in runs.items()}
        return Measured(runs, judgments, replace(self.values, judgments=judgments), remarks)

    def _check_bad_rows(self, states: States, by_run: Mapping[str, Sequence[int]]) -> None:
        if self.bad_rows == "drop":
            return
        total = sum(note.get("bad", 0) for note in states.notes)
        if not total:
            return
        shown = [
            describe_bad_row(name, row)
            for name in sorted(by_run)
            for place in by_run[name]
            for row in states.notes[place].get("sample", ())
        ]
        raise DataError(
            f"the runs: {quantity(total, 'row')} without a run, a query, a document or a number as"
            f" score, such as {'; '.join(shown[:3])}. Fix them, or leave them out with"
            ' SparkSettings(bad_rows="drop") or --bad-rows drop'
        )

    def _join(self, name: str, states: States, rows: Sequence[int], silent: Silent) -> MeasuredRun:
        """Return the values of one run over all judged queries, answered or not."""
        judged, unanswered_values = silent
        filled = [row for row in rows if len(states.missing(row))]
        # Numbers in place of names: names of all lists would fill the memory of the driver.
        number = states.queries(filled).cast(pl.Enum(judged)).to_physical().to_numpy()
        unanswered = np.setdiff1d(np.arange(len(judged)), number)
        skip = self.values.conventions.missing_queries == "skip"
        added = unanswered[:0] if skip else unanswered
        missing = [states.missing(row) for row in filled]
        parts = [states.values(row) for row in filled]
        missing.append(np.ones(len(added), dtype=bool))
        parts.append([each.take(added) for each in unanswered_values])
        number = np.append(number, added).astype(np.int64)
        order = np.argsort(number, kind="stable")
        values = {
            measure: FormulaValues.joined([part[at] for part in parts]).take(order)
            for at, measure in enumerate(self.values.parsed)
        }
        whole = len(number) == len(judged)
        units = judged if whole else tuple(judged[place] for place in number[order].tolist())
        view = MeasuredQueries(units, values, np.concatenate(missing)[order])
        notes = [states.notes[row] for row in rows]
        return MeasuredRun(name, view, notes, len(unanswered), len(judged))


def _judged_queries(states: States, rows: Sequence[int]) -> tuple[Silent, Judgments]:
    """Return the judged queries with their values if a run is silent, and a table of them.

    The table has one row for each query, with its best grade: the others stay in Spark.
    """
    if not rows:
        raise AlignmentError("the judgments: there are no judgments")
    queries = states.queries(rows).to_list()
    best = [grade for row in rows for grade in states.notes[row]["best"]]
    values = zip(*(states.values(row) for row in rows), strict=True)
    order = bytewise_order(tuple(queries))
    silent = [FormulaValues.joined(list(each)).take(order) for each in values]
    names = tuple(queries[place] for place in order.tolist())
    digest = fingerprint(sum(states.notes[row]["hash"] for row in rows))
    frame = pl.DataFrame({"query": queries, "doc": [""] * len(queries), "grade": best})
    return (names, silent), Judgments(frame, Source("the judgments", digest=digest))


def _nameless_rows(states: States, rows: Sequence[int]) -> tuple[str, ...]:
    """Return a note on the rows without the name of a run, which belong to none."""
    total = sum(states.notes[row]["bad"] for row in rows)
    shown = [
        describe_bad_row(NAMELESS, each) for row in rows for each in states.notes[row]["sample"]
    ]
    if not total:
        return ()
    text = f"{quantity(total, 'row')} without the name of a run left out"
    return (f"the runs: {text}, such as {'; '.join(shown[:3])}",)


def measure_names(measures: Sequence[Measure]) -> tuple[str, ...]:
    """Return the names of measures, from which executors build them again."""
    return tuple(each.name for each in measures)
