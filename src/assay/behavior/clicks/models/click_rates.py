"""Click-through rates: the baselines, in which clicks do not depend on each other."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from assay.behavior.clicks.click_lists import ClickLists, Codes
from assay.behavior.clicks.model_structure import (
    ClickModelStructure,
    Expected,
    ModelValue,
    Values,
    log_likelihood,
)
from assay.core.arrays import Bools, Floats


class ClickRate(ClickModelStructure):
    """A click has a probability of its own, by nothing, by rank or by document."""

    relevance: ClassVar[tuple[str, ...]] = ("rate",)

    def _places(self, lists: ClickLists, position: int, size: int) -> int | Codes:
        """Return which rate holds at a position."""
        index = self.parameters[0].index
        if index == "pair":
            return lists.pair[position, :size]
        return lists.ranks(position, size) if index == "rank" else 0

    def conditional(self, lists: ClickLists, values: Values) -> Floats:
        """Return the rates; clicks above do not matter."""
        chance = np.zeros(lists.pair.shape)
        for position, size in enumerate(lists.active[:-1]):
            place = np.minimum(self._places(lists, position, size), len(values["rate"]) - 1)
            chance[position, :size] = values["rate"][place]
        return chance

    def marginal(self, lists: ClickLists, values: Values) -> Floats:
        """Return the rates."""
        return self.conditional(lists, values)

    def draw(self, lists: ClickLists, values: Values, random: np.random.Generator) -> Bools:
        """Return independent clicks."""
        return random.random(lists.pair.shape) < self.conditional(lists, values)

    def expect(self, lists: ClickLists, values: Values) -> Expected:
        """Return the clicks and the impressions without one."""
        size = len(values["rate"])
        hits, shown = np.zeros(size), np.zeros(size)
        for position, some in enumerate(lists.active[:-1]):
            place = np.broadcast_to(np.asarray(self._places(lists, position, some)), some)
            weight = lists.count[:some]
            hits += np.bincount(place, weight * lists.click[position, :some], size)
            shown += np.bincount(place, weight, size)
        likelihood = log_likelihood(lists, self.conditional(lists, values))
        return Expected(likelihood, {"rate": hits}, {"rate": shown - hits})


class GlobalRate(ClickRate):
    """One click-through rate for everything."""

    name, label = "global-ctr", "global click-through rate"
    parameters = (ModelValue("rate", "one", "probability of a click"),)
    relevance = ()


class RankRate(ClickRate):
    """A click-through rate for each rank."""

    name, label = "rank-ctr", "click-through rate by rank"
    parameters = (ModelValue("rate", "rank", "probability of a click at the rank"),)
    relevance = ()


class DocumentRate(ClickRate):
    """A click-through rate for each query and document."""

    name, label = "doc-ctr", "click-through rate by document"
    parameters = (ModelValue("rate", "pair", "probability of a click on the document"),)


STRUCTURES = (GlobalRate(), RankRate(), DocumentRate())
