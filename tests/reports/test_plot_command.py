"""Figures from the command line: every kind, in every format, and mistakes."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from tests.cli.terminal import call
from tests.reports.report_inputs import write_decisions, write_retrieval

from assay.core.errors import DataError
from assay.reports.figures.cluster_figures import elbow_figure
from assay.tasks.clustering.clustering import clustering


def test_the_elbow(folder: Path) -> None:
    """Sums of squares by hand: {0, 1} and {5} have 2 × .5²; three single points have 0."""
    scores = clustering("points.csv", "WSS", cluster="k*", features="x", interval=None)
    points = elbow_figure(scores, "WSS").points["WSS"]
    assert points == {"clusters": [2, 3], "WSS": [0.5, 0]}
    one = clustering("points.csv", "WSS", cluster="k2", features="x", interval=None)
    with pytest.raises(DataError, match="several clusterings"):
        elbow_figure(one, "WSS")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_retrieval(tmp_path)
    write_decisions(tmp_path)
    (tmp_path / "clusters.csv").write_text("c,topic\n1,x\n1,x\n2,o\n2,x\n")
    (tmp_path / "values.csv").write_text("y,yhat\n1,1.5\n2,1.5\n3,3.5\n")
    (tmp_path / "points.csv").write_text("k2,k3,x\na,a,0\na,b,1\nb,c,5\n")
    (tmp_path / "methods.csv").write_text("method,tp,fp,fn,tn\nA,95,30,5,70\nB,40,80,60,20\n")
    (tmp_path / "orders.csv").write_text("item,one,two\na,3,1\nb,2,3\nc,1,2\n")
    (tmp_path / "folds.csv").write_text(
        "fold,item,split\n1,a,train\n1,b,test\n2,a,test\n2,b,train\n"
    )
    (tmp_path / "wide.csv").write_text(PROBABILITIES)
    (tmp_path / "curve.csv").write_text("precision,recall\n0.5,0.25\n0.4,0.5\n")
    (tmp_path / "matrix.csv").write_text("x,a,b,c\na,5,1,0\nb,2,3,1\nc,0,1,4\n")
    sets = "method,retrieved,relevant_retrieved,relevant,corpus\nA,14,7,20,40\nB,6,4,20,40\n"
    (tmp_path / "sets.csv").write_text(sets)
    return tmp_path


PROBABILITIES = "t,p_a,p_b,p_c\na,.7,.2,.1\nb,.1,.8,.1\nc,.3,.3,.4\na,.4,.5,.1\n"
RUNS = ("qrels.txt", "runs/system0.run", "runs/system1.run")
SCORED = ("decisions.csv", "--truth", "truth", "--score", "score", "--positive", "P")
PLOTS = {
    "pr": RUNS,
    "gain": RUNS,
    "per-query": RUNS,
    "scatter": RUNS,
    "roc": SCORED,
    "thresholds": SCORED,
    "densities": (*SCORED, "--threshold", "0.5"),
    "calibration": SCORED,
    "precision-recall": SCORED,
    "lift": SCORED,
    "cumulative-gain": SCORED,
    "det": SCORED,
    "confusion": ("decisions.csv", "--truth", "truth", "--predicted", "guess"),
    "contingency": ("clusters.csv", "--cluster", "c", "--classes", "topic"),
    "residuals": ("values.csv", "--truth", "y", "--predicted", "yhat"),
    "silhouette": ("points.csv", "--cluster", "k2", "--features", "x*"),
    "elbow": ("points.csv", "--cluster", "k*", "--features", "x*"),
    "methods": ("methods.csv",),
    "judged": ("qrels.txt", "--rel", "2"),
    "venn": (*RUNS[:2], "--query", "q1"),
    "sets": ("sets.csv",),
    "pr-points": ("curve.csv",),
    "histogram": ("values.csv", "--column", "y", "--bins", "2,5"),
    "matrix": ("matrix.csv", "--rows", "predicted", "--arrange"),
    "splits": ("folds.csv",),
    "orders": ("orders.csv", "--item", "item", "--first", "one", "--second", "two"),
}


@pytest.mark.parametrize("kind", ["roc", "calibration"])
def test_each_class_against_the_rest(folder: Path, kind: str) -> None:
    done = call("plot", kind, "wide.csv", "--truth", "t", "--probabilities", "p_*", "-o", "x.svg")
    assert done.code == 0, done.err
    words = " ".join(ElementTree.fromstring((folder / "x.svg").read_text()).itertext())
    assert {"a", "b", "c"} <= set(re.findall(r"\w+", words))


def test_quiet_figures_say_nothing(folder: Path) -> None:
    done = call("plot", "orders", *PLOTS["orders"], "-o", "x.svg", "--quiet")
    assert (done.code, done.out) == (0, "")


def test_a_change_names_its_queries(folder: Path) -> None:
    assert call("plot", "per-query", *RUNS, "-o", "x.svg").code == 0
    words = (folder / "x.svg").read_text()
    assert all(f">q{n}<" in words for n in range(1, 7))


def test_every_kind_of_plot_is_tried() -> None:
    from assay.cli.commands.plot import command

    assert set(PLOTS) == set(command.commands)


@pytest.mark.parametrize("kind", PLOTS)
def test_plots_from_the_command_line(folder: Path, kind: str) -> None:
    done = call("plot", kind, *PLOTS[kind], "-o", f"{kind}.svg")
    assert done.code == 0, done.err
    ElementTree.fromstring((folder / f"{kind}.svg").read_text())


def test_png_and_pdf(folder: Path) -> None:
    pytest.importorskip("vl_convert")
    for ending, start in ((".png", b"\x89PNG"), (".pdf", b"%PDF")):
        assert call("plot", "roc", *SCORED, "-o", f"roc{ending}").code == 0
        assert (folder / f"roc{ending}").read_bytes().startswith(start)


def test_a_missing_extra_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "vl_convert", None)
    done = call("plot", "roc", *SCORED, "-o", "roc.png")
    assert done.code == 2
    assert 'pip install "assay-eval[plots]"' in done.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("plot", "roc", *SCORED, "-o", "roc.gif"), ".svg, .png, .pdf"),
        (("plot", "per-query", *RUNS[:2], "-o", "x.svg"), "two systems are needed"),
        (("plot", "per-query", *RUNS, "--from", "sistem0", "-o", "x.svg"), "system0"),
        (("plot", "pr", *RUNS, "--query", "zz", "-o", "x.svg"), "has no judgments"),
        (("plot", "confusion", *PLOTS["confusion"], "-o", "no/such/x.svg"), "there is no folder"),
    ],
)
def test_mistakes_are_one_line(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    done = call(*arguments)
    assert done.code in (1, 2)
    assert said in done.err
    assert "Traceback" not in done.err
