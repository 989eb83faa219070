"""Thresholds by a goal: exact over all distinct scores, ties named, with an interval."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.curves import Columns
from assay.core.errors import NeedsInput, UsageError, did_you_mean
from assay.core.names import Measure, listed_measures
from assay.core.printable import Printable
from assay.evidence.views.threshold_table import ThresholdTable
from assay.formats.arrays import text_of
from assay.formats.decimal_commas import with_decimal_commas
from assay.measures.scores.curves import Outcomes, Rule, candidate_thresholds, thresholds
from assay.selection.threshold_evaluation import evaluate_thresholds, evaluated_numbers
from assay.selection.threshold_goals import Goal, ThresholdChoice, parse_goal
from assay.statistics.intervals.interval_settings import Bootstrap, read_interval
from assay.statistics.intervals.table_intervals import resampled_counts
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.classification.predictions import NEEDS, read_table
from assay.tasks.inputs.array_columns import read_arrays, split_arguments
from assay.tasks.inputs.missing_values import MissingPolicy

SLACK = 1e-12
"""Two values of a goal that differ by less are a tie."""
SAME_ITEMS = "the thresholds are evaluated on the items they were chosen on"


@dataclass(frozen=True, repr=False, eq=False)
class Thresholds(Printable):
    """The threshold table, and what each goal chooses from it."""

    table: pl.DataFrame
    chosen: tuple[ThresholdChoice, ...]
    positive: str
    rule: Rule
    warnings: tuple[str, ...] = ()
    evaluated: pl.DataFrame | None = None
    """With ``evaluate``: value and rates of each goal on the other table, with intervals."""

    def __getitem__(self, name: str) -> ThresholdChoice:
        """The choice of a goal."""
        names = {name}
        with suppress(UsageError):
            names.add(parse_goal(name).name)  # f1 is f:1
        for each in self.chosen:
            if each.goal in names:
                return each
        known = [each.goal for each in self.chosen]
        raise UsageError(
            f"no threshold was chosen for the goal '{name}'; there are {', '.join(known)}."
            + did_you_mean(name, known)
        )

    @property
    def threshold(self) -> float:
        """The threshold, if there is one goal."""
        if len(self.chosen) > 1:
            goals = [each.goal for each in self.chosen]
            raise UsageError(
                f"there are {len(goals)} goals: {', '.join(goals)}; the threshold of one is"
                f" found['{goals[0]}'].threshold"
            )
        return self.chosen[0].threshold

    def to_polars(self, table: str | None = None, *, wide: bool = False) -> pl.DataFrame:
        """A row for each goal; or the table ``evaluated``, of the other items."""
        if table is not None or wide:
            return super().to_polars(table, wide=wide)
        return pl.DataFrame(
            [
                {
                    "goal": each.goal,
                    "threshold": each.threshold,
                    "low": each.low,
                    "high": each.high,
                    "value": each.value,
                    "ties": list(each.ties),
                    "reason": each.reason,
                    **each.rates,
                }
                for each in self.chosen
            ],
            infer_schema_length=None,
        )

    def to_dict(self, exact: bool = False) -> dict[str, float]:
        """Return the numbers by name, flat, for MLflow and other loggers.

        ``youden/TPR`` is of the items that the threshold was chosen on; with ``evaluate``,
        ``youden/evaluated/TPR`` is of the others, and ``youden/evaluated/value`` what is sought.
        """
        own = super().to_dict(exact)
        return own if self.evaluated is None else own | evaluated_numbers(self.evaluated, exact)


def threshold(
    data: Any,
    scores: Any = None,
    goals: str | Sequence[str | Mapping[str, float]] | Mapping[str, float] | None = None,
    *,
    y_score: Any = None,
    truth: str = "truth",
    score: Any = "score",
    weight: Any = None,
    positive: Any = None,
    rule: Rule = "at or above",
    missing: MissingPolicy = "error",
    evaluate: Any = None,
    decimal_comma: bool = False,
    interval: Bootstrap | str | bool | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Thresholds:
    """Choose thresholds of a score, each by a goal such as ``youden`` or ``cost:fp=1,fn=20``.

    Costs may be a dict, ``{"fp": 1, "fn": 20}``, also among other goals.

    Other goals are a limit of a rate (``sensitivity:0.95``, ``FPR<=0.05``), a measure of decisions
    (``MCC``), ``accuracy``, ``f:2``, ``rule-in`` and ``rule-out``.

    ``data`` is a table, whose columns the other arguments name, or an array of true classes beside
    ``scores`` (or ``y_score``). The goals may come second instead. ``rule`` says whether an item
    whose score is the threshold is positive ("at or above") or not ("above"). Of thresholds that
    serve a goal alike the highest is chosen, and all are named. ``evaluate`` has other items, as a
    table with the same columns (truth and score where arrays were given) or as a tuple of classes
    and scores: what was chosen on ``data`` is reported there, with intervals. ``decimal_comma``
    reads numbers such as 0,25.
    """
    if hasattr(data, "predict"):
        raise UsageError(
            "thresholds are chosen from classes and scores, not from an estimator: give y and"
            " estimator.predict_proba(X)[:, 1]"
        )
    data, evaluate = _read_decimal_commas(data, evaluate) if decimal_comma else (data, evaluate)
    scores, goals = split_arguments(data, scores, _costs_as_text(goals))
    y_score = scores if y_score is None else y_score
    asked = [parse_goal(each) for each in _goal_names(goals or "youden")]
    given = score if y_score is None else y_score
    _require_one_system(given)
    columns = ClassificationColumns(
        truth, score=given, weight=weight, positive=text_of(positive), missing=missing
    )
    answers = read_table(*read_arrays(data, columns))
    if (table := answers.thresholds) is None:
        raise NeedsInput(f"a threshold needs {NEEDS[ThresholdTable]}")
    limits = read_interval(interval)
    chosen = tuple(choose_thresholds(table, asked, rule, limits))
    notes = answers.notes
    tested = None
    if evaluate is not None:
        notes += (SAME_ITEMS,) if _is_same(data, evaluate) else ()
        # The weights and the scores of other items are not those arrays.
        own = {"score": score, "weight": weight if isinstance(weight, str) else None}
        if isinstance(evaluate, tuple):
            evaluate, own["score"] = evaluate
        settled = replace(columns, positive=answers.positive, **own)
        picked = zip(asked, chosen, strict=True)
        tested = evaluate_thresholds(evaluate, settled, picked, rule, limits)
    every = pl.DataFrame(thresholds(table, rule=rule))
    return Thresholds(every, chosen, str(answers.positive), rule, notes, tested)


def _costs_as_text(goals: Any) -> Any:
    """Return the goals of costs that are given as dicts, such as fp=5 and fn=1; others as is."""
    if isinstance(goals, list | tuple):
        return [_costs_as_text(each) for each in goals]
    if not isinstance(goals, Mapping):
        return goals
    return "cost:" + ",".join(f"{error}={cost}" for error, cost in goals.items())


def _read_decimal_commas(data: Any, evaluate: Any) -> tuple[Any, Any]:
    """Return both tables with numbers in place of decimal commas; arrays are numbers already."""
    table = with_decimal_commas(data)
    if evaluate is None or isinstance(evaluate, tuple):
        return table, evaluate
    return table, table if _is_same(data, evaluate) else with_decimal_commas(evaluate)


def _is_same(data: Any, evaluate: Any) -> bool:
    """Return whether thresholds are evaluated on the table that they were chosen on."""
    return evaluate is data or (isinstance(evaluate, str) and evaluate == data)


def _require_one_system(scores: Any) -> None:
    if isinstance(scores, Mapping):
        names = list(map(str, scores))
        raise UsageError(
            f"thresholds are chosen for one system, but there is a dict of {', '.join(names[:5])}:"
            " give the scores of one of them"
        )


def _goal_names(goals: Any) -> list[str]:
    """Return the goals as a list; scores in their place are refused."""
    named = [str(g) if isinstance(g, Measure) else g for g in listed_measures(goals)]
    if not all(isinstance(each, str) for each in named):
        raise UsageError("the second argument names goals such as youden; give scores as `y_score`")
    return named


def choose_thresholds(
    table: ThresholdTable,
    goals: Sequence[Goal],
    rule: Rule = "at or above",
    interval: Bootstrap | None = None,
) -> list[ThresholdChoice]:
    """The threshold at which each goal is reached best, over every choice that decides differently.

    All goals look at the same resamples, so that none depends on which others are asked for.
    """
    at = thresholds(table, rule=rule, with_end=True)
    nowhere = [(math.nan, math.nan)] * len(goals)
    ends = _intervals(table, goals, rule, interval) if interval else nowhere
    return [_make_choice(sought, at, *own) for sought, own in zip(goals, ends, strict=True)]


def _make_choice(sought: Goal, at: Columns, low: float, high: float) -> ThresholdChoice:
    places, reason = _best_positions(sought, at)
    if not len(places):
        return ThresholdChoice(
            sought.name, sought.meaning, math.nan, math.nan, (), {}, reason=reason
        )
    first = int(places[0])
    return ThresholdChoice(
        goal=sought.name,
        meaning=sought.meaning,
        threshold=float(at["threshold"][first]),
        value=float(sought.shown(sought.value(at)[first])),
        ties=tuple(float(at["threshold"][place]) for place in places),
        rates={name: float(each[first]) for name, each in at.items() if name != "threshold"},
        low=low,
        high=high,
    )


def _best_positions(sought: Goal, at: Columns) -> tuple[Any, str | None]:
    """The places of all best thresholds; none, with a reason, where the condition is never met."""
    value = np.asarray(sought.value(at), dtype=np.float64)
    usable = ~np.isnan(value)
    if not usable.any():
        return np.empty(0, np.int64), "the items are all positive or all negative"
    if sought.allowed is not None:
        usable &= sought.allowed(at)
    if not usable.any():
        return np.empty(0, np.int64), f"no threshold gives {sought.meaning.partition(' with ')[2]}"
    best = value[usable].max()
    return np.flatnonzero(usable & (value >= best - SLACK * max(1.0, abs(best)))), None


def _intervals(
    table: ThresholdTable, goals: Sequence[Goal], rule: Rule, interval: Bootstrap
) -> list[tuple[float, float]]:
    """The percentiles of the threshold that each goal chooses in resamples of the items."""
    drawn: list[list[Floats]] = [[] for _ in goals]
    for counts in resampled_counts(table, interval.resamples, interval.seed):
        again = table.reweight(counts)
        for own, chosen in zip(drawn, _thresholds_in_resamples(again, goals, rule), strict=True):
            own.append(chosen)
    return [
        _interval_ends(np.concatenate([np.empty(0), *own]), interval.confidence) for own in drawn
    ]


def _interval_ends(chosen: Floats, confidence: float) -> tuple[float, float]:
    """Plain order statistics: a threshold is a score that occurs, or infinite, never in between."""
    kept = np.sort(chosen[~np.isnan(chosen)])
    if not len(kept) or len(kept) < len(chosen) / 2:
        return math.nan, math.nan
    place = int((1 - confidence) / 2 * (len(kept) - 1))
    return float(kept[place]), float(kept[-1 - place])


def _thresholds_in_resamples(
    drawn: ThresholdTable, goals: Sequence[Goal], rule: Rule
) -> list[Floats]:
    """The threshold that each goal chooses in each resample; NaN where none meets its condition."""
    threshold, _, _ = candidate_thresholds(drawn, rule)
    start = np.zeros((len(drawn.names), 1))
    tp, fp = np.hstack((start, drawn.tp)), np.hstack((start, drawn.fp))
    at = Outcomes(tp, fp, tp[:, -1:], fp[:, -1:])
    return [_threshold_for_goal(sought, at, threshold) for sought in goals]


def _threshold_for_goal(sought: Goal, at: Columns, threshold: Floats) -> Floats:
    value = np.asarray(sought.value(at), dtype=np.float64)
    usable = ~np.isnan(value)
    if sought.allowed is not None:
        usable &= sought.allowed(at)
    value = np.where(usable, value, -np.inf)
    best = value.max(axis=1, keepdims=True)
    reached = value >= best - SLACK * np.maximum(1.0, np.abs(np.where(np.isinf(best), 0, best)))
    return np.where(usable.any(axis=1), threshold[reached.argmax(axis=1)], np.nan)
