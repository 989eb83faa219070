"""An item to judge as the page and the script show it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from assay.benchmark.campaign.judging import JudgingTask
from assay.web.highlights import highlight, topic_words
from assay.web.templates_environment import safe_link
from assay.web.visit import Visit

PICTURES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
}
"""Kinds of pictures that run nothing."""
DEFAULT_KEYS = {
    "cannot-say": "c", "later": "l", "flag": "f", "note": "m", "undo": "u", "previous": "p",
    "next": "n", "passage": "h", "guidelines": "g",
}  # fmt: skip


def view_task(
    visit: Visit, task: JudgingTask, judgment: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return what is shown of an item: texts in pieces, link, picture, own judgment."""
    own = visit.own_settings.get("words", {}).get(task.query, "")
    title = next(iter(task.topic.values()), task.query)
    words = [*topic_words([title]), *own.casefold().split()]
    address = f"{quote(task.query, safe='')}/{quote(task.doc, safe='')}"
    shown = len(task.text or "")
    picture = find_picture(visit.settings.pictures, task.doc, task.url)
    return {
        "query": task.query,
        "doc": task.doc,
        "topic": [[name, text] for name, text in task.topic.items() if text],
        "title": highlight(task.title, words),
        "title_shown": bool(task.title) and not _begins_with(task.text, task.title),
        "mono": has_columns(task.text),
        "text": highlight(task.text, words),
        "more": (task.length or 0) - shown,
        "rest": f"/text/{address}",
        "link": safe_link(task.url),
        "picture": None if picture is None else f"/pictures/{address}",
        "position": task.position,
        "words": own,
        "judgment": None
        if judgment is None
        else {
            "id": judgment["id"],
            "grade": judgment["grade"],
            "comment": judgment["comment"] or "",
            "request": judgment["request"],
            "passages": judgment["passages"] or [],
        },
    }


def _begins_with(text: str | None, title: str | None) -> bool:
    """Return whether the first line of a text is its title, which is then not shown twice."""
    lines = (line.strip() for line in (text or "")[:2000].splitlines())
    first = next((line for line in lines if line.strip("*=-~# ")), "")
    return first.strip("*=-~# ") == (title or "").strip("*=-~# ")


_RULE = re.compile(r"^\s*[+|]?[-=+|]{4,}[-=+|\s]*$", re.MULTILINE)
_CELLS = re.compile(r"^\s*\|.*\|\s*$|^\s*\S+(?: \S+)*(?: {3,}\S+(?: \S+)*){2,}\s*$", re.MULTILINE)


def has_columns(text: str | None) -> bool:
    """Return whether a text has tables of characters, which need letters of one width."""
    start = (text or "")[:100_000]
    ruled = any("+" in found or "|" in found for found in _RULE.findall(start))
    return ruled or len(_CELLS.findall(start)) >= 3


def grade_meanings(guidelines: str, labels: Mapping[int, str]) -> dict[int, str]:
    """Return what the guidelines say about each grade: lines that begin with the grade."""
    found: dict[int, str] = {}
    for line in guidelines.splitlines():
        match = re.match(r"\s*(?:[-*]\s+)?(-?\d{1,4})\s*[-–:=.)]?\s+(\S.*)", line)
        if match is None or int(match[1]) not in labels:
            continue
        grade, text = int(match[1]), match[2].strip()
        if text.casefold().startswith(labels[grade].casefold()):
            text = text[len(labels[grade]) :].lstrip(" :,;–-=")
        found.setdefault(grade, text)
    return found


def find_picture(folder: Path | None, doc: str, url: str | None) -> Path | None:
    """Return the picture of a document: a file of the folder, named by its url or its id."""
    if folder is None:
        return None
    root = folder.resolve()
    names = [url or "", *(f"{doc}{ending}" for ending in PICTURES)]
    for name in names:
        if not name or "\0" in name or "://" in name or len(name) > 255:
            continue
        place = (root / name).resolve()
        if place.suffix.lower() in PICTURES and place.is_relative_to(root) and place.is_file():
            return place
    return None


def keys_of(visit: Visit) -> dict[str, str]:
    """Return the key of each action: grades by their number unless changed."""
    grades = visit.campaign.describe()["scale"].labels
    defaults = {f"grade:{grade}": str(grade)[-1] for grade in grades} | DEFAULT_KEYS
    changed = visit.campaign.settings().get("keys", {})
    return {action: changed.get(action, key) for action, key in defaults.items()}
