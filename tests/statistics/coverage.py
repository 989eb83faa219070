"""How often the default interval of a measure covers its true value, by simulation.

A generator is a population whose values are known exactly: a sample draws its units from it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from assay.core.names import Measure, measure
from assay.engine.local import evaluate
from assay.evidence.views.confusion import Confusion
from assay.evidence.views.contingency import Contingency
from assay.evidence.views.probabilities import Probabilities
from assay.evidence.views.threshold_table import ThresholdTable
from assay.evidence.views.value_pairs import ValueMoments, ValuePairs
from assay.statistics.intervals.interval_settings import Bootstrap
from assay.statistics.intervals.jackknife import add_jackknife_intervals
from assay.statistics.intervals.unit_intervals import add_intervals, mean_ends
from assay.testing import rankings

SIMULATIONS, SEEDS = 2000, (1, 2, 3)
SIZE = 20_000
"""Units of a population."""


@dataclass(frozen=True)
class Generator:
    """A population, its measures, and the numbers of units of a sample."""

    name: str
    measures: tuple[str, ...]
    units: tuple[int, ...]
    cover: Callable[[Generator, int, int, int], dict[str, float]]
    """From itself, units, simulations and seed to the coverage of each measure."""
    task: str = ""
    draw: Callable[[np.random.Generator, int], Any] = lambda random, units: None
    """A view of so many units."""
    whole: Callable[[], Any] = lambda: None
    """The view of the population."""
    add: Callable[..., Any] = add_intervals

    def coverage(
        self, units: int, simulations: int = SIMULATIONS, seed: int = 1
    ) -> dict[str, float]:
        """Return the share of the samples whose interval covers the true value, by measure."""
        return self.cover(self, units, simulations, seed)


def _cover_views(generator: Generator, units: int, simulations: int, seed: int) -> dict[str, float]:
    random = np.random.default_rng([seed, units])
    asked = [measure(name, generator.task) for name in generator.measures]
    truth = np.asarray([_value(generator.whole(), each) for each in asked])
    covered = np.zeros(len(asked))
    for _ in range(simulations):
        view = generator.draw(random, units)
        results = generator.add(evaluate(view, asked, "s"), view, asked, Bootstrap())
        ends = np.asarray([(each.low, each.high) for each in results])
        covered += (ends[:, 0] <= truth) & (truth <= ends[:, 1])
    return dict(zip(generator.measures, (covered / simulations).tolist(), strict=True))


def _value(view: Any, asked: Measure) -> float:
    return evaluate(view, [asked], "s")[0].value


# --- rankings: means over queries -----------------------------------------------------------------


@cache
def query_values() -> dict[str, np.ndarray]:
    """The values of a population of queries whose relevant documents are nearer to the top."""
    random = np.random.default_rng(11)
    quality = random.beta(1, 2, SIZE // 10)
    words = [
        "".join("+" if hit else "-" for hit in random.random(20) < own / (1 + 0.2 * np.arange(20)))
        + "|"
        + "+" * int(random.integers(1, 6))
        for own in quality
    ]
    view = rankings(*words)
    return {name: measure(name, "retrieval")(view) for name in RANKINGS.measures}


def _cover_means(generator: Generator, units: int, simulations: int, seed: int) -> dict[str, float]:
    random, found = np.random.default_rng([seed, units]), {}
    for name, values in query_values().items():
        columns = random.choice(values, size=(units, simulations))
        low, high = mean_ends(columns, Bootstrap())
        found[name] = float(np.mean((low <= values.mean()) & (values.mean() <= high)))
    return found


# --- tables of items ------------------------------------------------------------------------------

CELLS = {"balanced": (40, 10, 12, 38), "rare": (14, 6, 8, 72)}
"""In a hundred items: true positives, false negatives, false positives, true negatives."""


def _decisions(shape: str, counts: np.ndarray | None = None) -> Confusion:
    cells = np.asarray(CELLS[shape], float) if counts is None else counts
    return Confusion.of(cells.reshape(2, 2), ("positive", "negative"), "positive")


def _draw_decisions(shape: str, random: np.random.Generator, units: int) -> Confusion:
    return _decisions(
        shape, random.multinomial(units, np.asarray(CELLS[shape]) / 100).astype(float)
    )


@cache
def score_items() -> tuple[np.ndarray, np.ndarray]:
    """Whether each item of the population is positive, and its calibrated score."""
    random = np.random.default_rng(12)
    score = random.beta(0.9, 1.4, SIZE)
    return random.random(SIZE) < score, score


def _thresholds(chosen: Any = slice(None)) -> ThresholdTable:
    positive, score = score_items()
    return ThresholdTable.of(score[chosen], positive[chosen])


def _forecasts(chosen: Any = slice(None)) -> Probabilities:
    positive, score = (each[chosen] for each in score_items())
    table = np.stack((1 - score, score), axis=1)
    return Probabilities.of(("no", "yes"), positive.astype(np.int64), table)


@cache
def value_items(errors: str) -> tuple[np.ndarray, np.ndarray]:
    """The truth of each item of the population, and its prediction with errors of this kind."""
    random = np.random.default_rng(13)
    truth = random.normal(10, 3, SIZE)
    if errors == "normal":
        return truth, truth + random.normal(0.2, 1.2, SIZE)
    return truth, truth + random.normal(0, 1, SIZE) + random.exponential(0.7, SIZE) - 0.7


def _values(errors: str, chosen: Any = slice(None)) -> ValuePairs:
    truth, predicted = value_items(errors)
    return ValuePairs.of(truth[chosen], predicted[chosen])


def _moments(errors: str, chosen: Any = slice(None)) -> ValueMoments:
    return _values(errors, chosen).moments


def _some(build: Callable[[Any], Any], random: np.random.Generator, units: int) -> Any:
    return build(random.integers(0, SIZE, units))


def _shares(size: int, strength: float) -> np.ndarray:
    """Clusters × classes: a share of the items is where it belongs, the rest anywhere."""
    return np.full((size, size), (1 - strength) / size**2) + np.eye(size) * strength / size


def _contingency(counts: np.ndarray) -> Contingency:
    names = tuple(map(str, range(len(counts))))
    return Contingency.of(counts, names, names)


def _draw_clusters(
    size: int, strength: float, random: np.random.Generator, units: int
) -> Contingency:
    drawn = random.multinomial(units, _shares(size, strength).ravel())
    return _contingency(drawn.reshape(size, size).astype(float))


RANKINGS = Generator("rankings", ("AP", "nDCG@10", "RR", "P@10", "R@10"), (50, 300), _cover_means)
_TABLES = partial(Generator, units=(50, 300), cover=_cover_views, task="classification")
_CLUSTER_MEASURES = ("NMI", "V", "ARI", "RI", "FM", "B3F", "purity")


def _clusters(size: int, units: int, strength: float) -> Generator:
    return Generator(
        f"clusters {size} × {size}, {strength:.0%} in place",
        _CLUSTER_MEASURES,
        (units,),
        _cover_views,
        "clustering",
        partial(_draw_clusters, size, strength),
        lambda: _contingency(_shares(size, strength) * 1e10),
        add_jackknife_intervals,
    )


GENERATORS = (
    RANKINGS,
    *(
        _TABLES(
            f"decisions, {shape}",
            ("ACC", "BA", "TPR", "TNR", "PPV", "NPV", "F", "MCC", "kappa"),
            draw=partial(_draw_decisions, shape),
            whole=partial(_decisions, shape),
        )
        for shape in CELLS
    ),
    _TABLES("scores", ("AUC", "AP"), draw=partial(_some, _thresholds), whole=_thresholds),
    _TABLES(
        "forecasts",
        ("Brier", "LogLoss", "D2_Brier", "D2_LogLoss"),
        draw=partial(_some, _forecasts),
        whole=_forecasts,
    ),
    *(
        _TABLES(
            f"values, {errors} errors",
            measures,
            task="regression",
            draw=partial(_some, partial(build, errors)),
            whole=partial(build, errors),
        )
        for errors in ("normal", "skewed")
        for build, measures in (
            (_values, ("MAE", "MSE", "MedAE", "D2_AE")),
            (_moments, ("RMSE",)),
            (_moments, ("R2", "Pearson")),
        )
    ),
    *(_clusters(3, 50, strength) for strength in (0.3, 0.6, 0.85)),
    *(_clusters(7, 300, strength) for strength in (0.3, 0.6, 0.85)),
)


RESULTS = Path(__file__).with_name("coverage.json")
"""What was counted, by generator, units and measure: a share for each of the seeds."""


def stored_results() -> dict[str, list[float]]:
    """Return the stored shares: one for each seed, by generator, units and measure."""
    found: dict[str, list[float]] = json.loads(RESULTS.read_text(encoding="utf-8"))
    return found


def handbook_rows() -> list[str]:
    """Return the rows of the table in the handbook, with a column for each seed."""
    return [
        f"| {key} | {' | '.join(f'{100 * share:.1f}' for share in shares)} |"
        for key, shares in stored_results().items()
    ]


def main(asked: Sequence[str]) -> None:
    """Simulate the generators whose names begin as asked, and store what was counted."""
    found = stored_results() if RESULTS.exists() else {}
    for generator in GENERATORS:
        name = f"{generator.name}: {generator.measures[0]}"
        if asked and not name.startswith(tuple(asked)):
            continue
        for units in generator.units:
            by_seed = [generator.coverage(units, seed=seed) for seed in SEEDS]
            for name in generator.measures:
                key = f"{generator.name} | {units} | {name}"
                found[key] = [round(each[name], 4) for each in by_seed]
                print(key, found[key], flush=True)  # noqa: T201 (a script)
    order = [
        f"{each.name} | {units} | {name}"
        for each in GENERATORS
        for units in each.units
        for name in each.measures
    ]
    kept = {key: found[key] for key in order if key in found}
    RESULTS.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
