"""The tutorial is run as it is printed, against the data of the demo."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.terminal import call
from tests.conftest import ROOT

TEXT = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")


def _steps() -> Iterator[tuple[str, list[str]]]:
    """Each command, and the lines that are printed below it; … stands for any lines."""
    for block in re.findall(r"```text\n(.*?)```", TEXT, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *lines = part.rstrip("\n").split("\n")
            yield command, lines


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("sklearn")
    from assay.demo.digits import write

    folder = tmp_path_factory.mktemp("tutorial")
    write(folder / "demo-output")
    return folder


@pytest.mark.parametrize(("command", "lines"), list(_steps()), ids=lambda each: str(each)[:40])
def test_a_step(
    data: Path, monkeypatch: pytest.MonkeyPatch, command: str, lines: list[str]
) -> None:
    monkeypatch.chdir(data)
    program, *arguments = shlex.split(command)
    assert program == "assay"
    done = call(*arguments)
    assert done.code == 0, done.err
    printed = [line.rstrip() for line in done.out.splitlines()]
    place = 0
    for line in lines:
        if line == "…":
            continue
        assert line in printed[place:], f"not printed: {line}\nbut: {done.out}"
        place = printed.index(line, place) + 1


def test_the_python_of_the_tutorial(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(data)
    code = re.search(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert code is not None
    names: dict[str, object] = {}
    exec(code[1], names)
    assert round(names["scores"]["nDCG@10"]["pixels"], 3) == 0.985  # type: ignore[index]


def test_there_are_steps() -> None:
    assert len(list(_steps())) >= 6
