"""Quepid: an exported book, with the judgments of every assessor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assay.formats.rating_format import JsonRatingFormat, Rating, as_grade, json_document, plain


class QuepidBook(JsonRatingFormat):
    """Pairs of query and document, each with judgments, some of which say unrateable."""

    name = "quepid-book"
    about = '{"query_doc_pairs": [{"query_text", "doc_id", "judgements": …}]}'
    marks = ("query_doc_pairs",)

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
