"""OpenSearch search relevance: judgment lists, as they are imported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assay.formats.rating_format import JsonRatingFormat, Rating, as_grade, by_query, json_document


class OpenSearch(JsonRatingFormat):
    """``judgmentRatings`` of queries, whose ratings are texts such as 3.000.

    They may be within the answer to a search for judgment lists, as OpenSearch returns them.
    """

    name = "opensearch"
    about = '{"type": "IMPORT_JUDGMENT", "judgmentRatings": [{"query": …, "ratings": …}]}'
    marks = ("judgmentRatings",)

    def parse(self, content: Any) -> Iterator[Rating]:
        """Yield the ratings of each query."""
        for group in _groups(content):
            for each in group["ratings"]:
                yield Rating(str(group["query"]), str(each["docId"]), as_grade(each["rating"]))
            if not group["ratings"]:
                yield Rating(str(group["query"]), "", None)

    def text(self, ratings: Sequence[Rating]) -> str:
        """Return a judgment list to import."""
        groups = [
            {
                "query": query,
                "ratings": [
                    {"docId": each.doc, "rating": _decimals(each.grade)}
                    for each in own
                    if each.grade is not None
                ],
            }
            for query, own in by_query(ratings).items()
        ]
        return json_document(
            {"name": "assay", "type": "IMPORT_JUDGMENT", "judgmentRatings": groups}
        )


def _groups(content: Any) -> list[Any]:
    """Return the queries with their ratings, of all lists of a search result."""
    if "hits" not in content:
        return list(content["judgmentRatings"])
    lists = [hit["_source"]["judgmentRatings"] for hit in content["hits"]["hits"]]
    return [group for each in lists for group in each]


def _decimals(grade: float) -> str:
    """Return a grade with three decimals, as OpenSearch writes it; with more where it has more."""
    short = f"{grade:.3f}"
    return short if float(short) == grade else repr(grade)


FORMAT = OpenSearch()
