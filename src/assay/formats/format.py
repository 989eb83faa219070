"""What a file format is: how it is detected, read and written.

A format is a module of the folder ``files`` with a variable ``FORMAT``; nothing else lists them.
"""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import lru_cache
from typing import ClassVar

import polars as pl

from assay.core.errors import UsageError, unknown_name
from assay.core.tables import Judgments, Run, Source
from assay.formats.input_files import Input
from assay.formats.table_columns import Kind, frame_to_judgments, frame_to_run, table_kind

_FOLDER = "assay.formats.files"
DEFAULT = "trec"
"""The format of most files: tried first, and used if no format matches."""


class Format(ABC):
    """One file format, for judgments and runs.

    A format whose files are tables defines ``read_frame``, any other ``read_run``, ``read_qrels``
    and ``kind``.
    """

    name: ClassVar[str]
    about: ClassVar[str]
    endings: ClassVar[tuple[str, ...]]
    holds: ClassVar[tuple[str, ...]] = ("score", "rank", "grade", *Judgments.optional)
    """The columns besides query and doc that a file of this format can keep."""

    @abstractmethod
    def matches(self, file: Input, kind: Kind | None) -> bool:
        """Return whether the start of a file shows that it is of this format."""

    @abstractmethod
    def write(self, table: Judgments | Run, rows: pl.DataFrame) -> Iterator[bytes]:
        """Yield the content of a file with these rows."""

    def read_frame(self, file: Input) -> tuple[pl.DataFrame, Source]:
        """Return the columns of a file and their source."""
        raise NotImplementedError

    def read_run(self, file: Input) -> Run:
        """Return the run that a file holds."""
        return frame_to_run(*self.read_frame(file), name=file.stem)

    def read_qrels(self, file: Input) -> Judgments:
        """Return the judgments that a file holds."""
        return frame_to_judgments(*self.read_frame(file))

    def kind(self, file: Input) -> Kind | None:
        """Return whether a file holds a run or judgments; None if its content does not show it."""
        return table_kind(self.read_frame(file)[0].columns)


@lru_cache
def load_format(module: str) -> Format:
    """Return the format of a module."""
    form: Format = importlib.import_module(f"{_FOLDER}.{module}").FORMAT
    return form


@lru_cache(maxsize=1)
def formats() -> dict[str, Format]:
    """Return all formats by name, the default last."""
    folder = importlib.import_module(_FOLDER).__path__
    modules = sorted(module.name for module in pkgutil.iter_modules(folder))
    found = [load_format(module) for module in modules if module != DEFAULT]
    return {form.name: form for form in (*found, load_format(DEFAULT))}


def find_format(name: str) -> Format:
    """Return the format of that name."""
    if name not in formats():
        raise unknown_name("format", name, formats())
    return formats()[name]


def detect_format(file: Input, kind: Kind | None) -> Format:
    """Return the format of a file, detected from its content."""
    default = load_format(DEFAULT)
    if default.matches(file, kind):
        return default
    return next((form for form in formats().values() if form.matches(file, kind)), default)


def format_by_ending(file: Input) -> Format:
    """Return the format to write, by the extension of the name; the default without one."""
    if not file.endings:
        return load_format(DEFAULT)
    ending = file.endings[-1]
    for form in formats().values():
        if ending in form.endings:
            return form
    known = sorted(ending for form in formats().values() for ending in form.endings)
    raise UsageError(
        f"{file.name}: no format is written to files that end in '{ending}' (known are"
        f" {', '.join(known)}); name one with --output-format"
    )
