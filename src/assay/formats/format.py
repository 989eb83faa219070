"""What a file format is: how it is told, read and written.

A format is a module of this folder with a variable ``FORMAT``; nothing else lists them.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

import polars as pl

from assay.core.errors import FormatError, UsageError, did_you_mean
from assay.core.tables import Judgments, Run
from assay.formats.text.input_files import Input
from assay.formats.text.line_layout import content_lines
from assay.formats.text.line_reader import BYTE_ORDER_MARK

Kind = Literal["run", "qrels"]


@dataclass(frozen=True)
class FileHead:
    """The beginning of a file, as far as it is needed to tell what it is."""

    file: Input
    content: bytes

    @classmethod
    def of(cls, file: Input) -> FileHead:
        """The beginning of that file."""
        content = file.head().removeprefix(BYTE_ORDER_MARK)
        if not content.strip():
            raise FormatError("the file is empty; was it written to the end?", file.name)
        return cls(file, content)

    @cached_property
    def lines(self) -> list[bytes]:
        """The whole lines that say something."""
        whole = self.content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if b"\n" in whole:
            whole = whole[: whole.rfind(b"\n")] if len(self.content) >= 1 << 16 else whole
        said = [line.strip() for line in whole.split(b"\n")]
        return [line for line in said if line and not line.startswith(b"#")]

    @cached_property
    def rows(self) -> list[list[bytes]]:
        """The fields of the first lines, parted by white space."""
        return [fields for _, fields in content_lines(b"\n".join(self.lines[:200]), 1)]

    @property
    def first(self) -> bytes:
        """The first byte that is not white."""
        return self.content.lstrip()[:1]


@dataclass(frozen=True)
class Format:
    """One file format, for judgments and runs."""

    name: str
    about: str
    endings: tuple[str, ...]
    tells: Callable[[FileHead, Kind | None], bool]
    """Whether a file that begins so is of this format."""
    read_run: Callable[[FileHead], Run]
    read_qrels: Callable[[FileHead], Judgments]
    write: Callable[[Judgments | Run, pl.DataFrame], Iterator[bytes]]
    holds: tuple[str, ...] = ("score", "rank", "grade", *Judgments.optional)
    """The columns beside query and doc that a file of this format can keep."""
    kind: Callable[[FileHead], Kind | None] = lambda head: None
    """Whether a file holds a run or judgments; None where its content does not say."""
    fallback: bool = False
    """Tried when no other format is told."""


@lru_cache(maxsize=1)
def formats() -> dict[str, Format]:
    """All formats by name."""
    package = importlib.import_module(__package__ or "assay.formats")
    modules = sorted(each.name for each in pkgutil.iter_modules(package.__path__))
    found = [
        getattr(importlib.import_module(f"{package.__name__}.{name}"), "FORMAT", None)
        for name in modules
    ]
    known = [each for each in found if isinstance(each, Format)]
    return {each.name: each for each in sorted(known, key=lambda each: each.fallback)}


def find_format(name: str) -> Format:
    """The format of that name."""
    if name not in formats():
        raise UsageError(
            f"there is no format '{name}' (there are {', '.join(formats())})."
            + did_you_mean(name, formats())
        )
    return formats()[name]


def detect_format(head: FileHead, kind: Kind | None) -> Format:
    """The format of a file, by its content."""
    return next(each for each in formats().values() if each.fallback or each.tells(head, kind))


def format_by_ending(file: Input) -> Format:
    """The format to write, by the end of the name; the fallback for a name without one."""
    ending = (file.endings or [""])[-1]
    found = [each for each in formats().values() if ending in each.endings]
    if not found and ending:
        known = sorted(each for form in formats().values() for each in form.endings)
        raise UsageError(
            f"{file.name}: no format is written to files that end in '{ending}' (known are"
            f" {', '.join(known)}); name one with --output-format"
        )
    return found[0] if found else next(each for each in formats().values() if each.fallback)
