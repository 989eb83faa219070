"""Which parameters of a click model a log can determine, from what was shown and clicked."""

from __future__ import annotations

import numpy as np

from assay.behavior.clicks.click_lists import ClickLists
from assay.behavior.clicks.model_structure import ClickModelStructure, Expected, Values
from assay.behavior.clicks.models.examination import ExaminationModel
from assay.core.arrays import Bools, Floats, Ints

NO_EVENT = "no observation: the prior alone"
ONE_RANK = "shown at one rank only"
NOT_LINKED = "not identified: no document links its ranks with the reference"
MOSTLY_PRIOR = "mostly the prior"
PRIOR_SHARE = 0.5


def rank_counts(lists: ClickLists) -> Ints:
    """Return at how many ranks each pair was shown."""
    if lists.rank is None:  # a position is a rank
        counts = np.zeros(lists.pairs.height, dtype=np.int64)
        for position, size in enumerate(lists.active[:-1]):
            shown = np.zeros(lists.pairs.height, dtype=bool)
            shown[lists.pair[position, :size]] = True
            counts += shown
        return counts
    keys = []
    depth = lists.highest_rank
    for position, size in enumerate(lists.active[:-1]):
        keys.append(
            np.unique(
                lists.pair[position, :size].astype(np.int64) * depth + lists.ranks(position, size)
            )
        )
    places = np.unique(np.concatenate(keys)) // depth
    return np.bincount(places, minlength=lists.pairs.height)


def linked(
    structure: ClickModelStructure, lists: ClickLists, values: Values, reference: int
) -> tuple[Bools, Bools]:
    """Return which pairs and examination parameters are linked with the reference.

    A document links the ranks at which it was shown: their examinations can be compared.
    """
    if not isinstance(structure, ExaminationModel):
        return np.ones(lists.pairs.height, bool), np.ones(0, bool)
    size = len(values["examination"])
    depth = size if structure.parameters[1].index == "rank" else round(size**0.5)
    edges = []
    for _, part in lists.blocks:
        edge = part.pair.astype(np.int64) * size + structure.cells(part, depth)
        edges.append(_distinct(edge[part.shown]))
    edge = np.concatenate(edges)  # one of two blocks may occur twice, which changes nothing
    pair, cell = edge // size, edge % size
    cells = np.arange(size) == reference
    while True:
        pairs = np.zeros(lists.pairs.height, dtype=bool)
        pairs[pair[cells[cell]]] = True
        wider = cells.copy()
        wider[cell[pairs[pair]]] = True
        if (wider == cells).all():
            return pairs, cells
        cells = wider


def _distinct(numbers: Ints) -> Ints:
    """Return the distinct numbers in order: by marks if they are close together, else by sorting.

    The pairs of a block of lists are close together.
    """
    low = int(numbers.min()) if numbers.size else 0
    high = int(numbers.max(initial=0))
    if high - low >= 8 * numbers.size:
        return np.unique(numbers)
    marks = np.zeros(high - low + 1, dtype=bool)
    marks[numbers - low] = True
    return np.flatnonzero(marks) + low


def parameter_notes(
    expected: Expected, prior_share: dict[str, Floats] | None, name: str, linked_ones: Bools | None
) -> list[str]:
    """Return what must be known about each value of a parameter; empty where nothing."""
    seen = expected.hits[name] + expected.misses[name]
    share = None if prior_share is None else prior_share[name]
    notes = np.full(len(seen), "", dtype=object)
    if share is not None:
        notes[np.nan_to_num(share) > PRIOR_SHARE] = MOSTLY_PRIOR
    if linked_ones is not None and len(linked_ones) == len(seen):
        notes[~linked_ones] = NOT_LINKED
    notes[seen <= 0] = NO_EVENT
    return [str(each) for each in notes]
