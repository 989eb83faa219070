"""The job over runs on a cluster: what executors return, joined for each run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, Literal

import polars as pl

from assay.core.errors import AlignmentError, DataError, UsageError
from assay.core.names import Measure
from assay.core.phrases import quantity
from assay.core.row_hashes import fingerprint
from assay.core.tables import Judgments, Source
from assay.engine.formula_values import FormulaValues
from assay.engine.spark.array_file import ArrayFile
from assay.engine.spark.collected_states import collect_states
from assay.engine.spark.frames import (
    estimated_bytes,
    first_keys,
    functions,
    is_shuffled,
    plain_failures,
    plan_text,
    shuffle_partitions,
)
from assay.engine.spark.in_place import InPlaceStream, are_apart, end_states
from assay.engine.spark.list_cut import cut_lists, cut_notes, needed_depth
from assay.engine.spark.list_stream import (
    KEY,
    ListGroup,
    ListStream,
    PartitionOfLists,
    list_key,
)
from assay.engine.spark.list_values import NAMELESS, ListValues
from assay.engine.spark.measured_run import MeasuredRun, describe_bad_row
from assay.engine.spark.packed_values import COLUMNS, PackedValues, States
from assay.engine.spark.query_stream import JUDGMENTS, JoinedValues, QueryStream, mix_rows
from assay.engine.spark.run_values import CollectedRuns
from assay.evidence.alignment.run_order import TIE_RULES
from assay.evidence.views.view import bytewise_order

Path = Literal["fast", "shuffle", "plain"]
SCHEMA = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
MANY_RUNS = 16
"""With so many runs, the lists of one run stay together as far as partitions allow."""
LARGE = 256e6
"""From so many bytes of rows on, values come piece by piece and the driver keeps them in a file."""
SORTED_BY_WORKERS = 128e6
"""Up to so many bytes of rows, a partition is sorted by the worker that evaluates it."""
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
    file: ArrayFile | None = None
    """Where the values of very many lists are."""


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
            ("ties", TIE_RULES[rules.ties][0] == "row"),
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
        rows = self._cut(self._unnamed_rows)
        keys = [name for name in keys if name in rows.columns]
        shuffled = rows.repartition(*parts, *self._shuffle_keys(keys))
        if 0 < self.size < SORTED_BY_WORKERS:
            unsorted = PartitionOfLists(self.values, self.only)
            return shuffled.mapInArrow(unsorted.__call__, SCHEMA)
        stream = ListStream(self.values, only=self.only)
        keyed = shuffled.select("*", list_key(keys)).sortWithinPartitions(KEY)
        return keyed.mapInArrow(stream.__call__, SCHEMA)

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
        return wanted and not is_shuffled(self._plan) and not are_apart(self._first_keys)

    @cached_property
    def _first_keys(self) -> pl.DataFrame:
        return first_keys(self.rows)

    @property
    def _states_in_place(self) -> Any:
        """The Spark frame of what executors return for lists where they are."""
        stream = InPlaceStream(self.values, only=self.only)
        return self._unnamed_rows.mapInArrow(stream.__call__, SCHEMA)

    @cached_property
    def size(self) -> float:
        """About how many bytes the rows have; 0 if Spark does not know."""
        return estimated_bytes(self._plan)

    @cached_property
    def _plan(self) -> str:
        return plan_text(self.rows)

    def _shuffle_keys(self, keys: list[str]) -> list[Any]:
        """Return by what lists are divided: by groups of queries where there are many runs.

        A partition with a few lists of every run would join each run with the judgments.
        """
        runs = len(self.names) or self._first_keys["run"].n_unique()
        if runs < MANY_RUNS:
            return keys
        f = functions()
        partitions = self.partitions or shuffle_partitions(self.rows)
        groups = max(1, -(-4 * partitions // runs))
        return ["run", f.pmod(f.hash("query"), f.lit(groups))]

    def run(self) -> Measured:
        """Run the job; return what was measured for each run, by name."""
        with plain_failures("the runs"):
            found = self._measure(in_place=True) if self.tries_in_place() else None
            found = found or self._measure(in_place=False)
        if found is None:
            raise AlignmentError("the runs: rows changed while they were read; store them first")
        return found

    def _measure(self, in_place: bool) -> Measured | None:
        """Return what was measured where the lists are, or after a shuffle.

        None if lists are not together where they are.
        """
        large = self.size >= LARGE
        states = self._states_in_place if in_place else self.states()
        with collect_states(states, large) as collected:
            marked = collected.marked
            ends = end_states(marked, self.values)
            if ends is None:
                return None
            marked, ends = (marked + ends).divide()
            _raise_failures(marked)
            silent, judgments = self._silent(marked)
            file = ArrayFile() if large else None
            table = CollectedRuns(silent[0], PackedValues.of(self.values.parsed, silent[1]), file)
            if not all(table.add(each) for each in chain([ends], collected.of_runs)):
                return None
        return self._measured(table, marked.of(NAMELESS), judgments, in_place)

    def _silent(self, marked: States) -> tuple[Silent, Judgments]:
        if self.judged is None:
            return self.values.unanswered(), self.values.judgments
        return _judged_queries(marked.of(JUDGMENTS), self.values.parsed)

    def _measured(
        self, table: CollectedRuns, nameless: States, judgments: Judgments, in_place: bool
    ) -> Measured:
        """Return what was measured for each run, in the order of their names."""
        notes = {name: run.notes for name, run in table.runs.items()}
        depth = None if in_place else self.depth
        self._check_bad_rows({**notes, NAMELESS: nameless.notes})
        if not any(note.get("counts") for own in notes.values() for note in own):
            raise DataError("the runs: there are no rows to evaluate")
        remarks = (*_nameless_rows(nameless), *cut_notes(depth))
        names = [name for name in self.names if name in notes]
        names += sorted(notes.keys() - set(names), key=str.encode)
        skip, judged = self.values.conventions.missing_queries == "skip", len(table.judged)
        runs = {
            name: MeasuredRun(name, *table.view(name, skip), notes[name], judged, depth)
            for name in names
        }
        values = replace(self.values, judgments=judgments)
        return Measured(runs, judgments, values, remarks, table.file)

    def _check_bad_rows(self, notes: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        if self.bad_rows == "drop":
            return
        total = sum(note.get("bad", 0) for own in notes.values() for note in own)
        if not total:
            return
        shown = [
            describe_bad_row(name, row)
            for name in sorted(notes)
            for note in notes[name]
            for row in note.get("sample", ())
        ]
        raise DataError(
            f"the runs: {quantity(total, 'row')} without a run, a query, a document or a number as"
            f" score, such as {'; '.join(shown[:3])}. Fix them, or leave them out with"
            ' SparkSettings(bad_rows="drop") or --bad-rows drop'
        )


def _raise_failures(marked: States) -> None:
    """Raise the error of an executor, if there was one."""
    failures = sorted(each["failure"] for each in marked.notes if "failure" in each)
    if failures:
        raise AlignmentError(failures[0])


def _judged_queries(states: States, measures: Sequence[Measure]) -> tuple[Silent, Judgments]:
    """Return the judged queries with their values if a run is silent, and a table of them.

    The table has one row for each query, with its best grade: the others stay in Spark.
    """
    if states.frame.is_empty():
        raise AlignmentError("the judgments: there are no judgments")
    queries, rows = states.queries().to_list(), range(states.frame.height)
    best = [grade for note in states.notes for grade in note["best"]]
    parts = [states.values(row, measures) for row in rows]
    order = bytewise_order(tuple(queries))
    silent = [FormulaValues.joined([part[each] for part in parts]).take(order) for each in measures]
    names = tuple(queries[place] for place in order.tolist())
    digest = fingerprint(sum(note["hash"] for note in states.notes))
    frame = pl.DataFrame({"query": queries, "doc": [""] * len(queries), "grade": best})
    return (names, silent), Judgments(frame, Source("the judgments", digest=digest))


def _nameless_rows(states: States) -> tuple[str, ...]:
    """Return a note on the rows without the name of a run, which belong to none."""
    total = sum(note["bad"] for note in states.notes)
    shown = [describe_bad_row(NAMELESS, each) for note in states.notes for each in note["sample"]]
    if not total:
        return ()
    text = f"{quantity(total, 'row')} without the name of a run left out"
    return (f"the runs: {text}, such as {'; '.join(shown[:3])}",)


def measure_names(measures: Sequence[Measure]) -> tuple[str, ...]:
    """Return the names of measures, from which executors build them again."""
    return tuple(each.name for each in measures)
