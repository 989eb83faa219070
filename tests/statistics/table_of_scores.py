"""Scores drawn as columns, for tests of what reads Scores."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from assay.core.arrays import Floats
from assay.engine.result import ALL, Result
from assay.engine.scores import Scores


def drawn(
    systems: Mapping[str, Sequence[float | None] | Floats],
    measure: str = "AP",
    better: str = "higher",
    units: Sequence[str] | None = None,
) -> Scores:
    """Scores of one measure, a list of values for each system; None of a unit leaves it out."""
    results = []
    for name, values in systems.items():
        names = units or [f"q{n:03}" for n in range(1, len(values) + 1)]
        kept = [(n, v) for n, v in zip(names, values, strict=True) if v is not None]
        numbers = np.asarray([float(v) for _, v in kept])
        results.append(
            Result(
                system=name,
                slice=ALL,
                measure=measure,
                units=tuple(n for n, _ in kept),
                values=numbers,
                reasons=tuple("no relevant" if math.isnan(v) else None for v in numbers),
                value=float(np.nanmean(numbers)),
                aggregate="mean",
                unit_kind="query",
                better=better,
            )
        )
    return Scores("retrieval", tuple(results), {"inputs": {}})


def together(*parts: Scores) -> Scores:
    """Several measures of the same systems."""
    results = tuple(each for part in parts for each in part.results)
    return Scores(parts[0].task, results, parts[0].conventions)
