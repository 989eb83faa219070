"""Users with a known click model, over given judgments and runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from assay.behavior.clicks.click_lists import ClickLists
from assay.behavior.clicks.fitted_model import ClickModel
from assay.behavior.clicks.model_structure import ClickModelStructure, find_structure
from assay.core.arrays import Floats, Ints
from assay.core.errors import DataError, UsageError, unknown_name
from assay.formats.containers import to_judgments, to_runs

SHARED = {
    "examination": 0.75,
    "continuation": 0.9,
    "after_skip": 0.95,
    "after_unsatisfied": 0.9,
    "after_satisfied": 0.3,
    "rate": 0.3,
}
"""Shared parameters, unless others are given; examination falls by this factor with each rank."""


def simulate_clicks(
    qrels: Any,
    runs: Any,
    model: Any = "dbn",
    *,
    sessions: int = 1000,
    depth: int = 10,
    shuffle: float = 0.0,
    parameters: Mapping[str, float] | None = None,
    by_grade: Mapping[str, Mapping[float, float]] | None = None,
    seed: int = 1,
) -> pl.DataFrame:
    """Simulate sessions of users who see results of the runs and click by a model.

    Each session is a query of the judgments that the run answers, and one of the runs, both at
    random; a share of the lists, ``shuffle``, is in random order. ``model`` is the name of a click
    model, or a fitted one. For a name, attractiveness and satisfaction rise with the grade g from
    0.1 to 0.9 (0.05 + 0.9 g / highest), unless ``by_grade`` says otherwise, as in
    {"attractiveness": {0: 0.1, 1: 0.8}}; ``parameters`` sets the shared ones, such as
    {"continuation": 0.8}. Returned are session, query, rank, doc, click and arm (the run).
    """
    if sessions < 1 or depth < 1 or not 0 <= shuffle <= 1:
        raise UsageError(
            "a simulation needs sessions, a depth of at least 1, and a share from 0 to 1"
        )
    judged = to_judgments(qrels).frame
    shown = _shown(judged, runs, depth)
    random = np.random.default_rng(seed)
    lists, frame = _draw_lists(shown, sessions, shuffle, random)
    fitted = model if isinstance(model, ClickModel) else None
    structure = fitted.structure if fitted else find_structure(str(model))
    if fitted is not None:
        values = fitted.values_for(lists)
    else:
        values = _values(structure, lists, judged, parameters or {}, by_grade or {})
    clicks = structure.draw(lists, values, random)
    return frame.with_columns(click=pl.Series(clicks.T[lists.shown.T].astype(np.int64)))


def _shown(judged: pl.DataFrame, runs: Any, depth: int) -> pl.DataFrame:
    """Return the first results of each run for the judged queries: arm, query, docs."""
    parts = []
    for run in to_runs(runs):
        ordered = run.frame.join(judged.select("query").unique(), on="query", how="semi").sort(
            "query", "score", "doc", descending=[False, True, True]
        )
        top = ordered.group_by("query", maintain_order=True).agg(pl.col("doc").head(depth))
        parts.append(top.select(pl.lit(run.name).alias("arm"), "query", "doc"))
    shown = pl.concat(parts)
    if not shown.height:
        raise DataError("no run answers a query of the judgments")
    return shown.sort("arm", "query")


def _draw_lists(
    shown: pl.DataFrame, sessions: int, shuffle: float, random: np.random.Generator
) -> tuple[ClickLists, pl.DataFrame]:
    chosen = random.integers(0, shown.height, sessions)
    docs = shown["doc"].to_list()
    mixed = random.random(sessions) < shuffle
    results = [
        [docs[each][n] for n in random.permutation(len(docs[each]))] if mix else docs[each]
        for each, mix in zip(chosen.tolist(), mixed.tolist(), strict=True)
    ]
    length = np.array([len(each) for each in results])
    order = np.argsort(-length, kind="stable")
    picked = shown[chosen[order]]
    numbers = pl.Series([f"s{n + 1}" for n in range(sessions)])
    frame = pl.DataFrame(
        {
            "session": numbers,
            "query": picked["query"],
            "doc": [results[each] for each in order.tolist()],
            "arm": picked["arm"],
        }
    )
    ranked = frame.with_columns(rank=pl.int_ranges(1, pl.col("doc").list.len() + 1))
    rows = ranked.explode("doc", "rank").select("session", "query", "rank", "doc", "arm")
    pairs = rows.select("query", "doc").unique().sort("query", "doc")
    code = rows.join(
        pairs.with_row_index("code"), on=["query", "doc"], how="left", maintain_order="left"
    )["code"].to_numpy()
    return _as_lists(pairs, code, length[order]), rows


def _as_lists(pairs: pl.DataFrame, code: Ints, length: Ints) -> ClickLists:
    shape = (int(length.max()), len(length))
    inside = np.arange(shape[0])[:, None] < length[None, :]
    pair = np.zeros(shape, dtype=np.int32)
    pair.T[inside.T] = code
    return ClickLists(pairs, pair, np.zeros(shape, dtype=bool), np.ones(len(length)), length)


def _values(
    structure: ClickModelStructure,
    lists: ClickLists,
    judged: pl.DataFrame,
    parameters: Mapping[str, float],
    by_grade: Mapping[str, Mapping[float, float]],
) -> dict[str, Floats]:
    names = [each.name for each in structure.parameters]
    for name in (*parameters, *by_grade):
        if name not in names:
            raise unknown_name(f"parameter of {structure.label}", name, names)
    joined = lists.pairs.join(judged, on=["query", "doc"], how="left", maintain_order="left")
    grade = np.maximum(joined["grade"].fill_null(0).to_numpy(), 0)
    highest = max(float(judged["grade"].max() or 1), 1.0)  # type: ignore[arg-type]
    values = {}
    for each in structure.parameters:
        size = structure.shape(each, lists)[0]
        if each.index == "pair":
            table = by_grade.get(each.name)
            values[each.name] = (
                0.05 + 0.9 * grade / highest if table is None else _look_up(grade, table, each.name)
            )
        else:
            value = parameters.get(each.name, SHARED[each.name])
            values[each.name] = np.full(size, value)
            if each.name == "examination":
                depth = size if each.index == "rank" else round(size**0.5)
                falling = value ** np.arange(depth)
                values[each.name] = falling if each.index == "rank" else np.repeat(falling, depth)
        if not ((values[each.name] >= 0) & (values[each.name] <= 1)).all():
            raise UsageError(f"{each.name} is a probability, between 0 and 1")
    return values


def _look_up(grade: Floats, table: Mapping[float, float], name: str) -> Floats:
    missing = sorted({*grade.tolist()} - {float(key) for key in table})
    if missing:
        raise UsageError(f"{name}: there is no probability for the grade {missing[0]:g}")
    return np.array([table[each] for each in grade.tolist()], dtype=np.float64)
