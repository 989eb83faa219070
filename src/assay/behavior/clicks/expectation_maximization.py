"""Expectation maximization, the same for every click model: all parameters are probabilities."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from assay.behavior.clicks.click_lists import ClickLists, keep_freed_memory
from assay.behavior.clicks.model_structure import ClickModelStructure, Expected, Values
from assay.core.arrays import Bools, Floats

Priors = Mapping[str, tuple[float, float]]
"""The hits and misses that are added to those of each parameter."""
NO_PRIOR = (0.0, 0.0)
PRIOR_SIZE = 2.0
REFERENCE_STEPS = 8


@dataclass(frozen=True)
class FitSettings:
    """How a model is fitted."""

    prior: tuple[float, float] | None = None
    """Hits and misses that are added to those of every parameter; (0, 0) is maximum likelihood.

    By default two observations in all: with the click-through rate of the log for attractiveness,
    and one hit and one miss for every other parameter.
    """
    starts: int = 3
    tolerance: float = 1e-8
    """The relative change of the objective below which the iteration ends."""
    iterations: int = 500
    seed: int = 1


@dataclass(frozen=True)
class Solution:
    """Where one start of the iteration ended."""

    values: dict[str, Floats]
    expected: Expected
    history: tuple[float, ...]
    """The objective before each step: log-likelihood plus the logarithm of the prior."""
    converged: bool
    fixed: Mapping[str, Bools]
    """The parameters that were not estimated."""

    @property
    def objective(self) -> float:
        """The objective at the end."""
        return self.history[-1]


def start_values(
    structure: ClickModelStructure, lists: ClickLists, random: np.random.Generator | None
) -> dict[str, Floats]:
    """Return start values: from click-through rates, or random."""
    values = {}
    for each in structure.parameters:
        shape = structure.shape(each, lists)
        if random is not None:
            values[each.name] = random.uniform(0.1, 0.9, shape)
        elif each.name in ("attractiveness", "rate") and each.index == "pair":
            values[each.name] = (lists.clicks + 1) / (lists.impressions + 2)
        else:
            values[each.name] = np.full(shape, 0.5)
    return values


def maximize(
    structure: ClickModelStructure,
    lists: ClickLists,
    start: Values,
    settings: FitSettings,
    fixed: Mapping[str, Bools] | None = None,
    progress: Callable[[int, float], None] = lambda step, objective: None,
) -> Solution:
    """Iterate from a start until the objective settles; it never falls."""
    values = {name: each.copy() for name, each in start.items()}
    held = dict(fixed or {})
    priors = priors_of(structure, lists, settings)
    history: list[float] = []
    converged = False
    keep_freed_memory()
    expected = structure.expect(lists, values)
    for step in range(settings.iterations + 1):
        history.append(objective(lists, expected, values, priors, held))
        progress(step, history[-1])
        change = abs(history[-1] - history[-2]) if step else math.inf
        converged = change <= settings.tolerance * max(abs(history[-1]), 1e-12)
        if converged or step == settings.iterations:
            break
        values = improve(expected, values, priors, held)
        expected = structure.expect(lists, values)
    return Solution(values, expected, tuple(history), converged, held)


def improve(
    expected: Expected, values: Values, priors: Priors, fixed: Mapping[str, Bools]
) -> dict[str, Floats]:
    """Return the maximization step: each parameter is its share of hits.

    One without hits and misses keeps its value.
    """
    better = {}
    for name, before in values.items():
        hits = expected.hits[name] + priors[name][0]
        misses = expected.misses[name] + priors[name][1]
        total = hits + misses
        share = np.divide(hits, total, out=before.copy(), where=total > 0)
        better[name] = np.where(fixed[name], before, share) if name in fixed else share
    return better


def objective(
    lists: ClickLists,
    expected: Expected,
    values: Values,
    priors: Priors,
    fixed: Mapping[str, Bools],
) -> float:
    """Return the log-likelihood of the possible lists plus the logarithm of the prior."""
    possible = np.isfinite(expected.likelihood)
    total = float((lists.count[possible] * expected.likelihood[possible]).sum())
    for name, each in values.items():
        free = each if name not in fixed else each[~fixed[name]]
        sides = zip(priors[name], (free, 1 - free), strict=True)
        with np.errstate(divide="ignore"):
            total += sum(float((size * np.log(side)).sum()) for size, side in sides if size)
    return total


def priors_of(
    structure: ClickModelStructure, lists: ClickLists, settings: FitSettings
) -> dict[str, tuple[float, float]]:
    """Return the prior of each parameter."""
    rate = float(lists.clicks.sum() / max(lists.impressions.sum(), 1))
    clicked = PRIOR_SIZE * min(max(rate, 0.05), 0.95)
    by_name = {}
    for each in structure.parameters:
        by_rate = each.name in ("attractiveness", "rate") and each.index == "pair"
        default = (clicked, PRIOR_SIZE - clicked) if by_rate else (PRIOR_SIZE / 2, PRIOR_SIZE / 2)
        by_name[each.name] = default if settings.prior is None else settings.prior
    return by_name


def reference_fixed(
    structure: ClickModelStructure, lists: ClickLists, values: dict[str, Floats]
) -> dict[str, Bools]:
    """Fix the scale of a model of which only products are identified.

    The examination parameter that is highest after some steps without a prior is set to 1, for
    good; the attractiveness is scaled with it.
    """
    if not structure.products_only:
        return {}
    steps = FitSettings(NO_PRIOR, iterations=REFERENCE_STEPS, tolerance=0)
    found = maximize(structure, lists, values, steps)
    seen = found.expected.hits["examination"] + found.expected.misses["examination"]
    often = seen >= 0.01 * seen.max()
    place = int(np.argmax(np.where(often, found.values["examination"], -1)))
    scale = found.values["examination"][place]
    examination = np.minimum(found.values["examination"] / scale, 0.999)
    examination[place] = 1.0
    values["examination"] = examination
    values["attractiveness"] = np.clip(found.values["attractiveness"] * scale, 1e-6, 1 - 1e-6)
    fixed = np.zeros(len(examination), dtype=bool)
    fixed[place] = True
    return {"examination": fixed}
