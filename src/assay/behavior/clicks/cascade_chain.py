"""The chain of examinations: one forward and one backward pass for all cascade models.

A user examines the first result. An examined document is clicked with its attractiveness a. Then
the next result is examined with the probability κ after a click and g after none; who stops does
not begin again. Given a click at a rank it was examined, so the state after it is known:

    forward   e = P(examined | clicks above): κ after a click, e (1 − a) g / (1 − e a) after none
    backward  b1, b0 = P(clicks from here | examined, not examined), so that e b1 + (1 − e) b0 = 1
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from assay.behavior.clicks.click_lists import ClickLists, PairPart
from assay.behavior.clicks.model_structure import (
    ClickModelStructure,
    Expected,
    Values,
    log_products,
)
from assay.core.arrays import Bools, Floats

Chance = Floats | float


@dataclass(frozen=True)
class Step:
    """What is known of the move from one position to the next, given all clicks."""

    values: Values
    part: ClickLists
    position: int
    attracted: Floats
    click: Bools
    weight: Floats
    """How often each list occurs; 0 for lists that the model rules out."""
    after: Floats
    """The probability that the position was examined, given the clicks up to it."""
    examined: Floats
    """b1 of the next position."""
    stopped: Floats
    """b0 of the next position."""


class CascadeModel(ClickModelStructure):
    """Results are examined from the top, one after another."""

    @abstractmethod
    def transition(
        self, values: Values, lists: ClickLists, position: int, size: int, attracted: Floats
    ) -> tuple[Chance, Chance]:
        """Return the probabilities κ and g that the next result is examined."""

    @abstractmethod
    def count_step(self, step: Step, event: Floats, sums: dict[str, Floats]) -> None:
        """Count hidden events of a step: those of a pair in ``event``, others in ``sums``."""

    def empty_sums(self, values: Values) -> dict[str, Floats]:
        """Return zeros for the hits (row 0) and misses (row 1) of parameters without pairs."""
        return {
            each.name: np.zeros((2, len(values[each.name])))
            for each in self.parameters
            if each.index != "pair" and each.name in values
        }

    def conditional(self, lists: ClickLists, values: Values) -> Floats:
        """Return examination given the clicks above, times attractiveness."""
        forward = self._forward(lists, values)
        return forward.examined * forward.attracted

    def marginal(self, lists: ClickLists, values: Values) -> Floats:
        """Return the probability of examination times attractiveness."""
        chance = np.zeros(lists.pair.shape)
        reached = np.ones(lists.count.size)
        for position, size in enumerate(lists.active[:-1]):
            attracted = values["attractiveness"][lists.pair[position, :size]]
            kappa, g = self.transition(values, lists, position, size, attracted)
            chance[position, :size] = reached[:size] * attracted
            reached[:size] *= attracted * kappa + (1 - attracted) * g
        return chance

    def draw(self, lists: ClickLists, values: Values, random: np.random.Generator) -> Bools:
        """Return the clicks of users that examine, click and go on."""
        clicks = np.zeros(lists.pair.shape, dtype=bool)
        examined = np.ones(lists.count.size, dtype=bool)
        for position, size in enumerate(lists.active[:-1]):
            attracted = values["attractiveness"][lists.pair[position, :size]]
            kappa, g = self.transition(values, lists, position, size, attracted)
            click = examined[:size] & (random.random(size) < attracted)
            clicks[position, :size] = click
            examined[:size] &= random.random(size) < np.where(click, kappa, g)
        return clicks

    def _forward(self, lists: ClickLists, values: Values) -> _Forward:
        """Return what follows from the clicks above each position."""
        shape = lists.pair.shape
        examined, attracted, chance = np.zeros(shape), np.zeros(shape), np.ones(shape)
        now = np.ones(lists.count.size)
        transitions = []
        for position, size in enumerate(lists.active[:-1]):
            a = values["attractiveness"].take(lists.pair[position, :size])
            e, click = now[:size], lists.click[position, :size]
            kappa, g = self.transition(values, lists, position, size, a)
            transitions.append((kappa, g))
            examined[position, :size], attracted[position, :size] = e, a
            p = e * a
            rest = 1 - p
            chance[position, :size] = np.where(click, p, rest)
            with np.errstate(divide="ignore", invalid="ignore"):
                after = (e - p) / rest
            now = np.where(click, kappa, np.where(rest > 0, after, 0.0) * g)
        return _Forward(examined, attracted, chance, transitions)

    def expect(self, lists: ClickLists, values: Values) -> Expected:
        """Return the expected hits and misses of all parameters given the clicks."""
        blocks = [self._backward(part, values) for _, part in lists.blocks]
        likelihood = np.concatenate([each.likelihood for each in blocks])
        names = blocks[0].sums
        sums = {name: np.sum([each.sums[name] for each in blocks], axis=0) for name in names}
        hits = {name: each[0] for name, each in sums.items()}
        misses = {name: each[1] for name, each in sums.items()}
        examined = lists.join_parts(each.examined for each in blocks)
        events = lists.join_parts(each.events for each in blocks)
        clicks, followed = lists.clicks, lists.clicks_above_last
        ruled_out = np.isneginf(likelihood)
        if ruled_out.any():
            others = lists.part(ruled_out)
            clicks, followed = clicks - others.clicks, followed - others.clicks_above_last
        hits["attractiveness"] = clicks
        misses["attractiveness"] = np.maximum(examined - clicks, 0)
        self.count_pairs(events, followed, hits, misses)
        return Expected(likelihood, hits, misses)

    def count_pairs(
        self,
        events: Floats,
        followed: Floats,
        hits: dict[str, Floats],
        misses: dict[str, Floats],
    ) -> None:
        """Add the hits and misses of further parameters of pairs.

        ``events`` are the expected hidden events of each pair, ``followed`` its clicks with a
        further result below.
        """

    def _backward(self, part: ClickLists, values: Values) -> _Block:
        """Return the expectation step of a block of lists."""
        examined, attracted, chance, transitions = self._forward(part, values)
        posterior, event = np.zeros(part.pair.shape), np.zeros(part.pair.shape)
        impossible = (chance <= 0).any(axis=0)
        likelihood = log_products(chance)
        chance[:, impossible] = 1.0
        weight = np.where(impossible, 0.0, part.count)
        sums = self.empty_sums(values)
        b1, b0 = np.ones(part.count.size), np.ones(part.count.size)
        for position in reversed(range(part.depth)):
            size, longer = part.active[position], part.active[position + 1]
            click, a = part.click[position, :size], attracted[position, :size]
            kappa, g = transitions[position]
            c = chance[position, :size]
            after = np.where(click, 1.0, examined[position, :size] * (1 - a) / c)
            if longer:
                step = Step(
                    values,
                    part,
                    position,
                    a[:longer],
                    click[:longer],
                    weight[:longer],
                    after[:longer],
                    b1[:longer],
                    b0[:longer],
                )
                self.count_step(step, event[position, :longer], sums)
            likely = np.where(click, kappa, g)
            beyond = likely * b1[:size] + (1 - likely) * b0[:size]
            posterior[position, :size] = after * beyond
            b1[:size] = np.where(click, a, 1 - a) * beyond / c
            b0[:size] = np.where(click, 0.0, b0[:size] / c)
        if impossible.any():
            posterior[:, impossible] = event[:, impossible] = 0.0
        return _Block(likelihood, part.pair_part(posterior), part.clicked_part(event), sums)


class _Forward(NamedTuple):
    """What follows from the clicks above each position."""

    examined: Floats
    """The probability of examination."""
    attracted: Floats
    chance: Floats
    """The probability of the click, or of no click."""
    transitions: list[tuple[Chance, Chance]]


class _Block(NamedTuple):
    """The expectation step of a block of lists."""

    likelihood: Floats
    examined: PairPart
    events: PairPart
    sums: dict[str, Floats]
