"""Summaries and samples of logs, by hand and by simulation."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import assay
from assay.behavior.logs.query_sample import inclusion_probabilities
from assay.core.errors import DataError, UsageError

LOG = {
    "session": ["s"] * 4 + ["t"] * 3 + ["u"] * 2,
    "query": ["one", "one", "two", "two", "one", "one", "one", "three", "three"],
    "rank": [1, 2, 1, 2, 1, 2, 3, 1, 2],
    "doc": ["a", "b", "c", "d", "a", "b", "e", "x", "y"],
    "click": [0, 0, 0, 1, 1, 0, 2, 0, 0],
    "time": [0.0, 0.0, 30.0, 30.0, 5.0, 5.0, 5.0, 9.0, 9.0],
    "click_time": [None, None, None, 34.0, 7.0, None, 9.0, None, None],
}


def test_summary_by_hand() -> None:
    found = assay.behavior.summary(LOG)
    values = dict(found.behavior.select("name", "value").iter_rows())
    assert values == pytest.approx(
        {
            "lists per session": 4 / 3,
            "any click": 2 / 4,
            "abandonment": 2 / 4,
            "clicks per list": 3 / 4,
            "CTR@1": 1 / 4,
            "first click RR": (1 / 2 + 1) / 4,
            "time to first click": 3.0,
            "reformulation": 1 / 4,
        }
    )
    assert found.ranks["clicks"].to_list() == [1, 1, 1]
    assert found.ranks["impressions"].to_list() == [4, 4, 1]
    assert found.queries["query"].to_list() == ["one", "three", "two"]
    assert found.queries["share"].to_list() == [0.5, 0.25, 0.25]
    assert "click-through" in assay.plot("click-rates", found).title.lower()


def _log(counts: list[int]) -> pl.DataFrame:
    rows = [(f"s{q}-{n}", f"q{q:02}") for q, count in enumerate(counts) for n in range(count)]
    return pl.DataFrame(rows, schema=["session", "query"], orient="row").with_columns(
        rank=pl.lit(1), doc=pl.lit("d"), click=pl.lit(0)
    )


@pytest.mark.parametrize("by", ["frequency", "uniform", "strata"])
def test_queries_are_sampled_with_their_probabilities(by: str) -> None:
    counts = [40, 20, 10, 8, 6, 5, 4, 3, 2, 2, 1, 1]
    log = _log(counts)
    drawn = np.zeros(len(counts))
    chance = np.full(len(counts), np.nan)
    repeats = 400
    for seed in range(repeats):
        sample = assay.behavior.sample(log, 4, by=by, seed=seed)
        assert sample.height == 4
        place = sample["query"].str.slice(1).cast(pl.Int64).to_numpy()
        drawn[place] += 1
        chance[place] = sample["probability"].to_numpy()
        assert sample["weight"].to_numpy() == pytest.approx(1 / sample["probability"].to_numpy())
    known = np.isfinite(chance)
    assert np.nansum(chance) == pytest.approx(4)
    error = np.sqrt(chance * (1 - chance) / repeats)
    assert (np.abs(drawn / repeats - chance)[known] <= 4 * error[known] + 1e-9).all()


def test_frequent_queries_are_certain_and_samples_repeat() -> None:
    assert inclusion_probabilities(np.array([10.0, 1.0, 1.0]), 2) == pytest.approx([1, 0.5, 0.5])
    log = _log([5, 4, 3])
    assert assay.behavior.sample(log, 2).equals(assay.behavior.sample(log, 2))
    with pytest.raises(DataError, match="4 queries are to be sampled, but the log has 3"):
        assay.behavior.sample(log, 4)
    with pytest.raises(UsageError, match="there is no method"):
        assay.behavior.sample(log, 1, by="luck")


QRELS = {"q": {"a": 2, "b": 0, "c": 1}, "r": {"x": 1}}
RUNS = {"one": {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, "two": {"q": {"b": 1.0}, "r": {"x": 1.0}}}


def test_simulated_users_follow_the_model() -> None:
    chances = {"attractiveness": {0: 0.1, 1: 0.5, 2: 0.8}, "satisfaction": {0: 0.0, 1: 0.5, 2: 1.0}}
    log = assay.behavior.simulate(QRELS, RUNS, "sdbn", sessions=6000, by_grade=chances, seed=2)
    assert log.columns == ["session", "query", "rank", "doc", "arm", "click"]
    assert set(log["arm"]) == {"one", "two"}
    first = log.filter((pl.col("arm") == "one") & (pl.col("rank") == 1))
    assert first["click"].mean() == pytest.approx(0.8, abs=0.04)
    second = log.filter((pl.col("arm") == "one") & (pl.col("rank") == 2))
    assert second["click"].mean() == pytest.approx(0.2 * 0.1, abs=0.015), "a satisfies for sure"
    again = assay.behavior.simulate(QRELS, RUNS, "sdbn", sessions=6000, by_grade=chances, seed=2)
    assert again.equals(log)
    fitted = assay.clicks.fit(log, "sdbn", starts=1)
    assert fitted.pairs.height == 4
    more = assay.behavior.simulate(QRELS, RUNS, fitted, sessions=50, shuffle=1.0)
    assert more["session"].n_unique() == 50


@pytest.mark.parametrize("model", ["pbm", "ubm", "cascade", "dcm", "dbn", "ccm", "rank-ctr"])
def test_every_model_can_be_simulated(model: str) -> None:
    log = assay.behavior.simulate(QRELS, RUNS, model, sessions=200)
    assert set(log["click"]) <= {0, 1}
    if model == "cascade":
        assert log.group_by("session").agg(pl.col("click").sum())["click"].max() == 1


def test_wrong_simulations() -> None:
    with pytest.raises(UsageError, match="there is no parameter"):
        assay.behavior.simulate(QRELS, RUNS, "dbn", parameters={"gamma": 1})
    with pytest.raises(UsageError, match="is a probability"):
        assay.behavior.simulate(QRELS, RUNS, "dbn", parameters={"continuation": 2})
    with pytest.raises(UsageError, match="no probability for the grade 1"):
        assay.behavior.simulate(QRELS, RUNS, "dbn", by_grade={"attractiveness": {0: 0.1, 2: 0.5}})
    with pytest.raises(DataError, match="no run answers"):
        assay.behavior.simulate({"z": {"a": 1}}, RUNS)
