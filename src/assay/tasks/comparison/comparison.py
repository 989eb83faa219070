"""Comparison of systems: differences, tests and intervals from the Scores of several systems."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.core.errors import DataError, NeedsInput, UsageError
from assay.core.progress import with_progress
from assay.engine.measured_names import TABLE
from assay.engine.result import ALL
from assay.engine.scores import Scores
from assay.statistics.differences.contrasts import contrast_systems
from assay.statistics.differences.paired_samples import Missing, pair_systems, pair_units
from assay.statistics.differences.samples import TableSample, UnitSample
from assay.statistics.differences.sliced_samples import SliceRules
from assay.statistics.intervals.interval_settings import Bootstrap, read_interval
from assay.statistics.other_test_names import AREA_TEST
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
    paired_tests,
)
from assay.tasks.comparison.comparison_notes import correction_note, difference_notes, sample_notes
from assay.tasks.comparison.comparison_result import Comparison
from assay.tasks.comparison.comparison_tables import (
    joint_table,
    pair_table,
    system_table,
)
from assay.tasks.scores.compared_scores import read_compared, select_folds
from assay.tasks.scores.read_scores import ScoreColumns, find_system
from assay.tasks.scores.unit_slices import with_slices
from assay.version import VERSION

Samples = Mapping[str, UnitSample | TableSample]
JOINT_TEST = "randomized-tukey"
"""The default test of all pairs where single tests would need too many permutations."""
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
    columns, sliced = ScoreColumns(system_column, unit_column, decimal_comma), by is not None
    found, asked, default_test = _find_scores(scores, measures, columns, test, sliced)
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
    samples, failures = _pair_measures(found, asked, settings, missing, weights, test or "")
    settings, renamed = _default_draws(settings, samples, test or correct, renamed, permutations)
    return _compare(found, samples, settings, SliceRules(labels, min_size), (failures, renamed))


def _find_scores(
    given: Any, measures: Any, columns: ScoreColumns, test: str | None, sliced: bool
) -> tuple[Scores, tuple[str, ...], str]:
    """Return the scores of at least two systems, the measures to compare, and the default test."""
    found = given
    if not isinstance(given, Scores) or given.task == TABLE:
        found = read_compared(given, measures, columns)
    if any(each.unit_kind == "fold" and each.slice != ALL for each in found.results):
        found = select_folds(found, test, sliced)
    asked = found.find_measures(measures)
    if len(found.systems) < 2:
        raise NeedsInput(f"there is one system, {found.systems[0]}: a comparison needs two")
    folds = all(each.unit_kind == "fold" for each in found.results if each.measure in asked)
    return found, asked, FOLD_TEST if folds else DEFAULT_TEST


def _pair_measures(
    scores: Scores,
    names: Sequence[str],
    settings: ComparisonSettings,
    missing: Missing,
    weights: Mapping[str, float] | None,
    asked_test: str = "",
) -> tuple[dict[str, UnitSample | TableSample], list[str]]:
    """Return the measures that can be compared, and why others cannot, by the test as asked for."""
    samples: dict[str, UnitSample | TableSample] = {}
    failures: list[str] = []
    test = settings.test
    pair = pair_units if test in joint_tests() else pair_systems
    for measure in names:
        try:
            sample = pair(scores, measure, missing, weights)
            _require_pairs(sample, scores, settings.baselines)
            samples[measure] = sample
        except DataError as failure:
            if len(names) == 1 or missing == "error":
                raise
            failures.append(str(failure))
    if not samples:
        raise DataError(" ".join(dict.fromkeys(failures)))
    known = [name for name, each in paired_tests().items() if each.weights is not None]
    weighted = any(isinstance(s, UnitSample) and s.weights is not None for s in samples.values())
    if weighted and test not in known:
        raise UsageError(
            f"the test {test} has no weighted form: leave the weights out, or choose"
            f" {', '.join(known)}"
        )
    if asked_test.casefold() == AREA_TEST:
        _require_areas(samples)
    return samples, failures


def _require_pairs(
    sample: UnitSample | TableSample, scores: Scores, baselines: Sequence[str]
) -> None:
    """Raise an error where a baseline, or all systems but one, lack the measure."""
    without = [name for name in scores.systems if name not in sample.systems]
    lacking = [name for name in baselines if name in without]
    if lacking:
        raise DataError(
            f"{sample.measure}: the baseline {lacking[0]} has no value; choose another baseline,"
            " or leave the measure out"
        )
    if len(sample.systems) < 2:
        raise DataError(
            f"{sample.measure}: only {sample.systems[0]} has values, not {', '.join(without)}:"
            " there is nothing to compare"
        )


def _default_draws(
    settings: ComparisonSettings,
    samples: Samples,
    named: str | None,
    notes: list[str],
    permutations: int | None,
) -> tuple[ComparisonSettings, list[str]]:
    """Raise permutations that nobody chose to those that are needed, or take a joint test."""
    if settings.correct == "none" or permutations is not None:
        return settings, notes
    systems = max(len(each.systems) for each in samples.values())
    pairs = count_pairs(systems, len(settings.baselines))
    tests = settings.family_size(pairs, len(samples))
    needed = settings.permutations_for(tests)
    if not settings.too_many_tests(tests):
        return replace(settings, permutations=needed), notes
    all_pairs = settings.alternative == "two-sided" and not settings.baselines
    if not (named is None and all_pairs and _can_be_joint(samples)):
        return settings, notes
    note = (
        f"{tests:,} tests: instead of the randomization test with Holm's correction, which would"
        f" need {needed:,} permutations of each pair, all pairs are tested together by the"
        " randomized Tukey test"
    )
    return replace(settings, test=JOINT_TEST, correct="none"), [note, *notes]


def count_pairs(systems: int, baselines: int) -> int:
    """Return how many pairs there are: each baseline with each other system, or all."""
    bases = baselines or systems
    return bases * (systems - 1) - bases * (bases - 1) // 2


def _require_areas(samples: Samples) -> None:
    """Raise an error where DeLong's test was asked for by name and a measure is not an area."""
    others = [
        name
        for name, each in samples.items()
        if not (isinstance(each, TableSample) and each.formula.definition.influences)
    ]
    if others:
        raise UsageError(
            f"DeLong's test compares areas under the ROC curve (AUC, Gini), not {others[0]}; leave"
            " the test out, or choose measures that are areas"
        )


def _can_be_joint(samples: Samples) -> bool:
    """Return whether all measures have unweighted values of units that all systems share."""
    return all(
        isinstance(each, UnitSample) and each.weights is None and each.complete.sum() > 1
        for each in samples.values()
    )


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
