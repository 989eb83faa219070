"""Estimates from sampled judgments: what the draw of documents leaves open."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.cli.terminal import call

import assay
from assay import measure
from assay.core.arrays import Floats, Ints
from assay.evidence.views.judged_rankings import QuerySample, SampledRankings
from assay.tasks.retrieval.sampling_intervals import SamplingErrors
from assay.testing import sampled

POOL, LISTED, QUERIES = 200, 150, 20
STRATA = np.repeat([0, 1, 2], [30, 60, 110])
RATES = (1.0, 0.4, 0.2)
CHANCES = np.clip(1.2 * np.exp(-np.arange(POOL) / 60) + 0.1, 0, 1)


def test_nothing_is_open_where_everything_was_drawn() -> None:
    error = SamplingErrors(sampled("+-+2-|+", strata="aabbbb")).error(measure("xinfAP"))
    assert error.variance.tolist() == [0.0]
    assert error.ends(0.95) == pytest.approx((error.values[0], error.values[0]))


def test_a_draw_that_cannot_matter_leaves_nothing_open() -> None:
    # The only gain stands in a stratum that was drawn wholly.
    error = SamplingErrors(sampled("+--~~|", strata="abbbb")).error(measure("infNDCG@1"))
    assert error.variance[0] == pytest.approx(0.0)


def test_the_error_falls_with_the_share_that_is_drawn() -> None:
    draw = np.random.default_rng(1)
    errors = [
        SamplingErrors(_view(draw, _truths(1), np.asarray([1.0, rate, rate]))).error(
            measure("xinfAP")
        )
        for rate in (0.2, 0.5, 0.9)
    ]
    assert errors[0].standard_error > errors[1].standard_error > errors[2].standard_error > 0


def _truths(seed: int) -> list[tuple[Floats, Ints]]:
    """Grades that fall down the pool, and which documents of it are listed in that order."""
    draw = np.random.default_rng(seed)
    likely = 0.5 * np.exp(-np.arange(POOL) / 40) + 0.05
    return [
        (
            np.where(draw.random(POOL) < likely, draw.integers(1, 3, POOL) * 1.0, 0.0),
            np.sort(draw.permutation(POOL)[:LISTED]),
        )
        for _ in range(QUERIES)
    ]


def _view(
    draw: np.random.Generator, truths: list[tuple[Floats, Ints]], rates: Floats | None
) -> SampledRankings:
    """A draw: by strata at these rates, or by the chances of the documents."""
    samples = []
    for grades, listed in truths:
        kept = draw.random(POOL) < CHANCES
        for stratum, rate in enumerate(() if rates is None else rates):
            own = np.flatnonzero(stratum == STRATA)
            kept[own] = draw.permutation(len(own)) < round(len(own) * rate)
        strata = STRATA if rates is not None else STRATA * 0
        share = np.bincount(strata, kept) / np.bincount(strata)
        chance = CHANCES if rates is None else share[strata]
        grade = np.where(kept, grades, -1.0)
        samples.append(QuerySample(np.arange(1, LISTED + 1), listed, grade, strata, chance))
    return SampledRankings(tuple(f"q{n:02}" for n in range(QUERIES)), tuple(samples))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "rates"),
    [("xinfAP", RATES), ("infNDCG", RATES), ("statAP", RATES), ("statAP", None)],
)
def test_the_interval_covers_what_full_judgments_give(
    name: str, rates: tuple[float, ...] | None
) -> None:
    truths, one = _truths(3), measure(name)
    draw = np.random.default_rng(4)
    full = one(_view(draw, truths, np.ones(3))).mean()
    met, values, claimed = [], [], []
    for _ in range(200):
        view = _view(draw, truths, None if rates is None else np.asarray(rates))
        error = SamplingErrors(view).error(one)
        low, high = error.ends(0.95)
        met.append(low <= full <= high)
        values.append(error.values.mean())
        claimed.append(error.standard_error)
    # Ratios of estimates are skewed: from 0.88 on, and never wildly too wide.
    assert 0.88 <= np.mean(met) <= 0.995
    assert np.mean(claimed) == pytest.approx(np.std(values), rel=0.35)


def test_the_command_shows_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    marks = ["1", "0", "-1", "1", "-1", "0", "1", "-1"]
    lines = [f"{q} 0 d{n} {int(n > 3)} {m}\n" for q in "12" for n, m in enumerate(marks)]
    Path("sampled.qrels").write_text("".join(lines))
    Path("x.run").write_text("".join(f"{q} Q0 d{n} 1 {9 - n} x\n" for q in "12" for n in range(8)))
    shown = call("retrieval", "sampled.qrels", "x.run", "-m", "xinfAP statAP").out
    assert "If all documents of the pool were judged" in shown
    assert "standard error" in shown
    kept = json.loads(
        call("retrieval", "sampled.qrels", "x.run", "-m", "xinfAP", "--format", "json").out
    )
    (row,) = kept["conventions"]["sampling"]
    assert row["low"] < row["high"]
    assert row["standard error"] > 0
    plain = assay.retrieval("sampled.qrels", "x.run", "xinfAP", interval=None)
    assert "sampling" not in plain.conventions


@pytest.mark.parametrize("name", ["xinfAP", "infNDCG", "statAP"])
def test_a_query_that_cannot_tell_its_error_claims_nothing(name: str) -> None:
    """One relevant document was drawn: without it nothing is known, and that is no certainty."""
    asked = measure(name, "retrieval")
    alone = SamplingErrors(sampled("+-~~|~~")).error(asked)
    assert np.isnan(alone.standard_error)
    assert np.isnan(alone.ends(0.95)).all()
    assert alone.unknown_variance_count == 1
    other = SampledRankings(("q2",), sampled("+~+~-+~|~+-").records)
    beside = SamplingErrors(sampled("+-~~|~~") + other).error(asked)
    assert beside.unknown_variance_count == 1
    own = beside.variance[~np.isnan(beside.variance)]
    assert beside.standard_error == pytest.approx(np.sqrt(2 * own[0]) / 2)
