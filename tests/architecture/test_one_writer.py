"""Files are written in one place, so that every output is complete or absent."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.conftest import ROOT

SOURCE = ROOT / "src/assay"
WRITERS = {
    SOURCE / "core" / f"{name}.py"
    for name in ("output_files", "output_folders", "scratch_files", "table_bytes")
}
METHODS = {
    *("write_text", "write_bytes", "mkdir", "makedirs", "touch", "unlink", "rmdir", "rmtree"),
    *("write_parquet", "write_avro", "write_excel", "write_delta", "write_database"),
    *("sink_csv", "sink_parquet", "sink_ipc", "sink_ndjson", "to_parquet", "to_csv", "to_excel"),
    *("savefig", "tofile", "savez", "savetxt", "symlink_to", "hardlink_to", "copyfile", "copy2"),
}
"""What writes, makes or removes a file, whatever it is called on."""
WITH_A_PLACE = {"write_csv", "write_ipc", "write_json", "write_ndjson", "to_json"}
"""What returns its content unless a file is named."""
OF_OS = {"open", "replace", "rename", "remove", "link", "symlink", "mkfifo", "truncate"}
MODULES = {"tempfile", "shelve", "sqlite3"}


def _writes(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = {alias.name for alias in node.names} | {getattr(node, "module", None)}
            yield from (f"import {name}" for name in names & MODULES)
        if isinstance(node, ast.Call) and _is_write(node):
            yield f"{path.name}:{node.lineno}: {ast.unparse(node)}"


def _is_write(call: ast.Call) -> bool:
    name = ast.unparse(call.func).rpartition(".")[2]
    owner = ast.unparse(call.func).rpartition(".")[0]
    first = ast.unparse(call.args[0]) if call.args else ""
    if owner == "formatter" or first == "os.devnull":  # the help of click; nothing is written
        return False
    if isinstance(call.func, ast.Name) and name in ("write_text", "write_bytes"):
        return False  # the one writer
    if name in METHODS or (
        name in WITH_A_PLACE and (first not in ("", "None") or _named(call, "file"))
    ):
        return True
    if owner == "os":
        return name in OF_OS
    modes = [*call.args, *(each.value for each in call.keywords if each.arg == "mode")]
    return name == "open" and any(_is_mode(each) for each in modes[0 if owner else 1 :])


def _named(call: ast.Call, word: str) -> bool:
    return any(each.arg == word for each in call.keywords)


def _is_mode(node: ast.AST) -> bool:
    text = node.value if isinstance(node, ast.Constant) else None
    return isinstance(text, str) and len(text) < 4 and bool(set(text) & set("wax+"))


@pytest.mark.parametrize("path", sorted(set(SOURCE.rglob("*.py")) - WRITERS), ids=str)
def test_nothing_else_writes_files(path: Path) -> None:
    assert not list(_writes(path)), "write it with assay.core.output_files"


@pytest.mark.parametrize(
    "line",
    [
        "Path('x').write_text('')",
        "open('x', 'w')",
        "Path('x').open('ab')",
        "open('x', mode='r+')",
        "os.open('x', os.O_WRONLY)",
        "os.replace('x', 'y')",
        "frame.write_parquet('x')",
        "frame.write_csv('x')",
        "frame.write_csv(file='x')",
        "frame.lazy().sink_csv('x')",
        "place.mkdir()",
        "import tempfile",
        "from tempfile import mkstemp",
    ],
)
def test_other_ways_to_write_are_seen(tmp_path: Path, line: str) -> None:
    (tmp_path / "module.py").write_text(line)
    assert list(_writes(tmp_path / "module.py"))


@pytest.mark.parametrize(
    "line", ["Path('x').open('rb')", "open('x')", "frame.write_csv()", "write_text(place, page)"]
)
def test_reading_is_not_writing(tmp_path: Path, line: str) -> None:
    (tmp_path / "module.py").write_text(line)
    assert not list(_writes(tmp_path / "module.py"))
