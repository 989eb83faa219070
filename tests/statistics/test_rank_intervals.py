"""Intervals of ranks: SciPy's ranks, known orders, and how often they hold the true rank."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

import assay
from assay.core.arrays import Floats
from assay.reports.pages.task_page import saved_scores_page
from assay.reports.text.score_tables import ScoresText
from assay.statistics.differences.samples import UnitSample
from assay.statistics.intervals.interval_ends import rank_ends
from assay.statistics.intervals.interval_settings import Bootstrap
from assay.tasks.comparison import comparison_tables
from assay.tasks.comparison.comparison_tables import rank_ranges, system_ranks


def _sample(values: Floats, better: str = "higher") -> UnitSample:
    units, systems = values.shape
    return UnitSample(
        measure="AP",
        better=better,
        systems=tuple(f"s{each}" for each in range(systems)),
        units=tuple(f"q{each}" for each in range(units)),
        values=values,
    )


def test_ranks_as_scipy_has_them() -> None:
    drawn = np.random.default_rng(1).integers(0, 4, (400, 6)).astype(float)
    low, high = rank_ends(drawn, 10**6, 0.9)
    first = scipy.stats.rankdata(-drawn, method="min", axis=1)
    last = scipy.stats.rankdata(-drawn, method="max", axis=1)
    assert np.array_equal(low, np.quantile(first, 0.05, axis=0, method="inverted_cdf"))
    assert np.array_equal(high, np.quantile(last, 0.95, axis=0, method="inverted_cdf"))


def test_known_orders() -> None:
    noise = np.random.default_rng(2).normal(0, 0.01, 40)
    values = np.stack([0.9 + noise, 0.5 + noise, 0.5 + noise, 0.1 + noise], axis=1)
    low, high = system_ranks(_sample(values), Bootstrap())
    assert (low.tolist(), high.tolist()) == ([1, 2, 2, 4], [1, 3, 3, 4])
    low, high = system_ranks(_sample(values, "lower"), Bootstrap())
    assert (low.tolist(), high.tolist()) == ([4, 2, 2, 1], [4, 3, 3, 1])


@pytest.mark.parametrize("units", [5, 30])
def test_the_true_rank_is_covered(units: int) -> None:
    random, held = np.random.default_rng(3), []
    truth = np.asarray([0.6, 0.55, 0.5, 0.4])
    for _ in range(250):
        values = truth + random.normal(0, 0.1, (units, 1)) + random.normal(0, 0.15, (units, 4))
        low, high = system_ranks(_sample(values), Bootstrap(resamples=300))
        held.append((low <= [1, 2, 3, 4]) & (high >= [1, 2, 3, 4]))
    assert np.mean(held, axis=0).min() >= 0.93


def test_many_units_are_drawn_from_their_distribution(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(4).normal([0.50, 0.505, 0.51, 0.6], 0.1, (400, 4))
    resampled = system_ranks(_sample(values), Bootstrap(resamples=4000))
    monkeypatch.setattr(comparison_tables, "MANY_UNITS", 100)
    drawn = system_ranks(_sample(values), Bootstrap(resamples=4000))
    assert np.array_equal(resampled, drawn)


def test_ranks_by_measures_of_whole_tables() -> None:
    random = np.random.default_rng(5)
    truth = random.integers(0, 2, 300)
    given = {"good": truth + random.normal(0, 0.3, 300), "poor": random.random(300)}
    scores = assay.classification(truth, y_score={**given, "same": given["poor"]}, positive=1)
    for measure in ("AUC", "AP"):
        found = rank_ranges(scores, measure)
        assert found == {"good": (1, 1), "poor": (2, 3), "same": (2, 3)}, measure


def test_no_ranks_without_intervals_or_of_one_system() -> None:
    qrels, run = {"1": {"a": 1}, "2": {"b": 1}}, {"1": {"a": 1.0}, "2": {"a": 1.0}}
    alone = assay.retrieval(qrels, {"x": run})
    bare = assay.retrieval(qrels, {"x": run, "y": run}, interval=None)
    for scores in (alone, bare):
        assert not ScoresText(scores).ranks
        assert "ranks" not in str(scores)


def test_every_leaderboard_has_ranks() -> None:
    queries = [f"q{each}" for each in range(30)]
    qrels = {query: {"a": 1} for query in queries}
    runs = {
        "best": {query: {"a": 2.0, "b": 1.0} for query in queries},
        "worst": {query: {"b": 2.0, "a": 1.0} for query in queries},
    }
    scores = assay.retrieval(qrels, runs, "RR")
    rows = str(scores).splitlines()
    assert rows[0].split()[-1] == "ranks"
    assert [row.split()[-1] for row in rows[1:3]] == ["1", "2"]
    assert "ranks: 95% interval of the rank by RR" in rows
    assert "<th" in scores._repr_html_()
    assert "ranks" in scores._repr_html_()
    assert "ranks" in scores.to_markdown()
    assert "ranks" in saved_scores_page(scores)
    table = assay.compare(scores).systems
    assert table.select("system", "rank_low", "rank_high").rows() == [
        ("best", 1, 1),
        ("worst", 2, 2),
    ]


def test_folds_have_no_ranks() -> None:
    values = np.random.default_rng(6).random((10, 2))
    low, high = system_ranks(replace(_sample(values), unit_kind="fold"), Bootstrap())
    assert np.isnan([low, high]).all()


def test_no_ranks_of_geometric_means_and_clusters() -> None:
    queries = [f"q{each}" for each in range(12)]
    qrels = {query: {"a": 1} for query in queries}
    runs = {
        "best": {query: {"a": 2.0, "b": 1.0} for query in queries},
        "worst": {query: {"b": 2.0, "a": 1.0} for query in queries},
    }
    pairs = {query: str(place // 2) for place, query in enumerate(queries)}
    assert rank_ranges(assay.retrieval(qrels, runs, "RR"), "RR")
    assert not rank_ranges(assay.retrieval(qrels, runs, "GMAP"), "GMAP")
    clustered = assay.retrieval(qrels, runs, "RR", interval=Bootstrap(clusters=pairs))
    assert not rank_ranges(clustered, "RR")


def test_the_level_of_ranks_is_shown_as_it_is() -> None:
    queries = [f"q{each}" for each in range(12)]
    run = {query: {"a": 1.0} for query in queries}
    qrels = {query: {"a": 1} for query in queries}
    other = {query: {"b": 1.0} for query in queries}
    scores = assay.retrieval(
        qrels, {"x": run, "y": other}, "RR", interval=Bootstrap(confidence=0.995)
    )
    assert "ranks: 99.5% interval" in str(scores)
