"""Blank labels are gaps, in every task; ratings may stand in a column for each assessor."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.terminal import call

import assay


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text('truth,guess\nyes,yes\n" ",no\nno,"  "\nno,no\n')
    (tmp_path / "c.csv").write_text("c|topic\n1|x\n1|x\n2|\n2|y\n |y\n")
    (tmp_path / "long.csv").write_text(
        'item,assessor,label\n1,a,x\n2,a,y\n3,a,x\n1,b,x\n2,b,"\t"\n3,b,y\n'
    )
    (tmp_path / "wide.csv").write_text("item,a,b\n1,x,x\n2,y,\n3,x,y\n")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "refused", "told"),
    [
        ("classification p.csv --predicted guess", "p.csv:3: there is no truth", "truth: 1, left"),
        (
            "confusion p.csv --truth truth --predicted guess",
            "p.csv:3: there is no truth",
            "truth: 1",
        ),
        (
            "clustering c.csv --cluster c --classes topic",
            "c.csv:6: there is no cluster",
            "class: 1",
        ),
        ("agreement long.csv", "long.csv:6: there is no label", "ratings without a label: 1"),
    ],
)
def test_a_blank_is_a_gap(arguments: str, refused: str, told: str) -> None:
    done = call(*arguments.split())
    assert done.code == 1
    assert refused in done.err
    assert "--missing drop leaves such" in done.err
    dropped = call(*arguments.split(), "--missing", "drop")
    assert dropped.code == 0, dropped.err
    assert told in dropped.err


def test_a_gap_in_the_truth_is_never_wrong() -> None:
    done = call("classification", "p.csv", "--predicted", "guess", "--missing", "wrong")
    assert "there is no truth" in done.err


def test_a_column_for_each_assessor() -> None:
    wide = assay.agreement("wide.csv", "alpha percent", item="item", assessors=["a", "b"])
    long = assay.agreement("long.csv", "alpha percent", missing="drop")
    assert wide["alpha"] == long["alpha"]
    assert wide["percent"] == {"assessors": 0.5}
    numbered = assay.agreement("wide.csv", "percent", assessors="a,b")
    assert numbered["percent"] == wide["percent"]


def test_a_wide_table_is_hinted_at() -> None:
    done = call("agreement", "wide.csv")
    assert done.code == 2
    assert "where each assessor has a column, name those with --assessors a,b" in done.err
    assert call("agreement", "wide.csv", "--assessors", "a,b").code == 0


def test_a_line_of_a_wide_table_is_named(folder: Path) -> None:
    (folder / "wide.csv").write_text("item,a,b\n1,1,2\n2,2,x\n3,1,1\n")
    done = call("agreement", "wide.csv", "--assessors", "a,b", "--scale", "interval")
    assert "wide.csv:3: the label 'x' is not a number" in done.err


def test_one_assessor_does_not_agree(folder: Path) -> None:
    (folder / "one.csv").write_text("item,assessor,label\n1,a,x\n2,a,y\n")
    done = call("agreement", "one.csv")
    assert "all 2 ratings are by one assessor, 'a'" in done.err


def test_columns_that_are_not_parted(folder: Path) -> None:
    (folder / "colon.csv").write_text("truth:guess\nyes:no\n")
    done = call("classification", "colon.csv", "--predicted", "guess")
    assert "the whole table is one column, 'truth:guess'" in done.err


def test_distances_lose_the_columns_of_rows_that_are_left_out(folder: Path) -> None:
    rows = ["1,x,0,1,5,9", "1,x,1,0,5,9", "2,y,5,5,0,9", "2,,9,9,9,0"]
    (folder / "d.csv").write_text("c,t,d1,d2,d3,d4\n" + "\n".join(rows) + "\n")
    found = assay.clustering(
        "d.csv",
        "silhouette",
        cluster="c",
        classes="t",
        features="d*",
        distance="precomputed",
        missing="drop",
    )
    assert found["silhouette"]["c"] == pytest.approx((0.8 + 0.8 + 0) / 3)


def test_topics_of_a_wide_table_are_counted(folder: Path) -> None:
    (folder / "t.csv").write_text("q,doc,a,b\n1,d,x,x\n1,e,y,x\n2,d,y,y\n")
    done = call("agreement", "t.csv", "--item", "doc", "--assessors", "a,b", "--topic", "q")
    rows = [line.split()[:2] for line in done.out.splitlines() if line.startswith("q=")]
    assert rows == [["q=1", "2"], ["q=2", "1"]]
