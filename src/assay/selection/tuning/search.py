"""A search: its trials, batch by batch, and which of them is chosen."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import numpy as np

from assay.core.errors import AssayError, DataError, OutputError, UsageError
from assay.core.names import Measure
from assay.core.names import measure as measure_named
from assay.selection.tuning.budget import TrialBudget
from assay.selection.tuning.objectives import Objective
from assay.selection.tuning.proposals import propose
from assay.selection.tuning.space import Space
from assay.selection.tuning.trials import Trial, TrialStore, mean_value
from assay.statistics.significance_tests import ComparisonSettings, find_test
from assay.tasks.evidence import Progress


@dataclass(frozen=True)
class Search:
    """What is tuned, over which values, and how they are proposed."""

    objective: Objective
    space: Space
    measure: str
    task: str
    method: str = "random"
    trials: int = 20
    batch: int = 8
    seed: int = 1
    budget: TrialBudget = field(default_factory=TrialBudget)

    @property
    def maximize(self) -> bool:
        """Whether higher values of the measure are better."""
        return self.parsed.definition.better == "higher"

    @property
    def parsed(self) -> Measure:
        """The measure by its name."""
        return measure_named(self.measure, self.task)


def run_trials(
    search: Search, store: TrialStore | None, workers: int, progress: Progress
) -> list[Trial]:
    """Run the trials that are missing, batch by batch."""
    if workers < 1:
        raise UsageError(f"`workers` is {workers}: at least 1 is needed")
    known = {each.number: each for each in store.read()} if store else {}
    done: list[Trial] = []
    with ThreadPoolExecutor(workers) as pool:
        for first in range(0, search.trials, search.batch):
            numbers = range(first, min(first + search.batch, search.trials))
            asked = propose(
                search.method, search.space, numbers, done, search.seed, search.maximize
            )
            trials = [
                known[number]
                if number in known and known[number].parameters == values
                else Trial(number, values)
                for number, values in zip(numbers, asked, strict=True)
            ]
            for trial in _run_batch(search, trials, pool):
                known[trial.number] = trial
                progress(f"trial {len(known)} of {search.trials}")
                if store is not None:
                    store.write(list(known.values()))
            pruned = _pruned(search, [known[number] for number in numbers])
            done += [replace(known[number], pruned=number in pruned) for number in numbers]
    return done


def _run_batch(
    search: Search, trials: Sequence[Trial], pool: ThreadPoolExecutor
) -> Iterator[Trial]:
    """Yield each trial of a batch whenever it has a result with a higher budget."""
    current = {each.number: each for each in trials}
    for stage in range(search.budget.stages):
        stopped = _pruned(search, list(current.values()), stage)
        missing = [
            each
            for each in current.values()
            if len(each.stages) <= stage and each.failure is None and each.number not in stopped
        ]
        for trial in pool.map(lambda each: _run_stage(search, each), missing):
            current[trial.number] = trial
            yield trial


def _pruned(search: Search, trials: Sequence[Trial], before: int | None = None) -> set[int]:
    """Return the numbers of the trials that do not go on, at the stages before this one."""
    sign = 1 if search.maximize else -1
    last = search.budget.stages - 1
    going = list(trials)  # one that failed counts at the stages that it finished
    stopped: set[int] = set()
    for stage in range(last if before is None else before):
        going = [each for each in going if len(each.stages) > stage]

        def place(each: Trial, stage: int = stage) -> tuple[float, int]:
            """Return what sorts trials: the better mean first, undefined ones last."""
            mean = mean_value(each.stages[stage])
            return (-sign * mean if math.isfinite(mean) else math.inf, each.number)

        ranked = sorted(going, key=place)
        going = ranked[: search.budget.count_kept(len(ranked))]
        stopped |= {each.number for each in ranked[len(going) :]}
    return stopped


def _run_stage(search: Search, trial: Trial) -> Trial:
    """Return the trial with its result at the next budget, or with the reason why it has none."""
    begin = time.perf_counter()
    values = search.budget.add(trial.parameters, len(trial.stages))
    try:
        units = search.objective.validate(values)
    except (UsageError, OutputError):
        raise
    except AssayError as failure:
        seconds = trial.seconds + time.perf_counter() - begin
        return replace(trial, seconds=seconds, failure=str(failure))
    seconds = trial.seconds + time.perf_counter() - begin
    return replace(trial, stages=(*trial.stages, units), seconds=seconds)


def choose(trials: Sequence[Trial], search: Search) -> tuple[Trial, Trial, list[str]]:
    """Return the best trial, the simplest within one standard error of it, and notes."""
    whole = [each for each in trials if len(each.stages) == search.budget.stages]
    kept = [each for each in whole if math.isfinite(each.value) and not each.pruned]
    failed = [each for each in trials if each.failure is not None]
    if not kept:
        reason = failed[0].failure if failed else "no unit of the validation data has a value"
        raise DataError(f"no trial has a result; the first: {reason}")
    sign = 1 if search.maximize else -1
    best = max(kept, key=lambda each: (sign * each.value, -each.number))
    notes = [f"{len(failed)} of {len(trials)} trials failed: {failed[0].failure}"] if failed else []
    if not search.space.simpler:
        return best, best, notes
    error = standard_error(best)
    near = [each for each in kept if sign * each.value >= sign * best.value - error]
    chosen = min(near, key=lambda each: (search.space.complexity(each.parameters), each.number))
    if chosen is not best:
        p = _paired_p(chosen, best)
        notes.append(
            f"trial {best.number} is best with {best.value:.4f}; trial {chosen.number} is the"
            f" simplest within one standard error ({error:.4f}) of it: {chosen.value:.4f},"
            f" p = {p:.3g} by the randomization test"
        )
    return best, chosen, notes


def standard_error(trial: Trial) -> float:
    """Return the standard error of the mean over units."""
    values = np.array([value for value in trial.units.values() if math.isfinite(value)])
    return float(values.std(ddof=1) / len(values) ** 0.5) if len(values) > 1 else 0.0


def _paired_p(one: Trial, other: Trial) -> float:
    units = sorted({*one.units} & {*other.units})
    differences = np.array([one.units[unit] - other.units[unit] for unit in units])
    finite = differences[np.isfinite(differences)]
    _, p = find_test("randomization")(finite[:, None], ComparisonSettings())
    return float(p[0])
