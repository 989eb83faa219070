"""What the headline says of several systems: which is best, and by how much."""

from __future__ import annotations

import math

from assay.engine.scores import Scores
from assay.reports.figures.per_query import sort_best_first
from assay.reports.pages.headline_tiles import MOST, Tile
from assay.reports.text.table_text import number


def best_system_tiles(scores: Scores) -> list[Tile]:
    """The best system by each of the first measures, and the second."""
    tiles = []
    for name in scores.measures[:MOST]:
        ranked = [each for each in sort_best_first(scores.of(name)) if not math.isnan(each.value)]
        if ranked:
            detail = ranked[0].system
            if len(ranked) > 1:
                detail += f"; next {ranked[1].system} with {number(ranked[1].value, 4)}"
            tiles.append(Tile(number(ranked[0].value, 4), f"best {name}", detail))
    return tiles
