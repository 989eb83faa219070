"""The engine over parts: evidence that comes in pieces, added up before it is measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import add
from typing import Any

from assay.core.names import Measure
from assay.engine.local import evaluate
from assay.engine.scores import Result


def evaluate_parts(parts: Iterable[Any], measures: Sequence[Measure], system: str) -> list[Result]:
    """Return the same results as for the whole, from views of its parts."""
    return evaluate(reduce(add, parts), measures, system)
