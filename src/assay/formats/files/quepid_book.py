"""Quepid: an exported book, with the judgments of every assessor, as JSON or as CSV.

The CSV has a column for each assessor after ``query`` and ``docid``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assay.formats.files.quepid_case import csv_grade, csv_rows
from assay.formats.input_files import Input
from assay.formats.rating_format import JsonRatingFormat, Rating, as_grade, json_document, plain
from assay.formats.table_columns import Kind, is_known_column


class QuepidBook(JsonRatingFormat):
    """Pairs of query and document, each with judgments, some of which say unrateable."""

    name = "quepid-book"
    about = '{"query_doc_pairs": [{"query_text", "doc_id", "judgements": …}]}; or query,docid,… CSV'
    marks = ("query_doc_pairs",)

    def matches(self, file: Input, kind: Kind | None) -> bool:
        """Return whether the JSON has the key of a book, or assessors follow query and docid.

        One unknown column may be anything: a book of one assessor is read by its name.
        """
        first = file.first_lines[0] if file.first_lines else b""
        query, doc, *names = [*first.decode(errors="replace").strip().split(","), "", ""]
        several = (query, doc) == ("query", "docid") and len([*filter(None, names)]) > 1
        return (several and not any(map(is_known_column, names))) or super().matches(file, kind)

    def ratings(self, file: Input) -> list[Rating]:
        """Return the ratings of a book."""
        if file.first_byte == b"{":
            return super().ratings(file)
        (_, header), *rows = csv_rows(file)
        found = []
        for line, (query, doc, *fields) in rows:
            grades = [csv_grade(each, file, line) for each in fields]
            given = [
                Rating(query, doc, grade, name)
                for name, grade in zip(header[2:], grades, strict=True)
                if grade is not None
            ]
            found += given or [Rating(query, doc, None)]
        return found

    def parse(self, content: Any) -> Iterator[Rating]:
        """Yield every judgment, also of those who could not rate a document."""
        for pair in content["query_doc_pairs"]:
            query, doc = str(pair["query_text"]), str(pair["doc_id"])
            judgments = pair.get("judgements") or pair.get("judgments") or []
            for each in judgments:
                unrateable = bool(each.get("unrateable") or each.get("judge_later"))
                grade = None if unrateable else as_grade(each.get("rating"))
                yield Rating(query, doc, grade, str(each.get("user_email") or ""), unrateable)
            if not judgments:
                yield Rating(query, doc, None)

    def text(self, ratings: Sequence[Rating]) -> str:
        """Return a book; its scale are the grades."""
        pairs: dict[tuple[str, str], list[dict[str, Any]]] = {}
        for each in ratings:
            judged: dict[str, Any] = {"rating": plain(each.grade), "unrateable": each.unrateable}
            judged |= {"user_email": each.assessor or None}
            pairs.setdefault((each.query, each.doc), []).append(judged)
        scale = sorted({plain(each.grade) for each in ratings if each.grade is not None})  # type: ignore[type-var]
        return json_document(
            {
                "name": "assay",
                "scale": scale,
                "query_doc_pairs": [
                    {"query_text": query, "doc_id": doc, "judgements": judged}
                    for (query, doc), judged in pairs.items()
                ],
            }
        )


FORMAT = QuepidBook()
