"""The demo files: whole, plausible, and the same each time."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("sklearn")

from assay.demo import digits

QUERIES, IMAGES, HELD_OUT = 300, 1797, 899


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> digits.DemoFiles:
    return digits.write_demo_files(tmp_path_factory.mktemp("demo"))


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def grades(path: Path) -> dict[str, dict[str, int]]:
    """Judged grades by query and document."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for line in lines(path):
        query, _, doc, grade = line.split()
        found[query][doc] = int(grade)
    return found


def precision_at_10(qrels: dict[str, dict[str, int]], run: Path) -> float:
    """The share of grade 2 among the ten first ranks, over all queries."""
    hits = 0
    for line in lines(run):
        query, _, doc, rank, _, _ = line.split()
        hits += int(rank) <= 10 and qrels[query].get(doc) == 2
    return hits / (10 * len(qrels))


def test_line_counts(files: digits.DemoFiles) -> None:
    assert len(lines(files.topics)) == QUERIES
    assert [len(lines(run)) for run in files.runs] == [QUERIES * 100] * 6
    assert len(lines(files.predictions)) == len(lines(files.values)) == 1 + HELD_OUT
    assert len(lines(files.clusters)) == 1 + IMAGES
    assert len(lines(files.ratings)) == 1 + 2 * HELD_OUT


def test_headers(files: digits.DemoFiles) -> None:
    tables = (files.predictions, files.clusters, files.values, files.ratings)
    assert [lines(table)[0] for table in tables] == [
        "item,label,guess,p,is_eight,p_eight,says_eight,tree",
        "item,c,digit",
        "item,y,yhat",
        "item,assessor,label",
    ]


def test_same_bytes_again(files: digits.DemoFiles, tmp_path: Path) -> None:
    first = files.qrels.parent
    digits.write_demo_files(tmp_path)
    written = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    assert len(written) == 12
    for path in written:
        assert (tmp_path / path).read_bytes() == (first / path).read_bytes(), path


def test_judgments(files: digits.DemoFiles) -> None:
    qrels = grades(files.qrels)
    assert len(qrels) == QUERIES
    for query, judged in qrels.items():
        counts = Counter(judged.values())
        assert set(counts) <= {0, 1, 2}
        assert counts[0] == 100
        assert counts[2] >= 50
        assert query.replace("q", "d") not in judged


def test_runs_are_in_their_own_order(files: digits.DemoFiles) -> None:
    """Ranks, scores and the tie rule (id descending) agree, and no query finds itself."""
    for run in files.runs:
        rows = [line.split() for line in lines(run)]
        order = [(query, -float(score)) for query, _, _, _, score, _ in rows]
        assert order == sorted(order)
        assert [int(row[3]) for row in rows] == list(range(1, 101)) * QUERIES
        assert all(row[0][1:] != row[2][1:] for row in rows)
        assert {row[5] for row in rows} == {run.stem}
        tied = [(a[2], b[2]) for a, b in pairwise(rows) if (a[0], a[4]) == (b[0], b[4])]
        assert all(above > below for above, below in tied)


def test_real_systems_beat_the_lot(files: digits.DemoFiles) -> None:
    qrels = grades(files.qrels)
    found = {run.stem: precision_at_10(qrels, run) for run in files.runs}
    floor = found.pop("random")
    assert 0.05 < floor < 0.15
    assert all(value > floor + 0.3 for value in found.values()), found


def test_missing_library_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from assay.core.errors import MissingExtra

    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    with pytest.raises(MissingExtra, match="demo"):
        digits.write_demo_files(tmp_path)
