"""Comparing click models on held-out lists: log-likelihood and perplexity, with intervals.

Sessions are the units: the standard error of each number is that of a ratio of sums over sessions
(the delta method).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.behavior.clicks.click_lists import ClickLists
from assay.behavior.clicks.expectation_maximization import FitSettings
from assay.behavior.clicks.fit_clicks import fit_lists
from assay.behavior.clicks.fitted_model import ClickModel
from assay.behavior.clicks.list_builder import ListBuilder, click_lists
from assay.behavior.clicks.model_structure import find_structure, log_likelihood
from assay.behavior.logs.click_log import ClickLog, open_log
from assay.core.arrays import Bools, Floats, Ints, sum_at
from assay.core.errors import DataError, UsageError
from assay.core.phrases import quantity
from assay.core.printable import Printable
from assay.core.progress import with_progress

MODELS = ("rank-ctr", "doc-ctr", "pbm", "ubm", "cascade", "dcm", "sdbn", "dbn", "ccm")
CERTAIN = 1e-12
"""Marginal probabilities are kept this far from 0 and 1, where a perplexity would be infinite."""


@dataclass(frozen=True, eq=False, repr=False)
class ModelComparison(Printable):
    """How well click models predict lists that they were not fitted to."""

    models: pl.DataFrame
    """model, lists, impossible, log_likelihood, perplexity and conditional, each with low, high."""
    ranks: pl.DataFrame
    """model, rank, lists, perplexity, conditional."""
    notes: tuple[str, ...] = ()


@with_progress
def compare_click_models(
    log: Any,
    models: Sequence[str] | None = None,
    *,
    test: Any = None,
    test_share: float = 0.25,
    split: str | None = None,
    confidence: float = 0.95,
    depth: int | None = None,
    prior: tuple[float, float] | None = None,
    starts: int = 1,
    seed: int = 1,
    progress: Callable[[str], None] = lambda text: None,
) -> ModelComparison:
    """Fit click models to a part of a log and compare them on the rest.

    ``test`` is a log of its own; otherwise ``test_share`` of the sessions are held out: the latest
    ones if the log has times (``split`` time), or random ones (``split`` random).
    ``log_likelihood`` is the mean of a list; ``perplexity`` is the mean over ranks, from click
    probabilities, and ``conditional`` from those given the clicks above; 1 is perfect and 2 a coin.
    Lists with clicks that a model rules out are counted as ``impossible`` and excluded from its
    log-likelihood and conditional perplexity. The log is read in pieces; its distinct lists are
    kept in memory.
    """
    names = [find_structure(name).name for name in models or MODELS]
    opened = open_log(log)
    if test is None:
        lists, tested, notes = _split(opened, test_share, split, seed, depth)
    else:
        lists, tested, notes = _two_logs(opened, open_log(test, opened.settings), depth)
    settings = FitSettings(prior, starts, seed=seed)
    rows, ranks = [], []
    for name in names:
        progress(name)
        fitted = fit_lists(lists, name, settings, errors=False)
        found = evaluate_model(fitted, tested, confidence)
        rows.append({"model": name, **found[0]})
        ranks.append(found[1].select(pl.lit(name).alias("model"), pl.all()))
    ruled_out = pl.col("impossible") > 0  # These numbers are of fewer lists than the others.
    order = [ruled_out, "log_likelihood", "model"]
    frame = pl.DataFrame(rows).sort(order, descending=[False, True, False])
    return ModelComparison(frame, pl.concat(ranks), tuple(notes))


def _sessions(log: ClickLog) -> pl.DataFrame:
    """Return the sessions of a log and the time at which each begins, in the order of names."""
    first = pl.col("time").min()
    parts = [piece.group_by("session").agg(first) for piece in log.pieces()]
    return pl.concat(parts).group_by("session").agg(first).sort("session")


def _two_logs(
    log: ClickLog, other: ClickLog, depth: int | None
) -> tuple[ClickLists, ClickLists, list[str]]:
    """Return the lists to fit and those to test, from a log each."""
    numbered = _sessions(other).drop("time").with_row_index("number")
    pieces = (piece.join(numbered, on="session", maintain_order="left") for piece in other.pieces())
    lists, tested = click_lists(log.pieces(), depth), click_lists(pieces, depth)
    return lists, tested, [*log.findings.notes(), *other.findings.notes()]


def _split(
    log: ClickLog, share: float, split: str | None, seed: int, depth: int | None
) -> tuple[ClickLists, ClickLists, list[str]]:
    """Return the lists to fit and those to test, from the sessions of one log, and notes."""
    if not 0 < share < 1:
        raise UsageError("the share of held-out sessions lies between 0 and 1")
    sessions = _sessions(log)
    size = max(1, round(share * sessions.height))
    ordered, how = _order_sessions(sessions, split, seed)
    if size >= sessions.height:
        raise DataError(f"{quantity(sessions.height, 'session')} cannot be split")
    held_out = pl.DataFrame({"session": ordered.tail(size)}).with_row_index("number")
    train, tested = ListBuilder(depth), ListBuilder(depth)
    for piece in log.pieces():
        train.add(piece.join(held_out, on="session", how="anti", maintain_order="left"))
        tested.add(piece.join(held_out, on="session", how="inner", maintain_order="left"))
    held = f"{quantity(size, 'session')} of {sessions.height:,} held out: {how}"
    return train.build(), tested.build(), [*log.findings.notes(), held]


def _order_sessions(sessions: pl.DataFrame, split: str | None, seed: int) -> tuple[pl.Series, str]:
    """Return the sessions, those to hold out last, and how they are chosen."""
    timed = sessions["time"].null_count() == 0 and sessions["time"].n_unique() > 1
    chosen = split or ("time" if timed else "random")
    if chosen not in ("time", "random"):
        raise UsageError(f"there is no split '{chosen}'; there are time and random")
    if chosen == "time":
        if not timed:
            raise DataError("the log cannot be split by time: not every session has one")
        return sessions.sort("time", "session")["session"], "the latest"
    order = np.random.default_rng(seed).permutation(sessions.height)
    return sessions["session"].gather(order), f"random (seed {seed})"


def evaluate_model(
    model: ClickModel, lists: ClickLists, confidence: float = 0.95
) -> tuple[dict[str, Any], pl.DataFrame]:
    """Return the summary of a model on lists of known sessions, and its perplexity at each rank."""
    session = lists.session if lists.session is not None else np.arange(lists.count.size)
    structure, values = model.structure, model.values_for(lists)
    conditional = structure.conditional(lists, values)
    marginal = np.clip(structure.marginal(lists, values), CERTAIN, 1 - CERTAIN)
    likelihood = log_likelihood(lists, conditional)
    possible = np.isfinite(likelihood)
    known = model.places(lists) >= 0
    summary: dict[str, Any] = {
        "lists": int(lists.count.sum()),
        "known": float(lists.impressions[known].sum() / lists.impressions.sum()),
        "impossible": int(lists.count[~possible].sum()),
    }
    units, number = int(session.max()) + 1, session[possible]
    count = lists.count[possible]
    sums = sum_at(number, likelihood[possible] * count, units)
    sizes = sum_at(number, count, units)
    half = _quantile(confidence)
    mean, error = _ratio(sums, sizes)
    summary |= {"log_likelihood": mean, "low": mean - half * error, "high": mean + half * error}
    plain = _perplexity(lists, marginal, session, np.ones(len(possible), dtype=bool))
    given = _perplexity(lists, conditional, session, possible)
    for name, (_, total, deviation) in (("perplexity", plain), ("conditional", given)):
        summary |= {
            name: total,
            f"{name}_low": total - half * deviation,
            f"{name}_high": total + half * deviation,
        }
    shown = [int(n) for n in _lists_by_rank(lists)]
    frame = pl.DataFrame(
        {
            "rank": range(1, len(shown) + 1),
            "lists": shown,
            "perplexity": plain[0],
            "conditional": given[0],
        }
    )
    return summary, frame


def _quantile(confidence: float) -> float:
    from statistics import NormalDist

    if not 0 < confidence < 1:
        raise UsageError("a confidence level lies between 0 and 1")
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def _ratio(sums: Floats, sizes: Floats) -> tuple[float, float]:
    """Return the ratio of two sums over sessions, and its standard error."""
    total = sizes.sum()
    if not total:
        return math.nan, math.nan
    mean = float(sums.sum() / total)
    return mean, float(np.sqrt(((sums - mean * sizes) ** 2).sum()) / total)


def _lists_by_rank(lists: ClickLists) -> Floats:
    shown = np.zeros(lists.highest_rank)
    for position, size in enumerate(lists.active[:-1]):
        place = np.broadcast_to(np.asarray(lists.ranks(position, size)), size)
        shown += np.bincount(place, lists.count[:size], len(shown))
    return shown


def _perplexity(
    lists: ClickLists, chance: Floats, session: Ints, used: Bools
) -> tuple[Floats, float, float]:
    """Return the perplexity of each rank, their mean, and its standard error over sessions."""
    depth, sessions = lists.highest_rank, int(session.max()) + 1
    loss = np.zeros((depth, sessions))
    shown = np.zeros((depth, sessions))
    for position, size in enumerate(lists.active[:-1]):
        here = used[:size]
        click = lists.click[position, :size][here]
        p = chance[position, :size][here]
        with np.errstate(divide="ignore"):
            bits = -np.log2(np.where(click, p, 1 - p))
        rank = np.broadcast_to(np.asarray(lists.ranks(position, size)), size)[here]
        count = lists.count[:size][here]
        np.add.at(loss, (rank, session[:size][here]), bits * count)
        np.add.at(shown, (rank, session[:size][here]), count)
    total = shown.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = loss.sum(axis=1) / total
    value = np.exp2(entropy)
    there = total > 0
    mean = float(value[there].mean())
    moved = (loss - np.where(there, entropy, 0)[:, None] * shown) / np.maximum(total, 1)[:, None]
    influence = (math.log(2) * np.where(there, value, 0)[:, None] * moved).sum(axis=0) / there.sum()
    return value, mean, float(np.sqrt((influence**2).sum()))
