"""Tuning: nested estimates, pruning, the cache of runs, failed trials, and the page."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cli.terminal import call
from tests.selection.test_tuning import RANKER, outcome, write_spec

import assay
from assay.core.errors import AssayError

NOISE = {f"q{q}": {"a": 1} for q in range(60)}


def noise_ranker(seed: int) -> dict[str, dict[str, float]]:
    """A run that puts the relevant document at a random rank."""
    ranks = np.random.default_rng(seed).integers(1, 5, size=60)
    return {
        f"q{q}": {"a": 5.0 - rank, **{f"d{n}": 4.5 - n for n in range(4)}}
        for q, rank in enumerate(ranks)
    }


def noise_spec(**changes: Any) -> dict[str, Any]:
    return {
        "callable": noise_ranker,
        "parameters": {"seed": list(range(1, 31))},
        "method": "grid",
        "evaluation": {"qrels": NOISE, "measure": "RR"},
    } | changes


def test_the_nested_value_is_without_the_gain_of_the_choice() -> None:
    found = assay.tune(noise_spec())
    assert found.nested is not None
    every = [assay.retrieval(NOISE, {"x": noise_ranker(seed)}, "RR") for seed in range(1, 31)]
    means = [each["RR"]["x"] for each in every]
    assert found.nested.optimistic == pytest.approx(max(means))
    assert found.nested.low < np.mean(means) < found.nested.high
    assert found.nested.difference == found.nested.optimistic - found.nested.value > 0.01
    assert any("the optimism of choosing" in note for note in found.notes)
    # by hand: choose without each fold, evaluate on it
    values = {seed: dict(zip(s.results[0].units, s.results[0].values, strict=True))
              for seed, s in enumerate(every, 1)}  # fmt: skip
    units = sorted(values[1])
    order = np.random.default_rng(1).permutation(60)
    left = []
    for part in np.array_split(order, 5):
        inside = [units[n] for n in range(60) if n not in part]
        best = max(values, key=lambda seed: np.mean([values[seed][u] for u in inside]))
        left += [values[best][units[n]] for n in part]
    assert found.nested.value == pytest.approx(np.mean(left))
    assert assay.tune(noise_spec(nested=0)).nested is None
    for bad, message in [(1, "2 folds or more"), (40, "use fewer folds"), ("x", "a number")]:
        with pytest.raises(AssayError, match=message):
            assay.tune(noise_spec(nested=bad))


def test_an_estimator_is_searched_anew_in_each_fold() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    from sklearn.model_selection import GridSearchCV, KFold, cross_val_score

    draw = np.random.default_rng(3)
    X, y = draw.normal(size=(90, 30)), draw.normal(size=90)
    grid = [0.01, 1.0, 100.0]
    spec = {
        "estimator": linear.Ridge(),
        "parameters": {"alpha": grid},
        "method": "grid",
        "X": X,
        "y": y,
        "cv": KFold(4),
        "nested": KFold(5),
        "evaluation": {"measure": "MSE"},
    }
    found = assay.tune(spec)
    search = GridSearchCV(
        linear.Ridge(), {"alpha": grid}, cv=KFold(4), scoring="neg_mean_squared_error"
    )
    known = -cross_val_score(search, X, y, cv=KFold(5), scoring="neg_mean_squared_error")
    assert found.nested is not None
    np.testing.assert_allclose(found.nested.folds["left_out"], known)
    assert found.nested.value == pytest.approx(known.mean())
    pruned = assay.tune({**spec, "nested": 0, "batch": 3, "budget": {"folds": [2, 4]}})
    assert pruned.trials["pruned"].sum() == 2
    assert pruned.trials.filter(~pruned.trials["pruned"])["budget"].to_list() == [4]


BUDGETED = RANKER.replace("time.sleep", "rounds = sys.argv[sys.argv.index('--n') + 1]; time.sleep")


def budget_spec(folder: Path, **changes: Any) -> Path:
    command = [
        sys.executable,
        "{program}",
        "--k",
        "{k}",
        "--n",
        "{n}",
        "--wait",
        "0",
        "-o",
        "{run}",
    ]
    spec = write_spec(folder, command=json.dumps(command), **changes)
    (folder / "rank.py").write_text(BUDGETED)
    spec.write_text(spec.read_text() + "[budget]\nn = [1, 3, 9]\n")
    return spec


@pytest.mark.parametrize("method", ["random", "optuna"])
def test_pruning_does_not_depend_on_workers_or_a_resume(method: str, tmp_path: Path) -> None:
    if method == "optuna":
        pytest.importorskip("optuna")
    spec = budget_spec(tmp_path, method=f'"{method}"')
    whole = assay.tune(spec, tmp_path / "whole", workers=1)
    assert outcome(whole) == outcome(assay.tune(spec, workers=4))
    kept = whole.trials.filter(whole.trials["failure"].is_null())
    assert {1, 9} <= {*kept["budget"]} <= {1, 3, 9}
    assert kept.filter(kept["budget"] == 9)["pruned"].any() is False
    assert whole.chosen["k"] in kept.filter(kept["budget"] == 9)["k"].to_list()
    assert any("were pruned" in note for note in whole.notes)
    lines = (tmp_path / "whole" / "trials.jsonl").read_text().splitlines()
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut" / "trials.jsonl").write_text("\n".join(lines[:4]) + "\n")
    assert outcome(assay.tune(spec, tmp_path / "cut", workers=2)) == outcome(whole)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("n = 3", "a list of numbers"),
        ("n = [3]", "two or more rising"),
        ("n = [3, 1]", "two or more rising"),
        ("n = [1, 3]\nm = [1, 2]", "one parameter"),
        ("k = [1, 3]", "which is tuned"),
        ("z = [1, 3]", "{n}, which is no parameter"),
    ],
)
def test_bad_budgets(text: str, message: str, tmp_path: Path) -> None:
    spec = budget_spec(tmp_path)
    spec.write_text(spec.read_text().replace("n = [1, 3, 9]", text))
    with pytest.raises(AssayError, match=message):
        assay.tune(spec)


COUNTED = (
    RANKER
    + """
with open(LOG, "a") as log:
    log.write("once\\n")
"""
)


def test_runs_are_used_again_until_an_input_changes(tmp_path: Path) -> None:
    log, cache = tmp_path / "log", tmp_path / "runs"
    command = [sys.executable, "{program}", "--k", "{k}", "--wait", "0", "--topics", "{topics}"]
    spec = write_spec(tmp_path, command=json.dumps([*command, "-o", "{run}"]))
    kept = spec.read_text().replace("[inputs]\n", '[inputs]\ntopics = "topics.tsv"\n')
    spec.write_text(kept)
    program = COUNTED.replace("LOG", repr(str(log)))
    (tmp_path / "rank.py").write_text(program)
    (tmp_path / "topics.tsv").write_text("q0\twings\n")

    def runs() -> int:
        return len(log.read_text().splitlines())

    first = assay.tune(spec, tmp_path / "one", cache=cache)
    failed = first.trials["failure"].is_not_null().sum()
    ran = runs()
    assert ran == 12 - failed  # the choice on test data is one of them
    assert outcome(assay.tune(spec, tmp_path / "two", cache=cache)) == outcome(first)
    assert runs() == ran
    spec.write_text(kept.replace('measure = "RR"', 'measure = "P@1"', 1))  # the same runs
    assay.tune(spec, cache=cache)
    assert runs() == ran
    spec.write_text(kept)
    (tmp_path / "topics.tsv").write_text("q0\twings of birds\n")
    assert outcome(assay.tune(spec, cache=cache)) == outcome(first)
    assert runs() == 2 * ran
    (tmp_path / "rank.py").write_text(program + "# changed\n")
    assay.tune(spec, cache=cache)
    assert runs() == 3 * ran


def test_failed_trials_are_tried_again(tmp_path: Path) -> None:
    spec, folder = write_spec(tmp_path, trials="24"), tmp_path / "trials"
    found = assay.tune(spec, folder)
    failed = int(found.trials["failure"].is_not_null().sum())
    assert failed > 0
    assert len((folder / "trials.jsonl").read_text().splitlines()) == 1 + 24 - failed


def test_the_page_has_search_curves_and_choice(tmp_path: Path) -> None:
    spec, page = write_spec(tmp_path), tmp_path / "page.html"
    done = call("tune", str(spec), "--report", str(page), "--cache", str(tmp_path / "runs"))
    assert done.code == 0, done.err
    text = page.read_text()
    assert all(f'id="{part}"' in text for part in ("choice", "search", "parameters", "table-0"))
    assert "RR against k" in text
    assert "chosen: k = " in text
    assert text.count("<svg") >= 2


@pytest.mark.parametrize("spec", [3, ["a"], {"callable": 3}, {"estimator": "tree"}])
def test_other_specs_get_a_message(spec: Any) -> None:
    if isinstance(spec, dict):
        evaluation = {"qrels": NOISE, "measure": "RR"}
        spec = {"parameters": {"k": [1, 2]}, "X": [[1]], "y": [1], "evaluation": evaluation} | spec
    with pytest.raises(AssayError):
        assay.tune(spec)
