"""One number and the table behind it, as text."""

from __future__ import annotations

from assay.reports.text.table_text import align_columns, frame_rows, number
from assay.tasks.explanation.ranking_explanations import Explanation

UNJUDGED = "? : not judged, or no document at this rank"


def explanation_headline(explanation: Explanation, digits: int) -> str:
    """The measure and its value."""
    return f"{explanation.measure} = {number(explanation.value, digits)}"


def explanation_table(explanation: Explanation, digits: int) -> str:
    """The table behind the number."""
    frame = explanation.table
    return align_columns(frame_rows(frame.columns, list(frame.iter_rows()), digits))


def has_unjudged(explanation: Explanation) -> bool:
    """Whether some document of the table has no grade."""
    frame = explanation.table
    return "grade" in frame.columns and frame["grade"].null_count() > 0


def explanation_details(explanation: Explanation, digits: int) -> str:
    """What the number is, the table behind it, and what the table does not show."""
    notes = [*explanation.notes, *([UNJUDGED] if has_unjudged(explanation) else [])]
    lines = [explanation.about, explanation.formula, "", explanation_table(explanation, digits)]
    return "\n".join([*lines, *(["", *notes] if notes else [])])


def explanation_terminal(explanation: Explanation, digits: int) -> str:
    """The number, and all that stands below it."""
    return (
        f"{explanation_headline(explanation, digits)}\n{explanation_details(explanation, digits)}"
    )
