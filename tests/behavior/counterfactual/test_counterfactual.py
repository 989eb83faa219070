"""Counterfactual estimates: by hand, unbiased where the log overlaps, refused where it does not."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import polars as pl
import pytest

import assay
from assay.behavior.clicks.fitted_model import ClickModel, shared_frame
from assay.core.errors import DataError, UsageError

ATTRACTIVE = {"a": 0.2, "b": 0.5, "c": 0.8}
EXAMINED = (1.0, 0.6, 0.3)
ORDERS = list(permutations("abc"))
CHANCE = (0.3, 0.1, 0.2, 0.15, 0.05, 0.2)
"""How likely the log shows each order."""
NEW = {"q": {"c": 3.0, "b": 2.0, "a": 1.0}}
TRUTH = 0.8 * 1.0 + 0.5 * 0.6 + 0.2 * 0.3


def _propensities() -> pl.DataFrame:
    rows = [
        ("q", doc, rank + 1, sum(p for o, p in zip(ORDERS, CHANCE, strict=True) if o[rank] == doc))
        for doc in "abc"
        for rank in range(3)
    ]
    return pl.DataFrame(rows, schema=["query", "doc", "rank", "probability"], orient="row")


def _model() -> ClickModel:
    shared = [
        {"parameter": "examination", "rank": n + 1, "value": v, "se": 0.0, "note": ""}
        | {"last_click": None}
        for n, v in enumerate(EXAMINED)
    ]
    pairs = pl.DataFrame(
        {
            "query": ["q"] * 3,
            "doc": list("abc"),
            "impressions": [100.0] * 3,
            "clicks": [0.0] * 3,
            # Wrong on purpose: the doubly robust estimate must not need it.
            "attractiveness": [0.5, 0.3, 0.6],
        }
    )
    return ClickModel("pbm", shared_frame(shared), pairs)


def _log(lists: int, random: np.random.Generator) -> pl.DataFrame:
    chosen = random.choice(len(ORDERS), lists, p=CHANCE)
    docs = np.array(ORDERS)[chosen]
    liking = np.vectorize(ATTRACTIVE.__getitem__)(docs)
    clicks = random.random(docs.shape) < liking * np.array(EXAMINED)
    number = np.repeat(np.arange(lists), 3)
    return pl.DataFrame(
        {
            "session": number.astype(str),
            "query": "q",
            "rank": np.tile([1, 2, 3], lists),
            "doc": docs.ravel(),
            "click": clicks.ravel().astype(int),
        }
    )


def _deviations(logs: int, lists: int = 40) -> dict[str, np.ndarray]:
    random = np.random.default_rng(11)
    found: dict[str, list[float]] = {name: [] for name in ("ips", "snips", "dr", "position")}
    known, model = _propensities(), _model()
    for _ in range(logs):
        log = _log(lists, random)
        values = assay.clicks.counterfactual(
            log, NEW, depth=3, propensities=known, model=model, missing=1.0
        ).values
        for name, value in values.select("method", "value").iter_rows():
            found[name].append(value - TRUTH)
    return {name: np.array(each) for name, each in found.items()}


def test_estimates_are_unbiased_over_some_logs() -> None:
    for name, away in _deviations(120).items():
        if name != "snips":
            assert abs(away.mean()) <= 3 * away.std() / np.sqrt(len(away)), name


@pytest.mark.simulate
def test_estimates_are_unbiased_over_a_thousand_logs() -> None:
    for name, away in _deviations(1000, lists=100).items():
        assert abs(away.mean()) <= 2 * away.std() / np.sqrt(len(away)), name


def test_values_and_weights_by_hand() -> None:
    log = {
        "session": [1, 1, 2, 2, 3, 3, 4, 4],
        "query": ["q"] * 8,
        "rank": [1, 2] * 4,
        "doc": ["a", "b", "b", "a", "a", "b", "a", "b"],
        "click": [1, 0, 1, 0, 0, 1, 0, 0],
    }
    new = {"q": {"b": 2.0, "a": 1.0}}
    found = assay.clicks.counterfactual(log, new, ["ips", "snips"], depth=2)
    rows = {row["method"]: row for row in found.values.iter_rows(named=True)}
    # b at rank 1 and a at rank 2 are in one list of four: weight 4, and only b was clicked.
    assert rows["ips"]["value"] == pytest.approx(4 * 1 / 4)
    assert rows["snips"]["value"] == pytest.approx(1.0)
    assert rows["ips"]["effective"] == pytest.approx(2)
    assert rows["ips"]["largest_weight"] == 4
    assert rows["ips"]["never_shown"] == 0
    clipped = assay.clicks.counterfactual(log, new, "ips", depth=2, clip=2)
    assert clipped.values["value"].to_list() == pytest.approx([0.5])
    limits = dict(found.sensitivity.filter(method="ips").select("clip", "value").iter_rows())
    assert limits[2.0] == pytest.approx(0.5)
    assert limits[float("inf")] == pytest.approx(1.0)
    assert "0.7500 clicks per list" in found.notes[-1]
    assert "assume that a click depends on the document and its rank alone" in found.notes[-2]


def test_position_weights_clicks_by_examination() -> None:
    log = {
        "session": [1, 1, 1],
        "query": ["q"] * 3,
        "rank": [1, 2, 3],
        "doc": ["a", "b", "c"],
        "click": [1, 0, 1],
    }
    found = assay.clicks.counterfactual(log, NEW, "position", depth=3, model=_model())
    assert found.values["value"].to_list() == pytest.approx([0.3 / 1.0 + 1.0 / 0.3])


def test_without_overlap_it_is_refused() -> None:
    log = {
        "session": [1, 1],
        "query": ["q"] * 2,
        "rank": [1, 2],
        "doc": ["a", "b"],
        "click": [1, 0],
    }
    swapped, other = {"q": {"b": 2.0, "a": 1.0}}, {"q": {"y": 2.0, "z": 1.0}}
    with pytest.raises(
        DataError, match=r"ips: 100.0% of the new results were never shown at their"
    ):
        assay.clicks.counterfactual(log, swapped, "ips")
    with pytest.raises(
        DataError, match=r"position: 100.0% of the new results were never shown at a"
    ):
        assay.clicks.counterfactual(log, other, "position", model=_model())
    with pytest.raises(DataError, match="no query of the run is in the log"):
        assay.clicks.counterfactual(log, {"zz": {"a": 1.0}}, "position", model=_model())


def test_wrong_inputs() -> None:
    log = _log(10, np.random.default_rng(1))
    with pytest.raises(UsageError, match="there is no method 'best'"):
        assay.clicks.counterfactual(log, NEW, "best")
    wrong = _propensities().with_columns(probability=pl.lit(0.0))
    with pytest.raises(DataError, match=r"row 1: the probability '0.0' is not above 0"):
        assay.clicks.counterfactual(log, NEW, "ips", propensities=wrong)
    with pytest.raises(DataError, match="there is no 'rank'"):
        assay.clicks.counterfactual(log, NEW, "ips", propensities=wrong.drop("rank"))
    dbn = assay.clicks.fit(log, "dbn", starts=1, errors=False)
    with pytest.raises(UsageError, match="position-based model"):
        assay.clicks.counterfactual(log, NEW, "position", model=dbn)
