"""The measures of ranx under ranx's own names, and where ours are other numbers on purpose."""

from __future__ import annotations

import math

import numpy as np
import pytest

import assay

# Slow: its compiler starts.
pytestmark = [pytest.mark.slow, pytest.mark.oracle]

SAME = [
    "hits@5",
    "hit_rate@5",
    "precision@5",
    "recall@5",
    "f1@5",
    "r-precision",
    "mrr@5",
    "map",
    "map@5",
    "map@5-l2",
    "dcg@5",
    "dcg_burges@5",
    "ndcg",
    "ndcg@5",
    "ndcg_burges@5",
    "bpref",
]
Table = dict[str, dict[str, float]]


def _theirs(qrels: Table, run: Table, name: str) -> list[float]:
    ranx = pytest.importorskip("ranx")
    found = ranx.Run({query: dict(docs) for query, docs in run.items()})
    truth = ranx.Qrels({query: dict(docs) for query, docs in qrels.items()})
    ranx.evaluate(truth, found, name)
    return [found.scores[name][query] for query in run]


def _ours(qrels: Table, run: Table, name: str) -> list[float]:
    result = assay.retrieval(qrels, run, [name], bootstrap=None).results[0]
    return result.values.tolist()


def test_same_numbers_without_ties() -> None:
    rng = np.random.default_rng(8)
    qrels, run = {}, {}
    for query in "abcdef":
        grades = [0, 0, 3, 2, *rng.choice([0, 1, 2, 3], 8).tolist()]
        qrels[query] = {f"d{n}": int(grade) for n, grade in enumerate(grades)}
        listed = rng.permutation(16)[:11].tolist()
        run[query] = {f"d{n}": float(100 - place) for place, n in enumerate(listed)}
    for name in SAME:
        assert _ours(qrels, run, name) == pytest.approx(_theirs(qrels, run, name)), name


def test_other_numbers_on_purpose() -> None:
    qrels: Table = {"1": {"a": 3, "b": 3}}
    run: Table = {"1": {"a": 2.0, "b": 1.0}}
    # Raw grades go above 1.
    assert _theirs(qrels, run, "rbp.8") == pytest.approx([0.2 * 3 + 0.2 * 0.8 * 3])
    assert _ours(qrels, run, "rbp.8") == pytest.approx([0.2 + 0.2 * 0.8])
    # Without a document judged not relevant nothing stands above.
    assert math.isnan(_theirs(qrels, run, "bpref")[0])
    assert _ours(qrels, run, "bpref") == [1]
