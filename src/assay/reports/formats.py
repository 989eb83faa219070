"""The forms in which results are written, by name; a writer is imported when it is asked for.

Options list their choices from here, so ``--help`` imports none of the writers.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping

from assay.core.errors import UsageError


class Writers(Mapping[str, Callable[..., str]]):
    """Functions that write one kind of result, by the name of the format."""

    def __init__(self, what: str, places: Mapping[str, str]) -> None:
        self._what = what
        self._places = places

    def __getitem__(self, form: str) -> Callable[..., str]:
        if form not in self._places:
            known = ", ".join(self._places)
            raise UsageError(f"{self._what} cannot be written as {form}; it can as {known}")
        module, _, name = self._places[form].partition(":")
        writer: Callable[..., str] = getattr(importlib.import_module(module), name)
        return writer

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, form: object) -> bool:
        return form in self._places


SCORES = Writers(
    "a table of scores",
    {
        "table": "assay.reports.tables:terminal",
        "json": "assay.reports.tables:as_json",
        "csv": "assay.reports.tables:comma_separated",
        "tsv": "assay.reports.tables:tab_separated",
        "markdown": "assay.reports.tables:markdown",
        "latex": "assay.reports.latex:scores_table",
        "html": "assay.reports.html:html_table",
        "trec": "assay.reports.tables:trec",
    },
)
FRAMES = Writers(
    "a table that is not of scores",
    {
        "table": "assay.reports.frames:terminal",
        "json": "assay.reports.frames:as_json",
        "csv": "assay.reports.frames:comma_separated",
        "tsv": "assay.reports.frames:tab_separated",
        "markdown": "assay.reports.frames:markdown",
        "latex": "assay.reports.latex:frame_table",
        "html": "assay.reports.html:frame_table",
    },
)
THRESHOLDS = Writers(
    "a choice of thresholds",
    {
        "table": "assay.reports.thresholds:terminal",
        "json": "assay.reports.thresholds:as_json",
        "csv": "assay.reports.thresholds:comma_separated",
        "tsv": "assay.reports.thresholds:tab_separated",
        "markdown": "assay.reports.thresholds:markdown",
    },
)
COMPARISONS = Writers(
    "a comparison",
    {
        "table": "assay.reports.comparison:terminal",
        "json": "assay.reports.comparison:as_json",
        "csv": "assay.reports.comparison:comma_separated",
        "tsv": "assay.reports.comparison:tab_separated",
        "markdown": "assay.reports.comparison:markdown",
        "latex": "assay.reports.latex:comparison_table",
    },
)
GATES = Writers(
    "a gate",
    {
        "table": "assay.reports.gates:terminal",
        "markdown": "assay.reports.gates:markdown",
        "junit": "assay.reports.gates:junit",
        "json": "assay.reports.gates:as_json",
    },
)
