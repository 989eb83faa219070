"""Several drawings side by side as one figure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from assay.reports.figures.figure import INK, Figure, text_width
from assay.reports.markup import Markup, tag

MOST_IN_ROW = 3
"""Further panels are in the next row."""
HEADING = 24
"""The height of the line above the panels that names each."""
_SIZE = re.compile(r'width="(\d+)" height="(\d+)"')


def draw_panels(title: str, names: Sequence[str], draw: Callable[[str], Figure]) -> Figure:
    """Return the figure of the only system, or one with a panel for each; ``title`` has no name."""
    drawn = [(name, draw(name)) for name in names]
    return drawn[0][1] if len(drawn) == 1 else side_by_side(title, drawn)


def side_by_side(title: str, figures: Sequence[tuple[str, Figure]]) -> Figure:
    """Return one figure with a panel for each drawing, below its heading."""
    parts: list[Markup] = []
    left, tallest, below, widest = 0, 0, 0, 0
    for number, (heading, each) in enumerate(figures):
        if number and number % MOST_IN_ROW == 0:
            left, below, tallest = 0, below + tallest + HEADING, 0
        drawn, high = map(int, _SIZE.findall(each.svg)[0])
        width = max(drawn, round(text_width(heading, 12)) + 20)
        inner = each.svg.replace("<svg ", f'<svg x="{left}" y="{below + HEADING}" ', 1)
        middle = left + width / 2
        style = {"text_anchor": "middle", "fill": INK, "font_size": 12, "font_weight": "bold"}
        parts += [tag("text", heading, x=middle, y=below + 16, **style), Markup(inner)]
        left, tallest = left + width, max(tallest, high)
        widest = max(widest, left)
    points = {
        f"{heading}: {name}" if name else heading: columns
        for heading, each in figures
        for name, columns in each.points.items()
    }
    height = below + tallest + HEADING
    svg = tag(
        "svg",
        [tag("title", title), *parts],
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {widest} {height}",
        width=widest,
        height=height,
        role="img",
        aria_label=title,
        font_family="Inter, 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif",
    )
    return Figure(title, svg, points)
