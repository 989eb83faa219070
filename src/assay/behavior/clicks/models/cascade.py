"""The cascade family: cascade model, DCM, simplified DBN, DBN and CCM."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from assay.behavior.clicks.cascade_chain import CascadeModel, Chance, Step
from assay.behavior.clicks.click_lists import ClickLists
from assay.behavior.clicks.model_structure import ModelValue, Values
from assay.behavior.clicks.models.examination import ATTRACTIVENESS
from assay.core.arrays import Floats, Ints

SATISFACTION = ModelValue(
    "satisfaction", "pair", "probability that the document, clicked, satisfies"
)


class Cascade(CascadeModel):
    """Users examine from the top and stop at the first click; two clicks are impossible."""

    name, label = "cascade", "cascade model"
    parameters = (ATTRACTIVENESS,)

    def transition(
        self, values: Values, lists: ClickLists, position: int, size: int, attracted: Floats
    ) -> tuple[Chance, Chance]:
        """Return that users stop after a click and go on after none."""
        return 0.0, 1.0

    def count_step(self, step: Step, event: Floats, sums: dict[str, Floats]) -> None:
        """Count nothing: there is no hidden event but examination."""


class DependentClick(CascadeModel):
    """After a click, users go on with a probability of the rank (DCM)."""

    name, label = "dcm", "dependent click model (DCM)"
    parameters = (
        ATTRACTIVENESS,
        ModelValue("continuation", "rank", "probability to go on after a click at the rank"),
    )

    def transition(
        self, values: Values, lists: ClickLists, position: int, size: int, attracted: Floats
    ) -> tuple[Chance, Chance]:
        """Return the probability of the rank, and that users go on after no click."""
        kept = values["continuation"]
        place = np.minimum(lists.ranks(position, size), len(kept) - 1)
        return kept[place] if isinstance(place, np.ndarray) else float(kept[place]), 1.0

    def count_step(self, step: Step, event: Floats, sums: dict[str, Floats]) -> None:
        """Count users who went on and who stopped after a click."""
        kappa, _ = self.transition(
            step.values, step.part, step.position, len(step.click), step.attracted
        )
        ranks = step.part.ranks(step.position, len(step.click))
        place = ranks if isinstance(ranks, int) else ranks.astype(np.int64)
        clicked = step.weight * step.click
        _add_cells(sums["continuation"][0], place, clicked * kappa * step.examined)
        _add_cells(sums["continuation"][1], place, clicked * (1 - kappa) * step.stopped)


def _add_cells(sums: Floats, cells: int | Ints, weights: Floats) -> None:
    """Add weights to the sums of their cells: one cell for all, or one for each."""
    if isinstance(cells, int):
        sums[cells] += weights.sum()
    else:
        sums += np.bincount(cells, weights, len(sums))


class DynamicBayesian(CascadeModel):
    """A clicked document may satisfy; unsatisfied users go on with one probability (DBN)."""

    name, label = "dbn", "dynamic Bayesian network (DBN)"
    parameters: ClassVar[tuple[ModelValue, ...]] = (
        ATTRACTIVENESS,
        SATISFACTION,
        ModelValue("continuation", "one", "probability that an unsatisfied user goes on"),
    )
    relevance = ("attractiveness", "satisfaction")

    def continuation(self, values: Values) -> float:
        """Return the probability that an unsatisfied user goes on."""
        return float(values["continuation"][0])

    def transition(
        self, values: Values, lists: ClickLists, position: int, size: int, attracted: Floats
    ) -> tuple[Chance, Chance]:
        """Return γ (1 − s) after a click and γ after none."""
        gamma = self.continuation(values)
        return gamma * (1 - values["satisfaction"].take(lists.pair[position, :size])), gamma

    def count_step(self, step: Step, event: Floats, sums: dict[str, Floats]) -> None:
        """Count satisfied users, and unsatisfied ones who went on or stopped."""
        gamma = self.continuation(step.values)
        size = len(step.click)
        satisfied = step.values["satisfaction"].take(step.part.pair[step.position, :size])
        event[:] = np.where(step.click, satisfied * step.stopped, 0.0)
        if "continuation" not in sums:
            return
        open_ = np.where(step.click, 1 - satisfied, step.after) * step.weight
        sums["continuation"][0] += (open_ * gamma * step.examined).sum()
        sums["continuation"][1] += (open_ * (1 - gamma) * step.stopped).sum()

    def count_pairs(
        self,
        events: Floats,
        followed: Floats,
        hits: dict[str, Floats],
        misses: dict[str, Floats],
    ) -> None:
        """Add the satisfied and unsatisfied users of each document, clicked above the last one."""
        hits["satisfaction"] = events
        misses["satisfaction"] = np.maximum(followed - events, 0)


class SimplifiedDynamicBayesian(DynamicBayesian):
    """A DBN whose unsatisfied users always go on."""

    name, label = "sdbn", "simplified dynamic Bayesian network (SDBN)"
    parameters = (ATTRACTIVENESS, SATISFACTION)

    def continuation(self, values: Values) -> float:
        """Return 1."""
        return 1.0


class ClickChain(CascadeModel):
    """Attractiveness is also satisfaction; users go on by three probabilities (CCM)."""

    name, label = "ccm", "click chain model (CCM)"
    parameters = (
        ATTRACTIVENESS,
        ModelValue("after_skip", "one", "probability to go on after no click (τ1)"),
        ModelValue("after_unsatisfied", "one", "probability to go on, unsatisfied by a click (τ2)"),
        ModelValue("after_satisfied", "one", "probability to go on, satisfied by a click (τ3)"),
    )
    relevance = ("attractiveness", "attractiveness")

    def transition(
        self, values: Values, lists: ClickLists, position: int, size: int, attracted: Floats
    ) -> tuple[Chance, Chance]:
        """Return τ2 (1 − a) + τ3 a after a click and τ1 after none."""
        one, two, three = _taus(values)
        return two * (1 - attracted) + three * attracted, one

    def count_step(self, step: Step, event: Floats, sums: dict[str, Floats]) -> None:
        """Count satisfied and unsatisfied users who went on or stopped, after a click and none."""
        one, two, three = _taus(step.values)
        a = step.attracted
        clicked, skipped = step.weight * step.click, step.weight * ~step.click * step.after
        on, off = step.examined, step.stopped
        event[:] = np.where(step.click, a * (three * on + (1 - three) * off), 0.0)
        for name, users, stay in (
            ("after_skip", skipped, one),
            ("after_unsatisfied", clicked * (1 - a), two),
            ("after_satisfied", clicked * a, three),
        ):
            sums[name][0] += (users * stay * on).sum()
            sums[name][1] += (users * (1 - stay) * off).sum()

    def count_pairs(
        self,
        events: Floats,
        followed: Floats,
        hits: dict[str, Floats],
        misses: dict[str, Floats],
    ) -> None:
        """Add satisfied and unsatisfied users: they are governed by attractiveness too."""
        hits["attractiveness"] = hits["attractiveness"] + events
        misses["attractiveness"] = misses["attractiveness"] + np.maximum(followed - events, 0)


def _taus(values: Values) -> tuple[float, float, float]:
    names = ("after_skip", "after_unsatisfied", "after_satisfied")
    one, two, three = (float(values[name][0]) for name in names)
    return one, two, three


STRUCTURES = (
    Cascade(),
    DependentClick(),
    SimplifiedDynamicBayesian(),
    DynamicBayesian(),
    ClickChain(),
)
