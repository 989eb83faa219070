"""Standard errors of click models, from the observed information.

The score of a parameter is hits / value − misses / (1 − value), by the expectation step. The
observed information is minus its derivative, taken by central differences. Pairs of different
queries share no list, so one parameter of every query is moved at a time; the information is then a
block for each query, bordered by the parameters that all queries share.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.behavior.clicks.click_lists import ClickLists
from assay.behavior.clicks.expectation_maximization import Priors, Solution
from assay.behavior.clicks.model_structure import ClickModelStructure, Values
from assay.core.arrays import Bools, Floats, Ints, unit_offsets

STEP = 1e-4
"""How far a parameter is moved, as a share of its distance from 0 or 1."""
MOST_WORK = 3e8
"""Impressions that may be read before standard errors must be asked for."""
LEAST_EIGENVALUE = 1e-8
"""Directions of the scaled information with less are not determined."""


@dataclass(frozen=True)
class Uncertainty:
    """Standard errors by parameter, and the share of the information that the prior has."""

    errors: dict[str, Floats]
    """NaN where a parameter is fixed, lies on the boundary, or is not determined."""
    prior_share: dict[str, Floats]


def work(structure: ClickModelStructure, lists: ClickLists) -> float:
    """Return about how many impressions the computation reads."""
    per_query = np.bincount(lists.pair_query)
    kinds = sum(each.index == "pair" for each in structure.parameters)
    shared = sum(
        structure.shape(each, lists)[0] for each in structure.parameters if each.index != "pair"
    )
    shown = np.bincount(
        lists.pair_query,
        lists.sum_blocks(lambda part: part.pair_part(np.ones(part.pair.shape) / part.count)),
    )
    return 2 * float(kinds * (shown * per_query).sum() + shared * shown.sum())


class _Parameters:
    """The free parameters in one order: those of pairs by query, then the shared ones."""

    def __init__(
        self, structure: ClickModelStructure, lists: ClickLists, found: Solution, edge: float = 1e-6
    ) -> None:
        self.names = [each.name for each in structure.parameters]
        local: list[tuple[int, Ints]] = []
        shared: list[tuple[int, Ints]] = []
        for kind, each in enumerate(structure.parameters):
            value = found.values[each.name]
            seen = found.expected.hits[each.name] + found.expected.misses[each.name] > 0
            inside = (value > edge) & (value < 1 - edge) & (seen | (each.index == "pair"))
            free = np.flatnonzero(inside & ~found.fixed.get(each.name, np.zeros(len(value), bool)))
            (local if each.index == "pair" else shared).append((kind, free))
        self.local_kind, self.local_place = _joined(local)
        order = np.lexsort((self.local_kind, self.local_place))
        self.local_kind, self.local_place = self.local_kind[order], self.local_place[order]
        self.query = lists.pair_query[self.local_place]
        self.shared_kind, self.shared_place = _joined(shared)
        counts = np.bincount(self.query, minlength=int(lists.pair_query.max(initial=0)) + 1)
        self.offsets = unit_offsets(counts)
        self.color = np.arange(len(self.query)) - self.offsets[self.query]
        self.sizes = counts

    def read(self, values: Values, kind: Ints, place: Ints) -> Floats:
        """Return the values of some parameters."""
        result = np.empty(len(kind))
        for number, name in enumerate(self.names):
            of_kind = kind == number
            result[of_kind] = values[name][place[of_kind]]
        return result

    def local(self, values: Values) -> Floats:
        """Return the values of all parameters of pairs."""
        return self.read(values, self.local_kind, self.local_place)

    def shared(self, values: Values) -> Floats:
        """Return the values of all shared parameters."""
        return self.read(values, self.shared_kind, self.shared_place)


def _joined(parts: list[tuple[int, Ints]]) -> tuple[Ints, Ints]:
    kinds = [np.full(len(place), kind) for kind, place in parts]
    empty = np.empty(0, dtype=np.int64)
    return np.concatenate([empty, *kinds]), np.concatenate([empty, *(p for _, p in parts)])


def standard_errors(
    structure: ClickModelStructure, lists: ClickLists, found: Solution, priors: Priors
) -> Uncertainty:
    """Return the standard errors of a solution, with the curvature of the prior."""
    free = _Parameters(structure, lists, found)
    values = found.values
    blocks = _local_blocks(structure, lists, free, values)
    border, corner = _shared_part(structure, lists, free, values)
    local, shared = free.local(values), free.shared(values)
    curvature = {n: _prior_information(each, *priors[n]) for n, each in values.items()}
    local_prior, shared_prior = free.local(curvature), free.shared(curvature)
    corner[np.diag_indices(len(shared))] += shared_prior
    inverses, through = [], np.zeros_like(corner)
    for query, size in enumerate(free.sizes.tolist()):
        part = slice(free.offsets[query], free.offsets[query + 1])
        block = blocks[query] if size else np.empty((0, 0))
        inverse, loose = _invert(block + np.diag(local_prior[part]))
        inverses.append((inverse, loose))
        if len(shared) and size:
            through += border[part].T @ inverse @ border[part]
    outer, loose_shared = _invert(corner - through)
    local_error = np.full(len(local), np.nan)
    for query, (inverse, loose) in enumerate(inverses):
        part = slice(free.offsets[query], free.offsets[query + 1])
        moved = inverse @ border[part]
        variance = np.diag(inverse) + np.einsum("ij,jk,ik->i", moved, outer, moved)
        local_error[part] = np.where(loose, np.nan, np.sqrt(np.maximum(variance, 0)))
    shared_error = np.where(loose_shared, np.nan, np.sqrt(np.maximum(np.diag(outer), 0)))
    return _by_name(free, values, (local_error, shared_error), (local_prior, shared_prior))


def _prior_information(values: Floats, hits: float, misses: float) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return hits / values**2 + misses / (1 - values) ** 2


def _score(structure: ClickModelStructure, lists: ClickLists, values: Values) -> dict[str, Floats]:
    expected = structure.expect(lists, values)
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            name: np.nan_to_num(expected.hits[name] / each)
            - np.nan_to_num(expected.misses[name] / (1 - each))
            for name, each in values.items()
        }


def _move(values: Values, free: _Parameters, kind: Ints, place: Ints, by: Floats) -> Values:
    moved = {name: each.copy() for name, each in values.items()}
    for number, name in enumerate(free.names):
        of_kind = kind == number
        moved[name][place[of_kind]] += by[of_kind]
    return moved


def _local_blocks(
    structure: ClickModelStructure, lists: ClickLists, free: _Parameters, values: Values
) -> list[Floats]:
    """Return the information of the parameters of each query."""
    blocks = [np.zeros((size, size)) for size in free.sizes.tolist()]
    of_list = lists.pair_query[lists.pair[0]]
    now, current = free.local(values), lists
    distance = STEP * np.minimum(now, 1 - now)
    for color in range(int(free.sizes.max(initial=0))):
        chosen = np.flatnonzero(free.color == color)
        wanted = free.sizes > color
        inside = wanted[of_list]
        if inside.sum() < 0.6 * len(inside):
            current, of_list = current.part(inside), of_list[inside]
        kind, place, by = free.local_kind[chosen], free.local_place[chosen], distance[chosen]
        up = free.local(_score(structure, current, _move(values, free, kind, place, by)))
        down = free.local(_score(structure, current, _move(values, free, kind, place, -by)))
        for column, query in zip(chosen, free.query[chosen], strict=True):
            part = slice(free.offsets[query], free.offsets[query + 1])
            blocks[query][:, color] = (down[part] - up[part]) / (2 * distance[column])
    return [(block + block.T) / 2 for block in blocks]


def _shared_part(
    structure: ClickModelStructure, lists: ClickLists, free: _Parameters, values: Values
) -> tuple[Floats, Floats]:
    """Return the information between pairs and shared parameters, and among the shared ones."""
    size = len(free.shared_kind)
    border, corner = np.zeros((len(free.query), size)), np.zeros((size, size))
    now = free.shared(values)
    for column in range(size):
        one = slice(column, column + 1)
        kind, place = free.shared_kind[one], free.shared_place[one]
        by = STEP * np.minimum(now[one], 1 - now[one])
        up = _score(structure, lists, _move(values, free, kind, place, by))
        down = _score(structure, lists, _move(values, free, kind, place, -by))
        border[:, column] = (free.local(down) - free.local(up)) / (2 * by)
        corner[:, column] = (free.shared(down) - free.shared(up)) / (2 * by)
    return border, (corner + corner.T) / 2


def _invert(matrix: Floats) -> tuple[Floats, Bools]:
    """Return the inverse of an information matrix, and which parameters it does not determine."""
    scale = np.sqrt(np.maximum(np.diag(matrix), 0))
    loose = ~(scale > 0)
    if not len(scale):
        return matrix, loose
    safe = np.where(loose, 1.0, scale)
    scaled = np.where(loose[:, None] | loose[None, :], 0.0, matrix / np.outer(safe, safe))
    numbers, vectors = np.linalg.eigh(scaled)
    weak = numbers <= LEAST_EIGENVALUE
    loose |= (vectors[:, weak] ** 2).sum(axis=1) > 1e-6
    kept = np.where(weak, 0.0, 1 / np.where(weak, 1.0, numbers))
    return (vectors * kept) @ vectors.T / np.outer(safe, safe), loose


def _by_name(
    free: _Parameters,
    values: Values,
    errors: tuple[Floats, Floats],
    priors: tuple[Floats, Floats],
) -> Uncertainty:
    by_name = {name: np.full(len(each), np.nan) for name, each in values.items()}
    share = {name: np.full(len(each), np.nan) for name, each in values.items()}
    groups = ((free.local_kind, free.local_place), (free.shared_kind, free.shared_place))
    for (kind, place), error, prior in zip(groups, errors, priors, strict=True):
        for number, name in enumerate(free.names):
            of_kind = kind == number
            by_name[name][place[of_kind]] = error[of_kind]
            share[name][place[of_kind]] = error[of_kind] ** 2 * prior[of_kind]
    return Uncertainty(by_name, share)
