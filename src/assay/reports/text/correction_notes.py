"""Over what p-values are corrected, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.engine.result import ALL
from assay.tasks.comparison.comparison import Comparison


def correction_note(made: Mapping[str, Any]) -> str:
    """Over what, and how, p-values are corrected."""
    if made["correct"] == "built in":
        return "corrected over all pairs by the test itself"
    family = {"all": "all systems and measures", "systems": "the systems of each measure"}.get(
        made["family"], "the measures of each pair"
    )
    return f"corrected: {made['correct']}, over {family}"


def slice_family_note(comparison: Comparison) -> list[str]:
    """Return over what p-values within slices are corrected, if there are slices."""
    made = comparison.conventions
    if made["correct"] == "built in" or not (comparison.pairs["slice"] != ALL).any():
        return []
    return ["within slices, p-values are corrected over all slices together"]
