"""Amazon Mechanical Turk: results of HITs, with the worker, the time and whether it was approved.

A pool (`assay pool make`) is the input of HITs as it is: its columns are the variables of a
template.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

from assay.core.errors import FormatError
from assay.formats.input_files import Input
from assay.formats.rating_format import Rating, RatingFormat, one_line, plain
from assay.formats.table_columns import Kind

_COLUMNS = (
    *("HITId", "AssignmentId", "WorkerId", "AssignmentStatus", "WorkTimeInSeconds"),
    *("Input.query", "Input.doc", "Answer.grade"),
)
REJECTED = "rejected"
GRADE = "grade"
"""The answer that counts where a form has several."""


class MechanicalTurk(RatingFormat):
    """Results with ``WorkerId``, ``Input.query``, ``Input.doc`` and an answer."""

    name = "mturk"
    about = "HITId, WorkerId, AssignmentStatus, Input.query, Input.doc, Answer.grade as CSV"

    def matches(self, file: Input, kind: Kind | None) -> bool:
        """Return whether the header has the columns of results."""
        first = file.first_lines[0] if file.first_lines else b""
        return b"HITId" in first and b"WorkerId" in first

    def ratings(self, file: Input) -> list[Rating]:
        """Return the answers that were not rejected, in column Approve or Reject or by status."""
        rows = csv.DictReader(io.StringIO(file.text_content().decode(errors="replace"), newline=""))
        names = rows.fieldnames or []
        answer = next((name for name in names if name.startswith("Answer.")), None)
        for needed in ("Input.query", "Input.doc"):
            if needed not in names or answer is None:
                raise FormatError(
                    f"{needed} and a column Answer.… are expected among"
                    f" {one_line(', '.join(names))}",
                    file.name,
                    1,
                )
        return [
            _rating(row, str(answer), file, rows.line_num)
            for row in rows
            if (row.get("AssignmentStatus") or "").casefold() != REJECTED and not row.get("Reject")
        ]

    def text(self, ratings: Sequence[Rating]) -> str:
        """Return results as they are downloaded."""
        out = io.StringIO(newline="")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([*_COLUMNS, "Approve", "Reject"])
        for place, each in enumerate(ratings, 1):
            grade = "" if each.grade is None else plain(each.grade)
            seconds = "" if each.seconds is None else each.seconds
            head = [f"H{place}", f"A{place}", each.assessor or "W1", "Submitted", seconds]
            writer.writerow([*head, each.query, each.doc, grade, "", ""])
        return out.getvalue()


def _rating(row: dict[str, str], answer: str, file: Input, line: int) -> Rating:
    given = (row.get(answer) or "").strip()
    try:
        chosen = _chosen(json.loads(given)) if given[:1] in ("[", "{") else given
        grade = float(chosen) if chosen else None
        seconds = float(row["WorkTimeInSeconds"]) if row.get("WorkTimeInSeconds") else None
    except ValueError:
        raise FormatError(
            f"the answer '{one_line(given)}' is not a number", file.name, line
        ) from None
    who = row.get("WorkerId") or ""
    return Rating(row["Input.query"], row["Input.doc"], grade, who, grade is None, seconds)


def _chosen(answers: Any) -> str:
    """Return the answer of a form of crowd elements: a label, or the choice that is true.

    ``[{"grade": {"label": "2"}}]``, ``[{"grade": {"1": false, "2": true}}]``, ``[{"grade": "2"}]``
    """
    form = answers[0] if isinstance(answers, list) and len(answers) == 1 else answers
    if not isinstance(form, dict) or (len(form) != 1 and GRADE not in form):
        raise ValueError
    value = form.get(GRADE, next(iter(form.values()), None))
    if isinstance(value, dict) and "label" in value:
        return str(value["label"])
    if isinstance(value, dict):
        chosen = [name for name, is_chosen in value.items() if is_chosen is True]
        if len(chosen) > 1:
            raise ValueError
        return "".join(chosen)
    return str(value)


FORMAT = MechanicalTurk()
