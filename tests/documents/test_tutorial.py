"""The tutorial and the how-to pages are run as they are printed, against the data of the demo."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cli.terminal import call
from tests.conftest import ROOT

PAGES = [ROOT / "docs" / "tutorial.md", *sorted((ROOT / "docs" / "howto").glob("*.md"))]


def _steps(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Each command, and the lines that are printed below it; … stands for any lines."""
    text = page.read_text(encoding="utf-8")
    for block in re.findall(r"```text\n(.*?)```", text, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *lines = part.rstrip("\n").split("\n")
            yield command, lines


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("sklearn")
    from assay.demo.digits import write_demo_files

    folder = tmp_path_factory.mktemp("tutorial")
    write_demo_files(folder / "demo-output")
    return folder


@pytest.mark.parametrize("page", [pytest.param(page, id=page.stem) for page in PAGES])
def test_a_page(data: Path, monkeypatch: pytest.MonkeyPatch, page: Path) -> None:
    """All steps of a page in one test: later ones read what earlier ones wrote."""
    monkeypatch.chdir(data)
    for command, lines in _steps(page):
        _check_step(command, lines)


def _check_step(command: str, lines: list[str]) -> None:
    program, *arguments = shlex.split(command)
    assert program == "assay"
    done = call(*arguments)
    assert done.code == 0, f"{command}: {done.err}"
    printed = [line.rstrip() for line in (done.out + done.err).splitlines()]
    place, anything = 0, False
    for line in lines:
        if line == "…":
            anything = True
            continue
        assert line in printed[place:], f"not printed: {line}\nbut: {done.out}"
        found = printed.index(line, place)
        assert anything or found == place, f"left out before {line}: {printed[place:found]}"
        place, anything = found + 1, False


def _python(data: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> dict[str, Any]:
    monkeypatch.chdir(data)
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert code is not None
    names: dict[str, Any] = {}
    exec(code[1], names)
    return names


def test_the_python_of_the_tutorial(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = _python(data, monkeypatch, "tutorial.md")["scores"]
    assert round(scores["nDCG@10"]["pixels"], 3) == 0.985


def test_there_are_steps() -> None:
    assert len(list(_steps(PAGES[0]))) >= 6
    assert sum(len(list(_steps(page))) for page in PAGES) >= 25


def test_the_front_page_leads_to_every_page() -> None:
    front = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for folder in ("howto", "handbook"):
        for page in sorted((ROOT / "docs" / folder).glob("*.md")):
            assert f"({folder}/{page.name})" in front, page.name
