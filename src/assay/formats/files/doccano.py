"""doccano: an object per line, with the labels of a text, and query and doc beside it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from assay.core.errors import FormatError
from assay.formats.input_files import Input
from assay.formats.json_text import numbered_lines, parse_line, read_json_text
from assay.formats.rating_format import Rating, RatingFormat, one_line, plain
from assay.formats.table_columns import Kind


class Doccano(RatingFormat):
    """``{"text": …, "label": ["2"], "query": …, "doc": …}`` on each line."""

    name = "doccano"
    about = '{"text": …, "label": ["2"], "query": …, "doc": …} on each line'

    def matches(self, file: Input, kind: Kind | None) -> bool:
        """Return whether the first object has a list of labels, a query and a document."""
        first = file.first_lines[0] if file.first_byte == b"{" else b""
        return all(word in first for word in (b'"label"', b'"query"', b'"doc"', b"["))

    def ratings(self, file: Input) -> list[Rating]:
        """Return the label of each line; one without a label is not rated."""
        return [
            _rating(parse_line(line, file.name, number), file, number)
            for number, line in numbered_lines(read_json_text(file))
        ]

    def text(self, ratings: Sequence[Rating]) -> str:
        """Return an object per line."""
        lines = []
        for place, each in enumerate(ratings, 1):
            label = [] if each.grade is None else [str(plain(each.grade))]
            record = {"id": place, "text": f"{each.query} {each.doc}", "label": label}
            record |= {"query": each.query, "doc": each.doc}
            record |= {"annotator": each.assessor} if each.assessor else {}
            lines.append(json.dumps(record, ensure_ascii=False) + "\n")
        return "".join(lines)


def _rating(record: Any, file: Input, line: int) -> Rating:
    where = {**record.get("meta", {}), **record} if isinstance(record, dict) else {}
    if not {"query", "doc", "label"} <= set(where):
        raise FormatError("an object with query, doc and label is expected", file.name, line)
    labels = where["label"] if isinstance(where["label"], list) else [where["label"]]
    if len(labels) > 1:
        raise FormatError(f"there are {len(labels)} labels, but one is a grade", file.name, line)
    try:
        grade = float(labels[0]) if labels else None
    except (TypeError, ValueError):
        raise FormatError(
            f"the label '{one_line(str(labels[0]))}' is not a number", file.name, line
        ) from None
    who = str(where.get("annotator") or where.get("user") or "")
    return Rating(str(where["query"]), str(where["doc"]), grade, who, grade is None)


FORMAT = Doccano()
