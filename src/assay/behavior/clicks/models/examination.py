"""Examination models: a click needs an examined rank and an attractive document.

In the position-based model (PBM) the examination depends on the rank; in the user browsing model
(UBM) also on the rank of the last click above.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

import numpy as np

from assay.behavior.clicks.click_lists import ClickLists, PairPart
from assay.behavior.clicks.model_structure import (
    ClickModelStructure,
    Expected,
    ModelValue,
    Values,
    log_products,
)
from assay.core.arrays import Bools, Floats, Ints, sum_at

ATTRACTIVENESS = ModelValue(
    "attractiveness", "pair", "probability that the document is clicked if it is examined"
)

LEAST = 1e-300


class ExaminationModel(ClickModelStructure):
    """A click is the product of attractiveness and examination."""

    products_only = True

    @abstractmethod
    def cells(self, lists: ClickLists, depth: int) -> Ints:
        """Return which examination parameter holds: positions × lists, or one for all lists."""

    def conditional(self, lists: ClickLists, values: Values) -> Floats:
        """Return attractiveness times examination."""
        examined = values["examination"].take(self.cells(lists, _depth(values, self)))
        return np.where(lists.shown, values["attractiveness"].take(lists.pair) * examined, 0.0)

    def expect(self, lists: ClickLists, values: Values) -> Expected:
        """Return the expected numbers of attractive documents and of examined ranks."""
        blocks = [self._expect_block(part, values) for _, part in lists.blocks]
        hits = np.sum([each.hits for each in blocks], axis=0)
        shown = np.sum([each.shown for each in blocks], axis=0)
        liked = lists.join_parts(each.liked for each in blocks)
        return Expected(
            np.concatenate([each.likelihood for each in blocks]),
            {"attractiveness": liked, "examination": hits},
            {"attractiveness": lists.impressions - liked, "examination": shown - hits},
        )

    def _expect_block(self, part: ClickLists, values: Values) -> _Block:
        """Return the sums over a block of lists."""
        cells = self.cells(part, _depth(values, self))
        size = len(values["examination"])
        attracted = values["attractiveness"].take(part.pair)
        examined = values["examination"].take(cells)
        chance = attracted * examined
        rest = 1 - chance
        happened = np.where(part.click, chance, rest)
        np.maximum(rest, LEAST, out=rest)  # A certain click that was not made counts nothing.
        liked, seen = attracted - chance, examined - chance
        for hidden in (liked, seen):
            hidden /= rest
        liked, seen = np.where(part.click, 1.0, liked), np.where(part.click, 1.0, seen)
        return _Block(
            log_products(happened if part.is_full else np.where(part.shown, happened, 1.0)),
            part.pair_part(liked),
            _cell_sums(cells, seen * part.weight, size),
            _cell_sums(cells, np.broadcast_to(part.weight, seen.shape), size),
        )


class _Block(NamedTuple):
    """The expectation step of a block of lists."""

    likelihood: Floats
    liked: PairPart
    hits: Floats
    shown: Floats


def _cell_sums(cells: Ints, weights: Floats, size: int) -> Floats:
    """Return the sum of the weights of each examination parameter."""
    if cells.shape != weights.shape:
        return sum_at(cells.ravel(), weights.sum(axis=1), size)
    return sum_at(cells.ravel(), weights.ravel(), size)


def _depth(values: Values, model: ClickModelStructure) -> int:
    size = len(values["examination"])
    return size if model.parameters[1].index == "rank" else round(size**0.5)


class PositionBased(ExaminationModel):
    """The examination depends on the rank."""

    name, label = "pbm", "position-based model (PBM)"
    parameters = (
        ATTRACTIVENESS,
        ModelValue("examination", "rank", "probability that the rank is examined"),
    )

    def cells(self, lists: ClickLists, depth: int) -> Ints:
        """Return the rank of each position, from 0."""
        ranks = np.arange(1, lists.depth + 1)[:, None] if lists.rank is None else lists.rank
        return np.minimum(ranks - 1, depth - 1).astype(np.int64)

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
        ModelValue(
            "examination", "cell", "probability that the rank is examined, by the last click above"
        ),
    )

    def cells(self, lists: ClickLists, depth: int) -> Ints:
        """Return rank × depth + last click (0 for none) of each position."""
        last = np.zeros(lists.count.size, dtype=np.int64)
        cells = np.empty(lists.pair.shape, dtype=np.int64)
        for position, click in enumerate(lists.click):
            rank = np.minimum(lists.ranks(position, lists.count.size), depth - 1)
            cells[position] = rank * depth + np.minimum(last, depth - 1)
            last = np.where(click, rank + 1, last)
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
