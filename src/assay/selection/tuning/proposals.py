"""Which values are tried: a grid, random ones, or those that Optuna proposes.

Proposals come in batches of a fixed size, and each depends on the seed, its number and the trials
of earlier batches alone. So one worker and many, and a search that was interrupted, try the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.core.errors import MissingExtra, UsageError, unknown_name
from assay.selection.tuning.space import Space, TunedParameter, Values
from assay.selection.tuning.trials import Trial, mean_value

METHODS = ("grid", "random", "optuna")
MOST_TRIALS = 100_000


def count_trials(method: str, space: Space, trials: int | None) -> int:
    """Return how many trials a search has."""
    if method not in METHODS:
        raise unknown_name("method of search", method, METHODS)
    size = space.grid_size if method == "grid" else 20
    wanted = size if trials is None else min(trials, size) if method == "grid" else trials
    if not 1 <= wanted <= MOST_TRIALS:
        raise UsageError(f"the search has {wanted:,} trials; 1 to {MOST_TRIALS:,} are possible")
    return wanted


def propose(
    method: str,
    space: Space,
    numbers: Sequence[int],
    finished: Sequence[Trial],
    seed: int,
    maximize: bool,
) -> list[Values]:
    """Return the values of the trials of one batch, by their numbers from 0."""
    if method == "grid":
        grid = space.grid()
        return [grid[number] for number in numbers]
    if method == "random":
        return [space.draw(seed, number) for number in numbers]
    return _propose_by_optuna(space, numbers, finished, seed, maximize)


def _propose_by_optuna(
    space: Space,
    numbers: Sequence[int],
    finished: Sequence[Trial],
    seed: int,
    maximize: bool,
) -> list[Values]:
    try:
        import optuna
    except ImportError:
        raise MissingExtra("optuna", "tuning") from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    distributions = {each.name: _distribution(optuna, each) for each in space.parameters}
    study = optuna.create_study(direction="maximize" if maximize else "minimize")
    for trial in finished:
        if trial.value == trial.value:  # a failed trial teaches nothing
            study.add_trial(_finished(optuna, trial, distributions))
    found = []
    for number in numbers:
        study.sampler = optuna.samplers.TPESampler(seed=_seed(seed, number), n_startup_trials=8)
        found.append(dict(study.ask(distributions).params))
    return found


def _finished(optuna: Any, trial: Trial, distributions: Any) -> Any:
    """Return a trial as Optuna's; the value of a pruned one is that of a lower budget."""
    states = optuna.trial.TrialState
    return optuna.trial.create_trial(
        params=trial.parameters,
        distributions=distributions,
        state=states.PRUNED if trial.pruned else states.COMPLETE,
        value=None if trial.pruned else trial.value,
        intermediate_values={n: mean_value(units) for n, units in enumerate(trial.stages)},
    )


def _seed(seed: int, number: int) -> int:
    return (seed * 1_000_003 + number) % 2**32


def _distribution(optuna: Any, parameter: TunedParameter) -> Any:
    kinds = optuna.distributions
    if parameter.values:
        return kinds.CategoricalDistribution(parameter.values)
    kind = kinds.IntDistribution if parameter.whole else kinds.FloatDistribution
    return kind(parameter.low, parameter.high, log=parameter.log)
