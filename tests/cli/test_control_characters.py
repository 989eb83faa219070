"""Control characters in ids, names and labels: a terminal never obeys them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.cli.hostile_files import RETRIEVAL, hostile_commands, write_hostile_files
from tests.cli.terminal import call

BELL = "\x07\x9b31m"
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_hostile_files("", BELL)


@pytest.mark.parametrize(
    "words",
    [
        *hostile_commands(f"1{BELL}"),
        ("retrieval", "qrels.txt", f"no{BELL}.run"),
        ("retrieval", *RETRIEVAL, "-m", f"AP{BELL}"),
    ],
    ids=lambda words: " ".join(words[:2] + words[4:6]).replace(BELL, ""),
)
def test_no_control_character_is_printed(words: tuple[str, ...]) -> None:
    done = call(*words)
    assert done.code in (0, 1, 2, 3)
    assert done.out or done.code in (1, 2)
    assert not CONTROLS.search(done.out + done.err), repr(done.out + done.err)


@pytest.mark.parametrize(
    ("words", "way"),
    [
        (("fuse", "one.run", "two.run"), "write to a file with -o"),
        (("interleave", "make", "one.run", "two.run", "--format", "csv"), "use --format json"),
        (("retrieval", *RETRIEVAL, "--per-query", "--format", "csv"), "use --format json"),
        (("trec_eval", "-q", *RETRIEVAL[:2]), "rename it"),
    ],
    ids=lambda words: words[0],
)
def test_a_pipe_gets_no_control_character_unless_it_is_named(
    words: tuple[str, ...], way: str
) -> None:
    done = call(*words)
    assert (done.code, done.out) == (1, "")
    assert "of the output" in done.err
    assert way in done.err


def test_a_named_file_and_a_named_pipe_keep_every_character() -> None:
    assert BELL in call("fuse", "one.run", "two.run", "-o", "-").out
    assert call("fuse", "one.run", "two.run", "-o", "fused.run").code == 0
    assert f" d1{BELL} " in Path("fused.run").read_text()
    lists = ("interleave", "make", "one.run", "two.run", "--format", "csv", "-o", "-")
    assert f",d1{BELL}," in call(*lists).out
