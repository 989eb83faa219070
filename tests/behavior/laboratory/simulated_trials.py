"""Simulated trials: participants and tasks differ, systems do not unless a lift is given."""

from __future__ import annotations

import numpy as np
import polars as pl

import assay


def simulate_trials(
    generator: np.random.Generator,
    design: pl.DataFrame,
    lift: dict[str, float] | None = None,
    sizes: tuple[float, float, float] = (1.0, 0.7, 1.0),
) -> pl.DataFrame:
    """Outcomes of a design: effects of participants, tasks, order and chance."""
    people = {name: generator.normal(0, sizes[0]) for name in design["participant"].unique().sort()}
    tasks = {name: generator.normal(0, sizes[1]) for name in design["task"].unique().sort()}
    rows = design.select("participant", "task", "system", "order").iter_rows()
    values = [
        5 + people[person] + tasks[task] + (lift or {}).get(system, 0.0) - 0.05 * order
        for person, task, system, order in rows
    ]
    return design.with_columns(y=np.array(values) + generator.normal(0, sizes[2], len(values)))


def rejection_rate(experiments: int, seed: int, method: str = "mixed") -> float:
    """How often systems that do not differ are found to differ: 24 × 4 systems × 8 tasks."""
    generator = np.random.default_rng(seed)
    design = assay.lab.design(4, 8, 24).plan
    found = [
        assay.lab.analyze(simulate_trials(generator, design), "y", method=method).tests["p"].item()
        for _ in range(experiments)
    ]
    return float(np.mean(np.array(found) < 0.05))
