"""Reusability: scores without the judgments that only one run or team brought."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
import polars as pl

from assay.benchmark.pools.make_pool import DEPTH
from assay.benchmark.pools.pooled_runs import PooledRuns
from assay.benchmark.pools.run_table import RunTable
from assay.benchmark.reusability.order_agreement import LEVEL, UnitValues, compare_orders
from assay.core.conventions import ReadingOptions, RunSettings
from assay.core.errors import UsageError
from assay.core.printable import Printable
from assay.core.tables import Judgments, Run
from assay.formats.containers import to_judgments, to_runs
from assay.formats.decimal_commas import with_decimal_points
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

DEPTHS = (5, 10, 20, 50)
SHARES = (0.5, 0.2, 0.1)
ESTIMATES = {"AP": "xinfAP", "nDCG": "infNDCG"}
"""The estimate from sampled judgments of each measure that has one."""
UNJUDGED = "Unjudged@10"


@dataclass(frozen=True, repr=False, eq=False)
class Reusability(Printable):
    """How far the judgments depend on the runs that were pooled."""

    runs: pl.DataFrame
    """Each run without the judgments that only it brought: loss, new rank, unjudged@10."""
    teams: pl.DataFrame
    """The same where all runs of its team are left out together."""
    orders: pl.DataFrame
    """How far the order of systems is kept: left-out runs and teams, depths, sampled judgments."""
    notes: tuple[str, ...] = ()


def pool_reuse(
    qrels: Any,
    runs: Any,
    measure: str = "AP",
    *,
    teams: Any = None,
    depth: int = DEPTH,
    depths: Sequence[int] = DEPTHS,
    shares: Sequence[float] = SHARES,
    level: float = LEVEL,
    seed: int = 1,
    **options: Unpack[ReadingOptions],
) -> Reusability:
    """Score each run and each team without the judgments that only it brought (Zobel 1998).

    A run brought the judged documents that are among its first ``depth`` and in no other run (or no
    run of another team) at that depth. The same is shown for judgments of smaller ``depths``, and
    for samples of the judgments of these ``shares``.
    """
    settings = RunSettings.from_options(options)
    study = _Study.read(qrels, runs, measure, settings, depth, RunTable.read(teams))
    single, by_run = study.left_out([[name] for name in study.names])
    groups = study.teams()
    several = [group for group in groups if len(group) > 1]
    joint, by_team = study.left_out(groups) if several else (single, by_run)
    orders = [
        study.order_row("each run without its own judgments", by_run, level),
        *([study.order_row("each team without its own judgments", by_team, level)] * bool(several)),
        *(
            study.order_row(f"depth {each}", study.at_depth(each), level)
            for each in depths
            if each < depth
        ),
        *(
            study.order_row(f"{share:.0%} sampled", study.sampled(share, seed), level)
            for share in shares
        ),
    ]
    notes = list(study.pooled.notes)
    if not several:
        notes.append("no teams are given: each run is a team of its own (`teams=…`)")
    return Reusability(single, joint, pl.DataFrame(orders), tuple(notes))


@dataclass(frozen=True)
class _Study:
    """Runs in memory, their judgments, and which run brought which document."""

    judgments: Judgments
    runs: dict[str, Run]
    measure: str
    settings: RunSettings
    pooled: PooledRuns
    table: RunTable
    full: UnitValues

    @classmethod
    def read(
        cls,
        qrels: Any,
        runs: Any,
        measure: str,
        settings: RunSettings,
        depth: int,
        table: RunTable,
    ) -> _Study:
        """Read the inputs, pool the runs and evaluate them on all judgments."""
        qrels = with_decimal_points(qrels, settings.decimal_comma)
        runs = with_decimal_points(runs, settings.decimal_comma)
        judgments = to_judgments(qrels, settings.qrels_format)
        systems = [
            Run(run.frame, run.source, run.name) for run in to_runs(runs, settings.input_format)
        ]
        if len(systems) < 2:
            raise UsageError("one run alone has nobody to be compared with: give two or more")
        pooled = PooledRuns.read(systems, depth, settings, RunTable(table.teams))
        named = {run.name: run for run in systems}
        full = _unit_values(judgments, named, measure, settings)
        return cls(judgments, named, measure, settings, pooled, table, full)

    @property
    def names(self) -> list[str]:
        """The names of the runs."""
        return list(self.runs)

    def teams(self) -> list[list[str]]:
        """Return the runs of each team."""
        by_team: dict[str, list[str]] = {}
        for name in self.names:
            by_team.setdefault(self.table.team(name), []).append(name)
        return list(by_team.values())

    def left_out(self, groups: Sequence[Sequence[str]]) -> tuple[pl.DataFrame, UnitValues]:
        """Return each run without the judgments that only its group brought."""
        before = self.full.means()
        changed: dict[str, np.ndarray] = {}
        rows = []
        for group in groups:
            reduced, removed, relevant = self._without(group)
            own = {name: self.runs[name] for name in group}
            values = _unit_values(reduced, own, self.measure, self.settings)
            unjudged = _means(reduced, own, UNJUDGED, self.settings)
            for name in group:
                changed[name] = values.systems[name]
                rows.append((name, removed, relevant, values.means()[name], unjudged[name]))
        records = [
            self._left_out_row(before, *row)
            for row in sorted(rows, key=lambda row: -before[row[0]])
        ]
        ordered = {name: changed[name] for name in self.names}
        return pl.DataFrame(records), UnitValues(ordered)

    def _left_out_row(
        self,
        before: dict[str, float],
        name: str,
        removed: int,
        relevant: int,
        value: float,
        unjudged: float,
    ) -> dict[str, Any]:
        others = [each for other, each in before.items() if other != name]
        return {
            "run": name,
            "team": self.table.team(name),
            "unique": removed,
            "unique_relevant": relevant,
            self.measure: before[name],
            "without": value,
            "loss": before[name] - value,
            "rank": 1 + sum(each > before[name] for each in others),
            "new_rank": 1 + sum(each > value for each in others),
            "unjudged@10": unjudged,
        }

    def _without(self, group: Sequence[str]) -> tuple[Judgments, int, int]:
        """Return the judgments that others brought too, and how many were removed."""
        numbers = [place for place, name in enumerate(self.pooled.names) if name in group]
        inside = pl.col("run").is_in(numbers)
        rows = self.pooled.rows
        others = rows.filter(~inside).select("query", "doc")
        alone = rows.filter(inside).select("query", "doc").unique()
        alone = alone.join(others, on=["query", "doc"], how="anti")
        frame = self.judgments.frame
        kept = frame.join(alone, on=["query", "doc"], how="anti", maintain_order="left")
        rel = 1.0 if self.settings.rel is None else self.settings.rel
        gone = frame.join(alone, on=["query", "doc"], how="semi")
        relevant = gone.filter(pl.col("grade") >= rel).height
        return _keep_queries(kept, frame, self.judgments), gone.height, relevant

    def at_depth(self, depth: int) -> UnitValues:
        """Return the values with the judgments of a shallower pool."""
        rows = self.pooled.rows.filter(pl.col("rank") <= depth).select("query", "doc").unique()
        frame = self.judgments.frame
        kept = frame.join(rows, on=["query", "doc"], how="semi", maintain_order="left")
        reduced = _keep_queries(kept, frame, self.judgments)
        return _unit_values(reduced, self.runs, self.measure, self.settings)

    def sampled(self, share: float, seed: int) -> UnitValues:
        """Return the values estimated from a random share of the judgments of each query."""
        frame = self.judgments.frame.select("query", "doc", "grade").sort("query", "doc")
        draw = np.random.default_rng(seed).random(frame.height)
        ranked = frame.with_columns(pl.Series("draw", draw)).with_columns(
            place=pl.col("draw").rank("ordinal").over("query"), size=pl.len().over("query")
        )
        count = pl.max_horizontal(1, (pl.col("size") * share).round())
        kept = ranked.with_columns(
            grade=pl.when(pl.col("place") <= count).then("grade").otherwise(-1.0),
            stratum=pl.lit("1"),
        )
        sample = Judgments.of(
            kept.select("query", "doc", "grade", "stratum"), self.judgments.source
        )
        head, at, cut = self.measure.partition("@")
        estimate = ESTIMATES.get(head)
        if estimate is None:
            plain = sample.frame.filter(pl.col("grade") >= 0).drop("stratum")
            reduced = _keep_queries(plain, frame, self.judgments)
            return _unit_values(reduced, self.runs, self.measure, self.settings)
        return _unit_values(sample, self.runs, f"{estimate}{at}{cut}", self.settings)

    def order_row(self, what: str, values: UnitValues, level: float) -> dict[str, Any]:
        """Return how far some values keep the order of the full ones."""
        found = compare_orders(self.full, values, level)
        before, after = self.full.means(), values.means()
        changes = [abs(after[name] - before[name]) for name in before]
        return {
            "judgments": what,
            "tau": found.tau,
            "tau_AP": found.tau_ap,
            "significant": found.significant,
            "kept": found.kept,
            "reversed": found.reversed,
            "added": found.added,
            "mean_change": float(np.mean(changes)),
            "max_change": float(np.max(changes)),
        }


def _keep_queries(kept: pl.DataFrame, whole: pl.DataFrame, judgments: Judgments) -> Judgments:
    """Return judgments with every query: one that lost all keeps a document of no relevance."""
    lost = whole.join(kept, on="query", how="anti").unique("query", keep="first")
    zero = lost.with_columns(grade=pl.lit(0.0)).select(kept.columns)
    return Judgments(pl.concat([kept, zero]), judgments.source)


def _unit_values(
    judgments: Judgments, runs: dict[str, Run], measure: str, settings: RunSettings
) -> UnitValues:
    """Return the values of each run over all judged queries."""
    scores = RetrievalEvidence(judgments=judgments, runs=runs, settings=settings).scores(
        measure, interval=None
    )
    units = sorted({unit for each in scores.results for unit in each.units})
    place = {unit: number for number, unit in enumerate(units)}
    found = {}
    for each in scores.results:
        values = np.full(len(units), np.nan)
        values[[place[unit] for unit in each.units]] = np.asarray(each.values, dtype=np.float64)
        found[each.system] = values
    return UnitValues(found)


def _means(
    judgments: Judgments, runs: dict[str, Run], measure: str, settings: RunSettings
) -> dict[str, float]:
    scores = RetrievalEvidence(judgments=judgments, runs=runs, settings=settings).scores(
        measure, interval=None
    )
    return {each.system: each.value for each in scores.results}


def read_depths(text: str | None, known: Iterable[int] = DEPTHS) -> list[int]:
    """Return the depths of a text such as 5,10,50."""
    if text is None:
        return list(known)
    words = [word.strip() for word in text.split(",")]
    if not all(word.isdecimal() and int(word) for word in words):
        raise UsageError(f"depths are '{text}': whole numbers from 1 are expected, such as 5,10,50")
    return [int(word) for word in words]
