"""What a format of click logs is, and how it is detected.

A format is a module of the folder ``files`` with a variable ``FORMAT``; nothing else lists them.
"""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar

import polars as pl

from assay.behavior.logs.log_findings import Findings
from assay.core.errors import FormatError, unknown_name
from assay.formats.input_files import Input

_FOLDER = "assay.behavior.logs.files"
DEFAULT = "impressions"
"""The format of files that no other format matches: a table with a header."""
BINARY = (b"PAR1", b"ARROW1")
"""How Parquet and Feather files begin."""

Place = Callable[[int], str]
"""Returns the location of a line or row, for messages."""


@dataclass(frozen=True)
class LogSettings:
    """How a log is read."""

    format: str | None = None
    """The format of the files; None to detect it."""
    base: int | None = None
    """The rank of the first result in the files, 0 or 1; None to detect it."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """The column of a table for each declared name, where it is called otherwise."""
    click_actions: tuple[str, ...] = ("click", "click_through", "item_click")
    """The UBI actions that are clicks on a result."""


@dataclass(frozen=True)
class RawPiece:
    """Rows of complete lists as a format reads them, and the location of each line."""

    frame: pl.DataFrame
    place: Place
    base: int | None = None
    """The rank of the first results, where the format knows it; else the ranks show it."""


class LogFormat(ABC):
    """One format of click logs."""

    name: ClassVar[str]
    about: ClassVar[str]

    @abstractmethod
    def matches(self, file: Input) -> bool:
        """Return whether the start of a file shows that it is of this format."""

    @abstractmethod
    def read(
        self, files: Sequence[Input], settings: LogSettings, findings: Findings
    ) -> Iterator[RawPiece]:
        """Yield rows of complete lists, and report what is wrong with the files."""


@lru_cache(maxsize=1)
def log_formats() -> dict[str, LogFormat]:
    """Return all formats by name, the default last."""
    folder = importlib.import_module(_FOLDER).__path__
    modules = sorted(module.name for module in pkgutil.iter_modules(folder))
    found: list[LogFormat] = [
        importlib.import_module(f"{_FOLDER}.{module}").FORMAT for module in modules
    ]
    by_name = {form.name: form for form in found}
    return {name: by_name[name] for name in sorted(by_name, key=lambda name: name == DEFAULT)}


def _detect(file: Input, known: Mapping[str, LogFormat]) -> LogFormat:
    """Return the format of a file; the bytes of a binary table may look like any text."""
    if file.start.startswith(BINARY):
        return known[DEFAULT]
    return next((form for form in known.values() if form.matches(file)), known[DEFAULT])


def detect_log_format(files: Sequence[Input], name: str | None = None) -> LogFormat:
    """Return the format of the files, as named or detected; all must have the same."""
    known = log_formats()
    if name is not None:
        if name not in known:
            raise unknown_name("log format", name, known)
        return known[name]
    detected = [_detect(file, known) for file in files]
    for file, form in zip(files, detected, strict=True):
        if form is not detected[0]:
            raise FormatError(
                f"this file looks like {form.name}, but {files[0].name} like {detected[0].name};"
                " read them apart, or name the format",
                file.name,
            )
    return detected[0]
