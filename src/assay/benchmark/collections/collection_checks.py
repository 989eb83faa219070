"""What does not fit in a collection: ids that do not exist, or that nearly do."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from assay.benchmark.collections.documents import Document, Documents, similarity_key
from assay.benchmark.collections.topics import Topics
from assay.core.phrases import are, have, list_phrase, quantity
from assay.core.tables import Judgments

_COMPONENT = re.compile(r"(.+?)/\w+\[\d+\](?:/|$)")
"""The id of a component: that of its document, and a path within it."""


@dataclass(frozen=True)
class CollectionFindings:
    """What reading a collection once shows."""

    scan_count: int
    document_fields: dict[str, int]
    sample: tuple[Document, ...]
    missing_documents: tuple[str, ...]
    """Judged documents that are not in the collection."""
    topics_without_judgments: tuple[str, ...]
    judged_without_topic: tuple[str, ...]
    similar_documents: dict[str, str]
    """Judged documents, and the one of the collection that differs in zeros or case only."""
    similar_queries: dict[str, str]
    empty_topics: tuple[str, ...]

    @property
    def notes(self) -> list[str]:
        """The findings as sentences; none if everything fits."""
        kinds = (
            (self.missing_documents, "judged document", are, "not in the collection"),
            (self.judged_without_topic, "judged query", have, "no topic"),
            (self.topics_without_judgments, "topic", have, "no judgments"),
        )
        notes = [
            f"{quantity(len(names), noun)} {verb(len(names))} {what}: {list_phrase(names)}"
            for names, noun, verb, what in kinds
            if names
        ]
        if self.empty_topics:
            notes.append(f"topics without a text: {list_phrase(self.empty_topics)}")
        notes += _similar("document", self.similar_documents)
        return notes + _similar("query", self.similar_queries)


def _similar(what: str, pairs: dict[str, str]) -> list[str]:
    if not pairs:
        return []
    examples = list_phrase([f"{judged} is {own}" for judged, own in sorted(pairs.items())])
    advice = "; `match_ids` gives the topics the ids of the judgments" if what == "query" else ""
    return [
        f"{quantity(len(pairs), 'judged ' + what)} differ from ids of the collection in zeros or"
        f" case alone: {examples}{advice}"
    ]


def check_collection(
    documents: Documents | None, topics: Topics | None, judgments: Judgments | None
) -> CollectionFindings:
    """Read the documents once, and compare ids."""
    judged_docs = set() if judgments is None else set(judgments.frame["doc"].unique())
    judged = [] if judgments is None else sorted(judgments.frame["query"].unique())
    owners = {doc: _document_of(doc) for doc in judged_docs}
    scan = None if documents is None else documents.scan({*owners, *owners.values()})
    present = scan.present if scan else frozenset[str]()
    missing = sorted(doc for doc, own in owners.items() if not present & {doc, own})
    own = [] if topics is None else topics.ids
    unknown = _absent(judged, own) if topics is not None else ()
    return CollectionFindings(
        scan_count=scan.count if scan else 0,
        document_fields=scan.fields if scan else {},
        sample=scan.sample if scan else (),
        missing_documents=tuple(missing) if scan else (),
        topics_without_judgments=_absent(own, judged) if judgments is not None else (),
        judged_without_topic=unknown,
        similar_documents=scan.similar if scan else {},
        similar_queries=_near_ids(unknown, own),
        empty_topics=tuple(topic.id for topic in topics or () if not topic.text),
    )


def _document_of(judged: str) -> str:
    """Return the document of a judged component, as INEX has them; any other id as it is."""
    found = _COMPONENT.match(judged)
    return found[1] if found else judged


def _absent(names: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    held = set(known)
    return tuple(name for name in names if name not in held)


def _near_ids(unknown: Iterable[str], own: Iterable[str]) -> dict[str, str]:
    keys = {similarity_key(name): name for name in own}
    return {name: keys[similarity_key(name)] for name in unknown if similarity_key(name) in keys}
