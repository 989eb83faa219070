"""The topics of a collection: what users look for, with all fields that were published."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from assay.core.errors import DataError, FormatError, unknown_name
from assay.core.phrases import list_phrase, quantity
from assay.core.tables import Source

if TYPE_CHECKING:
    import polars as pl

MOST_IDS = 6
"""So many ids are shown of a set of topics."""
QUERY_FIELDS = (
    *("title", "query", "currentquery", "text", "question", "rewritten", "utterance", "castitle"),
    *("requesttext", "summary", "description", "disease", "narrative"),
)
"""The fields that may hold the query itself, the shortest statement of the need first."""


@dataclass(frozen=True)
class Subtopic:
    """One aspect of a topic."""

    number: str
    text: str
    type: str = ""


@dataclass(frozen=True)
class Topic:
    """What a user looks for: an id, the fields in their order, and perhaps subtopics."""

    id: str
    fields: dict[str, str]
    subtopics: tuple[Subtopic, ...] = ()
    line: int = field(default=0, compare=False)

    @property
    def text(self) -> str:
        """The query: the title, or else the shortest statement that there is."""
        for name in QUERY_FIELDS:
            if text := self.fields.get(name):
                return " ".join(text.split())
        return " ".join(next((each for each in self.fields.values() if each), "").split())


@dataclass(frozen=True)
class Topics:
    """The topics of a collection in their order, and the layout they were written in."""

    topics: tuple[Topic, ...]
    layout: str = "jsonl"
    source: Source = field(default_factory=lambda: Source("topics in memory"), compare=False)

    @classmethod
    def of(cls, topics: Sequence[Topic], layout: str, source: Source) -> Topics:
        """Return topics; refuse duplicate and empty ids, and a file without a topic."""
        lines: dict[str, int] = {}
        for topic in topics:
            if not topic.id:
                raise FormatError("the topic has no id", source.name, topic.line)
            if topic.id in lines:
                raise FormatError(
                    f"topic {topic.id} occurs twice (first in line {lines[topic.id]}); remove one"
                    " of the two, or give it an id of its own",
                    source.name,
                    topic.line,
                )
            lines[topic.id] = topic.line
        if not topics:
            raise DataError(f"{source.name}: there is no topic in this file")
        return cls(tuple(topics), layout, source)

    def __repr__(self) -> str:
        """Return how many topics there are, their first ids, and their fields."""
        names = dict.fromkeys(name for topic in self.topics for name in topic.fields)
        ids = list_phrase([topic.id for topic in self.topics], MOST_IDS)
        return f"{quantity(len(self), 'topic')}: {ids}; fields: {', '.join(names)}"

    def __len__(self) -> int:
        return len(self.topics)

    def __iter__(self) -> Iterator[Topic]:
        return iter(self.topics)

    def __getitem__(self, name: str) -> Topic:
        for topic in self.topics:
            if topic.id == name:
                return topic
        raise unknown_name("topic", name, self.ids)

    @property
    def ids(self) -> list[str]:
        """The ids in their order."""
        return [topic.id for topic in self.topics]

    @property
    def texts(self) -> dict[str, str]:
        """The query of each topic by id."""
        return {topic.id: topic.text for topic in self.topics}

    @property
    def fields(self) -> list[str]:
        """The names of all fields, in the order in which they first occur."""
        return list(dict.fromkeys(name for topic in self.topics for name in topic.fields))

    @property
    def frame(self) -> pl.DataFrame:
        """A row for each topic: query, text, and a column for each field."""
        import polars as pl

        rows: list[dict[str, Any]] = [
            {"query": topic.id, "text": topic.text, **_own_names(topic.fields)}
            for topic in self.topics
        ]
        return pl.DataFrame(rows, infer_schema_length=None)

    def select(self, wanted: Sequence[str]) -> Topics:
        """Return some topics, in the order of the collection."""
        names = set(wanted)
        return replace(self, topics=tuple(each for each in self.topics if each.id in names))


def _own_names(fields: dict[str, str]) -> dict[str, str]:
    """Return fields under names that do not collide with the columns query and text."""
    return {f"{name}_field" if name in ("query", "text") else name: v for name, v in fields.items()}
