"""Holes and ties of several runs are worked out together: no run changes a bit of another."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from assay.core.catalogue import catalogue
from assay.core.names import declared_variants
from assay.evidence import batched_systems
from assay.evidence.views.rankings import Rankings
from assay.tasks.retrieval.holes import holes
from assay.tasks.retrieval.ties import ties
from assay.testing import rankings

MEASURES = [
    str(each)
    for definition in catalogue().values()
    if definition.view is Rankings and definition.aggregate != "whole"
    for each in declared_variants(definition)
]


def _judgments(draw: np.random.Generator) -> dict[str, dict[str, int]]:
    return {
        query: {f"d{n}": int(grade) for n, grade in enumerate(draw.choice(4, 12, p=chances))}
        for query, chances in {
            "1": [0.6, 0.2, 0.1, 0.1],
            "2": [0.7, 0.3, 0, 0],
            "3": [1, 0, 0, 0],
        }.items()
    }


def _run(draw: np.random.Generator, length: int, scores: int) -> dict[str, dict[str, float]]:
    return {
        query: {f"d{doc}": float(draw.integers(scores)) for doc in draw.permutation(40)[:length]}
        for query in ("1", "2", "3")
    }


def _of_different_lengths(
    draw: np.random.Generator, lengths: tuple[int, ...]
) -> dict[str, dict[str, float]]:
    every = [_run(draw, length, 1_000_000) for length in lengths]
    return {query: run[query] for query, run in zip(("1", "2", "3"), every, strict=True)}


def _runs() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, dict[str, float]]]]:
    """Runs of different lengths; one with no ties at all, and one with nothing but ties."""
    draw = np.random.default_rng(12)
    runs = {
        "few": _run(draw, 11, 4),
        "none": _run(draw, 13, 1_000_000),
        "all": _run(draw, 15, 1),
        "long": _run(draw, 33, 5),
        "longer": _run(draw, 39, 1_000_000),
        "mixed": _of_different_lengths(draw, (34, 40, 1)),
        "other": _of_different_lengths(draw, (40, 3, 36)),
    }
    return _judgments(draw), runs


@pytest.mark.parametrize("report", [holes, ties])
def test_together_as_alone(report: object) -> None:
    qrels, runs = _runs()
    together = report(qrels, runs, MEASURES).measures
    alone = [report(qrels, {name: run}, MEASURES).measures for name, run in runs.items()]
    assert together.equals(pl.concat(alone), null_equal=True)


def test_stacks_hold_what_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    views = [("a", rankings("+-?|+", "-")), ("b", rankings("+-+", "?")), ("c", rankings("+" * 20))]
    found = list(batched_systems.batch_systems(views))
    assert [stack.systems for stack in found] == [("a", "b"), ("c",)]
    assert found[0].parts == [slice(0, 2), slice(2, 4)]
    assert found[0].whole.queries == (*views[0][1].queries, *views[1][1].queries)
    monkeypatch.setattr(batched_systems, "MAX_ENTRIES", 1)
    assert [stack.systems for stack in batched_systems.batch_systems(views)] == [
        ("a",),
        ("b",),
        ("c",),
    ]
