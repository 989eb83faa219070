"""Which file a system comes from, where its name does not say so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.formats.system_names import candidate_names

MOST = 5
"""So many files are named; the conventions in JSON have them all."""


def system_file_notes(conventions: Mapping[str, Any]) -> list[str]:
    """A line on the systems that are called otherwise than their files, by a tag or a number."""
    sources: Mapping[str, str] = conventions.get("sources") or {}
    apart = {name: file for name, file in sources.items() if name not in candidate_names(file)}
    if not apart or len(sources) < 2:  # One system alone is not named in its table.
        return []
    told = [f"{name} = {file}" for name, file in apart.items()]
    more = f" and {len(told) - MOST} more" if len(told) > MOST else ""
    return [f"files: {', '.join(told[:MOST])}{more}"]
