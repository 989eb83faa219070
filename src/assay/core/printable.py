"""Results that show themselves, and the registry of how each type of result is written."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, TypeAlias

Writer: TypeAlias = Callable[..., str]
"""Returns a result in one output format."""


class Registry:
    """Writers by type of result and output format.

    ``reports`` fills it, and ``assay`` says which module does so, which is imported when a writer
    is first needed: the parts that produce results know neither.
    """

    def __init__(self) -> None:
        self.filled_by = ""
        self._writers: dict[str, dict[str, Writer]] = {}

    def add(self, kind: str, form: str, writer: Writer) -> None:
        """Add the writer of one format for the results of the class with that name."""
        self._writers.setdefault(kind, {})[form] = writer

    def formats(self, kind: str) -> tuple[str, ...]:
        """Return the formats in which results of the class with that name can be written."""
        importlib.import_module(self.filled_by)
        return tuple(self._writers.get(kind, ()))

    def find(self, result: object, form: str) -> Writer | None:
        """Return the writer of a result in a format, or None if there is none."""
        importlib.import_module(self.filled_by)
        for kind in type(result).__mro__:
            if form in self._writers.get(kind.__name__, ()):
                return self._writers[kind.__name__][form]
        return None


REGISTRY = Registry()


class Printable:
    """A result that prints as the command line shows it, and as a table in a notebook."""

    def __repr__(self) -> str:
        return self._write("table")

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        return self._write("notebook")

    def _write(self, form: str) -> Any:
        writer = REGISTRY.find(self, form)
        if writer is None:
            raise NotImplementedError(f"nothing says how {type(self).__name__} is shown")
        return writer(self)
