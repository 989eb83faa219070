"""The notebook from a Spark table to a report runs, and is kept without outputs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "notebooks.py"
NOTEBOOK = ROOT / "docs" / "notebooks" / "spark" / "spark.ipynb"


def test_the_notebook_runs(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            sys.executable,
            str(ROOT / "scripts" / "notebooks.py"),
            str(NOTEBOOK.parent),
            str(tmp_path),
        ],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    page = (tmp_path / "spark.md").read_text()
    assert "system 2" in page
    assert "<svg" in page
    cells = json.loads(NOTEBOOK.read_text())["cells"]
    assert all(not cell.get("outputs") for cell in cells)
