"""Reading a file to say all that is wrong with it, instead of stopping at the first mistake."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.core.errors import AssayError
from assay.core.tables import Judgments, Run, Source
from assay.formats import containers, trec
from assay.formats.text.line_reader import survey_lines


@dataclass(frozen=True)
class FileSurvey:
    """What could be read of a file, and complaints about the rest."""

    name: str
    table: Judgments | Run | None
    complaints: list[str] = field(default_factory=list)
    unread: int = 0
    """How many lines could not be read; not all have their complaint."""
    tags: tuple[str, ...] = ()


def survey_run(given: Any, format_name: str | None = None) -> FileSurvey:
    """A run, as far as it can be read."""
    try:
        if isinstance(given, str | Path):
            form, head = containers.open_head(given, "run", format_name)
            if form.fallback:
                found = survey_lines(head.file, trec.run_layout(head))
                source = Source(head.file.name, found.lines)
                rows = found.rows.select("query", "doc", "score", "rank")
                tags = tuple(found.rows["_tag"].unique().sort().to_list())
                table = Run(rows, source, head.file.name) if len(rows) else None
                return FileSurvey(
                    head.file.name, table, [str(c) for c in found.complaints], found.unread, tags
                )
        table = containers.to_run(given, format_name=format_name)
        rows = table.frame
        return FileSurvey(
            table.source.name, Run(rows, table.source, table.source.name, table.empty)
        )
    except AssayError as complaint:
        return FileSurvey(str(given), None, [str(complaint)])


def survey_qrels(given: Any, format_name: str | None = None) -> FileSurvey:
    """Judgments, as far as they can be read."""
    try:
        if isinstance(given, str | Path):
            form, head = containers.open_head(given, "qrels", format_name)
            if form.fallback:
                found = survey_lines(head.file, trec.qrels_layout(head))
                source = Source(head.file.name, found.lines)
                rows = found.rows.select(_declared_columns(found.rows.columns))
                table = Judgments(rows, source) if len(rows) else None
                return FileSurvey(
                    head.file.name, table, [str(c) for c in found.complaints], found.unread
                )
        judged = containers.to_judgments(given, format_name)
        return FileSurvey(judged.source.name, judged)
    except AssayError as complaint:
        return FileSurvey(str(given), None, [str(complaint)])


def _declared_columns(names: list[str]) -> list[str]:
    """The columns that judgments declare."""
    return [name for name in names if name in {**Judgments.columns, **Judgments.optional}]
