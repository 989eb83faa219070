"""Label Studio: tasks with a query and a document, and the annotations of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assay.formats.rating_format import JsonRatingFormat, Rating, as_grade, json_document, plain

_QUERIES, _DOCS = ("query", "query_id", "topic"), ("doc", "doc_id", "docid", "document_id")


class LabelStudio(JsonRatingFormat):
    """Tasks with annotations: ratings, or one choice that is a number."""

    name = "label-studio"
    about = '[{"data": {"query": …, "doc": …}, "annotations": [{"result": …}]}]'
    marks = ("data", "annotations")

    def parse(self, content: Any) -> Iterator[Rating]:
        """Yield a rating for each annotation; a skipped task could not be rated."""
        for task in content:
            query = _first_field(task["data"], _QUERIES)
            doc = _first_field(task["data"], _DOCS)
            for each in task["annotations"]:
                skipped = bool(each.get("was_cancelled"))
                who = each.get("completed_by")
                who = who.get("email", who.get("id")) if isinstance(who, dict) else who
                grade = None if skipped else _grade(each["result"])
                name = "" if who is None else str(who)
                yield Rating(query, doc, grade, name, skipped, each.get("lead_time"))

    def text(self, ratings: Sequence[Rating]) -> str:
        """Return a task for each document, with its ratings."""
        tasks: dict[tuple[str, str], list[dict[str, Any]]] = {}
        for each in ratings:
            value = {"rating": plain(each.grade)}
            result = [
                {"from_name": "grade", "to_name": "text", "type": "rating", "value": value}
            ] * (each.grade is not None)
            note = {"was_cancelled": each.unrateable, "result": result}
            note |= {"completed_by": each.assessor} if each.assessor else {}
            note |= {} if each.seconds is None else {"lead_time": each.seconds}
            tasks.setdefault((each.query, each.doc), []).append(note)
        return json_document(
            [
                {"id": place, "data": {"query": query, "doc": doc}, "annotations": notes}
                for place, ((query, doc), notes) in enumerate(tasks.items(), 1)
            ]
        )


def _first_field(data: Any, names: Sequence[str]) -> str:
    found = next((data[name] for name in names if name in data), None)
    if found is None:
        raise ValueError(f"a task has none of {', '.join(names)} in its data")
    return str(found)


def _grade(result: Any) -> float | None:
    for each in result:
        value = each["value"]
        if "rating" in value or "number" in value:
            return as_grade(value.get("rating", value.get("number")))
        if value.get("choices"):
            return as_grade(value["choices"][0])
    return None


FORMAT = LabelStudio()
