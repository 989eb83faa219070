"""The names of what was measured, found from any way of writing them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from assay.core.conventions import profile
from assay.core.errors import AssayError, UnknownMeasure, did_you_mean
from assay.core.names import measure as measure_named
from assay.core.names import measure_text

TABLE = "table"
"""The task of scores in a plain table, whose task is unknown."""


def find_measured(
    given: Any, known: Sequence[str], task: str, conventions: Mapping[str, Any]
) -> str:
    """Return the name of a measure as a result has it, from any way of writing it."""
    name = measure_text(given)
    if name in known:
        return name
    with suppress(AssayError):
        needed = profile(conventions.get("profile", "assay")).needed
        canonical = measure_named(name, None if task == TABLE else task, needed).name
        if canonical in known:
            return canonical
    said = f"'{name}' was not measured; there are {', '.join(known)}."
    raise UnknownMeasure(said + did_you_mean(name, known))
