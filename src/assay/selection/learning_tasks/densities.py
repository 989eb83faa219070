"""Density estimation: models of a distribution by the likelihood of held-out items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import DataError, UsageError
from assay.core.phrases import quantity
from assay.engine.scores import Scores
from assay.measures.values.errors import FLOOR
from assay.selection.learning.learners import require_sklearn
from assay.selection.learning_tasks.density_models import (
    DensityModel,
    NoFit,
    bin_likelihoods,
    histogram,
    mean_log,
)
from assay.selection.learning_tasks.item_table import ItemTable, read_item_table
from assay.selection.learning_tasks.mass_functions import FAMILIES, models_for
from assay.selection.learning_tasks.task_result import (
    TaskResult,
    choose_names,
    compare_learners,
    explain_single_items,
    learning_task,
    mean_interval,
    split_rows,
)
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evidence import Progress
from assay.tasks.regression.regression import regression

SEVERAL_DIMENSIONS = "several dimensions have no order"
LEAST_TRAINING = 2


@dataclass(frozen=True, repr=False, kw_only=True)
class DensityEstimates(TaskResult):
    """Models of a density by held-out likelihood, their fit, and the values behind the figures."""

    title: ClassVar[str] = "Density estimation"
    systems: ClassVar[str] = "models"

    fits: pl.DataFrame
    """A row for each model: parameters, AIC, the Kolmogorov-Smirnov distance and its p-value."""
    bins: pl.DataFrame
    """Mean log-likelihood of histograms on training and on held-out numbers, by bins."""
    models: Mapping[str, DensityModel]
    best: str
    """The model with the highest likelihood of held-out items."""
    family: str | None
    """The family with the lowest AIC."""
    training: Floats
    held_out: Floats
    names: tuple[str, ...]
    transforms: Mapping[str, Floats]
    """P(X ≤ x) of the held-out numbers under each model (PIT)."""
    discrete: bool
    shown_bins: tuple[int, int]
    """The two numbers of bins that are drawn side by side."""
    confidence: float | None
    """The confidence level of intervals and bands; None without any."""


@learning_task
def density(
    data: Any,
    columns: Any = None,
    *,
    features: Sequence[str] | str | None = None,
    models: Sequence[str] | str | None = None,
    bins: Sequence[float] | None = None,
    discrete: bool = False,
    by: Any = (),
    test_share: float = 0.3,
    seed: int = 1,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    progress: Progress = lambda text: None,
) -> DensityEstimates:
    """Fit models of the distribution of columns, and evaluate them on held-out items.

    ``features`` (or ``columns``) name the columns; an array is taken whole. Models of one number
    are histogram, kernel, mixture, normal, log-normal, exponential, gamma, weibull and laplace; of
    several numbers the first four; with ``discrete``, of whole numbers, shares, poisson, geometric
    and negative-binomial. ``bins`` are two numbers of bins to draw side by side.
    """
    require_sklearn()
    table = _read_numbers(data, features or columns, by)
    values, known = table.features, models_for(table.features, discrete)
    chosen = {name: known[name] for name in choose_names(models, known, "model")}
    train, test = _split(table, test_share, seed)
    fitted, notes = _fit_models(chosen, values[train], progress)
    scores = _likelihoods(table.take(test), fitted, interval)
    best = scores.best_first("LogLik")[0].system
    comparison, why = compare_learners(scores, "LogLik", best, seed, interval)
    transforms = _transforms(fitted, values[test], discrete, seed)
    fits, family = _fit_table(fitted, values[train], transforms, interval)
    by_bins = _bin_table(values[train], values[test], interval)
    notes = [f"the family with the lowest AIC is {family}"] * bool(family) + notes
    return DensityEstimates(
        scores=scores,
        comparison=comparison,
        tables={"fits": fits, **({} if discrete else {"bins": by_bins})},
        notes=(
            f"{best} has the highest likelihood of held-out items",
            *(*notes, *_training_note(interval), *table.feature_notes(), *why),
        ),
        fits=fits,
        bins=by_bins,
        models=fitted,
        best=best,
        family=family,
        training=values[train],
        held_out=values[test],
        names=table.names,
        transforms=transforms,
        discrete=discrete,
        shown_bins=_shown_bins(bins, by_bins),
        confidence=None if interval is None else interval.confidence,
    )


def _training_note(interval: Bootstrap | None) -> list[str]:
    """Say which numbers have no interval, where others have one."""
    without = "parameters, training, AIC and folds describe the training items: no interval"
    return [] if interval is None else [without]


def _read_numbers(data: Any, columns: Any, by: Any) -> ItemTable:
    """Return a table of numbers, of which some differ."""
    table = read_item_table(data, None, columns, by=by)
    if table.categories:
        name = next(iter(table.categories))
        what = table.words.get(name, f"{table.source.name}: {name} is text")
        raise DataError(f"{what}; choose columns of numbers with `features`")
    table.require_differences()
    return table


def _split(table: ItemTable, test_share: float, seed: int) -> tuple[Any, Any]:
    """Return training and test rows; one training item alone has no density."""
    train, test = split_rows(table, test_share, seed)
    if len(train) < LEAST_TRAINING:
        raise DataError(
            f"{table.source.name}: {quantity(len(train), 'training item')}: at least"
            f" {LEAST_TRAINING} are needed; add items, or choose another `test_share`"
        )
    return train, test


def _fit_models(
    chosen: Mapping[str, Any], training: Floats, progress: Progress
) -> tuple[dict[str, DensityModel], list[str]]:
    """Return the models that fit, and why others do not."""
    fitted, notes = {}, []
    for name, fit in chosen.items():
        progress(name)
        try:
            fitted[name] = fit(training)
        except NoFit as why:
            notes.append(f"{name} is not fitted: {why}")
    if not fitted:
        raise DataError("; ".join(notes))
    return fitted, notes


def _likelihoods(
    tested: ItemTable, fitted: Mapping[str, DensityModel], interval: Bootstrap | None
) -> Scores:
    """Return the log-likelihood of each held-out item under each model."""
    found = {name: model.density(tested.features) for name, model in fitted.items()}
    made = regression(
        tested.features[:, 0],
        None,
        "LogLik",
        density=cast(Any, found),
        name=next(iter(found)),
        item=tested.items,
        by=dict(tested.slices or {}),
        interval=interval,
    )
    return explain_single_items(made)


def _transforms(
    fitted: Mapping[str, DensityModel], held_out: Floats, discrete: bool, seed: int
) -> dict[str, Floats]:
    """Return P(X ≤ x) of held-out numbers; of a mass function a random place within the step."""
    draw = np.random.default_rng(seed).random(len(held_out))
    found = {}
    for name, model in fitted.items():
        if model.distribution is not None:
            up_to = model.distribution(held_out)
            found[name] = up_to - draw * model.density(held_out) if discrete else up_to
    return found


def _fit_table(
    fitted: Mapping[str, DensityModel],
    training: Floats,
    transforms: Mapping[str, Floats],
    interval: Bootstrap | None,
) -> tuple[pl.DataFrame, str | None]:
    """Return what describes the fit of each model, and the family with the lowest AIC."""
    from scipy.stats import kstest

    rows = []
    for name, model in fitted.items():
        likely = mean_log(model.density(training))
        aic = 2 * model.parameters - 2 * likely * len(training)
        row = {"model": name, "parameters": model.about, "training": likely, "AIC": aic}
        if name in transforms:
            tested = kstest(transforms[name], "uniform")
            distance = float(tested.statistic)
            margin = _distance_margin(len(transforms[name]), interval)
            ends = np.clip([distance - margin, distance + margin], 0.0, 1.0).tolist()
            row |= {"KS": distance, "low": ends[0], "high": ends[1], "p": float(tested.pvalue)}
            row |= {"reasons": None}
        else:
            row |= dict.fromkeys(("KS", "low", "high", "p"), np.nan) | {
                "reasons": SEVERAL_DIMENSIONS
            }
        rows.append(row)
    table = pl.DataFrame(rows, schema_overrides={"reasons": pl.String})
    families = table.filter(pl.col("model").is_in(FAMILIES)).sort("AIC")
    return table, str(families["model"][0]) if families.height else None


def _distance_margin(size: int, interval: Bootstrap | None) -> float:
    """Return how far a distribution of so many items is away (Dvoretzky, Kiefer, Wolfowitz)."""
    if interval is None:
        return np.nan
    return float(np.sqrt(np.log(2 / (1 - interval.confidence)) / (2 * size)))


def _bin_table(training: Floats, held_out: Floats, interval: Bootstrap | None) -> pl.DataFrame:
    """Return the likelihood of histograms by bins: of training, inner folds, and held-out items."""
    rows = []
    for bins, folds in bin_likelihoods(training).items():
        made = histogram(training, bins)
        fresh = made.density(held_out)
        logs = np.log(np.maximum(fresh, FLOOR))
        low, high, _ = mean_interval(logs, interval)
        seen = mean_log(made.density(training))
        rows.append((bins, seen, folds, float(logs.mean()), low, high, int((fresh == 0).sum())))
    names = ["bins", "training", "folds", "held_out", "low", "high", "density_0"]
    return pl.DataFrame(rows, schema=names, orient="row")


def _shown_bins(asked: Sequence[float] | None, by_bins: pl.DataFrame) -> tuple[int, int]:
    """Return two numbers of bins: as asked, or the best one and a far larger one."""
    if asked is None:
        best = int(by_bins.sort("folds", descending=True)["bins"][0])
        return best, max(int(by_bins["bins"].to_list()[-1]), 4 * best)
    if len(asked) != 2 or any(each < 1 or each % 1 for each in asked):
        raise UsageError("`bins` are two whole numbers above 0, such as 10,40")
    return int(asked[0]), int(asked[1])
