"""Measures of retrieved sets against scikit-learn, document by document of the collection."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics
from tests.cli.terminal import call

import assay

CORPUS = 40


def case(seed: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]], tuple]:
    """Judgments and a run of one query, and the same as two arrays over the collection."""
    random = np.random.default_rng(seed)
    relevant, retrieved = random.random(CORPUS) < 0.3, random.random(CORPUS) < 0.4
    qrels = {"q": {f"d{n}": int(relevant[n]) for n in range(CORPUS)}}
    run = {"q": {f"d{n}": float(-n) for n in np.flatnonzero(retrieved)}}
    return qrels, run, (relevant, retrieved)


@pytest.mark.parametrize("seed", range(5))
def test_against_scikit_learn(seed: int) -> None:
    qrels, run, (relevant, retrieved) = case(seed)
    expected = {
        "MCC": metrics.matthews_corrcoef(relevant, retrieved),
        "Jaccard": metrics.jaccard_score(relevant, retrieved),
        "specificity": metrics.recall_score(~relevant, ~retrieved),
        "sensitivity": metrics.recall_score(relevant, retrieved),
        "miss-rate": 1 - metrics.recall_score(relevant, retrieved),
        "misclassification-rate": metrics.zero_one_loss(relevant, retrieved),
        "accuracy": metrics.accuracy_score(relevant, retrieved),
        "JI(percent=true)": 100 * metrics.jaccard_score(relevant, retrieved),
    }
    scores = assay.retrieval(qrels, run, list(expected), corpus=CORPUS, interval=None)
    assert [each.value for each in scores.results] == pytest.approx(list(expected.values()))


def test_mcc_without_the_size_of_the_collection_says_what_is_missing() -> None:
    qrels, run, _ = case(0)
    result = assay.retrieval(qrels, run, "MCC", interval=None).results[0]
    assert np.isnan(result.value)
    assert "set `corpus=…`" in str(result.reasons[0])


@pytest.mark.parametrize(
    ("task", "names", "found"),
    [
        ("classification", "fall-out FPR", "FPR"),
        ("classification", "F-measure F-score F_beta F1-measure", "F"),
        ("classification", "misclassification-rate misclassification_rate", "ERR"),
        ("classification", "miss-rate", "FNR"),
        ("classification", "log-loss", "LogLoss"),
        ("classification", "cross-entropy", "CE"),
        ("classification", "JI", "Jaccard"),
        ("classification", "top5 top-5", "top@5"),
        ("classification", "sensitivity hit-rate", "TPR"),
        ("retrieval", "fall-out fall_out", "fallout"),
        ("retrieval", "AveP MAP", "AP"),
        ("retrieval", "F-measure F-score F_beta", "F"),
        ("retrieval", "nDCG-10", "nDCG@10"),
        ("clustering", "Davies-Bouldin", "DB"),
        ("clustering", "Calinski-Harabasz", "CH"),
        ("clustering", "F5 F_beta(beta=5) pairF(beta=5)", "pairF(beta=5)"),
        ("clustering", "F F1 F_beta F-measure", "pairF"),
        ("clustering", "F2 F(beta=2) F_beta(beta=2)", "pairF(beta=2)"),
        ("clustering", "sensitivity", "pairR"),
        ("clustering", "specificity", "pairTNR"),
        ("labelsets", "specificity", "TNR"),
        ("labelsets", "F-measure", "F"),
        ("spans", "F-score", "F"),
    ],
)
def test_names_of_the_lectures(task: str, names: str, found: str) -> None:
    assert {assay.measure(name, task).name for name in names.split()} == {found}


def test_names_on_the_command_line() -> None:
    done = call("measures", "Davies-Bouldin")
    assert done.code == 0, done.err
    assert done.out.startswith("clustering.DB") or "Davies" in done.out
