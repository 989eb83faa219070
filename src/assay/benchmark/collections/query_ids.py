"""Ids of topics and judgments that do not match as they were published."""

from __future__ import annotations

from dataclasses import replace

from assay.benchmark.collections.documents import similarity_key
from assay.benchmark.collections.topics import Topics
from assay.core.phrases import quantity
from assay.core.tables import Judgments

_NUMBERED = ("smart", "lisa", "npl", "time")


def number_by_order(topics: Topics, judgments: Judgments) -> tuple[Topics, list[str]]:
    """Number topics by their order where the judgments do so, as those of Cranfield.

    The judged queries are then the numbers from 1 to the number of topics, and the topics have
    other numbers. The number of the file is kept as the field ``number``.
    """
    judged = set(judgments.frame["query"].unique())
    places = [str(place) for place in range(1, len(topics) + 1)]
    if topics.layout not in _NUMBERED or judged != set(places) or set(topics.ids) == judged:
        return topics, []
    renamed = tuple(
        replace(topic, id=place, fields={**topic.fields, "number": topic.id})
        for topic, place in zip(topics, places, strict=True)
    )
    note = (
        f"{topics.source.name}: the judgments number the queries by their order, 1 to"
        f" {len(places)}, and so do the topics here; the number in the file is the field 'number'"
    )
    return replace(topics, topics=renamed), [note]


def match_ids(topics: Topics, judgments: Judgments) -> tuple[Topics, list[str]]:
    """Give topics the ids of the judgments from which they differ in zeros or case alone."""
    judged = set(judgments.frame["query"].unique())
    taken = judged & set(topics.ids)
    by_key: dict[str, list[str]] = {}
    for name in judged - taken:
        by_key.setdefault(similarity_key(name), []).append(name)
    own: dict[str, list[str]] = {}
    for name in set(topics.ids) - taken:
        own.setdefault(similarity_key(name), []).append(name)
    new = {
        names[0]: by_key[key][0]
        for key, names in own.items()
        if len(names) == 1 and len(by_key.get(key, ())) == 1
    }
    if not new:
        return topics, []
    renamed = tuple(replace(topic, id=new.get(topic.id, topic.id)) for topic in topics)
    example = sorted(new)[0]
    note = f"{quantity(len(new), 'topic')} renamed as in the judgments: {example} is {new[example]}"
    return replace(topics, topics=renamed), [note]
