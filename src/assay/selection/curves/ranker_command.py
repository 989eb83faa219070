"""A ranker that is a command: it reads training queries, and writes a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from assay.core.errors import DataError, UsageError
from assay.core.scratch_files import scratch_folder
from assay.formats.containers import to_run
from assay.selection.tuning.run_command import check_command, run_command

QUERIES, VALUE = "queries", "value"
"""The placeholders of the file of training queries, and of the value of a parameter."""


def command_ranker(
    command: Sequence[str], timeout: float, *, has_value: bool
) -> Callable[..., Any]:
    """Return a function of training queries, and perhaps a value, that runs a command.

    The command runs in the current folder; the files of its placeholders are in a fresh one.
    """
    words = list(command)
    parameters = [VALUE] if has_value else [QUERIES]
    check_command(words, parameters, {QUERIES: ""} if has_value else {})
    if not timeout > 0:
        raise UsageError(f"`timeout` is {timeout:g}: seconds above 0 are expected")

    def train(queries: list[str], value: float | None = None) -> Any:
        """Return the run of the command that was trained on these queries."""
        with scratch_folder({QUERIES: "".join(f"{q}\n" for q in queries).encode()}) as folder:
            values: dict[str, Any] = {QUERIES: str(folder / QUERIES)}
            if value is not None:
                values[VALUE] = int(value) if value == int(value) else value
            try:
                written = run_command(words, values, folder, timeout, Path.cwd())
                return to_run(written, "ranker").frame  # the file is removed with its folder
            except DataError as failure:
                raise DataError(f"{words[0]}: {failure}") from failure

    return train
