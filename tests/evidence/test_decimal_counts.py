"""Many scores with few decimals are counted, to the same bits as by sorting them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from assay.core.arrays import Bools, Floats
from assay.core.tables import Decisions
from assay.evidence.decimal_codes import count_decimals
from assay.evidence.views.probabilities import build_binary_probabilities
from assay.evidence.views.threshold_table import ThresholdTable, build_threshold_table

SIZE = 260_000
"""More than what is sorted at once, and enough for six decimals."""
SCORES = {
    "six decimals": lambda random: np.round(random.random(SIZE), 6),
    "negative": lambda random: np.round(random.normal(size=SIZE), 3),
    "both zeros": lambda random: np.where(random.random(SIZE) < 0.5, -0.0, 0.1),
    "one value": lambda random: np.full(SIZE, 0.25),
    "whole numbers": lambda random: random.integers(-5, 5, SIZE).astype(float),
    "too many decimals": lambda random: random.random(SIZE),
    "too far apart": lambda random: np.round(random.random(SIZE), 3) * 1e9,
}


def draw(name: str) -> tuple[Floats, Bools]:
    random = np.random.default_rng(1)
    score = SCORES[name](random)
    return score, random.random(SIZE) < 0.3


@pytest.mark.parametrize("name", SCORES)
def test_a_threshold_table_has_the_counts_of_each_distinct_score(name: str) -> None:
    score, positive = draw(name)
    table = ThresholdTable.of(score, positive)
    distinct, place = np.unique(score + 0.0, return_inverse=True)
    assert table.score.tobytes() == np.ascontiguousarray(distinct[::-1]).tobytes()
    counts = np.bincount(place * 2 + positive, minlength=2 * len(distinct)).reshape(-1, 2)
    assert table.negatives[0].tolist() == counts[::-1, 0].tolist()
    assert table.positives[0].tolist() == counts[::-1, 1].tolist()


@pytest.mark.parametrize("name", SCORES)
def test_only_few_decimals_near_each_other_are_counted(name: str) -> None:
    assert (count_decimals(*draw(name)) is None) == name.startswith("too")


@pytest.mark.parametrize("name", ["six decimals", "both zeros", "one value", "too many decimals"])
def test_probabilities_are_in_the_order_of_the_scores(name: str) -> None:
    score, positive = draw(name)
    truth = np.where(positive, "yes", "no")
    decisions = Decisions.of(pl.DataFrame({"truth": truth, "score": score}))
    found = build_binary_probabilities(
        decisions, "yes", ("no", "yes"), lambda: build_threshold_table(decisions, "yes")
    )
    order = np.lexsort((positive, score))
    expected = score[order] + 0.0
    assert found.probability[:, 1].tobytes() == expected.tobytes()
    assert found.probability[:, 0].tobytes() == (1 - expected).tobytes()
    assert found.truth.tolist() == positive[order].astype(int).tolist()
    named = np.asarray(found.parts("item"), dtype=np.int64) - 1
    assert (score[named] + 0.0).tobytes() == expected.tobytes()
    assert positive[named].tolist() == positive[order].tolist()
