"""Sampled pools give the right numbers on average: xinfAP, infNDCG and statAP."""

from __future__ import annotations

import numpy as np
import pytest

from assay import measure
from assay.core.arrays import Floats
from assay.evidence.views.judged_rankings import QuerySample, SampledRankings
from assay.tasks.retrieval.sampling_intervals import SamplingError, SamplingErrors

TOP, DEPTH = 20, 200
ESTIMATES = ("xinfAP", "infNDCG", "statAP")
PARTS = ("values", "variance", "bias")


def _grades(draw: np.random.Generator) -> Floats:
    """A topic: relevance falls with the rank; about 45 of 200 documents are relevant."""
    chance = 0.7 * np.exp(-np.arange(DEPTH) / 50) + 0.05
    return np.where(draw.random(DEPTH) < chance, draw.integers(1, 3, DEPTH), 0).astype(float)


def _sample(grades: Floats, share: float, draw: np.random.Generator) -> QuerySample:
    """The top is judged; of the lower stratum a share is drawn."""
    lower = DEPTH - TOP
    count = round(share * lower)
    kept = np.concatenate((np.ones(TOP, bool), draw.permutation(lower) < count))
    places = np.arange(DEPTH)
    return QuerySample(
        rank=places + 1,
        listed=places,
        grade=np.where(kept, grades, -1.0),
        stratum=(places >= TOP).astype(np.int64),
        probability=np.where(places < TOP, 1.0, count / lower),
    )


def _view(records: list[QuerySample]) -> SampledRankings:
    return SampledRankings(tuple(f"{n:06}" for n in range(len(records))), tuple(records))


def _bias(share: float, topics: int, draws: int) -> dict[str, float]:
    """The mean of the estimates over all draws, relative to the full value."""
    draw = np.random.default_rng(7)
    grades = [_grades(draw) for _ in range(topics)]
    full = _view([_sample(each, 1.0, draw) for each in grades])
    sampled = _view([_sample(each, share, draw) for each in grades for _ in range(draws)])
    found = {}
    for name in ESTIMATES:
        truth = measure(name)(full).mean()
        found[name] = float(measure(name)(sampled).mean() / truth - 1)
    return found


def test_estimates_are_close_on_average() -> None:
    for share, limit in ((0.5, 0.01), (0.2, 0.05)):
        for name, bias in _bias(share, 10, 40).items():
            assert abs(bias) < limit, (name, share, bias)


@pytest.mark.simulate
@pytest.mark.parametrize(("share", "limit"), [(0.5, 0.01), (0.2, 0.05)])
def test_estimates_are_close_over_a_thousand_draws(share: float, limit: float) -> None:
    for name, bias in _bias(share, 5, 1000).items():
        assert abs(bias) < limit, (name, share, bias)


def _errors(views: list[SampledRankings], name: str) -> list[SamplingError]:
    return [SamplingErrors(view).error(measure(name)) for view in views]


def _coverage(share: float, topics: int, draws: int, repetitions: int) -> dict[str, float]:
    """How often the interval of the mean holds what full judgments give.

    Every topic is drawn several times, and each repetition takes one draw of every topic: draws of
    different topics are independent, and the error of a topic depends on its own draw alone.
    """
    draw = np.random.default_rng(11)
    grades = [_grades(draw) for _ in range(topics)]
    full = _view([_sample(each, 1.0, draw) for each in grades])
    views = [_view([_sample(each, share, draw) for each in grades]) for _ in range(draws)]
    found = {}
    for name in ESTIMATES:
        truth, errors = measure(name)(full).mean(), _errors(views, name)
        table = {part: np.array([getattr(each, part) for each in errors]) for part in PARTS}
        hits = 0
        for _ in range(repetitions):
            chosen = draw.integers(draws, size=topics), np.arange(topics)
            low, high = SamplingError(*(table[part][chosen] for part in PARTS)).ends(0.95)
            hits += bool(low <= truth <= high)
        found[name] = hits / repetitions
    return found


@pytest.mark.simulate
@pytest.mark.parametrize("share", [0.5, 0.2])
def test_intervals_of_the_mean_of_100_topics_cover(share: float) -> None:
    for name, covered in _coverage(share, 100, 40, 2000).items():
        assert covered >= 0.9, (name, covered)
