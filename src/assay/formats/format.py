"""What a file format is: how it is detected, read and written.

A format is a module of the folder ``files`` with a variable ``FORMAT``; nothing else lists them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar

import polars as pl

from assay.core.tables import Judgments, Run, Source
from assay.formats.input_files import Input
from assay.formats.table_columns import Kind, frame_to_judgments, frame_to_run, table_kind


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
    specific: ClassVar[bool] = False
    """Whether a more general format could read its files too: it is asked first."""

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
