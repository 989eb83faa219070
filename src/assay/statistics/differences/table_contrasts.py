"""The differences of systems in a measure of whole tables: how large, how sure."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from assay.core.arrays import Floats, Ints
from assay.core.errors import DataError
from assay.core.phrases import quantity
from assay.measures.standard_errors import influence_error
from assay.statistics.differences import effect_sizes
from assay.statistics.differences.contrasts import Contrasts, empty_contrasts, system_pairs
from assay.statistics.differences.pair_statistics import ContrastMethod
from assay.statistics.differences.sampling_distribution import (
    Distribution,
    ResampledDistribution,
    StandardErrorDistribution,
    distribution_p_value,
)
from assay.statistics.differences.table_sample import ABSENT, TableSample
from assay.statistics.intervals.interval_settings import CLOSED_FORM, NO_WIDTH, Bootstrap, Interval
from assay.statistics.intervals.jackknife import (
    JACKKNIFE,
    MOST_CELLS,
    clip_to_bounds,
    jackknife_interval,
    jackknife_parts,
    leave_one_out_values,
)
from assay.statistics.intervals.table_intervals import table_interval
from assay.statistics.intervals.unit_clusters import cluster_numbers
from assay.statistics.intervals.zero_width import NO_INTERVAL

TESTS = {
    "expanded": "bootstrap over items",
    "percentile": "bootstrap over items",
    CLOSED_FORM: "closed form over items",
    JACKKNIFE: "jackknife over items",
}
"""What tests a difference whose interval is made in a way."""


def table_contrasts(
    sample: TableSample, baselines: Sequence[str], method: ContrastMethod
) -> Contrasts:
    """Every pair over the items that both have."""
    first, second = system_pairs(sample.systems, baselines)
    columns = empty_contrasts(len(first))
    ways, tests = [""] * len(first), [""] * len(first)
    notes: list[str] = []
    for which, own in sample.pairs_by_units(first, second):
        if len(own) < 2:
            who = f"{sample.systems[second[which[0]]]} and {sample.systems[first[which[0]]]}"
            notes.append(
                f"{sample.measure}: {who} have {quantity(len(own), 'item')} in common: too few"
            )
            columns["units"][which] = len(own)
            continue
        taking_part = sorted({*first[which].tolist(), *second[which].tolist()})
        spreads = TableDistributions(own, method.interval, taking_part)
        for pair in which.tolist():
            spread = spreads.difference(int(first[pair]), int(second[pair]))
            ways[pair] = NO_WIDTH if spread.certain else spread.method
            tests[pair] = TESTS.get(spread.method, "")
            for fact, value in _contrast_columns(own, int(first[pair]), spread, method).items():
                columns[fact][pair] = value
            method.setup.progress(pair + 1, len(first))
    return Contrasts(
        sample,
        first,
        second,
        columns,
        notes=tuple(notes),
        intervals=_method_column(columns["low"], ways),
        tests=_method_column(columns["p"], tests),
    )


def _method_column(found: Floats, ways: Sequence[str]) -> tuple[str, ...]:
    """How each number was found, where there is one."""
    return tuple(
        "" if math.isnan(one) and way != NO_WIDTH else way
        for one, way in zip(found.tolist(), ways, strict=True)
    )


def system_interval(sample: TableSample, system: int, interval: Bootstrap) -> Interval:
    """The interval of one system, over its own items."""
    plain = interval.clusters is None and not np.isnan(sample.whole[system])
    if plain and sample.left_out:
        value, view = sample.value(system), sample.views[system]
        return jackknife_interval(value, view, sample.made, interval.confidence)
    if plain:
        return table_interval(sample.made, sample.views[system], interval)
    own = sample.where(sample.cells[:, system] != ABSENT)
    spread = TableDistributions(own, interval, [system]).single(system)
    if spread.certain:
        return NO_INTERVAL
    return Interval(*clip_to_bounds(sample.made, *spread.ends(interval.confidence)), spread.method)


def _contrast_columns(
    own: TableSample, base: int, spread: Distribution, method: ContrastMethod
) -> dict[str, float]:
    before, difference = own.value(base), spread.estimate
    low, high = (math.nan,) * 2 if spread.certain else spread.ends(method.interval.confidence)
    margin = method.margin or 0.0
    better, worse = 1 - spread.above(margin), 1 - spread.below(-margin)
    if own.better == "lower":
        better, worse = worse, better
    alike = float(np.clip(1 - worse - better, 0, 1))
    facts = {
        "units": float(len(own)),
        "baseline_value": before,
        "value": before + difference,
        "difference": difference,
        "low": low,
        "high": high,
        "relative": float(
            effect_sizes.relative_difference(np.asarray([difference]), np.asarray([before]))[0]
        ),
        "statistic": spread.statistic,
        "p": distribution_p_value(spread, method.setup.alternative),
        "worse_chance": worse,
        "alike_chance": alike if margin or not difference else 0.0 * alike,
        "better_chance": better,
    }
    if method.margin is not None:
        facts["equivalence_p"] = max(spread.above(-margin), spread.below(margin))
    return facts


class TableDistributions:
    """How sure the values and differences of systems over the same items are.

    What concerns one system is found once, however many pairs it is in.
    """

    def __init__(
        self, own: TableSample, interval: Bootstrap, systems: Sequence[int] | None = None
    ) -> None:
        self.own = own
        self.interval = interval
        self.systems = list(range(len(own.systems))) if systems is None else list(systems)
        self.clusters: Ints | None = None
        if interval.clusters:
            self.clusters = cluster_numbers(own.units, interval.clusters)
        self._drawn: Floats | None = None
        self._moved: dict[int, Floats | None] = {}

    def difference(self, first: int, second: int) -> Distribution:
        """The value of the second less that of the first."""
        estimate = self.own.value(second) - self.own.value(first)
        closed = self.item_influence(first), self.item_influence(second)
        if closed[0] is not None and closed[1] is not None:
            return self._standard(estimate, closed[1] - closed[0])
        if self.own.left_out:
            raise DataError(
                f"{self.own.measure}: a table of more than {MOST_CELLS:,} cells is too large to"
                " leave out each item"
            )
        return self._resampled(estimate, self.drawn(second) - self.drawn(first))

    def single(self, system: int) -> Distribution:
        """The value of one system."""
        moved = self.item_influence(system)
        if moved is not None:
            return self._standard(self.own.value(system), moved)
        return self._resampled(self.own.value(system), self.drawn(system))

    def _resampled(self, estimate: float, drawn: Floats) -> Distribution:
        size = self.own.size if self.clusters is None else int(self.clusters.max()) + 1
        return ResampledDistribution(estimate, drawn, round(size), self.interval)

    def _standard(self, estimate: float, moved: Floats) -> Distribution:
        if self.own.left_out:
            bias, error = jackknife_parts(estimate, estimate + moved)
            return StandardErrorDistribution(estimate, error, JACKKNIFE, len(moved) - 1, bias)
        return StandardErrorDistribution(estimate, influence_error(moved), CLOSED_FORM)

    def drawn(self, system: int) -> Floats:
        """The value of a system in each resample."""
        if self._drawn is None:
            draws = self.interval.resamples, self.interval.seed
            self._drawn = self.own.drawn(self.systems, *draws, self.clusters)
        return self._drawn[:, self.systems.index(system)]

    def item_influence(self, system: int) -> Floats | None:
        """How far each item moves the value of a system; None where only resamples tell."""
        if system not in self._moved:
            self._moved[system] = self._by_item(system)
        return self._moved[system]

    def _by_item(self, system: int) -> Floats | None:
        own = self.own
        if own.left_out:
            without = self._without(system)
            return None if without is None else without - own.value(system)
        if self.clusters is not None or not self.interval.closed_forms:
            return None
        for influence in own.made.definition.influences:
            by_cell = own.made.apply(influence, own.view_in_items(system))
            if by_cell is not None:
                # An item of more than the usual weight moves more.
                return by_cell[own.cells[:, system]] * np.sqrt(own.shares)
        return None

    def _without(self, system: int) -> Floats | None:
        """The value of a system without each item, or each cluster of items."""
        own = self.own
        if self.clusters is not None:
            return own.leave_cluster_out_values(system, self.clusters)
        view, about = own.view(system), np.stack((own.cells[:, system], own.weights))
        kinds, kind = np.unique(about, axis=1, return_inverse=True)
        if max(len(view.cells), kinds.shape[1]) > MOST_CELLS:
            return None
        return leave_one_out_values(view, own.made, kinds[0].astype(np.int64), kinds[1])[
            kind.ravel()
        ]
