"""Examination models: a click needs an examined rank and an attractive document.

In the position-based model (PBM) the examination depends on the rank; in the user browsing model
(UBM) also on the rank of the last click above.
"""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from assay.behavior.clicks.click_lists import ClickLists
from assay.behavior.clicks.model_structure import (
    ClickModelStructure,
    Expected,
    Parameter,
    Values,
    log_products,
    map_blocks,
)
from assay.core.arrays import Bools, Floats, Ints

ATTRACTIVENESS = Parameter(
    "attractiveness", "pair", "probability that the document is clicked if it is examined"
)

LEAST = 1e-300


class ExaminationModel(ClickModelStructure):
    """A click is the product of attractiveness and examination."""

    products_only = True

    @abstractmethod
    def cells(self, lists: ClickLists, depth: int) -> list[int | Ints]:
        """Return for each position which examination parameter holds, for each list."""

    def conditional(self, lists: ClickLists, values: Values) -> Floats:
        """Return attractiveness times examination."""
        chance = np.zeros(lists.pair.shape)
        cells = self.cells(lists, _depth(values, self))
        for position, size in enumerate(lists.active[:-1]):
            attracted = values["attractiveness"][lists.pair[position, :size]]
            chance[position, :size] = attracted * values["examination"][cells[position]]
        return chance

    def expect(self, lists: ClickLists, values: Values) -> Expected:
        """Return the expected numbers of attractive documents and of examined ranks."""
        attractive = np.zeros(lists.pair.shape)
        likelihood = np.zeros(lists.count.size)
        size = len(values["examination"])

        def block(start: int, part: ClickLists) -> tuple[Floats, Floats]:
            hits, shown = np.zeros(size), np.zeros(size)
            cells = self.cells(part, _depth(values, self))
            end = start + part.count.size
            chances = np.ones(part.pair.shape)
            for position, some in enumerate(part.active[:-1]):
                click, weight = part.click[position, :some], part.count[:some]
                attracted = values["attractiveness"].take(part.pair[position, :some])
                examined = values["examination"][cells[position]]
                chance = attracted * examined
                rest = 1 - chance
                chances[position, :some] = np.where(click, chance, rest)
                rest = np.maximum(rest, LEAST)  # A certain click that was not made counts nothing.
                seen = np.where(click, 1.0, (examined - chance) / rest)
                attractive[position, start : start + some] = np.where(
                    click, 1.0, (attracted - chance) / rest
                )
                add_cells(hits, cells[position], seen * weight)
                add_cells(shown, cells[position], weight)
            likelihood[start:end] = log_products(chances)
            return hits, shown

        sums = map_blocks(lists, block)
        hits = np.sum([each[0] for each in sums], axis=0)
        shown = np.sum([each[1] for each in sums], axis=0)
        liked = lists.pair_sum(attractive)
        return Expected(
            likelihood,
            {"attractiveness": liked, "examination": hits},
            {"attractiveness": lists.impressions - liked, "examination": shown - hits},
        )


def _depth(values: Values, model: ClickModelStructure) -> int:
    size = len(values["examination"])
    return size if model.parameters[1].index == "rank" else round(size**0.5)


def add_cells(sums: Floats, cells: int | Ints, weights: Floats) -> None:
    """Add weights to the sums of their cells: one cell for all, or one for each."""
    if isinstance(cells, int):
        sums[cells] += weights.sum()
    else:
        sums += np.bincount(cells, weights, len(sums))


class PositionBased(ExaminationModel):
    """The examination depends on the rank."""

    name, label = "pbm", "position-based model (PBM)"
    parameters = (
        ATTRACTIVENESS,
        Parameter("examination", "rank", "probability that the rank is examined"),
    )

    def cells(self, lists: ClickLists, depth: int) -> list[int | Ints]:
        """Return the rank of each position, from 0."""
        return [
            each if isinstance(each, int) else np.minimum(each, depth - 1).astype(np.int64)
            for each in map(lists.ranks, range(lists.depth), lists.active)
        ]

    def marginal(self, lists: ClickLists, values: Values) -> Floats:
        """Return attractiveness times examination: clicks do not depend on each other."""
        return self.conditional(lists, values)

    def draw(self, lists: ClickLists, values: Values, random: np.random.Generator) -> Bools:
        """Return clicks on attractive documents at examined ranks."""
        return random.random(lists.pair.shape) < self.conditional(lists, values)


class UserBrowsing(ExaminationModel):
    """The examination depends on the rank and on the rank of the last click above."""

    name, label = "ubm", "user browsing model (UBM)"
    parameters = (
        ATTRACTIVENESS,
        Parameter(
            "examination", "cell", "probability that the rank is examined, by the last click above"
        ),
    )

    def cells(self, lists: ClickLists, depth: int) -> list[int | Ints]:
        """Return rank × depth + last click (0 for none) of each position."""
        last = np.zeros(lists.count.size, dtype=np.int64)
        cells: list[int | Ints] = []
        for position, size in enumerate(lists.active[:-1]):
            rank = np.minimum(lists.ranks(position, size), depth - 1)
            cells.append(rank * depth + np.minimum(last[:size], depth - 1))
            clicked = lists.click[position, :size]
            last[:size] = np.where(clicked, rank + 1, last[:size])
        return cells

    def marginal(self, lists: ClickLists, values: Values) -> Floats:
        """Return the sum over the last click above, whose probabilities are marginal too."""
        depth = _depth(values, self)
        chance = np.zeros(lists.pair.shape)
        examination = values["examination"].reshape(depth, depth)
        sizes = lists.active[:-1]
        reach = np.zeros((lists.depth + 1, lists.count.size))
        reach[0] = 1  # the last click is at position j − 1, or there is none (0)
        for position, size in enumerate(sizes):
            attracted = values["attractiveness"][lists.pair[position, :size]]
            rank = np.minimum(lists.ranks(position, size), depth - 1)
            total = np.zeros(size)
            for last in range(position + 1):
                before = 0 if last == 0 else np.minimum(lists.ranks(last - 1, size), depth - 2) + 1
                click = reach[last, :size] * attracted * examination[rank, before]
                total += click
                reach[last, :size] -= click
            chance[position, :size] = reach[position + 1, :size] = total
        return chance

    def draw(self, lists: ClickLists, values: Values, random: np.random.Generator) -> Bools:
        """Return clicks drawn rank by rank."""
        depth = _depth(values, self)
        examination = values["examination"].reshape(depth, depth)
        last = np.zeros(lists.count.size, dtype=np.int64)
        clicks = np.zeros(lists.pair.shape, dtype=bool)
        for position, size in enumerate(lists.active[:-1]):
            attracted = values["attractiveness"][lists.pair[position, :size]]
            rank = np.minimum(lists.ranks(position, size), depth - 1)
            chance = attracted * examination[rank, np.minimum(last[:size], depth - 1)]
            clicks[position, :size] = random.random(size) < chance
            last[:size] = np.where(clicks[position, :size], rank + 1, last[:size])
        return clicks


STRUCTURES = (PositionBased(), UserBrowsing())
