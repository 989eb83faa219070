"""The list of terms is well formed; documents, help and messages avoid what it rules out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from tests.conftest import ROOT

from assay.cli.application import application

TERMS = ROOT / "docs" / "handbook" / "terms.md"
PAGES = [
    ROOT / "README.md",
    ROOT / "ARCHITECTURE.md",
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if "reference" not in page.parts),
]


def _rows() -> list[tuple[str, ...]]:
    lines = [line for line in TERMS.read_text("utf-8").splitlines() if line.startswith("| ")]
    cells = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]
    return [row for row in cells if row[0] != "term"]


ROWS = _rows()
PHRASES = [phrase for row in ROWS for phrase in row[2].split("; ") if phrase != "–"]
RULED_OUT = re.compile(
    rf"\b(?:{'|'.join(map(re.escape, sorted(PHRASES, key=len, reverse=True)))})\b", re.IGNORECASE
)
SOURCES = sorted((ROOT / "src").rglob("*.py"))


def _prose(page: Path) -> str:
    """Return the text of a page without code, with single spaces."""
    text = re.sub(r"```.*?```", " ", page.read_text("utf-8"), flags=re.DOTALL)
    if page == TERMS:
        text = re.sub(r"^\|.*$", " ", text, flags=re.MULTILINE)
    return " ".join(re.sub(r"`[^`]*`", " ", text).split())


def test_the_table_has_three_columns_and_no_term_twice() -> None:
    assert len(ROWS) > 100
    assert {len(row) for row in ROWS} == {3}
    assert all(all(row) for row in ROWS)
    terms = [row[0] for row in ROWS]
    assert len(set(terms)) == len(terms)


def test_no_phrase_is_ruled_out_and_a_term() -> None:
    assert not {row[0] for row in ROWS} & set(PHRASES)
    assert len(set(PHRASES)) == len(PHRASES)


def _ruled_out(text: str) -> list[str]:
    """Return the phrases of a text that are not used in the project."""
    return RULED_OUT.findall(" ".join(text.split()))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_documents_use_the_terms(page: Path) -> None:
    assert _ruled_out(_prose(page)) == []


def _texts(tree: ast.AST) -> Iterator[str]:
    """Yield docstrings and messages; a literal without a space is a name, such as an alias."""
    parts = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            known = [each for each in node.values if isinstance(each, ast.Constant)]
            parts |= {id(each) for each in known}
            yield "…".join(str(each.value) for each in known)
        elif isinstance(node, ast.Constant) and id(node) not in parts and " " in str(node.value):
            yield str(node.value)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT / "src")))
def test_docstrings_and_messages_use_the_terms(path: Path) -> None:
    assert [
        _ruled_out(text) for text in _texts(ast.parse(path.read_text())) if _ruled_out(text)
    ] == []


def test_phrases_are_found_in_messages() -> None:
    tree = ast.parse('raise Error(f"{name} is not' + ' told apart {other}", "told")')
    assert [_ruled_out(text) for text in _texts(tree)] == [["not told apart"]]


def _commands(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    """Yield the path and the help of a command and of its subcommands."""
    yield context.command_path, command.get_help(context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _commands(inner, click.Context(inner, context, name))


def test_help_uses_the_terms() -> None:
    texts = dict(_commands(application, click.Context(application, info_name="assay")))
    assert len(texts) > 40
    assert {path: _ruled_out(text) for path, text in texts.items() if _ruled_out(text)} == {}
