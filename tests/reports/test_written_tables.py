"""LaTeX and HTML tables, and what a notebook shows."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from tests.cli.terminal import call
from tests.reports.report_inputs import write_retrieval

import assay
from assay.reports.text.latex import escape_latex
from assay.reports.text.result_text import Layout, format_names, write

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
    scores = assay.retrieval(QRELS, {"bad": BAD, "good_one": GOOD}, "AP P@1", interval=None)
    assert write(scores, "latex", Layout(digits=2, sort="AP")) == TABLE


def test_equal_values_are_all_best_and_lower_can_be_better() -> None:
    scores = assay.retrieval(QRELS, {"one": GOOD, "two": GOOD}, "AP", interval=None)
    assert write(scores, "latex", Layout()).count(r"\textbf{1.0000}") == 2
    errors = assay.regression({"truth": [1, 2], "predicted": [1, 4]}, "MSE", interval=None)
    assert r"\textbf" not in write(errors, "latex", Layout())


def test_a_comparison_in_latex_has_letters_or_marks(folder: Path) -> None:
    done = call("compare", "retrieval", *RUNS, "-m", "AP nDCG@5", "--format", "latex")
    assert done.code == 0, done.err
    assert r"\mathrm{a}" in done.out
    done = call(
        "compare", "retrieval", *RUNS, "-m", "AP", "--baseline", "system0", "--format", "latex"
    )
    assert r"system0 (baseline$^{\dagger}$)" in done.out
    assert done.out.count(r"$^{\dagger}$") == 3, "the baseline, and two that differ from it"


def test_special_letters_are_escaped() -> None:
    assert escape_latex(r"a_b & 5% \x^2 {~}") == (
        r"a\_b \& 5\% \textbackslash{}x\textasciicircum{}2 \{\textasciitilde{}\}"
    )


HOSTILE = (
    "a_b%&#{}", r"x\y^z~", "[odd] name", "*starred", "<b>dünn</b> – é", "$5 | 6$", "≥ 3 × 2 → ∞",
    "quote\"s '", "--dash", "@10", "plain", "naïve",
)  # fmt: skip


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not there")
@pytest.mark.parametrize("count", [2, 5, 12])
def test_latex_can_be_set(folder: Path, count: int) -> None:
    """Whatever a system is called, with letters, with marks, and without a test."""
    from assay.tasks.comparison.comparison import compare

    names = HOSTILE[:count]
    runs = {name: GOOD if place % 2 else BAD for place, name in enumerate(names)}
    scores = assay.retrieval(QRELS, runs, "AP P(rel=1)@1", interval=None)
    tables = [
        write(scores, "latex", Layout()),
        write(scores, "latex", Layout(per_unit=True)),
        write(compare(scores, test="t"), "latex"),
        write(compare(scores, test="t", baseline=names[0]), "latex"),
    ]
    before = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{booktabs}\begin{document}"
    (folder / "t.tex").write_text("\n\n".join([before, *tables, r"\end{document}"]))
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-1500:]


def test_a_name_is_never_an_argument() -> None:
    scores = assay.retrieval(QRELS, {"[x]": BAD, "*": GOOD}, "AP", interval=None)
    rows = write(scores, "latex", Layout()).splitlines()
    assert [row[:5] for row in rows[4:6]] == ["{}* &", "{}[x]"]  # the best first


def test_html_and_notebooks_escape_names(folder: Path) -> None:
    done = call("retrieval", *RUNS, "-m", "AP", "--format", "html")
    assert done.out.startswith('<table><thead><tr><th scope="col">system</th>')
    scores = assay.retrieval(QRELS, {"<b>": GOOD, "two": BAD}, "AP")
    assert scores._repr_html_() == write(scores, "notebook")
    assert "&lt;b&gt;" in scores._repr_html_()
    assert "<b>" not in scores._repr_html_()
    assert "95% interval" in scores._repr_html_()


def test_help_imports_no_writer() -> None:
    code = (
        "import sys; from assay.cli.application import main\n"
        "try: main(['retrieval', '--help'])\n"
        "except SystemExit: pass\n"
        "assert not {'numpy', 'polars'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "[table|json|csv|tsv|spreadsheet|markdown|latex|html|trec]" in done.stdout


FRAME = pl.DataFrame({"name": ["a|b", "c_d"], "value": [0.25, float("nan")], "sure": [True, False]})


def test_any_small_table_in_all_formats() -> None:
    written = {form: write(FRAME, form, Layout(2)) for form in format_names("DataFrame")}
    assert written["table"].splitlines()[1].split() == ["a|b", "0.25", "yes"]
    assert written["markdown"].splitlines()[2] == r"| a\|b | 0.25 | yes |"
    assert written["csv"].splitlines()[1:] == ["a|b,0.25,True", "c_d,,False"]
    assert written["tsv"].splitlines()[1] == "a|b\t0.25\tTrue"
    assert json.loads(written["json"])[1] == {"name": "c_d", "value": None, "sure": False}
    assert r"c\_d & -- &  \\" in written["latex"]
    assert written["latex"].startswith(r"\begin{tabular}{lrl}")
    assert '<th scope="row">a|b</th><td>0.25</td>' in written["html"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a\r\n\nb", "a b"),
        ("[text](https://example.org)", r"[text]\(https://example.org)"),
        ("![x][y]", r"![x]\[y]"),
        ("*bold* `code` ~~cut~~ $x$", r"\*bold\* \`code\` \~\~cut\~\~ \$x\$"),
        ("_slanted_ my_run_1", r"\_slanted\_ my_run_1"),
        ("a&amp;b R&D", r"a\&amp;b R&D"),
        ("<b>", r"\<b>"),
    ],
)
def test_a_name_is_text_in_markdown(name: str, shown: str) -> None:
    written = write(pl.DataFrame({"name": [name]}), "markdown")
    assert written.splitlines() == ["| name |", "| --- |", f"| {shown} |"]


def test_a_line_feed_ends_no_row() -> None:
    frame = pl.DataFrame({"name": ["a\n\nb", "c"], "value": [1.0, 2.0]})
    assert write(frame, "latex").splitlines()[4:6] == [r"a b & 1 \\", r"c & 2 \\"]
    assert write(frame, "html").count("<tr>") == 3


def test_what_cannot_be_written_is_refused_in_words(folder: Path) -> None:
    (folder / "c.csv").write_text("c,k\n1,a\n1,a\n2,b\n")
    asked = ("clustering", "c.csv", "--cluster", "c", "--classes", "k", "--per-cluster", "--format")
    assert call(*asked, "latex").out.startswith(r"\begin{tabular}")
    assert call(*asked, "html").out.startswith("<table>")
    done = call(*asked, "trec")
    assert done.code == 2
    assert "cannot be written as trec; it can as table, json" in done.err
    gains = ("compare", "retrieval", *RUNS, "-m", "AP", "--show", "gains", "--format", "latex")
    assert call(*gains).out.startswith(r"\begin{tabular}")


def test_slices_are_named_in_every_format(folder: Path) -> None:
    (folder / "p.csv").write_text("y,g,s\na,a,one\nb,a,one\na,a,two\nb,b,two\n")
    asked = (
        "classification",
        "p.csv",
        "--truth",
        "y",
        "--predicted",
        "g",
        "--by",
        "s",
        "-m",
        "ACC",
    )
    lines = call(*asked, "--format", "trec").out.splitlines()
    assert [line.split("\t")[1:] for line in lines[1:]] == [
        ["all", "0.7500"],
        ["s=one", "0.5000"],
        ["s=two", "1.0000"],
    ]
    rows = call(*asked, "--format", "markdown").out.splitlines()
    assert rows[0].startswith("| classification | slice | ")
    assert rows[3].startswith("| g | s=one | 0.5000") or "| s=one | 0.5000" in rows[3]
    assert r"s=two & 1.0000" in call(*asked, "--format", "latex").out
    assert "<td>s=two</td><td>1.0000" in call(*asked, "--format", "html").out
