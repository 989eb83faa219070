"""A small self-organizing map: units in a mesh that learn by competition."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.core.arrays import Floats, Ints

ADJACENT = 1.42
"""Units of the mesh are adjacent, also diagonally, up to this distance."""


@dataclass(frozen=True)
class MapTraining:
    """How a map learns; both numbers fall to a third of their start."""

    rate: float = 0.5
    """How far the best unit moves towards an item at the start."""
    width: float = 1.0
    """The standard deviation of the neighborhood at the start, in units of the mesh."""


def start_map(features: Floats, rows: int, columns: int) -> Floats:
    """Return units spread over the plane of the two main components."""
    center = features.mean(axis=0)
    _, scales, axes = np.linalg.svd(features - center, full_matrices=False)
    spread = scales / np.sqrt(max(len(features), 1))
    first, second = (np.linspace(-1, 1, n) if n > 1 else np.zeros(1) for n in (rows, columns))
    weights = np.tile(center, (rows, columns, 1)).astype(np.float64)
    for place, steps in enumerate((first[:, None], second[None, :])):
        if place < len(axes):
            # A main component has no sign of its own: its largest weight is positive here.
            sign = np.sign(axes[place][np.abs(axes[place]).argmax()])
            weights += (steps * spread[place])[..., None] * axes[place] * sign
    return weights


def train_map(
    features: Floats,
    weights: Floats,
    order: Ints,
    training: MapTraining = MapTraining(),  # noqa: B008
) -> Floats:
    """Return the units after they have seen the items in an order, one at a time.

    The best unit for an item and its neighbors in the mesh move towards it: by the rate times a
    Gaussian of their distance in the mesh. At step t of T both are divided by 1 + 2 t / T.
    """
    units = weights.copy()
    rows, columns = units.shape[:2]
    across, down = np.arange(rows), np.arange(columns)
    for step, item in enumerate(order.tolist()):
        slowed = 1 + step / (len(order) / 2)
        width, rate = training.width / slowed, training.rate / slowed
        away = ((units - features[item]) ** 2).sum(axis=2)
        row, column = np.unravel_index(int(away.argmin()), away.shape)
        near = np.exp(-((across - row) ** 2) / (2 * width**2))[:, None] * np.exp(
            -((down - column) ** 2) / (2 * width**2)
        )
        units += (rate * near)[..., None] * (features[item] - units)
    return units


def best_units(features: Floats, weights: Floats) -> tuple[Ints, Floats]:
    """Return the best and the second unit of each item, and the distance to the best."""
    flat = weights.reshape(-1, weights.shape[2])
    squared = (features**2).sum(axis=1)[:, None] - 2 * features @ flat.T + (flat**2).sum(axis=1)
    count = min(2, len(flat))
    order = np.argsort(squared, axis=1, kind="stable")[:, :count]
    return order, np.sqrt(((features - flat[order[:, 0]]) ** 2).sum(axis=1))


def quantization_errors(features: Floats, weights: Floats) -> Floats:
    """Return the distance of each item to its best unit."""
    return best_units(features, weights)[1]


def topographic_errors(features: Floats, weights: Floats) -> Floats:
    """Return 1 for each item whose best two units are not adjacent; NaN in a map of one unit."""
    order, _ = best_units(features, weights)
    if order.shape[1] < 2:
        return np.full(len(features), np.nan)
    rows, columns = np.unravel_index(order, weights.shape[:2])
    away = np.hypot(rows[:, 0] - rows[:, 1], columns[:, 0] - columns[:, 1])
    return (away > ADJACENT).astype(np.float64)


def u_matrix(weights: Floats) -> Floats:
    """Return the mean distance of each unit to the units that are adjacent in the mesh."""
    rows, columns = weights.shape[:2]
    total, count = np.zeros((rows, columns)), np.zeros((rows, columns))
    for down in (-1, 0, 1):
        for across in (-1, 0, 1):
            if down == across == 0:
                continue
            here = (_span(down, rows), _span(across, columns))
            there = (_span(-down, rows), _span(-across, columns))
            total[here] += np.sqrt(((weights[here] - weights[there]) ** 2).sum(axis=2))
            count[here] += 1
    return np.divide(total, count, out=np.full((rows, columns), np.nan), where=count > 0)


def _span(step: int, size: int) -> slice:
    """Return the places that have another one so many steps on."""
    return slice(max(0, -step), size - max(0, step))
