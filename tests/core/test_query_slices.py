"""Runs in memory are looked at in pieces of whole queries."""

from __future__ import annotations

import polars as pl
import pytest

from assay.core import tables
from assay.core.tables import Run


def frame(queries: str) -> pl.DataFrame:
    docs = [f"d{n}" for n in range(len(queries))]
    return pl.DataFrame(
        {"query": [*queries], "doc": docs, "score": [0.0] * len(docs)},
        schema={"query": pl.String, "doc": pl.String, "score": pl.Float64},
    )


@pytest.mark.parametrize(
    ("queries", "expected"),
    [
        ("", []),
        ("a", ["a"]),
        ("aabbcc", ["aabb", "cc"]),
        ("aaaaab", ["aaaaa", "b"]),
        ("abcdefg", ["abc", "def", "g"]),
        ("abab", ["aba", "b"]),
    ],
)
def test_pieces_end_where_a_query_ends(
    queries: str, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "_ROWS", 3)
    whole = frame(queries)
    pieces = list(Run(whole).pieces())
    assert ["".join(piece["query"]) for piece in pieces] == expected
    assert pl.concat([whole.clear(), *pieces]).equals(whole)


def test_a_long_run_is_not_taken_into_many_small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_ROWS", 1)
    assert [len(piece) for piece in Run(frame("abcdefgh" * 3)).pieces()] == [3] * 8
    assert len(list(Run(frame("ab" * 500)).pieces())) == 125
