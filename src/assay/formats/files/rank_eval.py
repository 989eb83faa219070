"""Elasticsearch: the requests of ``_rank_eval``, with the rated documents of each."""

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

INDEX = "index"


class RankEval(JsonRatingFormat):
    """``requests`` with an id and ratings of documents."""

    name = "rank-eval"
    about = '{"requests": [{"id": …, "request": …, "ratings": [{"_index", "_id", "rating"}]}]}'
    marks = ("requests", "ratings")

    def parse(self, content: Any) -> Iterator[Rating]:
        """Yield the ratings of each request."""
        for request in content["requests"]:
            for each in request["ratings"]:
                yield Rating(str(request["id"]), str(each["_id"]), as_grade(each["rating"]))
            if not request["ratings"]:
                yield Rating(str(request["id"]), "", None)

    def text(self, ratings: Sequence[Rating]) -> str:
        """Return a body for ``_rank_eval``; its queries and index are to be filled in."""
        requests = [
            {
                "id": query,
                "request": {"query": {"match": {"text": query}}},
                "ratings": [
                    {"_index": INDEX, "_id": each.doc, "rating": plain(each.grade)}
                    for each in own
                    if each.grade is not None
                ],
            }
            for query, own in by_query(ratings).items()
        ]
        return json_document(
            {"requests": requests, "metric": {"dcg": {"k": 10, "normalize": True}}}
        )


FORMAT = RankEval()
