"""Two leaderboards as dicts, Series, frames and files: items are joined by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.cli.terminal import call

import assay

FIRST = {"bm25": 0.3, "dense": 0.5, "fused": 0.6}
SECOND = {"fused": 0.2, "dense": 0.4, "bm25": 0.7}
"""The opposite order; by position it would be the same."""


def frame(board: dict[str, float]) -> pl.DataFrame:
    """Return a leaderboard as a frame of two columns."""
    return pl.DataFrame({"model": list(board), "score": list(board.values())})


def tau(first: Any, second: Any, **options: Any) -> float:
    """Return Kendall's tau of two orders."""
    return assay.correlation(first, second, "tau", interval=None, **options).results[0].value


def test_items_are_joined_by_name(tmp_path: Path) -> None:
    assert tau(FIRST, SECOND) == -1
    assert tau(frame(FIRST), frame(SECOND)) == -1
    frame(FIRST).write_csv(tmp_path / "first.csv")
    frame(SECOND).write_ipc(tmp_path / "second.feather", compression="uncompressed")
    assert tau(tmp_path / "first.csv", tmp_path / "second.feather") == -1
    assert tau(list(FIRST.values()), list(SECOND.values())) == 1


def test_series_are_joined_by_their_index() -> None:
    """As pandas' own corr does; without an index of their own they are paired by position."""
    pandas = pytest.importorskip("pandas")
    one, two = pandas.Series(FIRST), pandas.Series(SECOND)
    assert tau(one, two) == pytest.approx(one.corr(two, method="spearman")) == -1
    assert tau(one.reset_index(drop=True), two.reset_index(drop=True)) == 1


def test_a_measure_may_still_come_second() -> None:
    table = pl.DataFrame({"item": ["x", "y"], "first": [1.0, 2.0], "second": [2.0, 1.0]})
    assert assay.correlation(table, "tau", interval=None)["tau"] == {"orders": -1.0}


def test_two_measures_of_a_table_order_its_systems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("scores.csv").write_text(
        "model,dataset,AP,nDCG\n"
        "a,x,0.1,0.9\na,y,0.2,0.8\nb,x,0.3,0.7\nb,y,0.4,0.6\nc,x,0.5,0.5\nc,y,0.6,0.4\n"
    )
    orders = ["--order-by", "AP", "--order-by", "nDCG", "-m", "tau", "--format", "csv"]
    assert "tau,-1.0" in call("correlation", "scores.csv", *orders).out


def test_models_and_datasets_are_systems_and_units(tmp_path: Path) -> None:
    rows = "model,dataset,score\na,x,0.1\na,y,0.2\nb,x,0.3\nb,y,0.6\n"
    (tmp_path / "benchmark.csv").write_text(rows)
    pair = assay.compare(str(tmp_path / "benchmark.csv")).pairs.row(0, named=True)
    assert (pair["system"], pair["baseline"]) == ("b", "a")
    assert pair["difference"] == pytest.approx(0.3)


def test_perquery_frames_of_pyterrier_are_compared() -> None:
    rows = [
        {"name": name, "qid": qid, "measure": "AP", "value": value}
        for name, values in (("bm25", [0.1, 0.3]), ("dense", [0.2, 0.6]))
        for qid, value in zip("12", values, strict=True)
    ]
    pair = assay.compare(pl.DataFrame(rows)).pairs.row(0, named=True)
    assert pair["difference"] == pytest.approx(0.2)


def test_messages_name_the_options_for_columns_and_commas(tmp_path: Path) -> None:
    (tmp_path / "german.csv").write_text("corpus;a;b\nx;0,25;0,5\ny;0,75;0,5\n")
    with pytest.raises(assay.AssayError, match=r"`unit_column`; numbers such as .* need"):
        assay.compare(str(tmp_path / "german.csv"))
