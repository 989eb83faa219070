"""Results that show themselves, through the one function that writes results."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Writer: TypeAlias = Callable[[object, str], str]
"""Returns a result in an output format."""


class Registry:
    """The function that writes results.

    ``reports`` sets it, and ``assay`` says how to load ``reports`` when a result is first written:
    the parts that produce results know neither.
    """

    def __init__(self) -> None:
        self.load: Callable[[], object] = lambda: None
        self.write: Writer | None = None


REGISTRY = Registry()


class Printable:
    """A result that prints as the command line shows it, and as a table in a notebook."""

    def __repr__(self) -> str:
        return self._write("table")

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        return self._write("notebook")

    def _write(self, form: str) -> str:
        REGISTRY.load()
        if REGISTRY.write is None:
            raise NotImplementedError("nothing says how results are shown; import assay")
        return REGISTRY.write(self, form)
