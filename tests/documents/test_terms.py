"""The list of terms is well formed, and documents avoid the phrases that it rules out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.conftest import ROOT

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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_documents_use_the_terms(page: Path) -> None:
    ruled_out = "|".join(map(re.escape, PHRASES))
    assert re.findall(rf"\b(?:{ruled_out})\b", _prose(page), re.IGNORECASE) == []
