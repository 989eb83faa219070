"""The samples of the measures that are compared, and the draws that their tests need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from assay.core.errors import DataError, UsageError
from assay.engine.scores import Scores
from assay.statistics.differences.paired_samples import Missing, pair_systems, pair_units
from assay.statistics.differences.samples import TableSample, UnitSample
from assay.statistics.other_test_names import AREA_TEST
from assay.statistics.significance_tests import ComparisonSettings, joint_tests, paired_tests

Samples = Mapping[str, UnitSample | TableSample]
JOINT_TEST = "randomized-tukey"
"""The default test of all pairs where single tests would need too many permutations."""


def pair_measures(
    scores: Scores,
    names: Sequence[str],
    settings: ComparisonSettings,
    missing: Missing,
    weights: Mapping[str, float] | None,
    asked_test: str = "",
) -> tuple[dict[str, UnitSample | TableSample], list[str]]:
    """Return the measures that can be compared, and why the others cannot be.

    ``asked_test`` is the name of the test as the caller wrote it.
    """
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


def default_draws(
    settings: ComparisonSettings,
    samples: Samples,
    named: str | None,
    notes: list[str],
    permutations: int | None,
) -> tuple[ComparisonSettings, list[str]]:
    """Raise the permutations to those that the correction needs, or take a joint test.

    A number of permutations that the user asks for stays.
    """
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
