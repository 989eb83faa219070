"""Subtopics, strata and probabilities that cannot be: told with their place.

Each complaint names the line of a file of lines (the row of other tables) and the topic.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pytest
from tests.cli.terminal import call, told

import assay
from assay.core.errors import AssayError

RUN = "".join(
    f"{query} Q0 {doc} {rank} {9 - rank} bm25\n"
    for query in ("7", "8")
    for rank, doc in enumerate("abcd", 1)
)
DIVERSITY, SAMPLED = "alpha_nDCG@10 ERR_IA@10", "xinfAP infNDCG statAP"


class Bad(NamedTuple):
    """A file with a mistake: how it is evaluated, and where the mistake is."""

    measures: str
    content: str
    line: int
    said: str
    topic: str = "8"


GOOD = {
    "subtopics": "7 1 a 1\n7 2 b 1\n",
    "strata": "7 0 a 1 1\n7 0 b 1 -1\n",
    "prels": "7 a 1 1 0.5\n7 b 0 1 0.25\n",
}
LINES = {
    "no subtopics at all": Bad(
        DIVERSITY, "# judged\n8 0 a 1\n7 0 b 0\n", 2, "have no subtopic; diversity measures need"
    ),
    "no groups at all": Bad(
        "map_avgjg", "8 0 a 1\n7 0 b 0\n", 1, "averages over assessors need a group"
    ),
    "a line without a subtopic": Bad(
        DIVERSITY, GOOD["subtopics"] + "8 1 a 1\n\n8 0 b 1\n", 5, "document b of query 8 has no"
    ),
    "Q0 for a subtopic": Bad(
        DIVERSITY, "7 0 a 1\n7 1 b 1\n8 0 a 1\n8 1 b 1\n8 Q0 c 1\n", 5, "has no subtopic ('Q0')"
    ),
    "a nameless subtopic among names": Bad(
        DIVERSITY, "8 price a 1\n8 0 b 1\n", 2, "others of the query have one"
    ),
    "no strata at all": Bad(
        "xinfAP", "8 0 a 1\n7 0 b 0\n", 1, "estimates need a stratum or a probability"
    ),
    "a stratum of which nothing was drawn": Bad(
        "xinfAP", GOOD["strata"] + "8 0 a 1 1\n8 0 b 2 -1\n", 4, "no document of stratum 2"
    ),
    "a document in two strata": Bad(
        "xinfAP", GOOD["strata"] + "8 0 a 1 1\n8 0 a 2 1\n", 4, "in stratum 2, but in stratum 1 at"
    ),
    "a document twice in its stratum": Bad(
        "xinfAP", GOOD["strata"] + "8 0 a 1 1\n8 0 a 1 0\n", 4, "occurs twice, first at"
    ),
    **{
        f"a probability of {given}": Bad(
            "statAP",
            GOOD["prels"] + f"8 a 1 1 {given}\n",
            3,
            f"the probability is {float(given)}, but an inclusion probability is above 0",
        )
        for given in ("0", "-0.1", "1.0001", "nan", "inf", "-inf")
    },
}
UNREAD = {
    "a line short of its subtopic": Bad(DIVERSITY, GOOD["subtopics"] + "8 b 1\n", 3, "3 fields"),
    "a line short of its stratum": Bad("xinfAP", GOOD["strata"] + "8 0 b 1\n", 3, "4 fields"),
    "a line short of its probability": Bad("statAP", GOOD["prels"] + "8 a 1 1\n", 3, "4 fields"),
    "a word for a probability": Bad(
        "statAP", GOOD["prels"] + "8 a 1 1 often\n", 3, "the probability is 'often', but a number"
    ),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run").write_text(RUN)
    (tmp_path / "other").write_text(RUN.replace("bm25", "dense"))
    return tmp_path


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("bad", [*LINES.values(), *UNREAD.values()], ids=[*LINES, *UNREAD])
def test_lines_are_named(bad: Bad, packed: bool, folder: Path) -> None:
    name = "judged.gz" if packed else "judged"
    content = bad.content.encode()
    (folder / name).write_bytes(gzip.compress(content) if packed else content)
    done = call("retrieval", name, "run", "-m", bad.measures)
    told(done, f"{name}:{bad.line}", bad.topic if bad in LINES.values() else None, bad.said)


COMMANDS = {
    "compare": ("compare", "retrieval", "judged", "run", "other"),
    "gate": ("gate", "retrieval", "judged", "run", "--floor", "0.1"),
    "report": ("report", "retrieval", "judged", "run", "-o", "page.html"),
    "risk": ("risk", "judged", "run", "other"),
    "cost": ("cost", "judged", "run", "--cost", "costs.csv"),
}
ONE_OF_EACH = ["a line without a subtopic", "a document in two strata", "a probability of 0"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", ONE_OF_EACH)
def test_every_command_names_them(command: str, kind: str, folder: Path) -> None:
    bad = LINES[kind]
    (folder / "judged").write_text(bad.content)
    (folder / "costs.csv").write_text("system,cost\nbm25,1\n")
    done = call(*COMMANDS[command], "-m", bad.measures.split()[0])
    told(done, f"judged:{bad.line}", bad.topic, bad.said)


@pytest.mark.parametrize("kind", ONE_OF_EACH)
def test_check_names_them(kind: str, folder: Path) -> None:
    bad = LINES[kind]
    (folder / "judged").write_text(bad.content)
    done = call("check", "judged", "run")
    assert f"judged:{bad.line}: " in done.out + done.err
    assert bad.said in done.out + done.err


def rows(**columns: list[Any]) -> dict[str, list[Any]]:
    """Judgments of two topics; the mistake is in the third row."""
    own: dict[str, list[Any]] = {
        "query": ["7", "7", "8", "8"],
        "doc": ["a", "b", "a", "b"],
        "grade": [1, 0, 1, 0],
    }
    return own | columns


class BadTable(NamedTuple):
    """Columns with a mistake in the row of that number, from 1."""

    measures: str
    columns: dict[str, list[Any]]
    said: str
    row: int = 3


TABLES = {
    "a gap for a subtopic": BadTable(
        DIVERSITY, rows(subtopic=["1", "2", None, "1"]), "the subtopic (query 8) is missing"
    ),
    "a blank for a subtopic": BadTable(
        DIVERSITY, rows(subtopic=["1", "2", " ", "1"]), "the subtopic (query 8) is missing"
    ),
    "0 for a subtopic": BadTable(
        DIVERSITY, rows(subtopic=["1", "2", "0", "1"]), "document a of query 8 has no subtopic"
    ),
    "a gap for a stratum": BadTable(
        "xinfAP", rows(stratum=["1", "2", None, "1"]), "the stratum (query 8) is missing"
    ),
    "a blank for a stratum": BadTable(
        "xinfAP", rows(stratum=["1", "2", "", "1"]), "the stratum (query 8) is missing"
    ),
    "a size below what is listed": BadTable(
        "xinfAP",
        rows(stratum=["1"] * 4, stratum_size=[2, 2, 1, 1]),
        "stratum 1 of query 8 has the size 1, but 2 lines",
    ),
    "a size above what is listed": BadTable(
        "xinfAP",
        rows(stratum=["1"] * 4, stratum_size=[2, 2, 10, 10]),
        "stratum 1 of query 8 has the size 10, but 2 lines; list every document",
    ),
    "two sizes of one stratum": BadTable(
        "xinfAP",
        rows(stratum=["1"] * 4, stratum_size=[2, 2, 2, 3]),
        "stratum 1 of query 8 has the size 3 here, but 2 above",
        row=4,
    ),
    "a gap for a probability": BadTable(
        "statAP", rows(probability=[1.0, 0.5, None, 1.0]), "the probability (query 8) is missing"
    ),
    "a probability of 2": BadTable(
        "statAP",
        rows(probability=[1.0, 0.5, 2.0, 1.0]),
        "document a of query 8: the probability is 2.0",
    ),
}


def as_json(frame: pl.DataFrame, path: Path) -> None:
    path.write_text(json.dumps(frame.to_dicts()))


WRITERS: dict[str, tuple[Callable[[pl.DataFrame, Path], Any], str]] = {
    "csv": (lambda frame, path: frame.write_csv(path), "judged.csv:{0}"),
    "csv.gz": (
        lambda frame, path: path.write_bytes(gzip.compress(frame.write_csv().encode())),
        "judged.csv.gz:{0}",
    ),
    "jsonl": (lambda frame, path: frame.write_ndjson(path), "judged.jsonl:{1}"),
    "json": (as_json, "judged.json, row {1}"),
    "parquet": (lambda frame, path: frame.write_parquet(path), "judged.parquet, row {1}"),
}


@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize("bad", TABLES.values(), ids=TABLES)
def test_rows_of_files_are_named(bad: BadTable, form: str, folder: Path) -> None:
    write, place = WRITERS[form]
    write(pl.DataFrame(bad.columns), folder / f"judged.{form}")
    done = call("retrieval", f"judged.{form}", "run", "-m", bad.measures)
    told(done, place.format(bad.row + 1, bad.row), "8", bad.said)


FRAMES: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "columns": lambda columns: columns,
    "polars": pl.DataFrame,
    "pandas": lambda columns: pl.DataFrame(columns).to_pandas(),
    "arrow": lambda columns: pl.DataFrame(columns).to_arrow(),
}


@pytest.mark.parametrize("container", FRAMES)
@pytest.mark.parametrize("bad", TABLES.values(), ids=TABLES)
def test_rows_of_frames_are_named(bad: BadTable, container: str) -> None:
    with pytest.raises(AssayError) as refused:
        assay.retrieval(FRAMES[container](bad.columns), {"8": {"a": 1.0}}, bad.measures)
    assert str(refused.value).startswith(f"qrels, row {bad.row}: ")
    assert bad.said in str(refused.value)


def test_dicts_of_grades_have_neither() -> None:
    for measure, said in (("alpha_nDCG@10", "subtopic"), ("statAP", "stratum or probability")):
        with pytest.raises(AssayError, match=rf"the judgments of query 8 .* have no {said}"):
            assay.retrieval({"8": {"a": 1}}, {"8": {"a": 1.0}}, measure)


@pytest.mark.parametrize("policy", ["first", "last"])
def test_of_documents_in_two_strata_one_can_be_chosen(policy: str, folder: Path) -> None:
    """As if the other line were not there."""
    first, last, rest = "8 0 a 1 1\n", "8 0 a 2 1\n", "8 0 b 1 1\n8 0 c 1 -1\n8 0 d 2 0\n"
    (folder / "both").write_text(first + rest + last)
    (folder / "first").write_text(first + rest)
    (folder / "last").write_text(rest + last)
    run = {"8": {"c": 3.0, "a": 2.0, "b": 1.0}}
    found = assay.retrieval("both", run, "infNDCG", policies={"duplicates": policy})
    alone = {each: assay.retrieval(each, run, "infNDCG")["infNDCG"] for each in ("first", "last")}
    assert found["infNDCG"] == alone[policy]
    assert alone["first"] != alone["last"]
    done = call("retrieval", "both", "run", "-m", "xinfAP", "--policy", f"duplicates={policy}")
    assert done.code == 0, done.err


def test_samples_are_checked_after_a_line_is_chosen() -> None:
    run = {"8": {"a": 2.0, "b": 1.0}}
    sized = {
        "query": ["8"] * 3, "doc": ["a", "a", "b"], "grade": [1, 1, -1], "stratum": ["1"] * 3,
        "stratum_size": [2] * 3,
    }  # fmt: skip
    once = {name: column[1:] for name, column in sized.items()}
    chosen = assay.retrieval(sized, run, "infNDCG", policies={"duplicates": "first"})
    assert chosen["infNDCG"] == assay.retrieval(once, run, "infNDCG")["infNDCG"]
    drawn = {
        "query": ["8"] * 4, "doc": ["a", "a", "b", "b"], "grade": [1, 1, -1, 0],
        "stratum": ["1", "1", "2", "2"],
    }  # fmt: skip
    with pytest.raises(AssayError, match="qrels, row 3: no document of stratum 2"):
        assay.retrieval(drawn, run, "infNDCG", policies={"duplicates": "first"})
