"""Sets of labels: the same numbers as scikit-learn on indicator matrices; empty sets."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.core.names import measure
from assay.engine.local import evaluate
from assay.evidence.views.label_sets import LabelSets

metrics = pytest.importorskip("sklearn.metrics")
LABELS = "abcdef"


def draw(least: int, seed: int = 0, size: int = 150) -> tuple[np.ndarray, np.ndarray, LabelSets]:
    random = np.random.default_rng(seed)
    truth = random.random((size, len(LABELS))) < 0.3
    said = np.where(random.random(truth.shape) < 0.8, truth, random.random(truth.shape) < 0.3)
    for matrix in (truth, said):
        matrix[np.arange(size), random.integers(0, len(LABELS), size)] |= bool(least)
    sets = [[{LABELS[n] for n in np.flatnonzero(row)} for row in each] for each in (truth, said)]
    return truth, said, LabelSets.of(sets[0], sets[1])


def ours(name: str, view: LabelSets) -> float:
    return evaluate(view, [measure(name, "labelsets")], "it")[0].value


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("P", lambda t, p: metrics.precision_score(t, p, average="samples")),
        ("R", lambda t, p: metrics.recall_score(t, p, average="samples")),
        ("F", lambda t, p: metrics.f1_score(t, p, average="samples")),
        ("F(beta=2)", lambda t, p: metrics.fbeta_score(t, p, beta=2, average="samples")),
        ("Jaccard", lambda t, p: metrics.jaccard_score(t, p, average="samples")),
        ("subset", metrics.accuracy_score),
        ("Hamming", metrics.hamming_loss),
        ("P(average=micro)", lambda t, p: metrics.precision_score(t, p, average="micro")),
        ("label_P", lambda t, p: metrics.precision_score(t, p, average="macro")),
        ("label_R", lambda t, p: metrics.recall_score(t, p, average="macro")),
        ("label_F", lambda t, p: metrics.f1_score(t, p, average="macro")),
        ("label_F(average=micro)", lambda t, p: metrics.f1_score(t, p, average="micro")),
        ("label_F(average=weighted)", lambda t, p: metrics.f1_score(t, p, average="weighted")),
        ("label_Jaccard", lambda t, p: metrics.jaccard_score(t, p, average="macro")),
    ],
)
def test_as_scikit_learn(name: str, theirs: object) -> None:
    truth, said, view = draw(least=1)
    assert ours(name, view) == pytest.approx(theirs(truth, said), abs=1e-12)


def test_empty_sets_are_undefined_and_counted() -> None:
    view = LabelSets.of([{"a"}, set(), {"b"}], [set(), {"a"}, {"b"}])
    precision = evaluate(view, [measure("P", "labelsets")], "it")[0]
    assert precision.undefined == {"no label was predicted": 1}
    assert precision.value == 0.5
    recall = evaluate(view, [measure("R", "labelsets")], "it")[0]
    assert recall.undefined == {"the item has no label": 1}
    assert ours("F(form=count)", view) == pytest.approx(1 / 3)
    assert math.isnan(ours("Jaccard", LabelSets.of([set()], [set()])))


def test_from_text_and_lists(tmp_path: Path) -> None:
    lists = {"truth": [["a", "b"], ["c"]], "predicted": [["a"], ["c", "d"]]}
    (tmp_path / "tags.csv").write_text("truth,predicted\na;b,a\nc,c;d\n")
    (tmp_path / "tags.jsonl").write_text(
        '{"truth": ["a", "b"], "predicted": ["a"]}\n{"truth": "c", "predicted": "c|d"}\n'
    )
    found = [
        assay.labelsets(data, "F subset", interval=None).results
        for data in (lists, tmp_path / "tags.csv", tmp_path / "tags.jsonl")
    ]
    for one in found:
        assert [each.value for each in one] == pytest.approx([2 / 3, 0])
