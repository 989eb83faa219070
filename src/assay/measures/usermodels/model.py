"""Models of a user who reads down a list and goes on, or not, at each rank.

A model says how likely the user goes on from each rank, given what was gained so far. That fixes
the share of attention that each rank gets: how likely it is reached, divided by the sum over ranks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeAlias

import numpy as np

from assay.core.arrays import Floats
from assay.core.curves import Columns
from assay.core.definition import Definition, define
from assay.core.facts import MONOTONE, Settings
from assay.evidence.views.rankings import Rankings

DEPTH = 1000
"""How far down a user may read where a model sets no limit."""
UserModel: TypeAlias = Callable[[Floats, Floats], Floats]
"""From ranks (1, 2, …) and gains (query × rank) to the chance of going on after each rank."""


def no_gain_without_judgment(s: Settings, grades: Floats) -> bool:
    """Return whether grade 0 has no gain, and the value itself is asked for, not the residual."""
    return not s.residual and s.min_rel >= 0


def only_first_gain(s: Settings, grades: Floats) -> bool:
    """Return whether the cutoff leaves one document, and the value itself is asked for."""
    return s.cutoff == 1 and no_gain_without_judgment(s, grades)


USER_MODEL = MONOTONE.but(
    unjudged_as_zero=no_gain_without_judgment,
    ignores_pool=True,
    rises_with_order=no_gain_without_judgment,
    rises_with_grades=no_gain_without_judgment,
)
"""The facts of measures in which a user goes on or stops by what was seen."""
WEIGHTED_USER_MODEL = USER_MODEL.but(
    sum_over_documents=no_gain_without_judgment,
    fixed_weights=no_gain_without_judgment,
    rises_with_order=True,
)
"""The facts of measures in which a user's attention depends on the rank alone."""


def unit_gains(
    rankings: Rankings, max_rel: float, min_rel: float, depth: int, unjudged: float = 0.0
) -> Floats:
    """Return query × rank: the gain between 0 and 1, with an assumed gain of unjudged ones."""
    found = rankings.judged(depth)
    table = np.full((len(rankings.queries), depth), unjudged)
    scaled = (found.grade - min_rel) / (max_rel - min_rel)
    table[found.query, found.rank - 1] = np.clip(scaled, 0, 1)
    return table


def attention(model: UserModel, gained: Floats) -> Floats:
    """Return query × rank: the share of the user's attention."""
    rank = np.arange(1, gained.shape[1] + 1, dtype=np.float64)
    going_on = np.broadcast_to(model(rank, gained), gained.shape)
    reached = np.cumprod(going_on, axis=1)
    reached = np.concatenate((np.ones((len(gained), 1)), reached[:, :-1]), axis=1)
    return reached / reached.sum(axis=1, keepdims=True)


@dataclass(frozen=True)
class Reader:
    """A user who reads down a list: how likely they go on, and what grades are worth to them."""

    model: UserModel
    max_rel: float
    min_rel: float = 0
    residual: bool = False
    depth: int = DEPTH

    def rate(self, rankings: Rankings) -> Floats:
        """Return the gain per document that the user sees.

        ``residual``: how much it would rise if every unjudged document had the highest gain.
        """
        known = unit_gains(rankings, self.max_rel, self.min_rel, self.depth)
        rate = (attention(self.model, known) * known).sum(axis=1)
        if not self.residual:
            return rate
        most = unit_gains(rankings, self.max_rel, self.min_rel, self.depth, unjudged=1.0)
        return (attention(self.model, most) * most).sum(axis=1) - rate

    def steps(self, rankings: Rankings) -> Columns:
        """Return gain, chance of going on, attention and their product for each rank of the list.

        With ``residual`` also the sum if every unjudged document had the highest gain.
        """
        known = unit_gains(rankings, self.max_rel, self.min_rel, self.depth)
        rank = np.arange(1, self.depth + 1)
        weight = attention(self.model, known)[0]
        going_on = np.broadcast_to(self.model(rank.astype(np.float64), known), known.shape)[0]
        columns = {
            "rank": rank,
            "gain": known[0],
            "goes on": going_on,
            "attention": weight,
            "part": weight * known[0],
            "sum": np.cumsum(weight * known[0]),
        }
        shown = rank <= rankings.retrieved[0]
        if self.residual:
            most = unit_gains(rankings, self.max_rel, self.min_rel, self.depth, unjudged=1.0)
            columns["sum at most"] = np.cumsum(attention(self.model, most)[0] * most[0])
            columns["residual"] = columns["sum at most"] - columns["sum"]
            # The ranks below the list are unjudged, too.
            shown |= rank == self.depth
        return {name: column[shown] for name, column in columns.items()}


def define_reader(name: str, **declaration: Any) -> Callable[[Callable[..., Reader]], Definition]:
    """Declare a measure by the user it assumes: its value and its trace follow.

    ``declaration`` is that of ``define``.
    """

    def declare(reader: Callable[..., Reader]) -> Definition:
        """Return the definition with its value and trace."""

        @wraps(reader)
        def rate(rankings: Rankings, *settings: Any, **named: Any) -> Floats:
            """Return the value of each query."""
            return reader(rankings, *settings, **named).rate(rankings)

        definition = define(name, **declaration)(rate)

        @definition.trace
        def steps(rankings: Rankings, s: Settings) -> Columns:
            """Return the steps of the reader."""
            return reader(rankings, **vars(s)).steps(rankings)

        return definition

    return declare


def truncate_at(depth: int, model: UserModel) -> UserModel:
    """Return the same user, who stops at a depth at the latest."""
    return lambda rank, gained: np.where(rank < depth, model(rank, gained), 0.0)


def constant_continuation(p: float) -> UserModel:
    """Return a user who goes on with the same probability at each rank."""
    return lambda rank, gained: np.full_like(rank, p)


def stop_when_satisfied(model: UserModel) -> UserModel:
    """Return the same user, who leaves at a document with the chance that its gain says."""
    return lambda rank, gained: model(rank, gained) * (1 - gained)


def insq_continuation(t: float) -> UserModel:
    """Return a user who looks for a gain of t and grows more patient with depth."""
    return lambda rank, gained: ((rank + 2 * t - 1) / (rank + 2 * t)) ** 2


def inst_continuation(t: float) -> UserModel:
    """Return a user who looks for a gain of t, and is more patient the more of it is missing."""

    def model(rank: Floats, gained: Floats) -> Floats:
        """Return the probability to continue after each rank."""
        wanted = rank + t + (t - np.cumsum(gained, axis=1))
        return np.clip((wanted - 1) / wanted, 0, 1) ** 2

    return model


def discounting(rank: Floats, gained: Floats) -> Floats:
    """Return the continuation of attention that falls as 1 / log2(rank + 1)."""
    return np.log2(rank + 1) / np.log2(rank + 2)


def harmonic(rank: Floats, gained: Floats) -> Floats:
    """Return the continuation of attention that falls as 1 / rank."""
    return rank / (rank + 1)


def target_gain(t: float) -> float:
    """Return the sum of gains that counts as an amount t, whatever was lost in adding."""
    return t - 1e-12


def stop_at_target(t: float) -> UserModel:
    """Return a user who goes on until a gain of t is reached."""
    return lambda rank, gained: (np.cumsum(gained, axis=1) < target_gain(t)).astype(np.float64)


def continuation_table(table: tuple[tuple[float, float], ...]) -> UserModel:
    """Return a user who goes on as a table states for each rank, and stops after its last rank."""
    known = dict(table)
    return lambda rank, gained: np.asarray([known.get(each, 0.0) for each in rank.tolist()])
