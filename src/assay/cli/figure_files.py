"""Figures that commands write to files."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from assay.cli.output import print_notes

if TYPE_CHECKING:
    from assay.reports.figures.figure import Figure


def save_figure(figure: Figure, path: str, quiet: bool, **options: Any) -> None:
    """Write a figure, or its points; what the file lacks is a note on standard error."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        figure.save(path, **options)
    print_notes((str(each.message) for each in caught), quiet)
