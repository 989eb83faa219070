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


SCORE_WRITERS = Writers(
    "a table of scores",
    {
        "table": "assay.reports.text.score_tables:scores_terminal",
        "json": "assay.reports.text.score_tables:scores_json",
        "csv": "assay.reports.text.score_tables:scores_csv",
        "tsv": "assay.reports.text.score_tables:scores_tsv",
        "markdown": "assay.reports.text.score_tables:scores_markdown",
        "latex": "assay.reports.latex:latex_scores_table",
        "html": "assay.reports.html:html_table",
        "trec": "assay.reports.text.score_tables:scores_trec",
    },
)
FRAME_WRITERS = Writers(
    "a table that is not of scores",
    {
        "table": "assay.reports.text.table_text:frame_terminal",
        "json": "assay.reports.text.table_text:frame_json",
        "csv": "assay.reports.text.table_text:frame_csv",
        "tsv": "assay.reports.text.table_text:frame_tsv",
        "markdown": "assay.reports.text.table_text:frame_markdown",
        "latex": "assay.reports.latex:latex_frame_table",
        "html": "assay.reports.html:html_frame_table",
    },
)
THRESHOLD_WRITERS = Writers(
    "a choice of thresholds",
    {
        "table": "assay.reports.text.threshold_text:thresholds_terminal",
        "json": "assay.reports.text.threshold_text:thresholds_json",
        "csv": "assay.reports.text.threshold_text:thresholds_csv",
        "tsv": "assay.reports.text.threshold_text:thresholds_tsv",
        "markdown": "assay.reports.text.threshold_text:thresholds_markdown",
    },
)
COMPARISON_WRITERS = Writers(
    "a comparison",
    {
        "table": "assay.reports.text.comparison_text:comparison_terminal",
        "json": "assay.reports.text.comparison_text:comparison_json",
        "csv": "assay.reports.text.comparison_text:comparison_csv",
        "tsv": "assay.reports.text.comparison_text:comparison_tsv",
        "markdown": "assay.reports.text.comparison_text:comparison_markdown",
        "latex": "assay.reports.latex:latex_comparison_table",
    },
)
GATE_WRITERS = Writers(
    "a gate",
    {
        "table": "assay.reports.text.gate_text:gate_terminal",
        "markdown": "assay.reports.text.gate_text:gate_markdown",
        "junit": "assay.reports.text.gate_text:gate_junit",
        "json": "assay.reports.text.gate_text:gate_json",
    },
)
