"""Python has every function of the command line, and both give the same numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import polars as pl
import pytest
from tests.cli.terminal import call
from tests.reports.report_inputs import write_decisions, write_retrieval

import assay
from assay.cli.application import application
from assay.reports.text.result_text import write

RUNS = ["runs/system0.run", "runs/system1.run"]
QRELS = "qrels.txt"
DECISIONS = {"truth": "truth", "score": "score", "positive": "P"}
SCORED = ("--truth", "truth", "--score", "score", "--positive", "P")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_retrieval(tmp_path, queries=12)
    write_decisions(tmp_path)
    (tmp_path / "values.csv").write_text("y,g\n1,1.5\n2,2\n4,3\n")
    (tmp_path / "clusters.csv").write_text("c,k\n1,a\n1,a\n2,b\n2,a\n")
    (tmp_path / "curve.csv").write_text("precision,recall\n0.5,0.25\n0.4,0.5\n")
    (tmp_path / "forecasts.csv").write_text("p_a,p_b,q_a,q_b\n.5,.5,.2,.8\n1,0,.7,.3\n")
    (tmp_path / "models.csv").write_text("truth,a,b,c\nx,x,x,y\ny,x,x,x\nx,x,x,x\ny,y,y,y\n")
    (tmp_path / "orders.csv").write_text("item,a,b\nx,1,2\ny,2,1\nz,3,3\n")
    (tmp_path / "ratings.csv").write_text("item,assessor,label\n1,x,a\n1,y,a\n2,x,b\n2,y,a\n")
    (tmp_path / "costs.csv").write_text("system,cost\nsystem0,7\nsystem1,3\n")
    assay.retrieval(QRELS, RUNS, "AP RR").save("scores.parquet")
    return tmp_path


def tables(result: Any) -> Any:
    """Return the numbers of a result, as JSON."""
    return json.loads(write(result, "json"))


def named(**frames: pl.DataFrame) -> Any:
    return tables(frames)


CASES: dict[str, tuple[tuple[str, ...], Callable[[], Any]]] = {
    "retrieval": (
        (QRELS, *RUNS, "-m", "AP RR"),
        lambda: tables(assay.retrieval(QRELS, RUNS, "AP RR")),
    ),
    "rates": (
        ("--f-n", "normal(1,1)", "--f-p", "normal(2,1)", "--at", "1.5"),
        lambda: tables(assay.rates(f_n="normal(1,1)", f_p="normal(2,1)", at=[1.5])),
    ),
    "pr": (("curve.csv",), lambda: tables(assay.pr("curve.csv"))),
    "entropy": (
        ("forecasts.csv", "--true", "p_*", "--probabilities", "q_*"),
        lambda: tables(assay.entropy("forecasts.csv", true="p_*", probabilities="q_*")),
    ),
    "suspects": (
        ("models.csv", "--predicted", "a", "--predicted", "b", "--predicted", "c"),
        lambda: tables(assay.suspects("models.csv", predicted=["a", "b", "c"])),
    ),
    "classification": (
        ("decisions.csv", *SCORED, "-m", "AUC"),
        lambda: tables(assay.classification("decisions.csv", "AUC", **DECISIONS)),
    ),
    "regression": (
        ("values.csv", "--truth", "y", "--predicted", "g", "-m", "MSE"),
        lambda: tables(assay.regression("values.csv", "MSE", truth="y", predicted="g")),
    ),
    "clustering": (
        ("clusters.csv", "--cluster", "c", "--classes", "k", "-m", "ARI"),
        lambda: tables(assay.clustering("clusters.csv", "ARI", cluster="c", classes="k")),
    ),
    "correlation": (
        ("orders.csv", "--item", "item", "--first", "a", "--second", "b", "-m", "tau"),
        lambda: tables(assay.correlation("orders.csv", "tau", item="item", first="a", second="b")),
    ),
    "agreement": (
        ("ratings.csv", "-m", "kappa"),
        lambda: tables(assay.agreement("ratings.csv", "kappa")),
    ),
    "compare": (("scores.parquet",), lambda: tables(assay.compare(assay.load("scores.parquet")))),
    "gate": (
        ("scores.parquet", "--floor", "0.1"),
        lambda: tables(assay.gate(assay.load("scores.parquet"), floor=0.1)),
    ),
    "power": (("scores.parquet",), lambda: tables(assay.power(assay.load("scores.parquet")))),
    "threshold": (
        ("decisions.csv", *SCORED, "--goal", "youden"),
        lambda: tables(assay.threshold("decisions.csv", ["youden"], **DECISIONS)),
    ),
    "holes": ((QRELS, *RUNS, "-m", "P@3"), lambda: tables(assay.holes(QRELS, RUNS, "P@3"))),
    "ties": ((QRELS, *RUNS, "-m", "P@3"), lambda: tables(assay.ties(QRELS, RUNS, "P@3"))),
    "risk": (
        (QRELS, *RUNS, "-m", "AP"),
        lambda: named(risk=assay.risk(QRELS, RUNS[0], RUNS[1:], "AP")),
    ),
    "next": (
        (QRELS, *RUNS, "-m", "P@3"),
        lambda: named(next=assay.next(QRELS, RUNS[0], RUNS[1], "P@3")),
    ),
    "cost": (
        (QRELS, *RUNS, "--cost", "costs.csv", "-m", "AP"),
        lambda: named(
            cost=assay.cost(
                assay.RetrievalEvidence.read(QRELS, RUNS, cost="costs.csv").scores(
                    "AP", interval=None
                )
            )
        ),
    ),
    "aggregate": (("ratings.csv",), lambda: tables(assay.aggregate("ratings.csv").labels)),
}


@pytest.mark.parametrize("command", CASES)
def test_python_and_the_command_line_give_the_same_numbers(folder: Path, command: str) -> None:
    arguments, expected = CASES[command]
    done = call(command, *arguments, "--format", "json", "--quiet")
    assert done.code == 0, done.err
    shown, wanted = json.loads(done.out), expected()
    for part in ("conventions", "warnings") if isinstance(shown, dict) else ():
        shown.pop(part, None)
        wanted.pop(part, None)
    assert shown == wanted


OTHERS = {
    "behavior": "behavior",  # check, summary, sample and simulate are functions of the module
    "campaign": "Campaign",  # the operations are its methods
    "check": "check",
    "clicks": "clicks",  # fit, compare, judgments and counterfactual
    "collection": "Collection",
    "confusion": "confusion",
    "convert": "convert",
    "demo": "",  # writes files for a newcomer to try commands on
    "experiment": "experiment",  # plan, assign and analyze
    "explain": "explain",
    "fairness": "fairness",
    "fuse": "fuse",
    "interleave": "interleave",  # make, plan and analyze
    "judge": "Campaign",  # in the browser; judge and next are its methods
    "lab": "lab",  # design and analyze
    "learn": "learn",  # capacity, curve, bias_variance and bootstrap
    "measures": "catalogue",  # assay.measures is the package of the formulas
    "plot": "plot",
    "pool": "pool",
    "preferences": "preferences",
    "report": "report",
    "serve": "Campaign",  # the same campaign in the browser
    "split": "split",  # items, queries and check
    "tune": "tune",
    "trec_eval": "retrieval",  # with profile="trec_eval-10"
}


def test_every_command_has_its_function() -> None:
    names = application.list_commands(click.Context(application))
    assert {*names} == {*CASES, *OTHERS}
    assert {*CASES, *OTHERS.values()} - {""} <= {*assay.__all__}
    apart = {name: each for name, each in OTHERS.items() if each.casefold() != name}
    assert {*apart} == {"demo", "judge", "measures", "serve", "trec_eval"}


@pytest.mark.parametrize(
    "group", ["behavior", "clicks", "experiment", "interleave", "lab", "split"]
)
def test_every_command_of_a_group_has_its_function(group: str) -> None:
    command = application.get_command(click.Context(application), group)
    assert isinstance(command, click.Group)
    assert all(callable(getattr(getattr(assay, group), name)) for name in command.commands)


def test_files_are_the_same(folder: Path) -> None:
    assert call("plot", "pr", QRELS, *RUNS, "-o", "cli.svg", "--quiet").code == 0
    assay.plot("pr", QRELS, RUNS).save("python.svg")
    assert Path("cli.svg").read_bytes() == Path("python.svg").read_bytes()
    assert call("plot", "roc", "decisions.csv", *SCORED, "-o", "cli.svg", "--quiet").code == 0
    assay.plot("roc", "decisions.csv", **DECISIONS).save("python.svg")
    assert Path("cli.svg").read_bytes() == Path("python.svg").read_bytes()
    pages = ("report", "retrieval", QRELS, *RUNS, "-m", "AP", "-o", "cli.html", "--quiet")
    assert call(*pages).code == 0
    evidence = assay.RetrievalEvidence.read(QRELS, RUNS)
    assert assay.report(evidence, "python.html", measures="AP") == Path("python.html")
    assert Path("cli.html").read_bytes() == Path("python.html").read_bytes()
    assert call("report", "scores.parquet", "-o", "cli.html", "--quiet").code == 0
    assay.report(assay.load("scores.parquet"), "python.html")
    assert Path("cli.html").read_bytes() == Path("python.html").read_bytes()


def test_what_cannot_be_drawn_or_reported_is_refused(folder: Path) -> None:
    with pytest.raises(assay.AssayError, match=r"no figure 'rco'.*roc"):
        assay.plot("rco", "decisions.csv")
    with pytest.raises(assay.AssayError, match="name the figure before its data"):
        assay.plot(assay.load("scores.parquet"), "per-query")
    with pytest.raises(assay.AssayError, match="no page of dict"):
        assay.report({}, "page.html")
    with pytest.raises(assay.AssayError, match="not overwritten"):
        assay.report(assay.load("scores.parquet"), QRELS)


def test_a_figure_is_declared_in_one_place(folder: Path) -> None:
    from assay.reports.figures.figure import FIGURES, Figure, figure
    from assay.reports.markup import tag

    @figure("dot", assay.RetrievalEvidence)
    def plot_dot(evidence: assay.RetrievalEvidence, *, size: int = 1) -> Figure:
        return Figure(f"{len(evidence.systems)} systems", tag("svg", width=size))

    try:
        drawn = assay.plot("dot", QRELS, RUNS, size=3)
    finally:
        FIGURES.pop("dot", None)
    assert drawn.title == "2 systems"
    white = '<rect width="100%" height="100%" fill="#ffffff"/>'
    assert drawn._repr_svg_() == (
        f'<svg style="max-width: 100%; height: auto" width="3">{white}</svg>'
    )
