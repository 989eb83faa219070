"""Amazon Mechanical Turk: results of HITs, with the worker, the time and whether it was approved.

A pool (`assay pool make`) is the input of HITs as it is: its columns are the variables of a
template.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from assay.core.errors import FormatError
from assay.formats.input_files import Input
from assay.formats.rating_format import Rating, RatingFormat, one_line, plain
from assay.formats.table_columns import Kind

_COLUMNS = (
    *("HITId", "AssignmentId", "WorkerId", "AssignmentStatus", "WorkTimeInSeconds"),
    *("Input.query", "Input.doc", "Answer.grade"),
)
REJECTED = "rejected"


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
        grade = float(given) if given else None
        seconds = float(row["WorkTimeInSeconds"]) if row.get("WorkTimeInSeconds") else None
    except ValueError:
        raise FormatError(
            f"the answer '{one_line(given)}' is not a number", file.name, line
        ) from None
    who = row.get("WorkerId") or ""
    return Rating(row["Input.query"], row["Input.doc"], grade, who, grade is None, seconds)


FORMAT = MechanicalTurk()
