"""LaTeX and HTML tables, and what a notebook shows."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from tests.cli.terminal import call
from tests.reports.evidence import write_retrieval

import assay
from assay.reports.formats import FORMATS
from assay.reports.html import notebook
from assay.reports.latex import escaped

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1, "b": 0}}
GOOD = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 2.0, "b": 1.0}}
BAD = {"q1": {"a": 1.0, "b": 2.0}, "q2": {"a": 1.0, "b": 2.0}}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_retrieval(tmp_path, queries=24)
    return tmp_path


RUNS = ("qrels.txt", "runs/system0.run", "runs/system1.run", "runs/system2.run")
TABLE = r"""
\begin{tabular}{lrr}
\toprule
system & AP & P@1 \\
\midrule
good\_one & \textbf{1.00} & \textbf{1.00} \\
bad & 0.50 & 0.00 \\
\bottomrule
\end{tabular}
""".strip()


def test_latex_has_the_best_in_bold() -> None:
    from assay.reports.tables import Layout

    scores = assay.retrieval(QRELS, {"bad": BAD, "good_one": GOOD}, "AP P@1", bootstrap=None)
    assert FORMATS["latex"](scores, Layout(digits=2, sort="AP")) == TABLE


def test_equal_values_are_all_best_and_lower_can_be_better() -> None:
    from assay.reports.tables import Layout

    scores = assay.retrieval(QRELS, {"one": GOOD, "two": GOOD}, "AP", bootstrap=None)
    assert FORMATS["latex"](scores, Layout()).count(r"\textbf{1.0000}") == 2
    errors = assay.regression({"truth": [1, 2], "predicted": [1, 4]}, "MSE", bootstrap=None)
    assert r"\textbf" not in FORMATS["latex"](errors, Layout())


def test_a_comparison_in_latex_has_letters_or_marks(folder: Path) -> None:
    done = call("compare", "retrieval", *RUNS, "-m", "AP nDCG@5", "--format", "latex")
    assert done.code == 0, done.err
    assert r"\mathrm{a}" in done.out
    done = call(
        "compare", "retrieval", *RUNS, "-m", "AP", "--baseline", "system0", "--format", "latex"
    )
    assert r"system0$^{\dagger}$" in done.out
    assert done.out.count(r"$^{\dagger}$") == 3, "the baseline, and two that differ from it"


def test_special_letters_are_escaped() -> None:
    assert escaped(r"a_b & 5% \x^2 {~}") == (
        r"a\_b \& 5\% \textbackslash{}x\textasciicircum{}2 \{\textasciitilde{}\}"
    )


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not there")
def test_latex_can_be_set(folder: Path) -> None:
    table = call("compare", "retrieval", *RUNS, "-m", "AP", "--format", "latex").out
    before = r"\documentclass{article}\usepackage{booktabs}\begin{document}"
    (folder / "t.tex").write_text(before + table + r"\end{document}")
    subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"], check=True)


def test_html_and_notebooks_escape_names(folder: Path) -> None:
    done = call("retrieval", *RUNS, "-m", "AP", "--format", "html")
    assert done.out.startswith('<table><thead><tr><th scope="col">system</th>')
    scores = assay.retrieval(QRELS, {"<b>": GOOD, "two": BAD}, "AP")
    assert scores._repr_html_() == notebook(scores)
    assert "&lt;b&gt;" in notebook(scores)
    assert "<b>" not in notebook(scores)
    assert "95% interval" in notebook(scores)


def test_every_format_can_be_asked_for() -> None:
    from assay.cli.output import FORMATS as ASKED

    assert set(ASKED) == set(FORMATS)
