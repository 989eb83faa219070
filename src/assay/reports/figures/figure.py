"""A figure: the drawing, and the points that it shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.core.errors import MissingExtra, UsageError
from assay.core.output_files import write_bytes, write_text
from assay.reports.figures.colors import apply_light_theme
from assay.reports.markup import Markup

ENDINGS = (".svg", ".png", ".pdf")


@dataclass(frozen=True)
class Figure:
    """What a picture says in words, its drawing, and its points by name of the series."""

    title: str
    svg: Markup
    points: Mapping[str, Mapping[str, Any]] = field(repr=False, default_factory=dict)

    def save(self, path: str | Path, scale: float = 2.0) -> None:
        """Write the figure; the ending of the name says as what: SVG, PNG or PDF."""
        place = Path(path)
        ending = place.suffix.casefold()
        drawing = apply_light_theme(self.svg)
        if ending not in ENDINGS:
            raise UsageError(f"{place}: a figure is written as {', '.join(ENDINGS)}; end it so")
        if ending == ".svg":
            write_text(place, drawing, "\n")
            return
        try:
            import vl_convert
        except ImportError:
            raise MissingExtra("vl-convert-python", "plots") from None
        if ending == ".png":
            write_bytes(place, vl_convert.svg_to_png(_add_white_background(drawing), scale=scale))
        else:
            write_bytes(place, vl_convert.svg_to_pdf(drawing))

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return apply_light_theme(self.svg)


def _add_white_background(drawing: str) -> str:
    """The drawing on a white ground: a picture without one is unreadable on a dark page."""
    end = drawing.index(">") + 1
    return f'{drawing[:end]}<rect width="100%" height="100%" fill="#ffffff"/>{drawing[end:]}'
