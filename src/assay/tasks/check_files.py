"""Everything wrong or suspicious in judgments and runs, before any number is printed."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from assay.core.errors import AssayError
from assay.core.phrases import quantity
from assay.core.printable import Printable
from assay.core.tables import Judgments, Run, Source
from assay.evidence import data_findings
from assay.evidence.data_findings import DataFinding
from assay.formats.containers import is_text_file, open_file, runs_by_name, to_judgments, to_run
from assay.formats.files.trec import FORMAT, qrels_layout, run_layout
from assay.formats.input_files import Input
from assay.formats.line_reader import survey_lines
from assay.formats.records import are_records
from assay.formats.table_columns import Kind

MAX_LINES_SHOWN = 5
"""How many kinds of errors of one file are shown; the others are counted."""


@dataclass(frozen=True, repr=False, eq=False)
class CheckReport(Printable):
    """The findings of all files, in their order."""

    findings: tuple[DataFinding, ...]

    @property
    def has_errors(self) -> bool:
        """Whether something must be fixed before the numbers mean anything."""
        return any(finding.severity == "error" for finding in self.findings)

    def count(self, severity: Literal["error", "warning", "note"]) -> int:
        """Return the number of findings of that severity."""
        return sum(finding.severity == severity for finding in self.findings)


@dataclass(frozen=True)
class _FileSurvey:
    """What can be read of a file, and the errors of the rest."""

    name: str
    table: Judgments | Run | None
    errors: list[str] = field(default_factory=list)
    unread: int = 0
    """How many lines cannot be read; not all of their errors are kept."""
    tags: tuple[str, ...] = ()


def check(
    qrels: Any,
    runs: Any,
    *,
    input_format: str | None = None,
    qrels_format: str | None = None,
) -> CheckReport:
    """Read all files to their end and return what is wrong or suspicious in them.

    ``qrels`` may be None, to check runs alone; ``runs`` are a sequence of runs, or a dict of name
    to run.
    """
    findings: list[DataFinding] = []
    truth = None
    if qrels is not None:
        judged = _survey_file(qrels, "qrels", qrels_format or input_format)
        findings += _distinct_errors(judged)
        if isinstance(judged.table, Judgments):
            truth = judged.table
            findings += data_findings.judgment_findings(truth)
    for name, run in _named_runs(runs):
        survey = _survey_file(run, "run", input_format, name)
        findings += _distinct_errors(survey)
        if isinstance(survey.table, Run):
            findings += data_findings.run_findings(survey.table, survey.tags)
            if truth is not None:
                findings += data_findings.joint_findings(truth, survey.table)
    return CheckReport(tuple(findings))


def _named_runs(runs: Any) -> Iterator[tuple[str | None, Any]]:
    """Yield each run, with its name where it has one."""
    if (named := runs_by_name(runs)) is not None:
        yield from named.items()
    elif isinstance(runs, list | tuple) and not are_records(runs):
        yield from ((None, run) for run in runs)
    else:
        yield None, runs


def _survey_file(
    data: Any, kind: Kind, format_name: str | None, name: str | None = None
) -> _FileSurvey:
    """Return what can be read of judgments or of a run."""
    try:
        if is_text_file(data):
            form, file = open_file(data, kind, format_name)
            if form is FORMAT:
                return _survey_lines(file, kind)
        if kind == "qrels":
            judgments = to_judgments(data, format_name)
            return _FileSurvey(judgments.source.name, judgments)
        run = to_run(data, name, format_name)
        source = run.source
        return _FileSurvey(source.name, Run(run.frame, source, name or source.name, run.empty))
    except AssayError as error:
        return _FileSurvey(name or reprlib.repr(data), None, [str(error)])


def _survey_lines(file: Input, kind: Kind) -> _FileSurvey:
    """Return what can be read of a TREC file."""
    survey = survey_lines(file, qrels_layout(file) if kind == "qrels" else run_layout(file))
    source, frame = Source(file.name, survey.lines), survey.rows
    rows = frame.select(name for name in frame.columns if not name.startswith("_"))
    table: Judgments | Run | None = None
    if len(rows):
        table = Judgments(rows, source) if kind == "qrels" else Run(rows, source, file.name)
    tags = tuple(frame["_tag"].unique().sort().to_list()) if "_tag" in frame.columns else ()
    return _FileSurvey(file.name, table, list(map(str, survey.errors)), survey.unread, tags)


def _distinct_errors(survey: _FileSurvey) -> Iterator[DataFinding]:
    """Yield each kind of error once, at its first line, and the number of the other lines."""
    place = re.compile(rf"^{re.escape(survey.name)}:\d+: ")
    kinds: dict[str, str] = {}
    for error in survey.errors:
        kinds.setdefault(place.sub("", error), error)
    shown = list(kinds.values())[:MAX_LINES_SHOWN]
    for error in shown:
        yield DataFinding("error", error)
    more = survey.unread - len(shown)
    if more > 0:
        further = quantity(more, "further line")
        yield DataFinding("error", f"{survey.name}: {further} cannot be read")
