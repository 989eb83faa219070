"""Checking: all that is wrong or suspicious in judgments and runs, before any number is printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.core.phrases import quantity
from assay.core.tables import Judgments, Run
from assay.evidence import data_findings
from assay.evidence.data_findings import DataFinding
from assay.formats.file_survey import FileSurvey, survey_qrels, survey_run

MAX_LINES_SHOWN = 5
"""How many kinds of complaints of one file are shown; the rest is counted."""


@dataclass(frozen=True)
class CheckReport:
    """What was found in all files, in their order."""

    findings: tuple[DataFinding, ...]

    @property
    def has_errors(self) -> bool:
        """Whether something must be mended before the numbers mean anything."""
        return any(each.severity == "error" for each in self.findings)

    def count(self, severity: Literal["error", "warning", "note"]) -> int:
        """How many findings of that severity there are."""
        return sum(each.severity == severity for each in self.findings)


def check(
    qrels: Any,
    runs: Sequence[Any],
    *,
    input_format: str | None = None,
    qrels_format: str | None = None,
) -> CheckReport:
    """Read all files to their end and say what is wrong or suspicious in them."""
    judged = survey_qrels(qrels, qrels_format or input_format)
    found = list(_distinct_errors(judged))
    truth = judged.table if isinstance(judged.table, Judgments) else None
    if truth is not None:
        found += data_findings.judgment_findings(truth)
    for run in runs:
        surveyed = survey_run(run, input_format)
        found += _distinct_errors(surveyed)
        if isinstance(surveyed.table, Run):
            found += data_findings.run_findings(surveyed.table, surveyed.tags)
            if truth is not None:
                found += data_findings.joint_findings(truth, surveyed.table)
    return CheckReport(tuple(found))


def _distinct_errors(surveyed: FileSurvey) -> Iterator[DataFinding]:
    """Each kind of complaint once, at the first line that it is of; the other lines are counted."""
    place = re.compile(rf"^{re.escape(surveyed.name)}:\d+: ")
    kinds: dict[str, str] = {}
    for complaint in surveyed.complaints:
        kinds.setdefault(place.sub("", complaint), complaint)
    shown = list(kinds.values())[:MAX_LINES_SHOWN]
    for complaint in shown:
        yield DataFinding("error", complaint)
    more = surveyed.unread - len(shown)
    if more > 0:
        further = quantity(more, "further line")
        yield DataFinding("error", f"{surveyed.name}: {further} cannot be read")
