"""The notebooks of the documentation run, and every task has one."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

from assay.core.catalogue import catalogue

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "notebooks.py"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path) -> None:
    page = SCRIPT["run_notebook"](path)
    assert "<table" in page
    assert page.count("<svg") >= 1


def test_every_task_has_a_notebook() -> None:
    assert {path.stem for path in NOTEBOOKS} == catalogue().tasks


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_outputs(path: Path) -> None:
    cells = json.loads(path.read_text())["cells"]
    assert all(not cell.get("outputs") for cell in cells)
