"""Areas of labels equal those of scikit-learn, from arrays, dicts of scores and files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import DataError, UsageError

metrics = pytest.importorskip("sklearn.metrics")
AVERAGES = ("macro", "weighted", "micro")


def draw(seed: int, items: int = 60) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    score = np.round(random.random((items, 4)), 1 if seed % 2 else 6)  # with and without ties
    truth = (random.random((items, 4)) < 0.2 + 0.5 * score).astype(int)
    return truth, score


@pytest.mark.parametrize("seed", range(6))
def test_areas_equal_scikit_learn(seed: int) -> None:
    truth, score = draw(seed)
    names = [f"{name}(mean={mean})" for name in ("label_AUC", "label_AP") for mean in AVERAGES]
    ours = assay.labelsets(truth, y_score=score, measures=names, interval=None)
    functions = (metrics.roc_auc_score, metrics.average_precision_score)
    expected = [each(truth, score, average=mean) for each in functions for mean in AVERAGES]
    assert [each.value for each in ours.results] == pytest.approx(expected, abs=1e-12)


def test_scores_alone_decide_and_give_every_measure() -> None:
    truth, score = draw(2)
    found = assay.labelsets(truth, y_score=score, classes=list("wxyz"))
    decided = assay.labelsets(truth, (score >= 0.5).astype(int), classes=list("wxyz"))
    assert found["F"] == decided["F"]
    assert {"label_AUC", "label_AP"} <= {each.measure for each in found.results}
    assert found.conventions["decided_by"] == "score of at least 0.5"
    assert found.of("label_AUC")[0].low < found["label_AUC"]["classifier"]
    signed = assay.labelsets(truth, y_score=score - 0.5)
    assert signed.conventions["decided_by"] == "score of at least 0"
    assert signed["F"] == decided["F"]


def test_names_of_the_task_lists_of_labels_several_systems_and_slices() -> None:
    truth, score = draw(4)
    lists = [[label for label, own in zip("wxyz", row, strict=True) if own] for row in truth]
    both = {"one": score, "two": -score}
    half = np.arange(len(truth)) % 2
    found = assay.labelsets(
        lists, y_score=both, classes=list("wxyz"), measures="AUC", by={"half": half}, interval=None
    )
    values = {(each.system, each.slice): each.value for each in found.results}
    assert values["one", "all"] == pytest.approx(metrics.roc_auc_score(truth, score))
    assert values["two", "all"] == pytest.approx(metrics.roc_auc_score(truth, -score))
    part = metrics.roc_auc_score(truth[half == 1], score[half == 1])
    assert values["one", "half=1"] == pytest.approx(part)


def test_a_label_without_items_is_left_out() -> None:
    truth, score = np.asarray([[1, 0], [0, 0], [1, 0]]), np.asarray([[3, 1], [2, 1], [1, 0.5]])
    found = assay.labelsets(truth, y_score=score, measures="label_AUC label_AP", interval=None)
    assert [each.value for each in found.results] == pytest.approx([0.5, (1 + 2 / 3) / 2])


def test_scores_in_json_lines(tmp_path: Path) -> None:
    truth, score = draw(3)
    file = tmp_path / "tags.jsonl"
    rows = [
        {
            "tags": [label for label, own in zip("wxyz", row, strict=True) if own],
            "p": dict(zip("wxyz", numbers, strict=True)),
        }
        for row, numbers in zip(truth.tolist(), score.tolist(), strict=True)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = "--sets --truth tags --score p -m AUC --format json --resamples 0"
    done = call("classification", str(file), *options.split())
    value = json.loads(done.out)["summary"][0]["value"]
    assert value == pytest.approx(metrics.roc_auc_score(truth, score))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"truth": ["a"], "p": {"b": 1.0}}], "row 1: the true label 'a' has no score"),
        ([{"truth": [], "p": {"b": "x"}}], "row 1: the score of 'b' is 'x'"),
        ([{"truth": [], "p": {"b": float("nan")}}], "a number is expected"),
        ([{"truth": [], "p": 0.5}], "expected the score of every label"),
        (
            [{"truth": [], "p": {"a": 1}}, {"truth": [], "p": {"b": 1}}],
            "row 2: the labels b have scores, in the first row a",
        ),
    ],
)
def test_damaged_scores_are_refused(rows: list[object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        assay.labelsets(rows, score="p")


def test_fitted_models_of_several_labels() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    wrapped = pytest.importorskip("sklearn.multioutput")
    random = np.random.default_rng(1)
    features = random.normal(size=(120, 3))
    labels = (features @ random.normal(size=(3, 3)) + random.normal(size=(120, 3)) > 0).astype(int)
    models = {
        "one": wrapped.MultiOutputClassifier(linear.LogisticRegression()),
        "two": wrapped.MultiOutputClassifier(linear.LogisticRegression(C=0.01)),
    }
    for each in models.values():
        each.fit(features[:80], labels[:80])
    half = np.arange(40) % 2
    found = assay.evaluate(models, features[80:], labels[80:], "label_AUC", by={"half": half})
    for name, each in models.items():
        given = np.stack([column[:, 1] for column in each.predict_proba(features[80:])], axis=1)
        assert found["label_AUC"][name] == pytest.approx(metrics.roc_auc_score(labels[80:], given))
    assert set(found.slices) == {"half=0", "half=1"}
    with pytest.raises(UsageError, match="no weights"):
        assay.evaluate(models, features, labels, sample_weight=np.ones(120))
