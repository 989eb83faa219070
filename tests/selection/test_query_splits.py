"""Splits of queries: shares, groups, strata, digests, and evaluation of one split."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.terminal import call

import assay
from assay.core.errors import DataError, UsageError
from assay.selection.splits.split_queries import split_queries

IDS = [f"q{n:02}" for n in range(20)]


@given(st.lists(st.text(min_size=1), min_size=1, unique=True), st.integers(0, 5))
def test_every_query_is_in_one_split_whatever_the_order(ids: list[str], seed: int) -> None:
    one = split_queries(ids, (50, 30, 20), seed=seed)
    other = split_queries(ids[::-1], (50, 30, 20), seed=seed)
    assert dict(one.frame.iter_rows()) == dict(other.frame.iter_rows())
    assert one.frame["query"].to_list() == ids
    assert one.digest == other.digest


def test_shares_are_kept() -> None:
    counts = dict(split_queries(IDS, (60, 20, 20)).counts().select("split", "queries").iter_rows())
    assert counts == {"train": 12, "dev": 4, "eval": 4}
    assert split_queries(IDS, (0, 50, 50)).frame["split"].unique().sort().to_list() == [
        "dev",
        "eval",
    ]
    assert not split_queries(IDS, seed=1).frame.equals(split_queries(IDS, seed=2).frame)


def test_groups_stay_together_and_strata_keep_their_shares() -> None:
    group = {query: query[:2] for query in IDS}
    found = split_queries(IDS, (50, 50), ("a", "b"), group=group).frame
    by_group = found.with_columns(group=pl.col("query").replace_strict(group))
    assert by_group.group_by("group").agg(pl.col("split").n_unique())["split"].to_list() == [1, 1]
    kind = {query: "head" if n < 8 else "tail" for n, query in enumerate(IDS)}
    found = split_queries(IDS, (50, 50), ("a", "b"), stratum=kind).frame
    counted = (
        found.with_columns(kind=pl.col("query").replace_strict(kind))
        .group_by("kind", "split")
        .len()
    )
    assert sorted(counted["len"].to_list()) == [4, 4, 6, 6]


def test_bad_splits_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a name for each share"):
        split_queries(IDS, (50, 50))
    with pytest.raises(UsageError, match="numbers from 0"):
        split_queries(IDS, (-1, 1, 1))
    with pytest.raises(DataError, match="q00 has no group"):
        split_queries(IDS, group={})
    path = tmp_path / "splits.csv"
    split_queries(IDS).write(path)
    assert assay.Splits.read(path).made["seed"] == 1
    path.write_text(path.read_text().replace(",dev", ",eval"))
    with pytest.raises(DataError, match="not those that were made"):
        assay.Splits.read(path)
    with pytest.raises(DataError, match="in two splits"):
        assay.Splits.read({"query": ["1", "1"], "split": ["a", "b"]})


def test_a_split_is_evaluated_and_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("topics.tsv").write_text("".join(f"{query}\ta text\n" for query in IDS))
    Path("qrels.txt").write_text("".join(f"{query} 0 d1 1\n" for query in IDS))
    Path("a.run").write_text("".join(f"{query} Q0 d1 1 1.0 a\n" for query in IDS))
    done = call("split", "queries", "topics.tsv", "--share", "60,20,20", "-o", "splits.csv")
    assert done.code == 0, done.err
    words = ("retrieval", "qrels.txt", "a.run", "-m", "P@1", "--split", "dev")
    done = call(*words, "--splits", "splits.csv", "--save", "scores.parquet")
    assert done.code == 0, done.err
    saved = assay.load("scores.parquet")
    assert len(saved.results[0].units) == 4
    assert saved.conventions["split"] == "dev"
    done = call(*words)
    assert (done.code, "--splits" in done.err) == (2, True)
    done = call(*words[:-1], "test", "--splits", "splits.csv")
    assert (done.code, "there is no split 'test'" in done.err) == (2, True)
    found = assay.retrieval("qrels.txt", "a.run", "P@1", split="dev", splits="splits.csv")
    assert found.results[0].units == saved.results[0].units


def test_published_splits(tmp_path: Path) -> None:
    (tmp_path / "set" / "qrels").mkdir(parents=True)
    (tmp_path / "set" / "queries.jsonl").write_text('{"_id": "1", "text": "a"}\n')
    for split, query in (("dev", "1"), ("test", "2")):
        text = f"query-id\tcorpus-id\tscore\n{query}\td\t1\n"
        (tmp_path / "set" / "qrels" / f"{split}.tsv").write_text(text)
    out = str(tmp_path / "splits.csv")
    done = call("split", "queries", str(tmp_path / "set"), "--published", "-o", out)
    assert done.code == 0, done.err
    assert assay.Splits.read(out).units("test") == ["2"]
    found = assay.retrieval(str(tmp_path / "set"), {"a": {"1": {"d": 1.0}}}, "P@1", split="dev")
    assert found.results[0].units == ("1",)
