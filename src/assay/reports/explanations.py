"""One number and the table behind it, as text."""

from __future__ import annotations

from assay.reports.frames import frame_rows, number, text
from assay.tasks.explanation import Explanation

UNJUDGED = "? : not judged, or no document at this rank"


def headline(explanation: Explanation, digits: int) -> str:
    """The measure and its value."""
    return f"{explanation.measure} = {number(explanation.value, digits)}"


def table(explanation: Explanation, digits: int) -> str:
    """The table behind the number."""
    frame = explanation.table
    return text(frame_rows(frame.columns, list(frame.iter_rows()), digits))


def has_unjudged(explanation: Explanation) -> bool:
    """Whether some document of the table has no grade."""
    frame = explanation.table
    return "grade" in frame.columns and frame["grade"].null_count() > 0


def below(explanation: Explanation, digits: int) -> str:
    """What the number is, the table behind it, and what the table does not show."""
    notes = [*explanation.notes, *([UNJUDGED] if has_unjudged(explanation) else [])]
    lines = [explanation.about, explanation.formula, "", table(explanation, digits)]
    return "\n".join([*lines, *(["", *notes] if notes else [])])


def terminal(explanation: Explanation, digits: int) -> str:
    """The number, and all that stands below it."""
    return f"{headline(explanation, digits)}\n{below(explanation, digits)}"
