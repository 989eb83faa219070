"""Checking: all that is wrong or suspicious in judgments and runs, before any number is printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.core.tables import Judgments, Run
from assay.core.wording import counted
from assay.evidence import inspection
from assay.evidence.inspection import Finding
from assay.formats.surveying import Surveyed, survey_qrels, survey_run

SHOWN = 5
"""How many kinds of complaints of one file are shown; the rest is counted."""


@dataclass(frozen=True)
class Checked:
    """What was found in all files, in their order."""

    findings: tuple[Finding, ...]

    @property
    def wrong(self) -> bool:
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
) -> Checked:
    """Read all files to their end and say what is wrong or suspicious in them."""
    judged = survey_qrels(qrels, qrels_format or input_format)
    found = list(_complaints(judged))
    truth = judged.table if isinstance(judged.table, Judgments) else None
    if truth is not None:
        found += inspection.of_judgments(truth)
    for run in runs:
        surveyed = survey_run(run, input_format)
        found += _complaints(surveyed)
        if isinstance(surveyed.table, Run):
            found += inspection.of_run(surveyed.table, surveyed.tags)
            if truth is not None:
                found += inspection.of_both(truth, surveyed.table)
    return Checked(tuple(found))


def _complaints(surveyed: Surveyed) -> Iterator[Finding]:
    """Each kind of complaint once, at the first line that it is of; the other lines are counted."""
    place = re.compile(rf"^{re.escape(surveyed.name)}:\d+: ")
    kinds: dict[str, str] = {}
    for complaint in surveyed.complaints:
        kinds.setdefault(place.sub("", complaint), complaint)
    shown = list(kinds.values())[:SHOWN]
    for complaint in shown:
        yield Finding("error", complaint)
    more = surveyed.unread - len(shown)
    if more > 0:
        further = counted(more, "further line")
        yield Finding("error", f"{surveyed.name}: {further} cannot be read")
