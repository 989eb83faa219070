"""Scores of several evaluations as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from assay.core.errors import UsageError
from assay.engine.scores import NUMBERED_ITEMS_ERROR, Result, Scores
from assay.formats.system_names import number_duplicates, unique_names
from assay.tasks.scores.long_score_tables import TABLE

INPUT_KEYS = (
    "inputs",
    "sources",
    "counts",
    "items",
    "item",
    "slices",
    "labels",
    "interval",
    "front",
    "sampling",
    NUMBERED_ITEMS_ERROR,
)
"""Conventions on what was measured, rather than how."""
SYSTEM_KEYS = ("sources", "counts")
"""Conventions with an entry for each system."""


def merge_scores(parts: Sequence[Scores]) -> Scores:
    """Return the scores of all parts; a system that occurs in two of them is named by its file."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        raise UsageError("there are no scores; name a file that --save wrote")
    tasks = list(dict.fromkeys(part.task for part in parts if part.task != TABLE)) or [TABLE]
    if len(tasks) > 1:
        raise UsageError(
            f"scores of different tasks, {' and '.join(tasks)}, are not compared with each other;"
            " give files of one task"
        )
    results: list[Result] = []
    evidence: dict[str, Any] = {}
    by_system: dict[str, dict[str, Any]] = {}
    for part, names in zip(parts, _names(parts), strict=True):
        results += [replace(each, system=names[each.system]) for each in part.results]
        evidence |= {names[system]: items for system, items in part.evidence.items()}
        for key in SYSTEM_KEYS:
            own = part.conventions.get(key) or {}
            told = {names[system]: fact for system, fact in own.items() if system in names}
            by_system[key] = by_system.get(key, {}) | told
    warnings = [
        warning for part in parts for warning in part.warnings
    ] + _differing_conventions_notes(parts)
    conventions = {
        key: value
        for key, value in parts[0].conventions.items()
        if all(part.conventions.get(key) == value for part in parts)
    }
    inputs: dict[str, Any] = {}
    for part in parts:
        inputs |= part.conventions.get("inputs") or {}
    conventions |= {"inputs": inputs} | {key: facts for key, facts in by_system.items() if facts}
    if _has_unnamed_items(parts):
        conventions[NUMBERED_ITEMS_ERROR] = True
    return Scores(tasks[0], tuple(results), conventions, tuple(dict.fromkeys(warnings)), evidence)


def _differing_conventions_notes(parts: Sequence[Scores]) -> list[str]:
    """Return a note on each convention that differs between the parts."""
    notes = []
    for key in dict.fromkeys(key for part in parts for key in part.conventions):
        found = [part.conventions[key] for part in parts if key in part.conventions]
        if key not in INPUT_KEYS and any(each != found[0] for each in found):
            told = " and ".join(dict.fromkeys(str(each) for each in found))
            notes.append(f"the scores were measured under different conventions: {key} is {told}")
    return notes


def _has_unnamed_items(parts: Sequence[Scores]) -> bool:
    """Return whether items have only row numbers, in inputs that differ."""
    unnamed = any(
        part.conventions.get(NUMBERED_ITEMS_ERROR)
        or ("item" in part.conventions and part.conventions["item"] is None)
        for part in parts
    )
    inputs = [part.conventions.get("inputs") for part in parts]
    return unnamed and any(each != inputs[0] for each in inputs)


def _names(parts: Sequence[Scores]) -> list[dict[str, str]]:
    """Return the names of the systems of each part: their files where two have the same name.

    Those that still have the same name are numbered.
    """
    counts = Counter(system for part in parts for system in part.systems)
    files = {
        (at, system): str(file)
        for at, part in enumerate(parts)
        for system, file in (part.conventions.get("sources") or {}).items()
        if counts[system] > 1
    }
    short = dict(zip(files, unique_names(list(files.values())), strict=True))
    systems = [(at, system) for at, part in enumerate(parts) for system in part.systems]
    fresh = iter(number_duplicates([short.get(each, each[1]) for each in systems]))
    return [{system: next(fresh) for system in part.systems} for part in parts]
