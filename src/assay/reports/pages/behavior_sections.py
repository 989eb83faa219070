"""Sections that the pages of online and laboratory experiments share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from assay.reports.markup import Child, Markup, tag
from assay.reports.pages.page import Section, page_table, section
from assay.reports.text.table_text import frame_rows


def frame_table(frame: pl.DataFrame, label: str, digits: int = 4) -> Markup:
    """Return a frame as a table of a page; a cell without a value is a dash."""
    names, *rows = frame_rows(frame.columns, frame.iter_rows(), digits, unknown="–")
    head = [name if ":" in name else name.replace("_", " ") for name in names]
    return page_table(head, rows, label)


def verdict_section(verdicts: Sequence[str], warnings: Sequence[str], *more: Child) -> Section:
    """Return the verdict in sentences, and what to know before believing it."""
    said = [tag("p", each, class_="verdict") for each in verdicts]
    known = tag("ul", [tag("li", each.replace("`", "")) for each in warnings], class_="warnings")
    return section("verdict", "Verdict", said, known if warnings else None, list(more))


def settings_section(conventions: Mapping[str, Any]) -> Section:
    """Return how the numbers were computed."""
    rows: list[list[Child]] = [
        [key.replace("_", " "), _setting_text(value)]
        for key, value in conventions.items()
        if value not in (None, "", [], {})
    ]
    return section(
        "conventions", "How it was computed", page_table(["setting", "is"], rows, "Settings")
    )


def _setting_text(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_setting_text(each)}" for key, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
