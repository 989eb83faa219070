"""Assignments to contingency tables, and to memberships where clusters overlap."""

from __future__ import annotations

import numpy as np
import polars as pl

from assay.core.arrays import Floats, Ints
from assay.core.errors import AlignmentError
from assay.core.tables import Assignments, ids_as_text
from assay.evidence.column_values import label_codes, refuse_duplicate_keys, refuse_empty
from assay.evidence.label_order import column_order, label_order
from assay.evidence.views.contingency import Contingency
from assay.evidence.views.memberships import Memberships

SPAN = 4_000_000
"""How many possible cells may be counted by their place, without looking any of them up."""
OVERLAP = ". If clusters overlap, ask for the measures that allow it: -m 'eB3P eB3R eB3F'"


def build_contingency(assignments: Assignments) -> Contingency:
    """How many items of each class each cluster holds."""
    refuse_empty(assignments)
    frame = assignments.frame
    if "item" in frame.columns and frame["item"].is_duplicated().any():
        refuse_duplicate_keys(assignments, "item", otherwise=OVERLAP)
    cells = _count_integer_cells(frame["cluster"], frame["class"])
    if cells is None:
        cells = frame.group_by("cluster", "class").len("size")
    clusters, row = _label_codes(cells["cluster"])
    classes, column = _label_codes(cells["class"])
    sizes: Floats = cells["size"].cast(pl.Float64).to_numpy()
    return Contingency.of_cells(row, column, sizes, clusters, classes)


def build_memberships(assignments: Assignments) -> Memberships:
    """The clusters and the classes of each item, of which there may be several."""
    refuse_empty(assignments)
    if "item" not in assignments.frame.columns:
        raise AlignmentError(
            f"{assignments.source.name}: overlapping clusters need the name of each item;"
            " name its column with `item`"
        )
    frame = assignments.frame
    items, item = _label_codes(frame["item"])
    clusters, row = _label_codes(frame["cluster"])
    classes, column = _label_codes(frame["class"])
    return Memberships(
        items, clusters, classes, _distinct_pairs(item, row), _distinct_pairs(item, column)
    )


def _distinct_pairs(item: Ints, label: Ints) -> Ints:
    """The distinct pairs of item and label, by item."""
    return np.unique(np.stack((item, label), axis=1), axis=0)


def _label_codes(labels: pl.Series) -> tuple[tuple[str, ...], Ints]:
    """Return the distinct labels as text in their order, and the place of each entry among them."""
    text = ids_as_text(labels)
    names = label_order(text.unique().to_list(), column_order(labels))
    return names, label_codes(text, names)


def _count_integer_cells(clusters: pl.Series, classes: pl.Series) -> pl.DataFrame | None:
    """The cells of two columns of whole numbers in a narrow range; None for any other labels."""
    if not (clusters.dtype.is_integer() and classes.dtype.is_integer()):
        return None
    low, width = _value_range(clusters)
    base, breadth = _value_range(classes)
    if width * breadth > SPAN:
        return None
    place = clusters.to_numpy().astype(np.int64, copy=False) * breadth
    place += classes.to_numpy().astype(np.int64, copy=False)
    place -= low * breadth + base
    counts = np.bincount(place, minlength=width * breadth)
    found = np.flatnonzero(counts)
    return pl.DataFrame(
        {"cluster": found // breadth + low, "class": found % breadth + base, "size": counts[found]}
    )


def _value_range(labels: pl.Series) -> tuple[int, int]:
    numbers = labels.to_numpy()
    low, high = int(numbers.min()), int(numbers.max())
    return low, high - low + 1
