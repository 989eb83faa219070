"""Pool statistics, reusability and plans, by hand and against independent formulas."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import assay
from assay.benchmark.reusability.order_agreement import UnitValues, compare_orders
from assay.core.errors import UsageError

RUNS = {
    "one": {"1": {"a": 3.0, "b": 2.0}, "2": {"x": 1.0}},
    "two": {"1": {"b": 3.0, "c": 2.0}, "2": {"x": 2.0, "y": 1.0}},
    "three": {"1": {"d": 1.0}, "2": {"x": 1.0}},
}
QRELS = {"1": {"a": 1, "b": 1, "c": 0, "d": 0}, "2": {"x": 1, "y": 1}}


def test_unique_contributions_by_hand() -> None:
    found = assay.pool_stats(
        RUNS, 2, qrels=QRELS, teams={"run": ["one", "two"], "team": ["t", "t"]}
    )
    assert dict(found.topics.select("query", "documents").iter_rows()) == {"1": 4, "2": 2}
    assert dict(found.topics.select("query", "relevant").iter_rows()) == {"1": 2, "2": 2}
    runs = {row[0]: row[1:] for row in found.runs.iter_rows()}
    assert runs["one"] == (3, 3, 0.5, 1, 1)  # a is its own
    assert runs["two"] == (4, 3, pytest.approx(4 / 6), 2, 1)  # c and y
    assert runs["three"] == (2, 1, pytest.approx(2 / 6), 1, 0)  # d
    teams = {row[0]: row[1:] for row in found.teams.iter_rows()}
    assert teams["t"] == (5, 4, pytest.approx(5 / 6), 4, 3)  # a, b, c, y
    shares = {(row[0], row[1]): row[2:] for row in found.overlap.iter_rows()}
    assert shares["one", "two"] == (2, 2 / 5)
    assert found.depths.filter(depth=1)["documents"][0] == 4  # a, b, d; x
    assert found.depths.filter(depth=1)["lost"][0] == 1  # y


def test_fairness_compares_the_pool_with_all_judgments() -> None:
    made = assay.pool(RUNS, 1)
    found = assay.pool_stats(RUNS, 2, qrels=QRELS, pool=made, measure="P@2").fairness
    row = found.filter(run="two").row(0, named=True)
    assert row["P@2 (all)"] == (1 / 2 + 2 / 2) / 2
    assert row["P@2 (pool)"] == (1 / 2 + 1 / 2) / 2
    assert row["judged@10"] == 2 / 4  # b and x of b, c, x, y


def test_a_run_without_its_own_judgments() -> None:
    found = assay.pool_reuse(QRELS, RUNS, "P@2", depth=2, depths=[1], shares=[])
    rows = {row["run"]: row for row in found.runs.iter_rows(named=True)}
    one = rows["one"]
    # Query 1: a and b are relevant; without a only b is. Query 2: x.
    assert (one["unique"], one["unique_relevant"]) == (1, 1)
    assert one["P@2"] == pytest.approx((1 + 0.5) / 2)
    assert one["without"] == pytest.approx((0.5 + 0.5) / 2)
    assert one["loss"] == pytest.approx(0.25)
    assert (rows["two"]["unique"], rows["two"]["without"]) == (2, 0.5)
    assert list(found.orders["judgments"]) == [
        "each run without its own judgments",
        "depth 1",
    ]
    joint = assay.pool_reuse(
        QRELS, RUNS, "P@2", depth=2, teams={"run": ["one", "two"], "team": ["t", "t"]}
    )
    rows = {row["run"]: row for row in joint.teams.iter_rows(named=True)}
    assert rows["one"]["unique"] == 4
    assert rows["one"]["without"] == pytest.approx(0.25)  # x alone is left
    with pytest.raises(UsageError, match="one run alone"):
        assay.pool_reuse(QRELS, {"one": RUNS["one"]})


def test_agreement_of_orders_equals_scipy() -> None:
    draw = np.random.default_rng(3)
    quality = np.linspace(0, 0.5, 6)
    first = {f"s{n}": quality[n] + draw.normal(0, 0.2, 30) for n in range(6)}
    second = {name: values + draw.normal(0, 0.3, 30) for name, values in first.items()}
    found = compare_orders(UnitValues(first), UnitValues(second))
    means = [[values.mean() for values in each.values()] for each in (first, second)]
    assert found.tau == pytest.approx(stats.kendalltau(*means).statistic)
    names = list(first)
    signs: list[list[int]] = []
    for values in (first, second):
        pairs = [(a, b) for n, a in enumerate(names) for b in names[n + 1 :]]
        tests = [stats.ttest_rel(values[a], values[b]) for a, b in pairs]
        signs.append([int(np.sign(t.statistic)) * int(t.pvalue < 0.05) for t in tests])
    assert found.significant == sum(map(bool, signs[0]))
    assert found.kept == sum(a == b != 0 for a, b in zip(*signs, strict=True))
    assert found.added == sum(b != 0 and a == 0 for a, b in zip(*signs, strict=True))


def test_a_plan_by_hand() -> None:
    found = assay.pool_plan(50, 100, assessors=2, minutes=1.5, runs=5, overlap=0.5, spread=0.2)
    row = found.plan.row(0, named=True)
    assert row["documents_per_topic"] == 100 * (1 + 4 * 0.5)
    assert row["hours"] == 50 * 300 * 1.5 / 60
    assert row["hours_each"] == row["hours"] / 2
    # The power of a paired t-test with 50 topics for that difference is 0.8, by scipy.
    shift = row["detectable_difference"] / 0.2 * np.sqrt(50)
    critical = stats.t.ppf(0.975, 49)
    assert stats.nct.sf(critical, 49, shift) == pytest.approx(0.8, abs=1e-6)
    shallow = found.alternatives.filter(depth=10).row(0, named=True)
    assert (shallow["topics"], shallow["hours"]) == (500, row["hours"])
    assert shallow["detectable_difference"] < row["detectable_difference"]


def test_a_pilot_and_a_pool_are_used(tmp_path: Path) -> None:
    runs = {name: dict(run) for name, run in RUNS.items()}
    scores = assay.retrieval(QRELS, runs, "P@2", interval=None)
    scores.save(tmp_path / "pilot.parquet")
    found = assay.pool_plan(10, 2, pilot=tmp_path / "pilot.parquet", pool=assay.pool(RUNS, 2))
    assert "in the pilot" in found.notes[0]
    assert found.plan["documents_per_topic"][0] == pytest.approx(3)  # six of two topics
    with pytest.raises(UsageError, match="not both"):
        assay.pool_plan(10, 2, pilot=tmp_path / "pilot.parquet", spread=0.1)


def test_an_order_without_scores_is_undefined() -> None:
    scores = {"one": np.array([0.1, 0.2]), "two": np.array([0.3, 0.5])}
    nothing = {name: np.full(2, np.nan) for name in scores}
    found = compare_orders(UnitValues(scores), UnitValues(nothing))
    assert np.isnan([found.tau, found.tau_ap]).all()
    assert (found.kept, found.reversed, found.added) == (0, 0, 0)


def test_runs_without_teams_are_shown_once() -> None:
    alone = assay.pool_reuse(QRELS, RUNS, "P@2", depth=2)
    assert str(alone).count("unjudged@10") == 1
    joint = assay.pool_reuse(
        QRELS, RUNS, "P@2", depth=2, teams={"run": ["one", "two"], "team": ["t", "t"]}
    )
    assert str(joint).count("unjudged@10") == 2
