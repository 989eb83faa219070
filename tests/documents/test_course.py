"""Every chapter of the course runs, and shows tables and figures without errors."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import pytest
from tests.conftest import ROOT

CHAPTERS = sorted((ROOT / "docs" / "course").glob("*.ipynb"))
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "notebooks.py"))
NUMBERS = {
    "02-sets": ["0.4118", "0.3077", "0.1667"],
    "03-rankings": ["0.7603", "0.7251", "0.4583", "0.6182", "0.7683", "0.7117"],
    "04-grades": ["0.4886", "5.8809", "0.8906"],
    "05-confusion": ["PPV = 0.100", "NPV = 0.995", "rules in", "worse than chance"],
    "06-classes": ["0.8500", "PPV = 0.684", "because 74 items of other classes are rejected"],
    "07-thresholds": ["0.6800", "a tie of 0.51, 0.4"],
    "10-ground-truth": ["0.6000", "0.8000"],
    "11-clusters": ["0.7059", "0.3646", "0.6765", "0.4561"],
}
"""What each page must show: numbers of the lectures, more exactly."""


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_runs_and_shows_its_numbers(path: Path) -> None:
    page = SCRIPT["run_notebook"](path)
    assert "<table" in page
    assert "<svg" in page
    missing = [number for number in NUMBERS.get(path.stem, []) if number not in page]
    assert missing == []


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_is_kept_without_outputs_and_uses_only_what_is_public(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert all(not cell.get("outputs") for cell in cells)
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    assert not re.search(r"assay\.(core|evidence|engine|reports|tasks|measures|testing)\b", code)


def test_the_index_lists_every_chapter() -> None:
    page = (ROOT / "docs" / "course" / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"\]\((\d\d-[\w-]+)\.ipynb\)", page)
    assert listed == [path.stem for path in CHAPTERS]
