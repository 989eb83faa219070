"""One run of a command that is tuned: an argument list in a fresh folder, never a shell."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from assay.core.errors import DataError, UsageError

OUTPUT = "run"
"""The placeholder of the file that the command writes."""
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def check_command(command: Any, parameters: Sequence[str], inputs: Mapping[str, str]) -> None:
    """Refuse a command that is no argument list, or whose placeholders are unknown."""
    if (
        not isinstance(command, list)
        or not command
        or not all(isinstance(word, str) for word in command)
    ):
        raise UsageError(
            'command is a list of arguments, such as ["./rank", "--k1", "{k1}", "-o", "{run}"]'
        )
    twice = {*parameters} & {*inputs, OUTPUT} or {*inputs} & {OUTPUT}
    if twice:
        raise UsageError(f"{{{min(twice)}}} is ambiguous: parameters, inputs and {{run}} differ")
    used = {name for word in command for name in _PLACEHOLDER.findall(word)}
    unknown = used - {*parameters, *inputs, OUTPUT}
    if unknown:
        raise UsageError(f"the command has {{{min(unknown)}}}, which is no parameter and no input")
    missing = {*parameters, OUTPUT} - used
    if missing:
        raise UsageError(f"the command does not use {{{min(missing)}}}")


def fill(command: Sequence[str], values: Mapping[str, Any]) -> list[str]:
    """Return the arguments with the placeholders filled in."""
    return [
        _PLACEHOLDER.sub(lambda found: format_value(values[found[1]]), word) for word in command
    ]


def format_value(value: Any) -> str:
    """Return a value as an argument; numbers are written so that they read back the same."""
    return repr(value) if isinstance(value, float) else str(value)


def run_command(
    command: Sequence[str],
    values: Mapping[str, Any],
    folder: Path,
    timeout: float,
    current: Path | None = None,
) -> Path:
    """Run the command, and return the file that it wrote into the folder.

    It runs in ``current``, by default in that folder.

    At the end, or when time runs out, the whole process group is ended.
    """
    written = folder / "output.run"
    arguments = fill(command, {**values, OUTPUT: str(written)})
    try:
        process = subprocess.Popen(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=current or folder,
            start_new_session=True,
        )
    except OSError as failure:
        raise UsageError(f"{arguments[0]}: {failure.strerror}") from None
    try:
        _, error = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        raise DataError(f"no result after {timeout:g} s") from None
    finally:
        _end_group(process)
    if process.returncode:
        last = error.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no message"]
        raise DataError(f"exit code {process.returncode}: {last[0][:300]}")
    if not written.is_file():
        raise DataError("it ended without an error, but wrote no file {run}")
    return written


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End what a command left running; its process group has the number of its process."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stderr is not None:
        process.stderr.close()
