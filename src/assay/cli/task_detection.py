"""The task whose input a file is, and what to write where the task is missing."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from assay.core.errors import AssayError, UsageError, did_you_mean

TASK_COLUMNS: Mapping[str, frozenset[str]] = {
    "classification": frozenset({"truth", "predicted"}),
    "clustering": frozenset({"cluster", "class"}),
    "agreement": frozenset({"item", "assessor", "label"}),
}
"""Columns from which the task of a table is detected."""
FORMATS_WITHOUT_COLUMNS = ("trec", "msmarco", "json")


def are_saved(files: Sequence[str]) -> bool:
    """Return whether these are files of scores that were saved."""
    from assay.engine.saved_scores import holds_scores

    return all(each.endswith(".parquet") and holds_scores(each) for each in files)


def is_table(path: str) -> bool:
    """Whether a file is a table, of scores or a leaderboard; otherwise it is a run."""
    from assay.formats.table_files import is_table_file

    return is_table_file(path)


def add_task_hint(failure: AssayError, command: str, files: Sequence[str]) -> AssayError:
    """Return the failure to read scores files, with a hint where they are the inputs of a task."""
    task = detect_task(files[0])
    if task is None:
        return failure
    return UsageError(
        f"{files[0]} is not a scores file; name the task before its files:"
        f" assay {command} {task} {' '.join(files)}"
    )


def misplaced_file_hint(words: Sequence[str], command: str = "") -> str:
    """Return what to write where a file takes the place of a task; nothing if it is not a file."""
    if not Path(words[0]).is_file():
        return ""
    task = detect_task(words[0]) or "TASK"
    call = " ".join(word for word in ("assay", command, task, shlex.join(words)) if word)
    return f"'{words[0]}' is a file; name the task before it: {call}"


def detect_task(file: str) -> str | None:
    """Return the task whose input a file is, as far as its content shows it."""
    from assay.formats.containers import open_file, to_frame
    from assay.formats.table_columns import ranks_documents

    try:
        form, opened = open_file(file, None)
        if form.name == "trec" and len(opened.first_row) < 4:
            return None
        if form.name in FORMATS_WITHOUT_COLUMNS:
            return "retrieval" if form.kind(opened) else None
        names = set(to_frame(file, "the table")[0].columns)
    except AssayError:
        return None
    tasks = (task for task, columns in TASK_COLUMNS.items() if columns <= names)
    return "retrieval" if ranks_documents(names) else next(tasks, None)


PYTHON_NAMES = {
    "compare_methods": "confusion --pairs",
    "interpret_matrix": "confusion",
    "labelsets": "classification --sets",
    "measures_for": "measures --for",
    "overview": "confusion --overview",
    "slice_gaps": "fairness",
    "spans": "classification --spans",
    "top_k": "classification --ranked",
}
"""What functions of Python are on the command line, where the name of the command differs."""


def command_hint(name: str, known: Sequence[str]) -> str:
    """Return what to write in place of an unknown command: that of a function, or a similar one."""
    meant = PYTHON_NAMES.get(name.casefold().replace("-", "_"))
    if meant:
        return f" Write assay {meant}."
    return did_you_mean(name, known) or f" There are {', '.join(known)}."
