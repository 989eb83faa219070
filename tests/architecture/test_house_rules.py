"""House rules: sizes, parameters, names and documentation of the whole package."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from tests.conftest import ROOT

import assay

PACKAGE = ROOT / "src/assay"
TREES = {path: ast.parse(path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
LONGEST_FILE, LONGEST_FUNCTION, MOST_PARAMETERS, MOST_NAMESAKES = 300, 50, 8, 4
Function = ast.FunctionDef | ast.AsyncFunctionDef


def _functions(path: Path) -> Iterator[Function]:
    return (node for node in ast.walk(TREES[path]) if isinstance(node, Function))


def _length(node: Function) -> int:
    """Return the lines of a function without those of its docstring; closing quotes count."""
    text = len((ast.get_docstring(node) or "").splitlines())
    return (node.end_lineno or node.lineno) - node.lineno + 1 - text


def _parameter_count(node: Function) -> int:
    arguments = node.args
    names = [each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    return len([name for name in names if name not in ("self", "cls")])


def _public(
    tree: ast.Module | ast.ClassDef, prefix: str = ""
) -> Iterator[tuple[str, Function | ast.ClassDef]]:
    """Yield the public functions, methods and classes, without those within functions."""
    for node in tree.body:
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
            yield f"{prefix}{node.name}", node
            if isinstance(node, ast.ClassDef):
                yield from _public(node, f"{node.name}.")


def _is_overload(node: ast.AST) -> bool:
    decorators = getattr(node, "decorator_list", ())
    return any(ast.unparse(each).endswith((".setter", "overload")) for each in decorators)


def _where(path: Path, name: str) -> str:
    return f"{path.relative_to(PACKAGE)}: {name}"


def test_no_file_is_long() -> None:
    lengths = {str(path.relative_to(PACKAGE)): path.read_text().count("\n") for path in TREES}
    assert {name for name, lines in lengths.items() if lines > LONGEST_FILE} == set()


def test_no_function_is_long() -> None:
    long = {
        _where(path, node.name): _length(node)
        for path in TREES
        for node in _functions(path)
        if _length(node) > LONGEST_FUNCTION
    }
    assert long == {}


def test_functions_take_few_parameters() -> None:
    """Long lists are for users: commands, `define`, and what `assay` exports."""
    exported: set[str] = set()
    for name in assay.__all__:
        found = getattr(assay, name)
        inner = (
            {*vars(found), *getattr(found, "_PLACES", ())} if isinstance(found, ModuleType) else ()
        )
        members = [getattr(found, each) for each in inner]
        exported |= {getattr(each, "__name__", "") for each in (found, *members)}
    many = {
        _where(path, node.name): _parameter_count(node)
        for path in TREES
        if path.relative_to(PACKAGE).parts[0] != "cli"
        for node in _functions(path)
        if _parameter_count(node) > MOST_PARAMETERS
        and node.name not in {*exported, "define", "declare"}
    }
    assert many == {}


def test_no_two_public_classes_share_a_name() -> None:
    names = Counter(
        node.name
        for tree in TREES.values()
        for node in tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert {name for name, count in names.items() if count > 1} == set()


def test_no_file_name_occurs_often() -> None:
    names = Counter(path.name for path in TREES if path.name != "__init__.py")
    assert [name for name, count in names.items() if count > MOST_NAMESAKES] == []


def test_functions_within_functions_are_documented() -> None:
    missing = [
        _where(path, node.name)
        for path in TREES
        for node in _functions(path)
        if not (node.name.startswith("_") or ast.get_docstring(node) or _is_overload(node))
    ]
    assert missing == []


@pytest.mark.parametrize("part", sorted({path.relative_to(PACKAGE).parts[0] for path in TREES}))
def test_public_names_are_documented(part: str) -> None:
    missing = [
        _where(path, name)
        for path, tree in TREES.items()
        if path.relative_to(PACKAGE).parts[0] == part
        for name, node in _public(tree)
        if not ast.get_docstring(node) and not _is_overload(node)
    ]
    assert missing == []
