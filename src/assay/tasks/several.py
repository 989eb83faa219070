"""Several systems where a task takes one: what belongs to each of them, and what to call it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.core.errors import UsageError


def columns_of_systems(given: Mapping[str, Sequence[str]]) -> list[dict[str, str]]:
    """The columns of each system by kind: the first of every kind, the second, and so on."""
    named = {kind: columns for kind, columns in given.items() if columns}
    counts = {len(columns) for columns in named.values()} or {1}
    if len(counts) > 1:
        told = ", ".join(f"{len(columns)} × `{kind}`" for kind, columns in named.items())
        raise UsageError(
            f"each system has a column of every kind: {told}; name as many of each, in the same"
            " order"
        )
    return [{kind: columns[at] for kind, columns in named.items()} for at in range(counts.pop())]


def title(file: str, column: str, files: int, columns: int) -> str:
    """What to call a system: by its file and its column, as far as there are several of these."""
    return " ".join([file] * (files > 1) + [column] * (columns > 1))
