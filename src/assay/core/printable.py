"""Results that print as tables."""

from __future__ import annotations

import importlib


class Printable:
    """A result whose ``repr`` is what the command line would show.

    Reports stand after whatever makes results, and are asked for by name.
    """

    def __repr__(self) -> str:
        return str(importlib.import_module("assay.reports.result_text").result_text(self))
