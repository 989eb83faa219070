"""Conversations of CAsT and iKAT: topics with turns; each turn is a query of its own, ``31_1``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from assay.benchmark.collections.layout import TopicLayout
from assay.benchmark.collections.text_files import TextFile
from assay.benchmark.collections.topics import Topic, Topics
from assay.core.errors import UsageError
from assay.formats.json_text import parse_line

_REWRITTEN = (
    "manual_rewritten_utterance",
    "resolved_utterance",
    "automatic_rewritten_utterance",
    "raw_utterance",
    "utterance",
)
"""What a turn asks; the text that needs no other turn comes first."""
_TOPIC = "topic_"
_TURNS = re.compile(r'"turns?"\s*:\s*\[')
_SYSTEM = "System"
"""Who answers in the turns of CAsT 2022 that ask nothing: they are no queries."""
_NUMBERS = ("number", "turn_id")
"""The number of a turn in CAsT, and in iKAT."""


class ConversationTopics(TopicLayout):
    """A list of topics, each with a list ``turn``."""

    name = "cast"
    about = '[{"number": 1, "turn": [{"number": 1, "raw_utterance": …}]}]'

    def matches(self, file: TextFile) -> bool:
        """Return whether there are turns near the start of a JSON file."""
        return file.first_line[:1] in ("[", "{") and bool(_TURNS.search(file.start))

    def read(self, file: TextFile) -> Iterator[Topic]:
        """Yield each turn as a topic, with the fields of its conversation."""
        content = parse_line(file.text().encode("utf-8", "surrogatepass"), file.name, 1)
        for place, topic in enumerate(content if isinstance(content, list) else [content], 1):
            yield from _turns(topic, file, place)

    def write(self, topics: Topics) -> str:
        """Return the conversations, their turns in order."""
        conversations: dict[str, dict[str, Any]] = {}
        for topic in topics:
            number, underscore, turn = topic.id.rpartition("_")
            if not underscore:
                raise UsageError(f"topic {topic.id} is not a turn, as 31_1 is; write jsonl")
            head = {
                name.removeprefix(_TOPIC): text
                for name, text in topic.fields.items()
                if name.startswith(_TOPIC)
            }
            own = {
                name: _value(text)
                for name, text in topic.fields.items()
                if not name.startswith(_TOPIC) and name != "rewritten"
            }
            whole = conversations.setdefault(number, {"number": number, **head, "turn": []})
            whole["turn"].append({"number": turn, **own})
        return json.dumps(list(conversations.values()), indent=1, ensure_ascii=False) + "\n"


def _turns(topic: Any, file: TextFile, place: int) -> Iterator[Topic]:
    turns = (topic.get("turn") or topic.get("turns")) if isinstance(topic, dict) else None
    if not isinstance(turns, list) or "number" not in topic:
        raise file.error(f"conversation {place} has no number or no list of turns")
    head = {
        f"{_TOPIC}{name}": _text(value)
        for name, value in topic.items()
        if name not in ("number", "turn", "turns") and value is not None
    }
    for turn in turns:
        if isinstance(turn, dict) and turn.get("participant") == _SYSTEM:
            continue
        key = next((name for name in _NUMBERS if isinstance(turn, dict) and name in turn), None)
        if key is None:
            raise file.error(f"a turn of conversation {topic['number']} has no number")
        own = {name: _text(value) for name, value in turn.items() if name != key}
        asked = next((own[name] for name in _REWRITTEN if own.get(name)), "")
        yield Topic(f"{topic['number']}_{turn[key]}", {"rewritten": asked, **own, **head})


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _value(text: str) -> Any:
    if text[:1] not in ("{", "["):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text


TOPICS = ConversationTopics()
