"""The house: what is light stays light, and what goes one way stays one way."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import ROOT

import assay

SOURCES = sorted((ROOT / "src").rglob("*.py"))


def test_imports_go_one_way() -> None:
    done = subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports"), "--no-logo"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(ROOT / "src"), "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 0, done.stdout


def _loaded(program: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(ROOT / "src")},
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "program",
    ["import assay", "from assay.cli.application import main; main.__doc__"],
)
def test_nothing_heavy_is_imported_before_it_is_used(program: str) -> None:
    heavy = {"numpy", "polars", "scipy", "pandas", "sklearn", "click.testing"}
    assert not heavy & _loaded(program)


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import contextlib, io\n"
        "from assay.cli import main\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        "    main(['--help'])\n"
    )
    assert not {"numpy", "polars", "scipy"} & _loaded(program)


@pytest.mark.parametrize("name", sorted(assay.__all__))
def test_public_names_exist_and_are_documented(name: str) -> None:
    assert getattr(assay, name) is not None
    if name != "__version__":
        assert getattr(assay, name).__doc__


def test_the_public_face_is_typed_as_it_is_found() -> None:
    """The names for type checkers are the names that are imported on use."""
    tree = ast.parse((ROOT / "src/assay/__init__.py").read_text())
    typed = {
        (alias.name, node.module)
        for block in tree.body
        if isinstance(block, ast.If)
        for node in ast.walk(block)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    found = {(assay._FUNCTIONS.get(name, name), home) for name, home in assay._HOMES.items()}
    assert typed == found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT / "src")))
def test_no_drawers_and_no_assert(path: Path) -> None:
    assert path.stem not in {"utils", "util", "common", "helpers", "misc"}
    tree = ast.parse(path.read_text())
    assert not any(isinstance(node, ast.Assert) for node in ast.walk(tree))
    assert ast.get_docstring(tree) or not tree.body


def test_a_small_file_loads_little(tmp_path: Path) -> None:
    """Modules that take long to import and that a few queries do not need."""
    pairs = [(query, document) for query in range(20) for document in range(6)]
    judged = "".join(f"q{q} 0 d{d} {int((q + d) % 4 == 0)}\n" for q, d in pairs)
    (tmp_path / "qrels").write_text(judged)
    (tmp_path / "run").write_text("".join(f"q{q} Q0 d{d} {d} {-d} x\n" for q, d in pairs))
    words = ["retrieval", str(tmp_path / "qrels"), str(tmp_path / "run"), "--quiet"]
    loaded = _loaded(
        f"from assay.cli.application import main\ntry: main({words})\nexcept SystemExit: pass"
    )
    assert "assay.measures.rankings.average_precision" in loaded
    assert not loaded & {
        "difflib", "numpy.ma", "scipy", "statistics",
        "assay.evidence.item_cells", "assay.evidence.tied_rankings",
        "assay.measures.rankings.precision_extremes", "assay.statistics.slice_gaps",
    }  # fmt: skip
