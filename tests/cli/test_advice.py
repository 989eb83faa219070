"""Complaints of which the advice can be followed."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.terminal import call


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "1000")
    Path("qrels.txt").write_text("".join(f"{q} 0 a 1\n{q} 0 b 0\n" for q in (303, 307, 310)))
    Path("one.run").write_text("".join(f"{q} Q0 a 1 2.0 one\n" for q in (303, 307, 310)))
    Path("two.run").write_text("".join(f"{q} Q0 b 1 2.0 two\n" for q in (303, 307, 310)))


def complaint(*arguments: str) -> str:
    """What is said, in one line, of a call that cannot be."""
    done = call(*arguments)
    assert done.code in (1, 2), done.out
    assert "Traceback" not in done.err
    return " ".join(done.err.split())


@pytest.mark.parametrize("command", ["holes", "ties"])
def test_measures_of_subtopics_are_not_looked_into(command: str) -> None:
    Path("div.txt").write_text("303 1 a 1\n303 2 b 1\n")
    said = complaint(command, "div.txt", "one.run", "-m", "alpha_nDCG@10")
    assert "needs judgments with subtopics, which are not looked into here ('assay" in said
    assert "take a measure of plain judgments, such as nDCG@10" in said


@pytest.mark.parametrize(
    ("line", "form"), [("303 a b a", "pairs"), ("303 a b tie", "pairs"), ("303 0 a 1", "qrels")]
)
def test_preferences_say_how_other_forms_are_read(line: str, form: str) -> None:
    Path("judged.txt").write_text(f"{line}\n")
    said = complaint("preferences", "judged.txt", "one.run")
    assert "4 fields where 5 are expected" in said
    assert f"say --input-format {form}" in said
    assert call("preferences", "judged.txt", "one.run", "--input-format", form).code == 0


def test_pairs_say_how_levels_are_read() -> None:
    Path("judged.txt").write_text("303 u 1 a 2\n")
    said = complaint("preferences", "judged.txt", "one.run", "--input-format", "pairs")
    assert "say --input-format levels" in said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("303 a 1 999.4 tag", "the second field seems to be missing: write Q0 after the query"),
        ("303 Q0 a 1 999.4", "the last field seems to be missing: write the name of the system"),
        ("303 0 a 1 2", "is this a qrels file?"),
        ("303 0 a 1", "is this a qrels file?"),
        ("303 a 1 NIST 0.5", "is this a qrels file?"),
    ],
)
def test_a_run_that_lacks_a_field_is_not_taken_for_qrels(line: str, said: str) -> None:
    Path("five.run").write_text(f"{line}\n")
    assert said in complaint("retrieval", "qrels.txt", "five.run")
