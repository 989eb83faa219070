"""Runs read in pieces: the whole catalogue, the same bits whatever the number of pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.spark.test_retrieval_on_spark import ALL, judged_runs, same_scores, variants

from assay.core.tables import Judgments, Run, Source
from assay.engine.scores import Scores
from assay.evidence.views.judged_rankings import JudgmentGroups, SampledRankings, SubtopicRankings
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

COUNTS = (1, 2, 7, 1000)


class RunInPieces(Run):
    """A run that yields its rows in so many pieces, which end anywhere."""

    whole_queries = False
    count: int = 1

    def pieces(self, rank: bool = False) -> Iterator[pl.DataFrame]:
        cuts = np.linspace(0, self.frame.height, self.count + 1).astype(int).tolist()
        yield from (self.frame[first:last] for first, last in pairwise(cuts))


def in_pieces(run: Run, count: int) -> Run:
    piecewise = RunInPieces(run.frame, run.source, run.name)
    piecewise.__dict__["count"] = count
    assert len(list(piecewise.pieces())) == count
    return piecewise


def scores(judged: Judgments, runs: list[Run], names: list[str]) -> Scores:
    by_name = {run.name: run for run in runs}
    return RetrievalEvidence(judgments=judged, runs=by_name).scores(names, interval=None)


@pytest.fixture(scope="module")
def lists() -> tuple[pl.DataFrame, pl.DataFrame]:
    """600 lists of 470 rows, and one with three tenths of all rows."""
    judged, runs = judged_runs(600, 470)
    size = (runs.height - 470) * 3 // 7
    drawn = np.round(np.random.default_rng(3).normal(size=size), 2)
    docs = [f"d{n}" for n in range(size)]
    hot = pl.DataFrame({"run": "run 0", "query": "q7", "doc": docs, "score": drawn})
    first = 7 * 470
    return judged, pl.concat([runs[:first], hot, runs[first + 470 :]])


@pytest.fixture(scope="module", params=["together", "interleaved"])
def whole(request: Any, lists: Any) -> tuple[Judgments, Run, Scores]:
    """Judgments, a run and its scores; the rows list by list, or in any order."""
    judged, rows = lists
    if request.param == "interleaved":
        rows = rows.sample(fraction=1, shuffle=True, seed=2)
    table = Judgments.of(judged, Source("judged"))
    run = Run.of(rows.drop("run"), Source("run 0"))
    return table, run, scores(table, [run], ALL)


@pytest.mark.parametrize("count", COUNTS)
def test_whole_catalogue(whole: tuple[Judgments, Run, Scores], count: int) -> None:
    judged, run, expected = whole
    assert len(expected.results[0].units) == 600
    same_scores(scores(judged, [in_pieces(run, count)], ALL), expected)


@pytest.mark.parametrize("view", [SubtopicRankings, JudgmentGroups, SampledRankings])
def test_judgments_of_other_kinds(view: Any) -> None:
    judged, rows = judged_runs(40, 60)
    part = pl.Series([f"{n % 3 + 1}" for n in range(judged.height)])
    if view is SampledRankings:
        judged = judged.with_columns(stratum=part, stratum_size=pl.lit(10.0))
    else:
        other = judged.with_columns(subtopic=pl.lit("9"), grade=3 - pl.col("grade"))
        judged = pl.concat([judged.with_columns(subtopic=part), other])
    table, run = Judgments.of(judged, Source("judged")), Run.of(rows.drop("run"), Source("run 0"))
    expected = scores(table, [run], variants(view))
    for count in COUNTS:
        same_scores(scores(table, [in_pieces(run, count)], variants(view)), expected)


@pytest.mark.shared
@pytest.mark.parametrize("name", ["robust03", "trec_covid_round1"])
def test_real_runs(shared_data: Path, name: str) -> None:
    (qrels,) = (shared_data / name).glob("qrels*")
    paths = sorted((shared_data / name / "runs").glob("*"))[:3]
    read = RetrievalEvidence.read(qrels, {path.name: path for path in paths})
    expected = read.scores(ALL, interval=None)
    for count in COUNTS:
        runs = {key: in_pieces(run, count) for key, run in read.runs.items()}
        same_scores(replace(read, runs=runs).scores(ALL, interval=None), expected)
