"""The laws of views whose units are queries, and how their evidence stands in tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np
import polars as pl
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from tests.laws.law import Law, same_numbers

from assay.core.names import Measure
from assay.core.tables import Judgments, Run
from assay.engine.local import measure_view

Build = Callable[[Any], Any]


def joined(parts: Sequence[Any]) -> Any:
    """Views of one query each, as one view of the queries q0, q1, …"""
    return reduce(add, [replace(part, queries=(f"q{n}",)) for n, part in enumerate(parts)])


def query_laws(examples: SearchStrategy[Any], build: Build) -> list[Law]:
    """The laws of a view that can ``take`` some of its queries, by lists of examples of queries."""

    def values(measure: Measure, view: Any) -> np.ndarray:
        return measure_view(view, measure).values

    def alone(measure: Measure, example: list[Any]) -> bool:
        """The value of a query does not depend on the queries beside it."""
        view = build(example)
        each = [values(measure, view.take(np.asarray([n])))[0] for n in range(len(example))]
        return same_numbers(values(measure, view), each)

    def merged(measure: Measure, example: list[Any]) -> bool:
        """Parts with some of the queries each, added, give the same bits as the whole."""
        view, numbers = build(example), np.arange(len(example))
        both = view.take(numbers[1::2]) + view.take(numbers[::2])
        return both.units == view.units and same_numbers(
            values(measure, view), values(measure, both)
        )

    def recounted(measure: Measure, example: tuple[list[Any], list[int]]) -> bool:
        """Counting queries again repeats their values; all of them once changes nothing."""
        drawn, times = example
        counts = np.resize(np.asarray(times, dtype=np.float64), len(drawn))
        view = build(drawn)
        own = values(measure, view)
        return same_numbers(
            np.repeat(own, counts.astype(int)), values(measure, view.reweight(counts))
        ) and same_numbers(own, values(measure, view.reweight(np.ones(len(drawn)))))

    times = st.lists(st.integers(0, 3), min_size=1, max_size=4)
    return [
        Law("query alone", examples, alone),
        Law("parts", examples, merged),
        Law("counted again", st.tuples(examples, times), recounted),
    ]


def tables(rows: list[tuple[Any, ...]], *columns: str) -> tuple[Judgments, Run]:
    """Rows of ("run", query, doc, score) and ("qrels", query, doc, grade, …) as tables."""
    qrels = [row[1:] for row in rows if row[0] == "qrels"]
    answers = [row[1:] for row in rows if row[0] == "run"]
    judged = pl.DataFrame(qrels, schema=["query", "doc", "grade", *columns], orient="row")
    listed = pl.DataFrame(
        answers, schema={"query": str, "doc": str, "score": pl.Float64}, orient="row"
    )
    return Judgments.of(judged), Run.of(listed)


def listed(query: str, docs: Sequence[str]) -> list[tuple[Any, ...]]:
    """The rows of a run that has the documents in this order."""
    return [("run", query, doc, float(len(docs) - place)) for place, doc in enumerate(docs)]
