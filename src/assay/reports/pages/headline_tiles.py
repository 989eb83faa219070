"""The headline of a page: the few numbers that a reader looks for first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from assay.engine.scores import ALL, Scores
from assay.reports.markup import Markup, tag
from assay.reports.text.table_text import number

MOST = 4


@dataclass(frozen=True)
class Tile:
    """A number, what it is, and what to know of it."""

    value: str
    name: str
    detail: str = ""


def headline_tiles(tiles: Sequence[Tile]) -> Markup | None:
    """The tiles side by side."""
    if not tiles:
        return None
    shown = [
        tag(
            "li",
            tag("span", each.name, class_="tile-name"),
            tag("span", each.value, class_="tile-value"),
            tag("span", each.detail, class_="tile-detail"),
        )
        for each in tiles
    ]
    return tag("ul", shown, class_="tiles", aria_label="In short")


def measure_tiles(scores: Scores) -> list[Tile]:
    """The first measures of the only system, with their intervals."""
    tiles = []
    for each in scores.results:
        if each.slice == ALL and not math.isnan(each.value):
            known = not math.isnan(each.low)
            detail = f"{number(each.low, 3)} to {number(each.high, 3)}" if known else ""
            tiles.append(Tile(number(each.value, 3), each.measure, detail))
    return tiles[:MOST] if len(scores.systems) == 1 else []
