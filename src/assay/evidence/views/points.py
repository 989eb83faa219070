"""Points: items in a space, or with distances, each in one cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import partial
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
import polars as pl

from assay.core.arrays import Floats, Ints, power_of_two, unit_offsets
from assay.core.errors import DataError, NeedsInput, UsageError, did_you_mean
from assay.core.tables import Source, Table, ids_as_text
from assay.evidence.column_values import ordered_labels, refuse_duplicate_keys, refuse_rows
from assay.evidence.distances import Blocks, Distance, distance_blocks
from assay.evidence.views.view import View

Progress: TypeAlias = Callable[[float], None]
"""Receives the share of a long computation is done."""


@dataclass(frozen=True)
class Points(View):
    """Points cluster after cluster, with coordinates or with a matrix of distances."""

    task: ClassVar[str] = "clustering"

    items: tuple[str, ...]
    clusters: tuple[str, ...]
    offsets: Ints
    """Where each cluster begins, and the end."""
    features: Floats | None = None
    """Points × dimension, divided by the scale."""
    matrix: Floats | None = None
    """Points × points, where distances were given instead."""
    scale: float = 1.0
    """A power of two, not 1 for extreme coordinates, so that squares do not overflow."""
    each_item: bool = False
    progress: Progress = field(default=lambda share: None, compare=False, repr=False)
    kept: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """What several measures need and is dear: it is computed once."""

    @classmethod
    def of(
        cls,
        clusters: tuple[str, ...],
        codes: Ints,
        *,
        features: Floats | None = None,
        matrix: Floats | None = None,
        items: tuple[str, ...] | None = None,
        progress: Progress = lambda share: None,
    ) -> Self:
        """Points in any order, with the number of the cluster of each."""
        order = np.argsort(codes, kind="stable")
        scale = 1.0 if features is None else power_of_two(features)
        names = items or tuple(str(n) for n in range(1, len(codes) + 1))
        return cls(
            tuple(names[place] for place in order.tolist()),
            clusters,
            unit_offsets(np.bincount(codes, minlength=len(clusters))),
            features=None if features is None else np.ascontiguousarray(features[order]) / scale,
            scale=scale,
            matrix=None if matrix is None else matrix[np.ix_(order, order)],
            progress=progress,
        )

    @property
    def units(self) -> tuple[str, ...]:
        """The items, or the whole."""
        return self.items if self.each_item else ("all",)

    @property
    def sizes(self) -> Ints:
        """How many points each cluster has."""
        return np.diff(self.offsets)

    @property
    def codes(self) -> Ints:
        """The number of the cluster of each point."""
        return np.repeat(np.arange(len(self.clusters)), self.sizes)

    def by(self, unit: str | None) -> Self:
        """``item``: each point is a unit."""
        return replace(self, each_item=True) if unit == "item" else super().by(unit)

    def ideal(self) -> Self:
        """There is no truth to be perfect about: what is undefined here is so for these points."""
        return self

    def original_coordinates(self) -> Floats:
        """Return the points in the scale; refused where there are only distances."""
        if self.features is None:
            raise NeedsInput("this measure needs the coordinates of the points, not only distances")
        return self.features

    def coordinates(self) -> Floats:
        """Return the points around their mean, which keeps more digits."""
        return self.compute_once(
            "coordinates",
            lambda: self.original_coordinates() - self.original_coordinates().mean(axis=0),
        )

    def centroids(self) -> Floats:
        """Return the mean point of each cluster."""
        points = self.coordinates()
        sums = np.add.reduceat(points, self.offsets[:-1], axis=0)
        return sums / self.sizes[:, None]

    def blocks(self, distance: Distance | None) -> Iterator[Blocks]:
        """Yield all distances, a rectangle at a time: every pair of points once."""
        return distance_blocks(self.features, self.matrix, distance, self.progress)

    def distance_sums(self, distance: Distance | None) -> Floats:
        """Points × cluster: the distances of each point to all points of the cluster, added up."""
        return self.compute_once(f"sums {distance}", partial(self._distance_sums, distance))

    def _distance_sums(self, distance: Distance | None) -> Floats:
        sums = np.zeros((len(self.items), len(self.clusters)))
        starts = self.offsets[:-1]
        for rows, columns, table in self.blocks(distance):
            first, last = _clusters_within(starts, columns)
            within = np.maximum(starts[first:last] - columns.start, 0)
            sums[rows, first:last] += np.add.reduceat(table, within, axis=1)
            if rows != columns:
                first, last = _clusters_within(starts, rows)
                within = np.maximum(starts[first:last] - rows.start, 0)
                sums[columns, first:last] += _sums_down(table, within).T
        return sums

    def extremes(self, distance: Distance | None) -> tuple[Floats, Floats]:
        """Clusters × cluster: the least and the greatest distance between their points."""
        return self.compute_once(f"extremes {distance}", partial(self._extremes, distance))

    def _extremes(self, distance: Distance | None) -> tuple[Floats, Floats]:
        size = len(self.clusters)
        least, most = np.full((size, size), np.inf), np.zeros((size, size))
        starts = self.offsets[:-1]
        for rows, columns, table in self.blocks(distance):
            i, last = _clusters_within(starts, rows)
            j, end = _clusters_within(starts, columns)
            across = np.maximum(starts[j:end] - columns.start, 0)
            down = np.maximum(starts[i:last] - rows.start, 0)
            for chosen, kept in ((np.minimum, least), (np.maximum, most)):
                found = chosen.reduceat(chosen.reduceat(table, across, axis=1), down, axis=0)
                kept[i:last, j:end] = chosen(kept[i:last, j:end], found)
                kept[j:end, i:last] = chosen(kept[j:end, i:last], found.T)
        return least, most

    def compute_once(self, name: str, make: Callable[[], Any]) -> Any:
        """Return the result of a dear computation, made at the first question."""
        if name not in self.kept:
            self.kept[name] = make()
        return self.kept[name]


def _sums_down(table: Floats, starts: Ints) -> Floats:
    """The sums of the rows from each start to the next; for few starts faster than reduceat."""
    if len(starts) > 32:
        return np.add.reduceat(table, starts, axis=0)
    return np.stack([part.sum(axis=0) for part in np.split(table, starts[1:])])


def _clusters_within(starts: Ints, span: slice) -> tuple[int, int]:
    """Return the clusters with a point in the span: the first, and the one after the last."""
    first = int(np.searchsorted(starts, span.start, side="right")) - 1
    return first, int(np.searchsorted(starts, span.stop, side="left"))


def matching_columns(names: list[str], patterns: list[str], source: Source) -> list[str]:
    """Return the columns that patterns such as ``x*`` name, in the order of the table.

    A pattern such as ``a,b`` that no column fits is two.
    """
    listed = [
        part.strip()
        for pattern in patterns
        for part in ([pattern] if _fits(names, pattern) else pattern.split(","))
    ]
    for pattern in listed:
        if not _fits(names, pattern):
            raise UsageError(
                f"{source.name}: no column is called '{pattern}' among {', '.join(names[:20])}."
                + did_you_mean(pattern, names)
            )
    return [name for name in names if any(fnmatchcase(name, each) for each in listed)]


def _fits(names: list[str], pattern: str) -> bool:
    return any(fnmatchcase(name, pattern) for name in names)


def read_coordinates(frame: pl.DataFrame, columns: list[str], source: Source) -> Floats:
    """Return the numbers of the columns, of which none may be missing, NaN or infinite."""
    if len(columns) == 1 and isinstance(frame[columns[0]].dtype, pl.List | pl.Array):
        return _list_column(frame[columns[0]], source)
    for name in columns:
        _check_feature(frame[name], source)
    return frame.select(pl.col(columns).cast(pl.Float64)).to_numpy()


def _check_feature(column: pl.Series, source: Source) -> None:
    """Raise an error for a feature that is text, missing or not finite."""
    numbers = column.cast(pl.Float64, strict=False)
    if not column.dtype.is_numeric():
        row = int(numbers.is_null().arg_true()[0]) if numbers.null_count() else 0
        raise DataError(
            f"{source.place(row)}: the feature {column.name} is '{column[row]}', but numbers are"
            " expected; choose the numeric columns with `features`"
        )
    shown = column.cast(pl.String).fill_null("missing")
    refuse_rows(
        source,
        ~numbers.is_finite().fill_null(False),
        lambda row: f"the feature {column.name} is {shown[row]}; a finite number is expected",
    )


def _list_column(column: pl.Series, source: Source) -> Floats:
    """Return a column whose entries are lists of numbers, all of one length."""
    lengths = column.cast(pl.List(pl.Float64), strict=False).list.len()
    refuse_rows(
        source,
        lengths.is_null() | (lengths != lengths[0]).fill_null(True),
        lambda row: (
            f"{column.name} has {lengths[row]} numbers, the first row {lengths[0]};"
            " all must have as many"
        ),
    )
    table = np.asarray(column.to_list(), dtype=np.float64)
    wrong = np.asarray(~np.isfinite(table).all(axis=1))
    refuse_rows(source, wrong, lambda row: f"{column.name} holds a number that is not finite")
    return table


def build_points(
    table: Floats,
    cluster: pl.Series,
    items: pl.Series | None,
    source: Source,
    *,
    precomputed: bool = False,
    progress: Progress = lambda share: None,
) -> Points:
    """Points by cluster and coordinates: the order of the lines plays no part.

    ``table`` holds coordinates, or with ``precomputed`` the distances of all rows to all rows.
    """
    refuse_rows(source, cluster.is_null(), lambda row: f"the {cluster.name} is missing")
    if items is not None:
        refuse_duplicate_keys(Table(items.to_frame("item"), source), "item")
    if precomputed:
        _refuse_invalid_matrix(table, source)
    clusters, codes = ordered_labels(cluster)
    numbers = range(1, len(codes) + 1)
    names = list(map(str, numbers)) if items is None else ids_as_text(items).to_list()
    order = np.arange(len(codes)) if precomputed else _canonical_order(table, codes)
    return Points.of(
        clusters,
        codes[order],
        features=None if precomputed else table[order],
        matrix=table if precomputed else None,
        items=tuple(names[place] for place in order.tolist()),
        progress=progress,
    )


def _canonical_order(table: Floats, codes: Ints) -> Ints:
    """By cluster, then by coordinates: a canonical order, so that sums come out bit by bit."""
    columns = pl.DataFrame(table, schema=[f"x{n}" for n in range(table.shape[1])])
    order = columns.with_columns(own_cluster=codes).select(
        pl.arg_sort_by("own_cluster", *columns.columns)
    )
    return order.to_series().cast(pl.Int64).to_numpy()


def _refuse_invalid_matrix(table: Floats, source: Source) -> None:
    """A matrix of distances is square and symmetric, never negative, and 0 on the diagonal."""
    rows, columns = table.shape
    if rows != columns:
        raise DataError(
            f"{source.name}: a matrix of distances is square; this one has {rows} rows and"
            f" {columns} columns"
        )
    checks = {
        "is negative": table < 0,
        "differs from its mirror image": ~np.isclose(table, table.T, rtol=1e-9, atol=1e-12),
        "stands on the diagonal, where 0 is expected": np.diag(np.diag(table) != 0),
    }
    for what, wrong in checks.items():
        if wrong.any():
            row, column = (int(place[0]) for place in np.nonzero(wrong))
            raise DataError(
                f"{source.place(row)}: the distance {table[row, column]:g} in column {column + 1}"
                f" of the matrix {what}"
            )
