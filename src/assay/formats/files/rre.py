"""Rated Ranking Evaluator: topics of query groups, which share their relevant documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assay.formats.rating_format import (
    JsonRatingFormat,
    Rating,
    as_grade,
    by_query,
    json_document,
    plain,
)


class Rre(JsonRatingFormat):
    """Query groups with gains of documents, or with the documents of each gain."""

    name = "rre"
    about = '{"topics": [{"query_groups": [{"queries": …, "relevant_documents": …}]}]}'
    marks = ("relevant_documents",)

    def parse(self, content: Any) -> Iterator[Rating]:
        """Yield the ratings of every query of each group; they hold for all of them."""
        name = content.get("query_placeholder", "$query")
        groups = [group for topic in content.get("topics", []) for group in topic["query_groups"]]
        for group in [*groups, *content.get("query_groups", []), *content.get("queries", [])]:
            gains = list(_gains(group["relevant_documents"]))
            for query in _queries(group, name):
                for doc, gain in gains:
                    yield Rating(query, doc, gain)
                if not gains:
                    yield Rating(query, "", None)

    def text(self, ratings: Sequence[Rating]) -> str:
        """Return a group for each query."""
        groups = [
            {
                "name": query,
                "queries": [{"template": "template.json", "placeholders": {"$query": query}}],
                "relevant_documents": {
                    each.doc: {"gain": plain(each.grade)} for each in own if each.grade is not None
                },
            }
            for query, own in by_query(ratings).items()
        ]
        topics = [{"description": "assay", "query_groups": groups}]
        return json_document({"index": "index", "id_field": "id", "topics": topics})


def _gains(documents: Any) -> Iterator[tuple[str, float | None]]:
    for key, value in documents.items():
        if isinstance(value, list):
            for doc in value:
                yield str(doc), as_grade(key)
        else:
            yield str(key), as_grade(value["gain"] if isinstance(value, dict) else value)


def _queries(group: Any, name: str) -> list[str]:
    """Return the texts of a group: the named placeholder of each query, or else its first."""
    listed = [group] if "placeholders" in group else group.get("queries", [])
    values = [each["placeholders"] for each in listed if each.get("placeholders")]
    texts = [str(each.get(name, next(iter(each.values())))) for each in values]
    return texts or [str(group["name"])]


FORMAT = Rre()
