"""Calling the command line as a user would, within the process."""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass

from assay.cli.application import main


@dataclass(frozen=True)
class Called:
    """What a command printed, and how it ended."""

    out: str
    err: str
    code: int


def call(*arguments: str) -> Called:
    """Run ``assay`` with these arguments."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True, newline="")
    err = io.StringIO()
    code = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(list(arguments))
        except SystemExit as ended:
            code = int(ended.code or 0)
    out.seek(0)
    return Called(out.read(), err.getvalue(), code)


def told(done: Called, place: str, topic: str | None, said: str, code: int = 1) -> None:
    """One line with the place, the topic and the mistake."""
    assert (done.code, done.out) == (code, "")
    assert done.err.startswith(f"assay: {place}: "), done.err
    assert said in done.err
    assert topic is None or f"query {topic}" in done.err, done.err
    assert done.err.count("\n") == 1
