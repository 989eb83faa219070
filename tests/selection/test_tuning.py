"""Tuning: the same trials with any number of workers and after a kill; the choice; bad specs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError
from assay.selection.tuning.proposals import count_trials
from assay.selection.tuning.space import read_space

RANKER = """
import sys, time
k = float(sys.argv[sys.argv.index("--k") + 1])
if k > 8:
    sys.exit("k is too high")
time.sleep(float(sys.argv[sys.argv.index("--wait") + 1]))
with open(sys.argv[sys.argv.index("-o") + 1], "w") as run:
    for q in range(12):  # the relevant document is found at a rank that depends on k and q
        rank = 1 + int(abs(k - 3 - (q % 3) / 2) * 2)
        for n in range(1, 12):
            doc = "good" if n == rank else f"other{n}"
            run.write(f"q{q} Q0 {doc} {n} {20 - n} x\\n")
"""


def write_spec(folder: Path, wait: float = 0.0, **changes: Any) -> Path:
    (folder / "rank.py").write_text(RANKER)
    (folder / "qrels.txt").write_text("".join(f"q{q} 0 good 1\n" for q in range(12)))
    splits = "".join(f"q{q},{'dev' if q < 8 else 'eval'}\n" for q in range(12))
    (folder / "splits.csv").write_text("query,split\n" + splits)
    command = [sys.executable, "{program}", "--k", "{k}", "--wait", str(wait), "-o", "{run}"]
    lines = {
        "command": json.dumps(command),
        "method": '"random"',
        "trials": "12",
        "batch": "4",
        "simpler": '["-k"]',
    } | changes
    text = "".join(f"{name} = {value}\n" for name, value in lines.items() if value)
    text += '[parameters]\nk = {low = 1.0, high = 9.0}\n[inputs]\nprogram = "rank.py"\n'
    text += '[evaluation]\nqrels = "qrels.txt"\nsplits = "splits.csv"\nvalidation = "dev"\n'
    text += 'test = "eval"\nmeasure = "RR"\ntest_measure = ["RR", "P@1"]\n'
    (folder / "spec.toml").write_text(text)
    return folder / "spec.toml"


def outcome(found: assay.Tuning) -> Any:
    assert found.test is not None
    return str((found.trials.drop("seconds").rows(), found.chosen, found.test.summary().rows()))


@pytest.mark.parametrize("method", ["random", "optuna", "grid"])
def test_workers_do_not_change_a_trial(method: str, tmp_path: Path) -> None:
    if method == "optuna":
        pytest.importorskip("optuna")
    spec = write_spec(tmp_path, method=f'"{method}"')
    one = assay.tune(spec, workers=1)
    assert outcome(one) == outcome(assay.tune(spec, workers=4))
    failed = one.trials.filter(one.trials["failure"].is_not_null())
    assert all(k > 8 for k in failed["k"])
    assert "k is too high" in (failed["failure"][0] if failed.height else "k is too high")


def test_the_simplest_within_one_standard_error_is_chosen(tmp_path: Path) -> None:
    spec = write_spec(tmp_path, trials="12")
    found = assay.tune(spec)
    rows = found.trials.drop_nulls("value").filter(found.trials["failure"].is_null())
    best = rows.sort("value", descending=True).row(0, named=True)
    near = rows.filter(rows["value"] >= best["value"] - best["error"])
    assert found.best == {"k": best["k"]}
    assert found.chosen == {"k": near["k"].min()}
    plain = assay.tune(write_spec(tmp_path, simpler=""))
    assert plain.chosen == plain.best


def test_a_search_goes_on_after_a_kill(tmp_path: Path) -> None:
    spec = write_spec(tmp_path, wait=0.2)
    whole = assay.tune(spec, tmp_path / "whole")
    words = [sys.executable, "-m", "assay", "tune", str(spec), "--folder", str(tmp_path / "cut")]
    before = kill_after(words, tmp_path / "cut" / "trials.jsonl", 3)
    assert before < 13
    assert outcome(assay.tune(spec, tmp_path / "cut")) == outcome(whole)


def kill_after(words: list[str], trials: Path, count: int) -> int:
    """Kill a search after so many trials; return how many lines were written."""
    process = subprocess.Popen(words, start_new_session=True, stdout=subprocess.DEVNULL)
    limit = time.monotonic() + 240
    while time.monotonic() < limit and not (
        trials.exists() and len(trials.read_text().splitlines()) > count
    ):
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return len(trials.read_text().splitlines())


def to_toml(spec: dict[str, Any]) -> str:
    """Return a spec as TOML: values are written as JSON, tables after the other keys."""
    plain = [f"{k} = {json.dumps(v)}" for k, v in spec.items() if not isinstance(v, dict)]
    for name, table in spec.items():
        if isinstance(table, dict):
            plain.append(f"[{name}]")
            for key, value in table.items():
                ends = value.items() if isinstance(value, dict) else ()
                inner = ", ".join(f"{k} = {json.dumps(v)}" for k, v in ends)
                plain.append(f"{key} = {{{inner}}}" if inner else f"{key} = {json.dumps(value)}")
    return "\n".join(plain) + "\n"


def test_trials_of_other_inputs_are_never_used_again(tmp_path: Path) -> None:
    spec, folder = write_spec(tmp_path), tmp_path / "trials"
    first = assay.tune(spec, folder)
    assert any("looked at 1 time" in note for note in first.notes)
    again = assay.tune(spec, folder)
    assert any("looked at 2 times" in note for note in again.notes)
    assert outcome(first) == outcome(again)
    splits = (tmp_path / "splits.csv").read_text()
    (tmp_path / "splits.csv").write_text(splits.replace("q7,dev", "q7,eval"))
    with pytest.raises(AssayError, match="its inputs have changed"):
        assay.tune(spec, folder)
    (tmp_path / "splits.csv").write_text(splits)
    assert outcome(assay.tune(spec, folder)) == outcome(first)
    (tmp_path / "rank.py").write_text(RANKER + "# changed\n")
    with pytest.raises(AssayError, match="its inputs have changed"):
        assay.tune(spec, folder)


def test_time_runs_out_for_the_whole_process_group(tmp_path: Path) -> None:
    spec = write_spec(tmp_path, wait=30, timeout="0.3", trials="1")
    begin = time.monotonic()
    with pytest.raises(AssayError, match=r"no result after 0.3 s"):
        assay.tune(spec)
    assert time.monotonic() - begin < 15


def test_callables_and_estimators() -> None:
    def rank(good: float) -> dict[str, dict[str, float]]:
        return {f"q{q}": {"a": good, "b": 1.0} for q in range(4)}

    evaluation = {"qrels": {f"q{q}": {"a": 1} for q in range(4)}, "measure": "RR"}
    spec = {"callable": rank, "parameters": {"good": [0.5, 2.0]}, "method": "grid"}
    found = assay.tune({**spec, "evaluation": evaluation})
    assert found.best == {"good": 2.0}
    assert found.test is None
    short = assay.tune({**spec, "evaluation": evaluation, "trials": 1})
    assert "1 of 2 combinations of the grid are tried" in short.notes
    with pytest.raises(AssayError, match="trials of a callable are not kept"):
        assay.tune({**spec, "evaluation": evaluation}, "trials")
    for measure, message in [("GMAP", "not a mean over queries"), ("Judged@5", "no better")]:
        with pytest.raises(AssayError, match=message):
            assay.tune({**spec, "evaluation": {**evaluation, "measure": measure}})

    linear = pytest.importorskip("sklearn.linear_model")
    draw = np.random.default_rng(0)
    X = draw.normal(size=(80, 20))
    y = X[:, 0] + 0.5 * draw.normal(size=80)
    found = assay.tune(
        {
            "estimator": linear.Ridge(),
            "parameters": {"alpha": {"low": 0.01, "high": 1000.0, "log": True, "points": 6}},
            "method": "grid",
            "simpler": ["+alpha"],
            "X": X[:60],
            "y": y[:60],
            "X_test": X[60:],
            "y_test": y[60:],
            "evaluation": {"measure": "RMSE"},
        }
    )
    assert found.chosen["alpha"] >= found.best["alpha"]
    assert found.test is not None
    model = linear.Ridge(alpha=found.chosen["alpha"]).fit(X[:60], y[:60])
    error = float(np.sqrt(np.mean((model.predict(X[60:]) - y[60:]) ** 2)))
    assert next(iter(found.test["RMSE"].values())) == pytest.approx(error)


def test_frames_reach_the_estimator() -> None:
    compose = pytest.importorskip("sklearn.compose")
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    pandas = pytest.importorskip("pandas")
    draw = np.random.default_rng(0)
    X = pandas.DataFrame(draw.normal(size=(80, 3)), columns=["a", "b", "c"])
    y = np.where(X["b"] > 0, "yes", "no")
    chosen = compose.make_column_transformer(("passthrough", ["b"]))
    found = assay.tune(
        {
            "estimator": make_pipeline(chosen, LogisticRegression()),
            "parameters": {"logisticregression__C": [0.1, 1.0]},
            "method": "grid",
            "X": X[:60],
            "y": y[:60],
            "X_test": X[60:],
            "y_test": y[60:],
            "evaluation": {"measure": "accuracy"},
        }
    )
    assert found.test is not None
    assert next(iter(found.test["ACC"].values())) > 0.9
    assert any("on the validation data, on which it was chosen" in note for note in found.notes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"method": '"annealing"'}, "no method of search 'annealing'"),
        ({"command": '"rank --k {k}"'}, "a list of arguments"),
        ({"command": '["rank", "{k}"]'}, "does not use {run}"),
        ({"command": '["rank", "{k}", "{z}", "{run}"]'}, "{z}, which is no parameter"),
        ({"simpler": '["k"]'}, "with \\+ or -"),
        ({"trails": "3"}, "the spec has 'trails'"),
        ({"batch": "0"}, "at least 1 is needed"),
        ({"trials": "0"}, "1 to 100,000 are possible"),
        ({"trials": '"many"'}, "trials is 'many': a whole number is expected"),
        ({"seed": "true"}, "seed is True: a whole number is expected"),
        ({"seed": "-1"}, "seed is -1"),
        ({"timeout": '"long"'}, "a number of seconds is expected"),
        ({"timeout": "inf"}, "timeout is inf"),
        ({"method": "3"}, "method is 3: a text is expected"),
        ({"simpler": "3"}, "simpler is 3: a list of names is expected"),
    ],
)
def test_bad_specs_get_a_message(changes: dict[str, str], message: str, tmp_path: Path) -> None:
    with pytest.raises(AssayError, match=message):
        assay.tune(write_spec(tmp_path, **changes))


def test_bad_files_and_parameters(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("command = [")
    done = call("tune", str(tmp_path / "bad.toml"))
    assert (done.code, "bad.toml" in done.err) == (1, True)
    done = call("tune", str(tmp_path / "none.toml"))
    assert (done.code, "none.toml" in done.err) == (2, True)
    for given, message in [
        ({"k": 3}, "a list of values"),
        ({"k": {"low": 1}}, "high is missing"),
        ({"k": {"low": 2, "high": 1}}, "low is below high"),
        ({"k": {"low": 0.0, "high": 1.0, "log": True}}, "above 0"),
        ({"k": {"lo": 2}}, "no field"),
        ({"k": []}, "empty"),
        ({"k": {"values": 3}}, "a list is expected"),
        ({"k": {"low": 1, "high": 10**400}}, "both are numbers"),
        ({"k": {"low": 0.0, "high": 1.0, "points": 10**9}}, "2 to 100,000"),
        (3, "a table is expected"),
    ]:
        with pytest.raises(AssayError, match=message):
            read_space(given)


def test_a_large_grid_is_refused_before_it_is_built() -> None:
    space = read_space({f"p{n}": {"low": 0.0, "high": 1.0, "points": 1000} for n in range(6)})
    with pytest.raises(AssayError, match="1,000,000,000,000,000,000 trials"):
        count_trials("grid", space, None)


def test_validation_data_is_not_test_data(tmp_path: Path) -> None:
    spec = write_spec(tmp_path)
    spec.write_text(spec.read_text().replace('test = "eval"', 'test = "dev"'))
    with pytest.raises(AssayError, match="'dev' as validation and as test"):
        assay.tune(spec)


def test_the_ranker_has_messages(tmp_path: Path) -> None:
    (tmp_path / "docs.txt").write_text("")
    words = ["--documents", str(tmp_path / "docs.txt"), "--topics", "none.txt", "-o", "x.run"]
    done = subprocess.run(
        [sys.executable, "-m", "assay.demo.bm25", *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("Error: ")


def test_the_command(tmp_path: Path) -> None:
    spec = write_spec(tmp_path)
    done = call("tune", str(spec), "--folder", str(tmp_path / "trials"), "--workers", "2")
    assert done.code == 0, done.err
    assert "chosen: k = " in done.out
    assert "on the test data" in done.out.replace("\n  ", " ")


@pytest.mark.slow
@pytest.mark.shared
def test_bm25_is_tuned_on_cranfield(tmp_path: Path, shared_data: Path) -> None:
    for name in ("cran.all.1400.gz", "cran.qry", "cranqrel"):
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / name).write_bytes((shared_data / "cranfield" / name).read_bytes())
    written = ("--write", str(tmp_path / "cran"), "--kind", "trec", "--quiet")
    assert call("collection", str(tmp_path / "in"), *written).code == 0
    place = str(tmp_path / "splits.csv")
    words = ("split", "queries", str(tmp_path / "cran" / "topics.xml"), "--share", "0,60,40")
    assert call(*words, "-o", place).code == 0
    files = {"documents": "in/cran.all.1400.gz", "topics": "cran/topics.xml"}
    options = [part for name in (*files, "k1", "b") for part in (f"--{name}", f"{{{name}}}")]
    spec = {
        "command": [sys.executable, "-m", "assay.demo.bm25", *options, "-o", "{run}"],
        "parameters": {"k1": {"low": 0.4, "high": 3.0}, "b": {"low": 0.0, "high": 1.0}},
        "trials": 8,
        "inputs": {name: str(tmp_path / path) for name, path in files.items()},
        "evaluation": {
            "qrels": str(tmp_path / "cran" / "qrels.txt"),
            "splits": place,
            "validation": "dev",
            "test": "eval",
            "measure": "nDCG@10",
        },
    }
    one, eight = (assay.tune(spec, workers=workers) for workers in (1, 8))
    assert outcome(one) == outcome(eight)
    spec_file = tmp_path / "bm25.toml"
    spec_file.write_text(to_toml(spec))
    folder = tmp_path / "cut"
    tune = [sys.executable, "-m", "assay", "tune", str(spec_file), "--folder", str(folder)]
    assert kill_after(tune, folder / "trials.jsonl", 3) < 9
    assert outcome(assay.tune(spec_file, folder)) == outcome(one)
    assert one.nested is not None
    assert set(one.nested.folds["fold"]) == {1, 2, 3, 4, 5}
    assert one.test is not None
    assert one.test.results[0].units
    known = assay.Splits.read(place)
    assert {*one.test.results[0].units} <= {*known.units("eval")}
    assert 0.2 < next(iter(one.test["nDCG@10"].values())) < 0.6
