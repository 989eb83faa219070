"""The samples of the measures that are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from assay.core.errors import DataError, UsageError
from assay.engine.scores import Scores
from assay.statistics.differences.paired_samples import Missing, pair_systems, pair_units
from assay.statistics.differences.samples import TableSample, UnitSample
from assay.statistics.significance_tests import ComparisonSettings, joint_tests, paired_tests

Samples = Mapping[str, UnitSample | TableSample]


def refuse_runs(measures: object) -> None:
    """Raise an error where judgments and runs are compared: they are evaluated first."""
    listed = measures if isinstance(measures, list | tuple) else [measures]
    if any(isinstance(each, str | Path) and Path(each).is_file() for each in listed):
        raise UsageError(
            "measures are expected after the scores, not runs: evaluate first, as in"
            " assay.compare(assay.retrieval(qrels, runs), baseline=name)"
        )


def pair_measures(
    scores: Scores,
    names: Sequence[str],
    settings: ComparisonSettings,
    missing: Missing,
    weights: Mapping[str, float] | None,
) -> tuple[dict[str, UnitSample | TableSample], list[str]]:
    """Return the measures that can be compared, and why the others cannot be."""
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
