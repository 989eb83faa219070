"""Logs of the tests: small ones by hand, and simulated ones with known parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from assay.behavior.clicks.click_lists import ClickLists
from assay.behavior.clicks.list_builder import click_lists
from assay.behavior.clicks.model_structure import ClickModelStructure
from assay.core.arrays import Floats


def rows(log: Sequence[tuple[Sequence[str], Sequence[int]]]) -> pl.DataFrame:
    """The impressions of lists of documents with their clicks, all of one query."""
    table = [
        (number, f"s{number}", "q", rank, doc, click)
        for number, (docs, clicks) in enumerate(log)
        for rank, (doc, click) in enumerate(zip(docs, clicks, strict=True), 1)
    ]
    return pl.DataFrame(
        table, schema=["list", "session", "query", "rank", "doc", "click"], orient="row"
    )


def lists_of(log: Sequence[tuple[Sequence[str], Sequence[int]]]) -> ClickLists:
    return click_lists([rows(log)])


def random_values(
    structure: ClickModelStructure, lists: ClickLists, seed: int = 0
) -> dict[str, Floats]:
    random = np.random.default_rng(seed)
    return {
        each.name: random.uniform(0.1, 0.9, structure.shape(each, lists))
        for each in structure.parameters
    }


Ranges = Mapping[str, tuple[float, float]]
"""The lowest and highest true value of parameters."""
PATIENT_USERS = {
    "attractiveness": (0.5, 0.9),
    "satisfaction": (0.02, 0.12),
    "continuation": (0.97, 0.99),
}
"""Users of a DBN who click enough for 40,000 lists of 20 to determine satisfaction (0904)."""
USUAL_USERS = {
    "attractiveness": (0.1, 0.6),
    "satisfaction": (0.1, 0.7),
    "continuation": (0.9, 0.9),
}
"""Users of a DBN whose clicks cannot determine satisfaction to 0.02 (0904)."""


def true_values(
    structure: ClickModelStructure, docs: int, depth: int, seed: int, ranges: Ranges | None = None
) -> dict[str, Floats]:
    """Random parameters, by default of users who click often."""
    random = np.random.default_rng(seed)
    names = {each.name for each in structure.parameters}
    values = {}
    for each in structure.parameters:
        size = {"pair": docs, "rank": depth, "cell": depth * depth, "one": 1}[each.index]
        low, high = {
            "attractiveness": (0.5, 0.9) if "satisfaction" in names else (0.1, 0.6),
            "satisfaction": (0.05, 0.25),
            "continuation": (0.7, 0.9),
            "after_skip": (0.85, 0.95),
            "after_unsatisfied": (0.7, 0.9),
            "after_satisfied": (0.2, 0.4),
            "examination": (0.3, 0.9),
            **(ranges or {}),
        }.get(each.name, (0.1, 0.6))
        values[each.name] = random.uniform(low, high, size)
        if each.name == "examination":
            values[each.name][0] = 1.0
    return values


def simulated(
    structure: ClickModelStructure,
    values: dict[str, Floats],
    sessions: int,
    seed: int,
    depth: int = 10,
) -> ClickLists:
    """Lists of documents in random order, clicked by users that follow the model."""
    random = np.random.default_rng(seed)
    docs = len(values["attractiveness"]) if "attractiveness" in values else 20
    order = np.argsort(random.random((sessions, docs)), axis=1)[:, :depth].T.astype(np.int32)
    names = pl.DataFrame({"query": ["q"] * docs, "doc": [f"d{n:03}" for n in range(docs)]})
    empty = np.zeros(order.shape, dtype=bool)
    shape = np.full(sessions, order.shape[0])
    lists = ClickLists(names, order, empty, np.ones(sessions), shape)
    return replace(lists, click=structure.draw(lists, values, random))
