"""Comparison of systems: differences, tests and intervals from the Scores of several systems."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.core.errors import NeedsInput, UnknownMeasure, unknown_name
from assay.core.json_rows import json_rows
from assay.core.names import measure_text
from assay.core.printable import Printable
from assay.core.progress import with_progress
from assay.engine.measured_names import TABLE, find_measured
from assay.engine.result import ALL
from assay.engine.scores import Scores
from assay.statistics.differences.contrasts import contrast_systems
from assay.statistics.differences.paired_samples import Missing
from assay.statistics.differences.samples import UnitSample
from assay.statistics.differences.sliced_samples import SliceRules
from assay.statistics.intervals.interval_settings import Bootstrap, read_interval
from assay.statistics.paired.folds import FOLD_TESTS
from assay.statistics.significance_tests import (
    DEFAULT_TEST,
    PERMUTATIONS,
    Alternative,
    ComparisonSettings,
    Family,
    default_correction,
    find_any_test,
    find_named_test,
    joint_tests,
)
from assay.tasks.comparison.comparison_notes import correction_note, difference_notes, sample_notes
from assay.tasks.comparison.comparison_tables import (
    joint_table,
    pair_table,
    system_table,
    widen_pairs,
)
from assay.tasks.comparison.measure_samples import Samples, default_draws, pair_measures
from assay.tasks.scores.compared_scores import read_compared
from assay.tasks.scores.read_scores import ScoreColumns, find_system, select_score_measures
from assay.tasks.scores.unit_slices import with_slices
from assay.version import VERSION

if TYPE_CHECKING:
    pass

FOLD_TEST = "corrected-t"
"""The default test of the folds of a cross-validation."""


@with_progress
def compare(
    scores: Any,
    measures: Any = None,
    *,
    baseline: str | int | Sequence[str | int] | None = None,
    test: str | None = None,
    correct: str | None = None,
    family: Family = "systems",
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    interval: Bootstrap | str | bool | None = Bootstrap(),  # noqa: B008 (frozen)
    permutations: int | None = None,
    seed: int = 1,
    tie_width: float = 0.0,
    test_share: float | None = None,
    missing: Missing = "drop",
    weights: Mapping[str, float] | None = None,
    by: Any = None,
    units: Any = None,
    min_size: int = 1,
    system_column: str | None = None,
    unit_column: str | None = None,
    decimal_comma: bool = False,
    progress: Callable[[int, int], None] = ComparisonSettings.progress,
) -> Comparison:
    """Compare systems with one or more baselines (names, or places from 0), or all with all.

    ``scores`` are Scores, saved ones, dicts of scikit-learn's ``cross_validate`` by the names of
    the systems, a fitted search or its ``cv_results_``, or a table of system, unit, measure and
    value (or with a column for each measure). ``test`` is a paired test, whose p-values
    ``correct`` corrects over the ``family``, or a joint test with its own correction. The default
    is a randomization test with Holm's correction, for very many pairs the randomized Tukey test,
    for folds of a cross-validation the corrected resampled t-test; of ``assay.cross_validate`` the
    folds are compared, and the items only by another ``test`` or within slices. ``margin`` is the
    smallest difference that matters: it adds a test of equivalence. ``weights`` are given by unit.
    ``by`` compares within slices of ``min_size`` units, too: a dict or Series of the slice of each
    unit, a table of both, or a column of the table ``units``. ``interval.clusters`` are units of
    tests. ``system_column`` and ``unit_column`` name columns of a table, whose numbers are written
    as 0,25 with ``decimal_comma``.
    """
    columns = ScoreColumns(system_column, unit_column, decimal_comma)
    by_items = by is not None or test
    found, asked, default_test = _find_scores(scores, measures, columns, by_items)
    found, labels = (found, None) if by is None else with_slices(found, by, units)
    names = [baseline] if isinstance(baseline, str | int) else baseline or ()
    chosen, renamed = find_named_test(test or default_test, alternative)
    limits = interval if isinstance(interval, Bootstrap) else read_interval(interval)
    settings = ComparisonSettings(
        test=chosen,
        alternative=alternative,
        permutations=permutations or PERMUTATIONS,
        seed=seed,
        tie_width=tie_width,
        test_share=found.conventions.get("test_share") if test_share is None else test_share,
        progress=progress,
        baselines=tuple(dict.fromkeys(find_system(found, name) for name in names)),
        correct=default_correction(chosen, correct),
        family=family,
        margin=margin,
        interval=limits or Bootstrap(),
    )
    samples, failures = pair_measures(found, asked, settings, missing, weights, test or "")
    settings, renamed = default_draws(settings, samples, test or correct, renamed, permutations)
    return _compare(found, samples, settings, SliceRules(labels, min_size), (failures, renamed))


def _find_scores(
    given: Any, measures: Any, columns: ScoreColumns, by_items: bool | str | None
) -> tuple[Scores, tuple[str, ...], str]:
    """Return the scores of at least two systems, the measures to compare, and the default test."""
    found = given
    if not isinstance(given, Scores) or given.task == TABLE:
        found = read_compared(given, measures, columns)
    if any(each.unit_kind == "fold" and each.slice != ALL for each in found.results):
        found = _select_folds(found, by_items)
    asked = select_score_measures(found, measures)
    if len(found.systems) < 2:
        raise NeedsInput(f"there is one system, {found.systems[0]}: a comparison needs two")
    folds = all(each.unit_kind == "fold" for each in found.results if each.measure in asked)
    return found, asked, FOLD_TEST if folds else DEFAULT_TEST


def _select_folds(scores: Scores, by_items: bool | str | None) -> Scores:
    """Return only the folds of a cross-validation, or only the items if these are wanted.

    The models of different folds share training items, for which tests over items do not allow.
    """
    if not by_items or by_items in FOLD_TESTS:
        folds = [each for each in scores.results if each.unit_kind == "fold"]
        return replace(
            scores, results=tuple(replace(each, slice=ALL) for each in folds), evidence={}
        )
    note = (
        "the items of all folds are compared as if they were independent, which is too optimistic:"
        " their models share training items; without `test` and `by` the folds are compared"
    )
    items = tuple(each for each in scores.results if each.unit_kind != "fold")
    return replace(scores, results=items, warnings=(*scores.warnings, note))


@dataclass(frozen=True, repr=False, eq=False)
class Comparison(Printable):
    """The differences of systems, with intervals and tests."""

    task: str
    baselines: tuple[str, ...]
    systems: pl.DataFrame
    """For each measure and system: mean, interval, units, letters where all pairs were tested."""
    pairs: pl.DataFrame
    """For each measure, slice and pair: the difference, its interval, its size and its p-values."""
    joint: pl.DataFrame
    """For each measure: the joint test of all systems, if there is one."""
    conventions: dict[str, Any]
    warnings: tuple[str, ...] = ()
    samples: Mapping[str, UnitSample] = field(default_factory=dict)
    correction: str = ""
    """Over what, and how, p-values are corrected."""

    def __getitem__(self, measure: Any) -> pl.DataFrame:
        """Return the pairs of one measure."""
        return self.pairs.filter(pl.col("measure") == self.find_measure(measure))

    def find_measure(self, name: Any) -> str:
        """Return the name of a measure as the comparison has it, from any way of writing it."""
        known = self.systems["measure"].unique(maintain_order=True).to_list()
        with suppress(UnknownMeasure):
            return find_measured(name, known, self.task, self.conventions.get("scores") or {})
        raise unknown_name("measure", measure_text(name), known)

    def to_polars(self, table: str | None = None, *, wide: bool = False) -> pl.DataFrame:
        """Return the pairs: a row for each measure, slice and pair; or the ``table`` of systems.

        ``wide`` has a row for each slice and pair, and columns for each measure.
        """
        if wide and table in (None, "pairs"):
            return widen_pairs(self.pairs)
        return super().to_polars(table, wide=wide)

    def to_json(self) -> str:
        """Return everything, at full precision."""
        content = {
            "task": self.task,
            "baselines": list(self.baselines),
            "systems": json_rows(self.systems),
            "pairs": json_rows(self.pairs),
            "joint": json_rows(self.joint),
            "conventions": self.conventions,
            "warnings": list(self.warnings),
        }
        return json.dumps(content, indent=1, ensure_ascii=False)


def _compare(
    scores: Scores,
    samples: Samples,
    settings: ComparisonSettings,
    slices: SliceRules,
    reading: tuple[Sequence[str], Sequence[str]],
) -> Comparison:
    """Compare the systems in each measure, over all units and in each slice."""
    conventions = {"assay": VERSION, **_describe(settings), "scores": scores.conventions}
    joint, contrasts, too_few = settings.test in joint_tests(), [], []
    sliced = slices.labels is not None or scores.slices
    for sample in samples.values():
        contrasts.append(contrast_systems(sample, settings))
        too_few += slices.notes(scores, sample) if sliced else []
        for name, part in slices.parts(scores, sample) if sliced else ():
            if joint and np.count_nonzero(part.complete) < 2:
                too_few.append(f"{sample.measure}: the slice {name} has too few units to test")
            else:
                contrasts.append(contrast_systems(part, settings, name))
    pairs, joint_rows = pair_table(contrasts, settings), joint_table(contrasts)
    systems = system_table(samples.values(), pairs, settings)
    failures, draws = reading
    notes = [
        *(*scores.warnings, *failures, *sample_notes(scores, samples), *draws, *too_few),
        *difference_notes(contrasts, systems, pairs, settings),
    ]
    return Comparison(
        scores.task,
        settings.baselines,
        systems,
        pairs,
        joint_rows,
        conventions,
        tuple(dict.fromkeys(notes)),
        {name: each for name, each in samples.items() if isinstance(each, UnitSample)},
        correction_note(settings),
    )


def _describe(settings: ComparisonSettings) -> dict[str, Any]:
    """Return the settings for the conventions of the result."""
    test, joint = find_any_test(settings.test), settings.test in joint_tests()
    return {
        "test": settings.test,
        "test_said": test.title,
        "alternative": settings.alternative,
        "permutations": settings.permutations if test.seeded else None,
        "seed": settings.seed if test.seeded else None,
        "tie_width": settings.tie_width,
        "correct": "built in" if joint else settings.correct,
        "family": "systems" if joint else settings.family,
        "margin": settings.margin,
        "confidence": settings.interval.confidence,
        "interval": settings.interval.description,
    }
