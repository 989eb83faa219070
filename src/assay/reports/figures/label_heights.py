"""The heights of labels beside a plane, so that none covers another."""

from __future__ import annotations

import math


def spread_heights(wanted: list[float], room: float, low: float) -> list[float]:
    """Heights near the wanted ones that are at least so far apart, and not below the plane."""
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    placed = dict.fromkeys(order, 0.0)
    before = -math.inf
    for each in order:
        before = placed[each] = max(wanted[each], before + room)
    after = max(low, 14 + room * len(order))
    for each in reversed(order):
        after = placed[each] = min(placed[each], after)
        after -= room
    return [placed[each] for each in range(len(wanted))]
