"""What looks odd in judgments, and is legal: single topics, subtopics from 0, whole strata."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import DataError

RUN = "".join(
    f"{query} Q0 {doc} {rank} {9 - rank} bm25\n"
    for query in ("7", "8")
    for rank, doc in enumerate("abcd", 1)
)
DIVERSITY = "alpha_nDCG@10 ERR_IA@10"
SUBTOPICS, STRATA, PRELS = "7 1 a 1\n7 2 b 1\n", "7 0 a 1 1\n7 0 b 1 -1\n", "7 a 1 1 0.5\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run").write_text(RUN)
    return tmp_path


LEGAL = {
    "queries about one thing": (DIVERSITY, SUBTOPICS + "8 0 a 1\n8 0 b 1\n"),
    "subtopics from 0": (DIVERSITY, "7 0 a 1\n7 1 b 1\n8 0 a 1\n8 1 b 1\n"),
    "0 for what is about nothing": (DIVERSITY, SUBTOPICS + "8 1 a 1\n8 0 b 0\n"),
    "everything drawn": ("xinfAP", "7 0 a 1 1\n7 0 b 2 0\n8 0 a 1 1\n"),
    "strata of one query only": ("xinfAP", STRATA + "8 0 a 3 1\n"),
    "other iterations than 0": ("xinfAP", STRATA + "8 1 a 1 1\n"),
    "methods with several probabilities": ("statAP", PRELS + "8 a 1 0 1\n8 b 1 1 0.1\n"),
}


@pytest.mark.parametrize(("measures", "content"), LEGAL.values(), ids=LEGAL)
def test_what_is_legal_is_evaluated(measures: str, content: str, folder: Path) -> None:
    (folder / "judged").write_text(content)
    done = call("retrieval", "judged", "run", "-m", measures)
    assert done.code == 0, done.err


def test_queries_about_one_thing_are_noted(folder: Path) -> None:
    (folder / "judged").write_text(LEGAL["queries about one thing"][1])
    done = call("retrieval", "judged", "run", "-m", DIVERSITY)
    said = " ".join(done.err.split())
    assert "1 query has no subtopics (0 on all lines); the first is 8, at judged:3." in said


@pytest.mark.parametrize(
    ("content", "noted"),
    [
        ("7 1 a 1\n7 2 b 1\n8 3 a 1\n", True),
        ("7 1 a 1\n7 2 a 1\n8 3 a 1\n", False),
        ("7 dogs a 1\n7 cats b 1\n8 cats a 1\n", False),
    ],
    ids=["each document in one round", "a document of two subtopics", "named subtopics"],
)
def test_numbers_that_may_be_rounds_of_judging_are_noted(
    content: str, noted: bool, folder: Path
) -> None:
    (folder / "judged").write_text(content)
    done = call("retrieval", "judged", "run", "-m", "alpha_nDCG@2")
    said = (
        "judged: the second column (1, 2, 3) is read as subtopics, but 3 of 3 judged documents have"
        " only one. If it numbers rounds of judging, write 0 there"
    )
    assert (said in " ".join(done.err.split())) is noted
    assert done.code == 0


def test_whole_numbers_may_stand_among_others() -> None:
    table = {"query": ["8", "8"], "doc": ["a", "b"], "grade": [1, 0], "probability": [1, 0.5]}
    found = assay.retrieval(table, {"8": {"a": 1.0}}, "statAP", interval=None)
    assert found.results[0].value == 1
    with pytest.raises(DataError, match="'probability' holds neither numbers nor text"):
        assay.retrieval(table | {"probability": [1, object()]}, {"8": {"a": 1.0}}, "statAP")
    with pytest.raises(
        DataError, match=r"row 2: the probability 'often' \(query 8\) is not a number"
    ):
        assay.retrieval(table | {"probability": [1, "often"]}, {"8": {"a": 1.0}}, "statAP")
