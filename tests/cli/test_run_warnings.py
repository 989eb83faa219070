"""Evaluating warns of what ``check`` would find, before anybody believes the numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.terminal import call

QUERIES, DOCS = range(301, 306), [f"{number:03}" for number in range(1, 21)]


def lines(ids: list[str], score: str = "{}", grades: bool = False) -> str:
    rows = []
    for query in QUERIES:
        for place, doc in enumerate(ids, 1):
            points = score.format(place if "-" not in score else 100 - place)
            rows.append(
                f"{query} 0 {doc} {place % 3}\n"
                if grades
                else f"{query} Q0 {doc} {place} {points.lstrip('-')} mine\n"
            )
    return "".join(rows)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text(lines(DOCS, grades=True))
    (tmp_path / "good.run").write_text(lines(DOCS, "-{}"))
    return tmp_path


def notes(*arguments: str) -> str:
    """What is said beside the numbers, in one line."""
    done = call("retrieval", "qrels.txt", *arguments, "-m", "AP")
    assert done.code == 0, done.err
    return " ".join(done.err.split())


def test_nothing_is_said_of_a_good_run(folder: Path) -> None:
    assert notes("good.run") == ""


def test_a_rank_against_the_score(folder: Path) -> None:
    (folder / "distance.run").write_text(lines(DOCS, "{}"))
    said = notes("distance.run")
    assert "distance.run:2: the rank contradicts the score (in 5 queries)" in said
    assert "unless --order rank; 'assay check' shows more" in said
    assert "against" not in notes("distance.run", "--order", "rank")


def test_shuffled_lines_are_no_matter(folder: Path) -> None:
    shuffled = sorted((folder / "good.run").read_text().splitlines(), key=lambda line: line[::-1])
    (folder / "shuffled.run").write_text("\n".join(shuffled) + "\n")
    assert notes("shuffled.run") == ""


@pytest.mark.parametrize(
    ("ids", "example"),
    [
        ([str(int(doc)) for doc in DOCS], "the document '1' is unjudged, but '001' is"),
        ([f" {doc}".strip().replace("0", "O") for doc in DOCS], ""),
    ],
)
def test_ids_that_lost_their_zeros(ids: list[str], example: str, folder: Path) -> None:
    (folder / "odd.run").write_text(lines(ids, "-{}"))
    said = notes("odd.run")
    assert "100% of its first 10 documents are unjudged" in said
    assert example in said
    assert ("'assay check' shows more" in said) == bool(example)


def test_sparse_judgments_are_not_suspicious(folder: Path) -> None:
    (folder / "qrels.txt").write_text("".join(f"{query} 0 001 1\n" for query in QUERIES))
    assert notes("good.run") == ""


def test_a_run_in_the_place_of_judgments(folder: Path) -> None:
    (folder / "qrels.txt").write_text("query,doc,score\n301,001,0.5\n301,002,0.25\n")
    assert "is this a run? The judgments come first" in notes("good.run")


def test_check_says_the_same_once(folder: Path) -> None:
    done = call("check", "good.run", "qrels.txt")
    assert done.out.count("is this a run file?") == 1
    assert "good.run: 99 further lines cannot be read" in done.out


def test_of_a_long_run_the_beginning_is_looked_at_and_that_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assay.tasks.retrieval.run_warnings.MAX_DOCUMENTS", 40)
    (folder / "distance.run").write_text(lines(DOCS, "{}"))
    said = notes("distance.run")
    assert "(in 2 queries)" in said
    assert "in the first 40 documents of mine" in said


def test_long_ids_are_read_far_enough(folder: Path) -> None:
    ids = [f"{number:0300}" for number in range(900)]
    judged = [f"{query} 0 {doc} 1\n" for query in (1, 2) for doc in ids]
    first = [f"1 Q0 {doc} {place} {-place} long\n" for place, doc in enumerate(ids, 1)]
    second = [f"2 Q0 {doc} {place} {place} long\n" for place, doc in enumerate(ids, 1)]
    (folder / "qrels.txt").write_text("".join(judged))
    (folder / "long.run").write_text("".join(first + second))
    assert "long.run:902: the rank contradicts the score (in 1 query)" in notes("long.run")
