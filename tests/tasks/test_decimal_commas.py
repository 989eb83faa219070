"""Every public function that reads numbers takes ``decimal_comma``, or says what to do instead."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import UsageError

RUNS = {
    "a": "q1 Q0 d1 1 3,5 a\nq1 Q0 d2 2 2,5 a\nq2 Q0 d3 1 1,5 a\nq2 Q0 d1 2 0,5 a\n",
    "b": "q1 Q0 d2 1 3,5 b\nq1 Q0 d1 2 3,25 b\nq2 Q0 d1 1 1,5 b\nq2 Q0 d3 2 1,25 b\n",
}
FILES = {
    "qrels.txt": "q1 0 d1 1,5\nq1 0 d2 0,5\nq2 0 d3 1\n",
    **{f"{name}.run": text for name, text in RUNS.items()},
    "items.csv": "truth;p;q_no;q_yes;by;x\n"
    + "".join(
        f"{'yes' if n % 3 else 'no'};0,{n + 1};0,{n + 1}5;0,{8 - n}5;{n % 2};{n},5\n"
        for n in range(8)
    ),
    "scores.csv": "system;unit;measure;value\n"
    + "".join(f"{s};{n};AP;0,{n + 2}{k}5\n" for k, s in enumerate("ab") for n in range(6)),
    "users.csv": "user;arm;x\n"
    + "".join(f"u{n};{'new' if n % 2 else 'old'};{n},5\n" for n in range(9)),
    "trials.csv": "participant;system;seconds\n"
    + "".join(f"u{n};{s};{n + 1},{k}\n" for n in range(6) for k, s in enumerate("ab", 2)),
    "points.csv": "precision;recall\n0,5;0,25\n0,4;0,5\n",
}


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """The files with decimal commas, and the same ones with points."""
    commas, points = tmp_path / "commas", tmp_path / "points"
    for folder, change in ((commas, str), (points, lambda text: text.replace(",", "."))):
        folder.mkdir()
        for name, text in FILES.items():
            (folder / name).write_text(change(text))
    return commas, points


def _runs(folder: Path) -> dict[str, Path]:
    return {name: folder / f"{name}.run" for name in RUNS}


ITEMS = {"truth": "truth", "score": "p", "positive": "yes"}
CALLS: dict[str, Callable[[Path, dict[str, Any]], Any]] = {
    "retrieval": lambda f, k: assay.retrieval(f / "qrels.txt", _runs(f), "nDCG", **k).per_unit(),
    "risk": lambda f, k: assay.risk(f / "qrels.txt", f / "a.run", {"b": f / "b.run"}, "nDCG", **k),
    "holes": lambda f, k: assay.holes(f / "qrels.txt", _runs(f), "nDCG", **k).to_markdown(),
    "ties": lambda f, k: assay.ties(f / "qrels.txt", _runs(f), "nDCG", **k).to_markdown(),
    "next": lambda f, k: assay.next(f / "qrels.txt", f / "a.run", f / "b.run", "AP", **k),
    "pool": lambda f, k: assay.pool(_runs(f), depth=2, **k).frame,
    "pool_stats": lambda f, k: assay.pool_stats(_runs(f), qrels=f / "qrels.txt", **k).runs,
    "pool_reuse": lambda f, k: assay.pool_reuse(f / "qrels.txt", _runs(f), **k).runs,
    "preferences": lambda f, k: assay.preferences(
        f / "qrels.txt", _runs(f), form="qrels", **k
    ).per_unit(),
    "fuse": lambda f, k: assay.fuse(_runs(f), "sum", **k).frame,
    "classification": lambda f, k: assay.classification(f / "items.csv", **ITEMS, **k).per_unit(),
    "fairness": lambda f, k: (
        assay.fairness(f / "items.csv", by="by", threshold=0.4, min_size=1, **ITEMS, **k).gaps
    ),
    "entropy": lambda f, k: assay.entropy(
        f / "items.csv", probabilities="q_*", truth="truth", **k
    ).to_markdown(),
    "compare": lambda f, k: assay.compare(f / "scores.csv", **k).pairs,
    "gate": lambda f, k: assay.gate(f / "scores.csv", floor=0.1, **k).to_markdown(),
    "power": lambda f, k: assay.power(f / "scores.csv", **k).to_markdown(),
    "experiment": lambda f, k: (
        assay.experiment.analyze(f / "users.csv", "mean(x)", control="old", **k).results
    ),
    "lab": lambda f, k: assay.lab.analyze(f / "trials.csv", "seconds", **k).pairs,
    "plot roc": lambda f, k: assay.plot("roc", f / "items.csv", **ITEMS, **k).svg,
    "plot pr": lambda f, k: assay.plot("pr", f / "qrels.txt", _runs(f), **k).svg,
    "plot residuals": lambda f, k: (
        assay.plot("residuals", f / "items.csv", truth="x", predicted="p", **k).svg
    ),
    "plot histogram": lambda f, k: assay.plot("histogram", f / "items.csv", column="x", **k).svg,
    "plot pr-points": lambda f, k: assay.plot("pr-points", f / "points.csv", **k).svg,
}


@pytest.mark.parametrize("name", CALLS)
def test_numbers_with_a_comma_are_those_with_a_point(name: str, folders: tuple[Path, Path]) -> None:
    commas, points = folders
    with pytest.raises(assay.AssayError):
        CALLS[name](commas, {})
    found, expected = CALLS[name](commas, {"decimal_comma": True}), CALLS[name](points, {})
    assert found.equals(expected) if hasattr(found, "equals") else found == expected


REFUSED: dict[str, Callable[..., Any]] = {
    "aggregate": lambda **k: assay.aggregate("x.csv", **k),
    "check": lambda **k: assay.check("qrels.txt", **k),
    "check_split": lambda **k: assay.check_split("x.csv", "y.csv", **k),
    "confusion": lambda **k: assay.confusion("x.csv", **k),
    "interleave": lambda **k: assay.interleave.make("x.run", **k),
    "learn": lambda **k: assay.learn.outliers("x.csv", **k),
    "pr": lambda **k: assay.pr("x.csv", **k),
    "spans": lambda **k: assay.spans("x.csv", **k),
    "suspects": lambda **k: assay.suspects("x.csv", **k),
    "top_k": lambda **k: assay.top_k("x.csv", **k),
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_functions_refuse_the_option_by_name(name: str) -> None:
    with pytest.raises(UsageError, match=r"no argument 'decimal_comma'.*pandas.read_csv"):
        REFUSED[name](decimal_comma=True)


def test_a_result_has_no_decimal_commas() -> None:
    scores = assay.classification([0, 1], y_score=[0.2, 0.7], interval=None)
    with pytest.raises(UsageError, match="given a result"):
        assay.plot("roc", scores, decimal_comma=True)


def test_a_converted_run_has_points(folders: tuple[Path, Path]) -> None:
    commas, points = folders
    out = commas / "out.run"
    call("convert", str(commas / "a.run"), str(out), "--decimal-comma")
    expected = points / "out.run"
    call("convert", str(points / "a.run"), str(expected))
    assert out.read_bytes() == expected.read_bytes()


@pytest.mark.parametrize(
    "words",
    [
        "fuse a.run b.run",
        "entropy items.csv --truth truth --probabilities q_*",
        "experiment analyze users.csv -m x --control old --format csv",
        "lab analyze trials.csv -m seconds --format csv",
        "preferences qrels.txt a.run --form qrels --format csv",
        "pool stats a.run b.run --depth 2 --format csv",
        "pool reuse qrels.txt a.run b.run --format csv",
    ],
)
def test_commands_take_the_option(
    words: str, folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    commas, points = folders
    monkeypatch.chdir(points)
    expected = call(*words.split()).out
    monkeypatch.chdir(commas)
    assert call(*words.split(), "--decimal-comma").out == expected
