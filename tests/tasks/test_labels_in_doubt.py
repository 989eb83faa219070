"""Ranked labels, true distributions and labels that may be wrong; oracles: scikit-learn, scipy."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.special import rel_entr
from sklearn import metrics
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError

LABELS = np.asarray(["a", "b", "c", "d"])


def ranked(seed: int, count: int = 40) -> tuple[dict[str, list[str]], np.ndarray]:
    random = np.random.default_rng(seed)
    truth, scores = random.choice(4, count), random.random((count, 4))
    order = LABELS[np.argsort(-scores, axis=1)]
    data = {"truth": LABELS[truth].tolist()}
    data |= {f"g{rank + 1}": order[:, rank].tolist() for rank in range(4)}
    data["all"] = [";".join(row) for row in order]
    return data, scores


@pytest.mark.parametrize("columns", ["g*", "all"])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_top_k_from_ranked_lists_as_from_scores(k: int, columns: str) -> None:
    data, scores = ranked(3)
    codes = [LABELS.tolist().index(each) for each in data["truth"]]
    expected = metrics.top_k_accuracy_score(codes, scores, k=k, labels=range(4))
    result = assay.top_k(data, f"top@{k}", ranked=columns, interval=None).results[0]
    assert result.value == pytest.approx(expected)


def test_top_k_on_the_command_line_and_what_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "guesses.csv"
    path.write_text("label,guess1,guess2\ncat,cat,dog\ndog,cat,dog\nbird,cat,\n")
    words = ["classification", str(path), "--truth", "label", "--ranked", "guess*"]
    done = call(*words, "-m", "top@1 top@2", "--format", "csv")
    assert done.code == 0, done.err
    assert "0.333" in done.out
    assert "0.666" in done.out
    done = call(*words)
    assert (done.code, "top@1" in done.out, "3 items" in done.out) == (0, True, True)
    path.write_text("label,guess1,guess2\ncat,cat,cat\n")
    done = call(*words)
    assert done.code == 1
    assert "guesses.csv:2: the label 'cat' occurs twice in the list" in done.err


def test_ranked_labels_of_several_files_are_several_systems(tmp_path: Path) -> None:
    rows = {"old": "1,cat,dog,cat", "new": "1,cat,cat,dog", "other": "1,dog,cat,dog"}
    for name, row in rows.items():
        (tmp_path / f"{name}.csv").write_text(f"id,label,guess1,guess2\n{row}\n")
    paths = {name: str(tmp_path / f"{name}.csv") for name in rows}
    words = ["--truth", "label", "--ranked", "guess*", "--item", "id", "-m", "top@1"]
    done = call("classification", paths["old"], paths["new"], *words, "--format", "json")
    assert done.code == 0, done.err
    assert "note" not in done.err
    values = {row["system"]: row["value"] for row in json.loads(done.out)["summary"]}
    assert values == {"old": 0.0, "new": 1.0}
    page = str(tmp_path / "page.html")
    done = call("report", "classification", paths["old"], paths["new"], *words[:6], "-o", page)
    assert done.code == 0, done.err
    done = call("classification", paths["old"], paths["other"], *words)
    assert (done.code, "other.csv: item '1' has the true label 'dog'" in done.err) == (1, True)


def test_cross_entropy_and_divergence_by_scipy() -> None:
    random = np.random.default_rng(5)
    true, forecast = random.dirichlet([1, 2, 3], 20), random.dirichlet([2, 2, 2], 20)
    data = {f"p_{n}": true[:, n] for n in range(3)} | {f"q_{n}": forecast[:, n] for n in range(3)}
    found = assay.entropy(data, probabilities="q_*", true="p_*")
    row = found.summary.row(0, named=True)
    divergence = rel_entr(true, forecast).sum(axis=1)
    assert row["divergence"] == pytest.approx(divergence.mean())
    assert found.items["divergence"].to_list() == pytest.approx(divergence.tolist())
    parts = (-true * np.log(forecast)).mean(axis=0)
    assert found.classes["cross_entropy"].to_list() == pytest.approx(parts.tolist())
    assert row["cross_entropy"] == pytest.approx(parts.sum())


def test_a_certain_class_gives_the_log_loss_of_the_lecture() -> None:
    data = {"truth": ["a", "b"], "q_a": [0.8, 0.4], "q_b": [0.2, 0.6]}
    found = assay.entropy(data, probabilities="q_*", truth="truth")
    expected = metrics.log_loss(data["truth"], np.asarray([data["q_a"], data["q_b"]]).T)
    assert found.summary["cross_entropy"][0] == pytest.approx(expected)
    total = -2 * (np.log(0.8) + np.log(0.6))
    assert found.summary["log_loss_sum"][0] == pytest.approx(total)
    assert found.classes["log_loss_sum"].to_list() == pytest.approx([total / 2] * 2)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"true": "p_*", "truth": "t"},
        {"truth": "missing"},
        {"truth": "t"},
        {"true": "r_*"},
    ],
)
def test_distributions_that_make_no_sense_are_refused(options: dict[str, str]) -> None:
    data = {"t": ["z"], "p_a": [0.5], "p_b": [0.6], "q_a": [0.5], "q_b": [0.5]}
    with pytest.raises(AssayError):
        assay.entropy(data, probabilities="q_*", **options)


def test_labels_that_models_contradict_and_what_changes(tmp_path: Path) -> None:
    truth = ["a"] * 6 + ["b"] * 6
    right = ["a"] * 6 + ["b"] * 5 + ["a"]  # The last label is wrong.
    models = {"m1": right, "m2": right, "m3": ["b", *right[1:]]}
    lines = [",".join(row) for row in zip(truth, *models.values(), strict=True)]
    path = tmp_path / "p.csv"
    path.write_text("\n".join(["truth,m1,m2,m3", *lines]) + "\n")
    found = assay.suspects(str(path), predicted=["m1", "m2", "m3"])
    assert found.items.rows() == [("12", "b", "a", 3, 3)]
    rows = {row["model"]: row for row in found.values.to_dicts()}
    assert rows["m1"]["as_labeled"] == pytest.approx(11 / 12)
    assert rows["m1"]["if_wrong"] == 1
    assert rows["m3"]["if_wrong"] == pytest.approx(11 / 12)
    words = ["suspects", str(path), "--predicted", "m1", "--predicted", "m2", "--predicted", "m3"]
    done = call(*words)
    assert done.code == 0, done.err
    assert "1 of 12 labels are contradicted" in done.out
    assert call(*words[:-2]).code == 2


def test_a_model_does_not_correct_the_truth_in_its_own_favor() -> None:
    data = {"truth": ["a", "b"], "m1": ["b", "b"], "m2": ["b", "b"], "m3": ["a", "b"]}
    rows = assay.suspects(data, predicted=["m1", "m2", "m3"]).values.to_dicts()
    changed = {row["model"]: row["labels_changed"] for row in rows}
    assert changed == {"m1": 0, "m2": 0, "m3": 1}


def test_a_certain_forecast_without_clipping_is_not_undefined() -> None:
    data = {"t": ["a", "b"], "q_a": [1.0, 0.5], "q_b": [0.0, 0.5]}
    found = assay.entropy(data, probabilities="q_*", truth="t", clip=0)
    assert found.summary["cross_entropy"][0] == pytest.approx(np.log(2) / 2)
    assert found.summary["log_loss_sum"][0] == pytest.approx(2 * np.log(2))


def test_two_ranked_systems_of_one_name_are_refused() -> None:
    data = {"truth": ["a"], "g": ["a;b"], "g1": ["b"]}
    with pytest.raises(AssayError, match="two systems of the name 'g'"):
        assay.top_k(data, "top@1", ranked=["g", "g*"])


def test_labels_as_whole_and_decimal_numbers_are_the_same() -> None:
    data = {"truth": [1, 0, 1]} | {f"m{n}": [1.0, 0.0, 0.0] for n in range(3)}
    found = assay.suspects(data, predicted=["m0", "m1", "m2"])
    assert found.items["item"].to_list() == ["3"]
    with pytest.raises(AssayError, match="row 2: the item has no label in 'truth'"):
        assay.suspects(data | {"truth": [1, None, 1]}, predicted=["m0", "m1", "m2"])
    with pytest.raises(AssayError, match="a model cannot be called 'truth', as another column is"):
        assay.suspects([1, 0, 1], {"truth": [1, 0, 1], "a": [1, 0, 1], "b": [1, 1, 1]})
