"""The command line on Spark: paths, tables of the catalog, comparisons and gates."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.spark.test_retrieval_on_spark import judged_runs

from assay.cli.application import main

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Runs a command; returns its exit code, output and messages."""

    def run(*words: Any) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main([str(each) for each in words])
        code = ended.value.code
        return (code if isinstance(code, int) else 0, *capsys.readouterr())

    return run


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Judgments and two runs of TREC whose last columns are the same."""
    judged, runs = judged_runs(12, 20, runs=2)
    lines = judged.select(pl.format("{} 0 {} {}", "query", "doc", pl.col("grade").cast(pl.Int64)))
    (tmp_path / "qrels.txt").write_text("\n".join(lines.to_series()) + "\n")
    for name, number in (("old.run", 0), ("new.run", 1)):
        own = runs.filter(pl.col("run") == f"run {number}")
        rows = own.select(pl.format("{} Q0 {} 1 {} same", "query", "doc", "score"))
        (tmp_path / name).write_text("\n".join(rows.to_series()) + "\n")
    return tmp_path / "qrels.txt", tmp_path / "old.run", tmp_path / "new.run"


COMMANDS = [
    ["retrieval", "-m", "nDCG@10 AP", "--format", "csv"],
    ["compare", "retrieval", "-m", "nDCG@10 AP", "--baseline", "old", "--format", "csv"],
    ["gate", "retrieval", "-m", "AP", "--baseline", "old", "--format", "csv"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: words[0])
def test_runs_of_trec(spark: Any, files: Any, call: Call, command: list[str]) -> None:
    code, expected, _ = call(*command, *files)
    found = call(*command, *files, "--engine", "spark", "--master", "local[2]")
    assert found[:2] == (code, expected), found[2]


def test_tables_of_the_catalog(spark: Any, files: Any, call: Call) -> None:
    judged, runs = judged_runs(12, 20, runs=2)
    spark.createDataFrame(judged.to_arrow()).createOrReplaceTempView("judged")
    spark.createDataFrame(runs.to_arrow()).createOrReplaceTempView("found")
    how = ["-m", "AP", "--format", "csv"]
    code, named, _ = call("retrieval", "judged", "found", *how, "--engine", "spark")
    assert code == 0
    _, by_file, _ = call("retrieval", *files, *how)
    values = [
        sorted(line.split(",")[1:] for line in each.splitlines()) for each in (named, by_file)
    ]
    assert values[0] == values[1]
    code, _, said = call("retrieval", "judged", "nowhere", "-m", "AP", "--engine", "spark")
    assert code == 1
    assert "nowhere: " in said


@pytest.mark.parametrize("ending", ["parquet", "orc", "csv", "tsv"])
def test_files_of_each_format(
    spark: Any, files: Any, call: Call, tmp_path: Path, ending: str
) -> None:
    paths = [str(tmp_path / f"{name}.{ending}") for name in ("judged", "runs")]
    for path, table in zip(paths, judged_runs(12, 20, runs=2), strict=True):
        writer = spark.createDataFrame(table.to_arrow()).write
        if ending in ("csv", "tsv"):
            writer.csv(path, header=True, sep="\t" if ending == "tsv" else ",")
        else:
            getattr(writer, ending)(path)
    how = ["-m", "AP nDCG@10", "--format", "csv"]
    code, found, said = call("retrieval", *paths, *how, "--engine", "spark")
    assert code == 0, said
    expected = call("retrieval", *files, *how)[1]
    values = [sorted(line.split(",")[1:] for line in x.splitlines()) for x in (found, expected)]
    assert values[0] == values[1]


def test_a_report(spark: Any, files: Any, call: Call, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    code, _, said = call("report", "retrieval", *files, "-m", "RR", "--engine", "spark", "-o", page)
    assert code == 0, said
    assert {"old", "new", "RR"} <= set(re.findall(r"\w+", page.read_text()))
    code, _, said = call("explain", "retrieval", *files, "--engine", "spark")
    assert code == 2
    assert "No such option '--engine'" in said


def test_bad_rows_and_unknown_tables(spark: Any, tmp_path: Path, call: Call) -> None:
    judged, runs = judged_runs(6, 10)
    judged.write_parquet(tmp_path / "judged.parquet")
    bad = runs[:2].with_columns(doc=pl.lit(None, dtype=pl.String))
    pl.concat([runs, bad]).write_parquet(tmp_path / "runs.parquet")
    words = ["retrieval", tmp_path / "judged.parquet", tmp_path / "runs.parquet", "-m", "AP"]
    code, _, said = call(*words, "--engine", "spark")
    assert code == 1
    assert "2 rows without a run, a query" in said
    assert "--bad-rows drop" in said
    code, _, said = call(*words, "--engine", "spark", "--bad-rows", "drop")
    assert code == 0
    assert "2 rows without a query" in said
    assert call(*words, "--bad-rows", "drop")[0] == 2
    code, _, said = call("retrieval", words[1], "no.such_table", "-m", "AP", "--engine", "spark")
    assert code == 1
    assert "neither such a file nor such a table" in " ".join(said.split())


def test_a_folder_holds_what_its_files_say(tmp_path: Path) -> None:
    from assay.engine.spark.session import folder_ending

    for file, ending in (("part-0-c000.zstd.orc", ".orc"), ("part-0-c000.csv.gz", ".csv")):
        folder = tmp_path / ending
        folder.mkdir()
        (folder / "_SUCCESS").touch()
        (folder / file).touch()
        assert folder_ending(folder) == ending
    assert folder_ending(tmp_path) == folder_ending(tmp_path / "nothing") == ""
