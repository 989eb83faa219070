"""The task that was meant, where its inputs were given without its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.core.errors import AssayError, UsageError

COLUMNS: Mapping[str, frozenset[str]] = {
    "classification": frozenset({"truth", "predicted"}),
    "clustering": frozenset({"cluster", "class"}),
}
"""Columns by which a table shows what it is for."""


def with_task_meant(failure: AssayError, command: str, files: Sequence[str]) -> AssayError:
    """The failure to read files of scores; with a hint where they are the inputs of a task."""
    task = _meant(files[0])
    if task is None:
        return failure
    return UsageError(
        f"{files[0]} is no file of scores; name the task before its files:"
        f" assay {command} {task} {' '.join(files)}"
    )


def _meant(file: str) -> str | None:
    from assay.formats.containers import frame_of
    from assay.formats.conversion import kind_of

    try:
        kind_of(file)
        return "retrieval"
    except AssayError:
        pass
    try:
        names = set(frame_of(file, "the scores")[0].columns)
    except AssayError:
        return None
    return next((task for task, columns in COLUMNS.items() if columns <= names), None)
