"""Results that print as tables."""

from __future__ import annotations

import importlib


class Printable:
    """A result whose ``repr`` is its table on the command line.

    Reports are a later layer than results, and are imported by name.
    """

    def __repr__(self) -> str:
        return str(importlib.import_module("assay.reports.result_text").result_text(self))
