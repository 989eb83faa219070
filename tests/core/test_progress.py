"""Progress is shown on terminals and in notebooks after a while, removed, and quiet in pipes."""

from __future__ import annotations

import io
import sys
import types
from collections.abc import Callable
from typing import Any

import pytest

import assay
from assay.core import progress
from assay.core.progress import with_progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "WAIT", 0.0)
    monkeypatch.setattr(progress, "EVERY", 0.0)


@with_progress
def long_work(steps: int, progress: Callable[..., None] = lambda *given: None) -> int:
    for step in range(steps):
        progress(step, steps)
    progress("the end")
    return steps


def test_a_terminal_shows_a_line_and_loses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", shown := Terminal())
    assert long_work(4) == 4
    assert "long work: 50% …" in shown.getvalue()
    assert "long work: the end …" in shown.getvalue()
    assert shown.getvalue().rsplit("\r", 2)[1].strip() == ""


def test_pipes_and_own_callbacks_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", shown := io.StringIO())
    long_work(4)
    assert shown.getvalue() == ""
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    seen: list[Any] = []
    long_work(1, progress=lambda *given: seen.append(given))
    assert seen == [(0, 1), ("the end",)]
    assert terminal.getvalue() == ""


def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "WAIT", 60.0)
    monkeypatch.setattr(sys, "stderr", shown := Terminal())
    long_work(4)
    assert shown.getvalue() == ""


def test_a_notebook_has_one_output_that_is_empty_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts: list[str] = []

    class Handle:
        def update(self, data: dict[str, str], raw: bool) -> None:
            texts.append(data["text/plain"])

    def display(data: dict[str, str], raw: bool, display_id: bool) -> Handle:
        texts.append(data["text/plain"])
        return Handle()

    shell = types.ModuleType("IPython")
    shell.get_ipython = lambda: types.SimpleNamespace(kernel=1)  # type: ignore[attr-defined]
    shown = types.ModuleType("IPython.display")
    shown.display = display  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", shown)
    monkeypatch.setattr(sys, "stderr", quiet := io.StringIO())
    long_work(2)
    assert texts == ["long work: 0% …", "long work: 50% …", "long work: the end …", ""]
    assert quiet.getvalue() == ""


def test_comparisons_show_how_far_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    qrels = {str(q): {"a": 1, "b": 0} for q in range(12)}
    runs = {
        "one": {q: {"a": 2.0, "b": 1.0} for q in qrels},
        "two": {q: {"a": float(int(q) % 2), "b": 0.5} for q in qrels},
    }
    monkeypatch.setattr(sys, "stderr", shown := Terminal())
    assay.compare(assay.retrieval(qrels, runs, "AP"), permutations=50)
    assert "retrieval: one …" in shown.getvalue()
    assert "compare: " in shown.getvalue()


def test_resamples_show_how_far_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", shown := Terminal())
    labels = list(range(60))  # so many cells that the resamples are drawn in blocks
    assay.classification(labels * 2, labels + labels[::-1], "MCC")
    assert "classification: 100% …" in shown.getvalue()
    assert shown.getvalue().endswith("\r")
    monkeypatch.setattr(sys, "stderr", quiet := io.StringIO())
    assay.classification(labels * 2, labels + labels[::-1], "MCC")
    assert quiet.getvalue() == ""


QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}
RUNS = {
    name: {"q1": {"a": 2.0 + n, "b": 1.0, "x": 3.0}, "q2": {"c": 1.0, "y": 1.0}}
    for n, name in enumerate(("bm25", "dense", "both"))
}
INSPECTIONS: dict[str, Callable[[], Any]] = {
    "holes: bm25, dense, both: AP": lambda: assay.holes(QRELS, RUNS, "AP"),
    "tie report: bm25, dense, both: AP": lambda: assay.ties(QRELS, RUNS, "AP"),
    "candidates of pairs: 33%": lambda: assay.next(QRELS, RUNS, "AP"),
    "fuse: ordering dense": lambda: assay.fuse(RUNS),
}


@pytest.mark.parametrize("text", INSPECTIONS)
def test_inspections_and_fusion_show_their_work(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", shown := Terminal())
    INSPECTIONS[text]()
    assert f"{text} …" in shown.getvalue()
    assert shown.getvalue().rsplit("\r", 2)[1].strip() == ""
    monkeypatch.setattr(sys, "stderr", quiet := io.StringIO())
    INSPECTIONS[text]()
    assert quiet.getvalue() == ""
