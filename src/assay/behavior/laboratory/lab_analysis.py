"""The analysis of a laboratory experiment, by a mixed model or by pairs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from assay.behavior.laboratory.lab_result import LabResult
from assay.behavior.laboratory.lab_table import LabColumns, Trials, check_plan, read_trials
from assay.behavior.laboratory.mixed_model import MixedFit, fit_mixed
from assay.core.arrays import Floats
from assay.core.errors import DataError, UsageError, unknown_name
from assay.core.phrases import quantity
from assay.formats.decimal_commas import with_decimal_commas
from assay.statistics.corrections import adjust_p_values
from assay.version import VERSION

METHODS = ("mixed", "paired")


@dataclass(frozen=True)
class _Analysis:
    """The rows that one outcome adds to the tables of a result."""

    tests: dict[str, Any]
    pairs: list[dict[str, Any]]
    variances: list[dict[str, Any]]
    notes: tuple[str, ...] = ()


def analyze_trials(
    data: Any,
    outcomes: str | Sequence[str] = (),
    *,
    sus: str | Sequence[str] | None = None,
    method: str = "mixed",
    log: str | Sequence[str] = (),
    plan: Any = None,
    participant: str = "participant",
    system: str = "system",
    task: str = "task",
    order: str = "order",
    confidence: float = 0.95,
    decimal_comma: bool = False,
) -> LabResult:
    """Compare systems by the outcomes of trials: times, success, ratings, SUS.

    ``method`` is mixed (outcome ~ system + order + (1|participant) + (1|task), by REML with
    Satterthwaite's degrees of freedom) or paired (t and Wilcoxon over the means of participants).
    ``sus`` names the ten columns of the System Usability Scale, also as ``q*``. ``log`` names
    outcomes that are analyzed on a log scale, such as times. The trials are checked against a
    ``plan``. ``decimal_comma`` reads numbers such as 0,25.
    """
    if method not in METHODS:
        raise unknown_name("method", method, METHODS)
    if not 0 < confidence < 1:
        raise UsageError(f"`confidence` is {confidence:g}: between 0 and 1 is expected")
    named = [outcomes] if isinstance(outcomes, str) else list(outcomes)
    logged = [log] if isinstance(log, str) else list(log)
    named += [name for name in logged if name not in named]
    data = with_decimal_commas(data, decimal_comma)
    trials = read_trials(data, LabColumns(participant, system, task, order), named, sus)
    notes = [*trials.notes, *(check_plan(trials, plan) if plan is not None else [])]
    analyze: Callable[..., _Analysis] = _mixed if method == "mixed" else _paired
    found = []
    for name in trials.outcomes:
        values = _values(trials, name, name in logged)
        found.append(analyze(trials, name, values, confidence))
    pairs = [row for each in found for row in _corrected(each.pairs, logged)]
    conventions = _conventions(trials, method, logged) | {"confidence": confidence}
    return LabResult(
        _system_table(trials, logged),
        pl.DataFrame([each.tests for each in found]),
        pl.DataFrame(pairs),
        pl.DataFrame([row for each in found for row in each.variances]),
        conventions,
        tuple(dict.fromkeys([*notes, *(note for each in found for note in each.notes)])),
    )


def _conventions(trials: Trials, method: str, logged: Sequence[str]) -> dict[str, Any]:
    return {
        "assay": VERSION,
        "method": method,
        "model": _model_text(trials) if method == "mixed" else "means of participants by system",
        "participants": trials.frame["participant"].n_unique(),
        "systems": trials.frame["system"].unique().sort().to_list(),
        "trials": trials.frame.height,
        "log_scale": list(logged),
        "correction": "holm",
    }


def _values(trials: Trials, name: str, logged: bool) -> Floats:
    values = trials.frame[name].to_numpy()
    if not logged:
        return values
    if (values <= 0).any():
        row = trials.frame.row(int(np.argmax(values <= 0)), named=True)
        raise DataError(
            f"{trials.source.name}: the {name} of participant '{row['participant']}' with"
            f" '{row['system']}' is {row[name]:g}; a log scale needs numbers above 0"
        )
    return np.log(values)


def _model_text(trials: Trials) -> str:
    parts = ["system"]
    parts += ["order"] if "order" in trials.frame.columns else []
    parts += ["(1|participant)"]
    parts += ["(1|task)"] if "task" in trials.frame.columns else []
    return f"outcome ~ {' + '.join(parts)}, REML, Satterthwaite"


def fit_trials(trials: Trials, values: Floats) -> MixedFit:
    """Fit the mixed model of an outcome; the first system is the intercept."""
    system = trials.codes("system")
    columns = [np.ones(len(values))]
    columns += [(system == n).astype(np.float64) for n in range(1, system.max() + 1)]
    if "order" in trials.frame.columns:
        order = trials.frame["order"].to_numpy()
        columns.append(order - order.mean())
    names = [name for name in ("participant", "task") if name in trials.frame.columns]
    return fit_mixed(values, np.column_stack(columns), [trials.codes(name) for name in names])


def _mixed(trials: Trials, name: str, values: Floats, confidence: float) -> _Analysis:
    from scipy.special import stdtr, stdtrit

    fit = fit_trials(trials, values)
    systems = trials.frame["system"].unique().sort().to_list()
    contrasts = np.eye(len(fit.effects))[: len(systems)]
    contrasts[0] = 0.0  # The first system is the intercept: its own effect is 0.
    statistic, freedom, p = fit.f_test(contrasts[1:])
    total = math.sqrt(float(fit.variances.sum()))
    pairs = []
    for base, other in combinations(range(len(systems)), 2):
        contrast = contrasts[other] - contrasts[base]
        value, error, below = (
            float(contrast @ fit.effects),
            fit.error(contrast),
            fit.freedom(contrast),
        )
        reach = float(stdtrit(below, (1 + confidence) / 2)) * error
        pairs.append(
            {
                "outcome": name,
                "system": systems[other],
                "baseline": systems[base],
                "difference": value,
                "low": value - reach,
                "high": value + reach,
                "df": below,
                "p": 2 * float(stdtr(below, -abs(value) / error)),
                "effect_size": value / total,
            }
        )
    tests = {"outcome": name, "F": statistic, "df": len(systems) - 1, "df_error": freedom, "p": p}
    return _Analysis(tests, pairs, _variance_rows(trials, name, fit))


def _variance_rows(trials: Trials, name: str, fit: MixedFit) -> list[dict[str, Any]]:
    names = [each for each in ("participant", "task") if each in trials.frame.columns]
    total = float(fit.variances.sum())
    return [
        {"outcome": name, "effect": effect, "variance": size, "share": size / total}
        for effect, size in zip([*names, "residual"], fit.variances.tolist(), strict=True)
    ]


def _paired(trials: Trials, name: str, values: Floats, confidence: float) -> _Analysis:
    """Compare the means of participants, of those who used all systems."""
    from scipy.stats import ttest_rel, wilcoxon

    keyed = trials.frame.select("participant", "system").with_columns(value=pl.Series(values))
    table = keyed.pivot(
        "system", index="participant", values="value", aggregate_function="mean"
    ).sort("participant")
    complete = table.drop_nulls()
    lost = table.height - complete.height
    if complete.height < 2:
        raise DataError(
            f"{trials.source.name}: {quantity(complete.height, 'participant')} used all systems;"
            " pairs need two or more: use `method=mixed`"
        )
    notes = (f"{quantity(lost, 'participant')} left out who did not use all systems",)
    systems = sorted(name for name in complete.columns if name != "participant")
    pairs = []
    for base, other in combinations(systems, 2):
        one, two = complete[other].to_numpy(), complete[base].to_numpy()
        found = ttest_rel(one, two)
        interval = found.confidence_interval(confidence)
        difference = one - two
        spread = float(difference.std(ddof=1))
        pairs.append(
            {
                "outcome": name,
                "system": other,
                "baseline": base,
                "difference": float(difference.mean()),
                "low": float(interval.low),
                "high": float(interval.high),
                "df": float(len(one) - 1),
                "p": float(found.pvalue) if spread > 0 else math.nan,
                "effect_size": float(difference.mean()) / spread if spread > 0 else math.nan,
                "p_wilcoxon": float(wilcoxon(one, two).pvalue) if spread > 0 else math.nan,
            }
        )
    statistic, freedom, p = _anova(complete.select(systems).to_numpy())
    tests = {"outcome": name, "F": statistic, "df": len(systems) - 1, "df_error": freedom, "p": p}
    return _Analysis(tests, pairs, [], notes if lost else ())


def _anova(table: Floats) -> tuple[float, float, float]:
    """Return F, its degrees of freedom and p of a repeated-measures analysis of variance."""
    from scipy.special import fdtrc

    people, systems = table.shape
    centered = table - table.mean(axis=1, keepdims=True) - table.mean(axis=0) + table.mean()
    between = people * float(((table.mean(axis=0) - table.mean()) ** 2).sum()) / (systems - 1)
    below = (people - 1) * (systems - 1)
    residual = float((centered**2).sum()) / below
    if residual == 0:
        return math.nan, float(below), math.nan
    return between / residual, float(below), float(fdtrc(systems - 1, below, between / residual))


def _corrected(pairs: list[dict[str, Any]], logged: Sequence[str]) -> list[dict[str, Any]]:
    """Return the pairs of one outcome with corrected p-values, and ratios of log scales."""
    corrected = adjust_p_values(np.array([row["p"] for row in pairs]), "holm").tolist()
    rows = []
    for row, p in zip(pairs, corrected, strict=True):
        on_log = row["outcome"] in logged
        ratio = math.exp(row["difference"]) if on_log else None
        rows.append({**row, "p_corrected": p, "ratio": ratio})
    return rows


def _system_table(trials: Trials, logged: Sequence[str]) -> pl.DataFrame:
    parts = []
    for name in trials.outcomes:
        geometric = pl.col(name).log().mean().exp() if name in logged else pl.lit(None)
        parts.append(
            trials.frame.group_by("system")
            .agg(
                trials=pl.len(),
                mean=pl.col(name).mean(),
                sd=pl.col(name).std(),
                median=pl.col(name).median(),
                geometric_mean=geometric.cast(pl.Float64),
            )
            .sort("system")
            .insert_column(0, pl.lit(name).alias("outcome"))
        )
    return pl.concat(parts)
