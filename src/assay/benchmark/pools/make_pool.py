"""Making a pool: from runs to the documents that are judged."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import polars as pl

from assay.benchmark.collections.read_files import read_topics
from assay.benchmark.pools.adaptive_pools import (
    ADAPTIVE,
    Judge,
    JudgingState,
    judge_adaptively,
)
from assay.benchmark.pools.budgets import Budget
from assay.benchmark.pools.near_duplicates import SHOWN, merge_duplicates
from assay.benchmark.pools.oracles import choose_judge, require_oracle
from assay.benchmark.pools.pool import LOG_SCHEMA, SCHEMA, Pool
from assay.benchmark.pools.pooled_runs import PooledRuns, QueryLists
from assay.benchmark.pools.run_table import RunTable
from assay.benchmark.pools.sampled_pools import (
    PoolSample,
    Stratum,
    draw_rest,
    parse_strata,
    sample_statap,
    sample_strata,
)
from assay.core.arrays import Ints
from assay.core.conventions import ReadingOptions, RunSettings
from assay.core.errors import UsageError, unknown_name

RANKED, SAMPLED = ("depth", "take"), ("stratified", "statap")
METHODS = (*RANKED, *ADAPTIVE, *SAMPLED)
"""How documents are chosen, by name."""
DEPTH = 100
ALL = "all"
"""The stratum of a pool that is judged completely."""


@dataclass(frozen=True)
class PoolSettings:
    """How documents are chosen from the runs."""

    method: str = "depth"
    budget: Budget = Budget()  # noqa: RUF009 (frozen)
    strata: tuple[Stratum, ...] = ()
    random: float = 0.0
    """The share of what is judged that is drawn at random from the rest."""
    seed: int = 1
    rel: float = 1.0

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise unknown_name("pooling method", self.method, METHODS)
        if not 0 <= self.random < 1:
            raise UsageError(f"random is {self.random}: a share from 0 to below 1 is expected")
        if self.method in ("take", *ADAPTIVE, "statap") and not self.budget.limited:
            raise UsageError(f"{self.method} needs a `size`, a `share`, a `budget` or `hours`")
        if self.random and (self.method in SAMPLED or not self.budget.limited):
            raise UsageError(
                "a random part is drawn beside what a `size`, a `share`, a `budget` or `hours`"
                " allows; with `method=stratified` everything is drawn at random already"
            )
        if (self.method == "stratified") != bool(self.strata):
            raise UsageError(
                "stratified needs `strata=…` such as 10:1,100:0.2, and only it has them"
            )

    def draw(self, query: str) -> np.random.Generator:
        """Return random numbers for one query, which do not depend on the other queries."""
        return np.random.default_rng([self.seed, zlib.crc32(query.encode())])


def pool(
    runs: Any,
    depth: int | None = None,
    method: str = "depth",
    *,
    size: int | None = None,
    share: float | None = None,
    budget: int | None = None,
    hours: float | None = None,
    minutes: float = 1.5,
    strata: str | None = None,
    random: float = 0.0,
    oracle: Any = None,
    judge: Judge | None = None,
    topics: Any = None,
    teams: Any = None,
    per_team: int | None = None,
    near_duplicates: Any = None,
    judged_only: bool = False,
    seed: int = 1,
    progress: Callable[[str], None] = lambda query: None,
    **options: Unpack[ReadingOptions],
) -> Pool:
    """Choose the documents of the runs that are judged; see ``METHODS``.

    ``depth`` is how many documents of each run are considered (100 by default, or the last rank of
    the strata). ``size`` limits the documents of each topic, ``share`` does so as a share of its
    documents, ``budget`` limits those of all topics, and so do ``hours`` with ``minutes`` for each
    document. Adaptive methods ask the judgments ``oracle`` (documents that it lacks are not
    relevant) or ``judge``, a function of query and document. ``strata`` has the last rank and the
    drawn share of each, 10:1,100:0.2; ``random`` is the share of what is judged that is drawn from
    all other documents. ``topics`` are the topics of the benchmark; ``teams`` is a table of run,
    team, and perhaps priority and late, of which ``per_team`` runs contribute;
    ``near_duplicates`` a table of doc and group. With ``judged_only`` documents that the oracle
    does not know are left out, to try methods on judgments that exist.
    """
    levels = tuple(parse_strata(strata)) if strata else ()
    settings = RunSettings.from_options(options)
    rel = 1.0 if settings.rel is None else settings.rel
    limits = Budget(size, budget, hours, minutes, share)
    chosen = PoolSettings(method, limits, levels, random, seed, rel)
    deep = levels[-1].last if levels else (depth or DEPTH)
    table = RunTable.read(teams, per_team)
    pooled = PooledRuns.read(runs, deep, settings, table, _topic_ids(topics))
    shown = pl.DataFrame(schema=SHOWN)
    if near_duplicates is not None:
        pooled, shown = merge_duplicates(pooled, near_duplicates)
    if judged_only:
        pooled = pooled.known_to(require_oracle(oracle))
    asked = choose_judge(method, None if method not in ADAPTIVE and judged_only else oracle, judge)
    if method == "depth" and not limits.limited:
        made = _whole_pool(pooled)
    else:
        made = _chosen_pool(pooled, chosen, asked, progress)
    described = {"method": method, "depth": deep, "seed": seed, "runs": list(pooled.names)}
    notes = (*pooled.notes, *made.notes, *asked.notes)
    return replace(_log_duplicates(made, shown), settings=described, notes=notes)


def _topic_ids(topics: Any) -> list[str] | None:
    """Return the ids of topics: of a file in any layout, of ``Topics``, or as they are given."""
    if topics is None:
        return None
    if isinstance(topics, str | Path):
        return read_topics(topics).ids
    if hasattr(topics, "ids"):
        return list(topics.ids)
    return [str(each) for each in topics]


def _whole_pool(runs: PooledRuns) -> Pool:
    """Return the union of the tops of all runs: the depth pool."""
    documents = runs.documents
    frame = documents.select(
        "query",
        "doc",
        stratum=pl.lit(ALL),
        probability=pl.lit(1.0),
        best_rank="best_rank",
        runs="runs",
    )
    first = pl.col("runs").str.split(" ").list.first()
    reason = pl.format("rank {} in the runs, first {}", "best_rank", first)
    log = documents.select("query", "doc", step=pl.lit(0, pl.Int32), reason=reason)
    return Pool(frame, frame.clear(), log)


def _chosen_pool(
    runs: PooledRuns, settings: PoolSettings, judge: Judge, progress: Callable[[str], None]
) -> Pool:
    """Return a pool of which the settings choose documents query by query."""
    documents = runs.documents
    sizes = dict(documents.group_by("query").len().sort("query").iter_rows())
    shares = settings.budget.shares(sizes)
    frames, logs = [], []
    for lists in runs.lists():
        progress(lists.query)
        sample, log = _choose(lists, settings, shares[lists.query], judge, runs.names)
        frames.append(_sample_frame(lists, sample))
        logs.append(log)
    rows = pl.concat(frames).join(
        documents.select("query", "doc", "best_rank", "runs"), on=["query", "doc"], how="left"
    )
    ordered = rows.sort("query", "doc")
    columns = list(SCHEMA)
    drawn = ordered.filter("drawn").select(columns)
    listed = ordered.filter(~pl.col("drawn") & (pl.col("probability") > 0)).select(columns)
    return Pool(drawn, listed, pl.concat(logs))


def _choose(
    lists: QueryLists, settings: PoolSettings, share: int, judge: Judge, names: Sequence[str]
) -> tuple[PoolSample, pl.DataFrame]:
    """Return which documents of one query are judged, and why."""
    draw = settings.draw(lists.query)
    if settings.method == "stratified":
        sample = sample_strata(lists, settings.strata, draw)
        return sample, _log(lists, _draw_reasons(sample, np.flatnonzero(sample.drawn)))
    if settings.method == "statap":
        sample = sample_statap(lists, share, draw)
        return sample, _log(lists, _draw_reasons(sample, np.flatnonzero(sample.drawn)))
    extra = int(np.ceil(settings.random * share))
    limit = share - extra
    if settings.method in RANKED:
        reasons = _by_rank(lists, settings.method, limit)
    else:
        state = JudgingState(lists, names, draw)
        reasons = judge_adaptively(state, settings.method, limit, judge, settings.rel)
    kept = np.zeros(len(lists.docs), dtype=bool)
    kept[[doc for doc, _ in reasons]] = True
    if not settings.random:
        whole = PoolSample(kept, [ALL] * len(kept), kept.astype(np.float64))
        return whole, _log(lists, reasons)
    sample = draw_rest(lists, kept, extra, draw)
    added = np.flatnonzero(sample.drawn & ~kept)
    return sample, _log(lists, [*reasons, *_draw_reasons(sample, added)])


def _by_rank(lists: QueryLists, method: str, limit: int) -> list[tuple[int, str]]:
    """Return the first documents by best rank, or by fused score; ties by the other, then id."""
    codes = np.arange(len(lists.docs))
    best, fused = lists.best_rank, lists.fused
    keys = (codes, -fused, best) if method == "depth" else (codes, best, -fused)
    order = np.lexsort(keys)[:limit]
    if method == "depth":
        return [(int(doc), f"best rank {best[doc]}") for doc in order]
    return [(int(doc), f"fused score {fused[doc]:.6f}") for doc in order]


def _draw_reasons(sample: PoolSample, docs: Ints) -> list[tuple[int, str]]:
    return [
        (
            int(doc),
            f"drawn from stratum {sample.stratum[doc]} with probability"
            f" {sample.probability[doc]:.4g}",
        )
        for doc in docs
    ]


def _log(lists: QueryLists, reasons: Iterable[tuple[int, str]]) -> pl.DataFrame:
    rows = [
        (lists.query, lists.docs[doc], step, reason)
        for step, (doc, reason) in enumerate(reasons, 1)
    ]
    return pl.DataFrame(rows, schema=LOG_SCHEMA, orient="row")


def _sample_frame(lists: QueryLists, sample: PoolSample) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "query": [lists.query] * len(lists.docs),
            "doc": lists.docs,
            "stratum": pl.Series(sample.stratum, dtype=pl.String),
            "probability": sample.probability,
            "drawn": sample.drawn,
        }
    )


def _log_duplicates(made: Pool, shown: pl.DataFrame) -> Pool:
    """Return the pool with a line of the log for each document that another stands for."""
    if shown.is_empty():
        return made
    lines = shown.select(
        "query",
        "doc",
        step=pl.lit(0, pl.Int32),
        reason=pl.format("not shown: a near-duplicate of {}", "shown"),
    )
    return replace(made, log=pl.concat([made.log, lines]))
