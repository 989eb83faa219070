"""Lists that are evaluated where they are, without a Spark session: parts cut anywhere."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import assay
from assay.core.conventions import Conventions
from assay.core.tables import Judgments, Source
from assay.engine.spark import in_place
from assay.engine.spark.array_file import ArrayFile
from assay.engine.spark.in_place import InPlaceStream, are_apart, end_states
from assay.engine.spark.list_values import ListValues
from assay.engine.spark.packed_values import PackedValues, States
from assay.engine.spark.run_values import CollectedRuns

MEASURES = ("nDCG@5", "AP", "bpref", "num_ret")


def run_table(lengths: list[int], runs: int = 1) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Judgments of every third document of each query but the last, and runs with ties."""
    random = np.random.default_rng(sum(lengths) + runs)
    rows = [
        (f"run {run}", f"q{query}", f"d{place}", float(random.integers(0, 6)))
        for run in range(runs)
        for query, length in enumerate(lengths)
        for place in range(length)
    ]
    table = pl.DataFrame(rows, schema=["run", "query", "doc", "score"], orient="row")
    judged = [
        (f"q{query}", f"d{place}", float(1 + place % 4))
        for query, length in enumerate(lengths[:-1])
        for place in range(0, length + 1, 3)
    ]
    return pl.DataFrame(judged, schema=["query", "doc", "grade"], orient="row"), table


def evaluate_partitions(
    judged: pl.DataFrame, partitions: list[pl.DataFrame], batch: int = 4, only: str | None = None
) -> CollectedRuns | None:
    table = Judgments.of(judged, Source("qrels"))
    values = ListValues(table, MEASURES, Conventions(), numbered=True)
    stream = InPlaceStream(values, rows=8, only=only)
    found = [
        pl.DataFrame(state)
        for part in partitions
        for state in stream(iter(part.to_arrow().to_batches(max_chunksize=batch)))
    ]
    marked, states = States(pl.concat(found)).divide()
    ends = end_states(marked, values)
    if ends is None:
        return None
    queries, silent = values.unanswered()
    runs = CollectedRuns(queries, PackedValues.of(values.parsed, silent), ArrayFile())
    return runs if runs.add(ends) and runs.add(states) else None


def by_list(found: CollectedRuns) -> dict[tuple[str, str], list[float]]:
    values = {}
    for run in found.runs:
        view, _ = found.view(run, skip=True)
        for place, query in enumerate(view.queries):
            values[run, query] = [float(each.parts[place]) for each in view.values.values()]
    return values


def notes(found: CollectedRuns) -> list[dict[str, Any]]:
    return [note for run in found.runs.values() for note in run.notes]


def on_this_machine(judged: pl.DataFrame, runs: pl.DataFrame) -> dict[tuple[str, str], list[float]]:
    values: dict[tuple[str, str], list[float]] = {}
    for (name,), own in runs.partition_by("run", as_dict=True).items():
        scores = assay.retrieval(judged, {str(name): own.drop("run")}, MEASURES, interval=None)
        for result in scores.results:
            answered = set(own["query"])
            for query, value in zip(result.units, result.values.tolist(), strict=True):
                if query in answered:
                    values.setdefault((str(name), query), []).append(value)
    return values


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_place, "FIRST", 3)


@pytest.mark.parametrize("count", [1, 2, 3, 7, 30])
@pytest.mark.parametrize("runs", [1, 3])
def test_partitions_cut_anywhere(count: int, runs: int) -> None:
    judged, table = run_table([3, 9, 1, 1, 14, 6, 2, 5], runs)
    cuts = np.random.default_rng(count).integers(0, table.height + 1, count - 1)
    places = [0, *sorted(cuts.tolist()), table.height]
    partitions = [table[a:b] for a, b in pairwise(places)]
    found = evaluate_partitions(judged, partitions)
    assert found is not None
    assert by_list(found) == on_this_machine(judged, table)
    assert sum(note["counts"]["documents"] for note in notes(found)) == table.height


def test_a_single_run_has_no_column_for_it() -> None:
    judged, table = run_table([3, 9, 4, 6])
    parts = [table[:7].drop("run"), table[7:].drop("run")]
    found = evaluate_partitions(judged, parts, only="run 0")
    assert found is not None
    assert by_list(found) == on_this_machine(judged, table)


@pytest.mark.parametrize("seed", range(3))
def test_interleaved_lists_are_not_evaluated(seed: int) -> None:
    judged, table = run_table([6, 9, 4, 6])
    mixed = table.sample(fraction=1, shuffle=True, seed=seed)
    assert evaluate_partitions(judged, [mixed]) is None


def test_lists_divided_between_partitions_are_not_evaluated() -> None:
    judged, table = run_table([6, 9, 4, 6, 5])
    odd = pl.int_range(pl.len()) % 2 == 0
    assert evaluate_partitions(judged, [table.filter(odd), table.filter(~odd)]) is None


def test_unjudged_lists_divided_between_partitions_are_found() -> None:
    judged, table = run_table([6, 9, 4, 6, 5])
    other = judged[:1].with_columns(query=pl.lit("q9"))
    parts = [table, table.filter(pl.col("query") == "q2")[:1]]
    assert evaluate_partitions(other, parts) is None


def test_runs_that_alternate_are_not_evaluated() -> None:
    judged, table = run_table([6, 9, 4], runs=2)
    assert evaluate_partitions(judged, [table.sort("query", "run")]) is None


def test_the_first_rows_show_the_order() -> None:
    _, table = run_table([6, 9, 4], runs=2)
    keys = table.select("run", "query", partition=pl.lit(0))
    assert not are_apart(keys)
    assert not are_apart(pl.concat([keys, keys.with_columns(partition=pl.lit(1))]))
    assert not are_apart(keys[:0])
    assert are_apart(keys.sort("query", "run"))
    assert are_apart(keys.sample(fraction=1, shuffle=True, seed=1))


def test_long_lists_at_the_end_stay_there(monkeypatch: pytest.MonkeyPatch) -> None:
    judged, table = run_table([3, 9, 4])
    assert evaluate_partitions(judged, [table]) is not None
    monkeypatch.setattr(in_place, "LONGEST", 6)
    assert evaluate_partitions(judged, [table]) is None


def test_bad_rows_and_empty_partitions() -> None:
    judged, table = run_table([3, 9, 4])
    bad: dict[str, Any] = {"run": ["run 0"], "query": [None], "doc": ["d1"], "score": [1.0]}
    broken = pl.concat([table, pl.DataFrame(bad, schema=table.schema)])
    found = evaluate_partitions(judged, [broken, table[:0]])
    assert found is not None
    assert sum(note.get("bad", 0) for note in notes(found)) == 1
    assert by_list(found) == on_this_machine(judged, table)


def test_what_travels_is_what_spark_takes() -> None:
    judged, table = run_table([3, 9, 4])
    values = ListValues(Judgments.of(judged, Source("qrels")), MEASURES, Conventions())
    batches = list(InPlaceStream(values)(iter(table.to_arrow().to_batches())))
    assert pa.Table.from_batches(batches).num_rows == len(batches)
