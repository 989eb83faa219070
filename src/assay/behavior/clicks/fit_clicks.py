"""Fitting a click model to a log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from assay.behavior.clicks.click_lists import ClickLists
from assay.behavior.clicks.expectation_maximization import (
    FitSettings,
    Solution,
    maximize,
    priors_of,
    reference_fixed,
    start_values,
)
from assay.behavior.clicks.fitted_model import ClickModel, shared_frame, shared_rows
from assay.behavior.clicks.identification import (
    NOT_LINKED,
    ONE_RANK,
    linked,
    parameter_notes,
    rank_counts,
)
from assay.behavior.clicks.list_builder import click_lists
from assay.behavior.clicks.model_structure import ClickModelStructure, find_structure
from assay.behavior.clicks.standard_errors import MOST_WORK, Uncertainty, standard_errors, work
from assay.behavior.logs.click_log import open_log
from assay.core.arrays import Bools, Floats
from assay.core.errors import UsageError, unknown_name
from assay.core.phrases import quantity
from assay.core.progress import with_progress
from assay.formats.spark_frames import is_spark_frame

Progress = Callable[[str], None]


@with_progress
def fit_clicks(
    log: Any,
    model: str = "dbn",
    *,
    prior: tuple[float, float] | None = None,
    starts: int = 3,
    tolerance: float = 1e-8,
    iterations: int = 500,
    seed: int = 1,
    depth: int | None = None,
    fix: Mapping[str, float] | None = None,
    errors: bool | None = None,
    progress: Progress = lambda text: None,
) -> ClickModel:
    """Fit a click model to a log by maximum likelihood.

    ``log`` is a path, several paths, a table or an opened log, as in ``read_clicks``. ``model`` is
    global-ctr, rank-ctr, doc-ctr, pbm, ubm, cascade, dcm, sdbn, dbn or ccm. ``prior`` adds hits and
    misses to those of every parameter, by default two in all; (0, 0) is plain maximum likelihood.
    The best of several
    ``starts`` is taken. ``depth`` cuts the lists, ``fix`` sets shared parameters, such as
    {"continuation": 1}. ``errors`` says whether standard errors are computed; by default where
    that does not take too long.
    """
    opened = open_log(log)
    if is_spark_frame(opened.data):
        from assay.behavior.clicks.spark_lists import lists_in_spark

        lists = lists_in_spark(opened, depth)
    else:
        lists = click_lists(opened.pieces(), depth)
    settings = FitSettings(prior, starts, tolerance, iterations, seed)
    fitted = fit_lists(lists, model, settings, fix, errors, progress)
    notes = (*opened.findings.notes(), *fitted.notes)
    return replace(fitted, fit={"log": opened.name, **fitted.fit}, notes=notes)


def fit_lists(
    lists: ClickLists,
    model: str,
    settings: FitSettings | None = None,
    fix: Mapping[str, float] | None = None,
    errors: bool | None = None,
    progress: Progress = lambda text: None,
) -> ClickModel:
    """Fit a click model to lists."""
    used = _checked(settings or FitSettings())
    structure = find_structure(model)
    solutions = _solve(structure, lists, used, dict(fix or {}), progress)
    best = max(solutions, key=lambda each: each.objective)
    priors = priors_of(structure, lists, used)
    uncertainty = None
    wanted = work(structure, lists) <= MOST_WORK if errors is None else errors
    if wanted:
        progress("standard errors")
        uncertainty = standard_errors(structure, lists, best, priors)
    notes = _fit_notes(structure, lists, best, solutions, wanted)
    facts = _fit_facts(lists, best, solutions)
    settled = {name: list(each) for name, each in priors.items()}
    facts |= {"prior": settled, "tolerance": used.tolerance, "seed": used.seed}
    return _describe(structure, lists, best, uncertainty, notes, facts)


def _checked(settings: FitSettings) -> FitSettings:
    if settings.prior is not None and min(settings.prior) < 0:
        raise UsageError("a prior adds numbers of hits and misses, which are not negative")
    if settings.starts < 1 or settings.iterations < 1:
        raise UsageError("a fit needs at least one start and one iteration")
    return settings


def _solve(
    structure: ClickModelStructure,
    lists: ClickLists,
    settings: FitSettings,
    fix: dict[str, float],
    progress: Progress,
) -> list[Solution]:
    fixed: dict[str, Bools] = {}
    solutions = []
    random = np.random.default_rng(settings.seed)
    for number in range(1 if _is_closed(structure) else settings.starts):
        values = start_values(structure, lists, random if number else None)
        if number == 0:
            fixed = reference_fixed(structure, lists, values)
        elif structure.products_only:
            values["examination"][fixed["examination"]] = 1.0
        _apply_fixed(structure, values, fixed, fix)
        found = maximize(
            structure,
            lists,
            values,
            settings,
            fixed,
            lambda step, reached, start=number: progress(  # type: ignore[misc]
                f"start {start + 1}, step {step}, objective {reached:.4f}"
            ),
        )
        solutions.append(found)
    return solutions


def _is_closed(structure: ClickModelStructure) -> bool:
    """Return whether nothing is hidden, so that one step is the solution."""
    return structure.name in ("cascade", "global-ctr", "rank-ctr", "doc-ctr")


def _apply_fixed(
    structure: ClickModelStructure,
    values: dict[str, Floats],
    fixed: dict[str, Bools],
    given: Mapping[str, float],
) -> None:
    names = [each.name for each in structure.parameters]
    for name, value in given.items():
        if name not in names:
            raise unknown_name(f"parameter of {structure.label}", name, names)
        if not 0 <= value <= 1:
            raise UsageError(f"{name} is a probability: {value:g} is not between 0 and 1")
        values[name] = np.full(len(values[name]), float(value))
        fixed[name] = np.ones(len(values[name]), dtype=bool)


def _fit_facts(lists: ClickLists, best: Solution, solutions: list[Solution]) -> dict[str, Any]:
    possible = np.isfinite(best.expected.likelihood)
    count = lists.count
    return {
        "lists": int(count.sum()),
        "distinct_lists": int(count.size),
        "impressions": int(lists.impressions.sum()),
        "clicks": int(lists.clicks.sum()),
        "pairs": lists.pairs.height,
        "depth": lists.highest_rank,
        "log_likelihood": float((count[possible] * best.expected.likelihood[possible]).sum()),
        "impossible_lists": int(count[~possible].sum()),
        "objective": best.objective,
        "iterations": len(best.history) - 1,
        "converged": best.converged,
        "starts": [each.objective for each in solutions],
    }


def _fit_notes(
    structure: ClickModelStructure,
    lists: ClickLists,
    best: Solution,
    solutions: list[Solution],
    errors: bool,
) -> list[str]:
    notes = []
    if not best.converged:
        steps = quantity(len(best.history) - 1, "iteration")
        notes.append(f"the objective had not settled after {steps}; raise `iterations`")
    reached = [each.objective for each in solutions]
    if max(reached) - min(reached) > 1e-4 * abs(max(reached)):
        notes.append(f"the {len(reached)} starts ended in different optima; the best is used")
    ruled_out = int(lists.count[np.isneginf(best.expected.likelihood)].sum())
    if ruled_out:
        notes.append(
            f"{quantity(ruled_out, 'list')} of {int(lists.count.sum()):,} have clicks that the"
            f" {structure.label} rules out, and are excluded"
        )
    if structure.products_only:
        place = int(np.argmax(best.fixed["examination"]))
        depth = lists.highest_rank
        where = f"rank {place + 1}" if structure.name == "pbm" else f"rank {place // depth + 1}"
        notes.append(
            f"only products of attractiveness and examination are identified: the examination of"
            f" {where} is set to 1"
        )
    if not errors:
        notes.append("standard errors were not computed; ask for them with `errors`")
    return notes


def _describe(
    structure: ClickModelStructure,
    lists: ClickLists,
    best: Solution,
    uncertainty: Uncertainty | None,
    notes: list[str],
    facts: dict[str, Any],
) -> ClickModel:
    """Return the model with the tables of its parameters."""
    ranks = rank_counts(lists)
    reference = int(np.argmax(best.fixed["examination"])) if structure.products_only else 0
    with_reference = linked(structure, lists, best.values, reference)
    columns: dict[str, Any] = {
        "impressions": lists.impressions,
        "clicks": lists.clicks,
        "ranks": ranks,
        "coec": clicks_over_expected(lists),
    }
    rows: list[dict[str, Any]] = []
    share = None if uncertainty is None else uncertainty.prior_share
    for each in structure.parameters:
        value = best.values[each.name]
        error = (
            np.full(len(value), np.nan) if uncertainty is None else uncertainty.errors[each.name]
        )
        link = with_reference[0 if each.index == "pair" else 1] if structure.products_only else None
        said = parameter_notes(best.expected, share, each.name, link)
        if each.index == "pair":
            if structure.products_only:
                said = [
                    ONE_RANK if not note and count == 1 else note
                    for note, count in zip(said, ranks, strict=True)
                ]
            columns |= {each.name: value, f"{each.name}_se": error, f"{each.name}_note": said}
        else:
            rows += shared_rows(each, value, error, said)
    seen = [row for row in rows if row["last_click"] is None or row["last_click"] < row["rank"]]
    pairs = lists.pairs.with_columns(**{name: pl.Series(each) for name, each in columns.items()})
    loose = sum(row["note"] == NOT_LINKED for row in seen)
    if loose:
        notes.append(
            f"{quantity(loose, 'examination parameter')} cannot be compared with the reference:"
            " no document was shown at both; see the notes of the parameters"
        )
    return ClickModel(structure.name, shared_frame(rows), pairs, facts, tuple(notes))


def clicks_over_expected(lists: ClickLists) -> Floats:
    """Return clicks over expected clicks (COEC) of each pair.

    Expected are those of the click-through rate of the rank, over all impressions.
    """
    depth = lists.highest_rank
    shown, clicked = np.zeros(depth), np.zeros(depth)
    for position, size in enumerate(lists.active[:-1]):
        place = np.broadcast_to(np.asarray(lists.ranks(position, size)), size)
        weight = lists.count[:size]
        shown += np.bincount(place, weight, depth)
        clicked += np.bincount(place, weight * lists.click[position, :size], depth)
    rate = np.divide(clicked, shown, out=np.zeros(depth), where=shown > 0)
    total = lists.sum_blocks(lambda part: part.pair_part(_expected_clicks(part, rate)))
    return np.divide(lists.clicks, total, out=np.full(len(total), np.nan), where=total > 0)


def _expected_clicks(part: ClickLists, rate: Floats) -> Floats:
    """Return the click-through rate of the rank of each position."""
    expected = np.zeros(part.pair.shape)
    for position, size in enumerate(part.active[:-1]):
        expected[position, :size] = rate[part.ranks(position, size)]
    return expected
