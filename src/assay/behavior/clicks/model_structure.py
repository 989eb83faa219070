"""What a click model is: parameters that are probabilities, and three functions of them.

Every parameter is the probability of a hidden event. The expectation step of a model returns how
often each event is expected to have happened and not to have happened, given the clicks; all else
(the maximization step, the score, standard errors) follows from these counts.
"""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal

import numpy as np

from assay.behavior.clicks.click_lists import ClickLists
from assay.core.arrays import Bools, Floats
from assay.core.errors import unknown_name

Index = Literal["pair", "rank", "cell", "one"]
"""What a parameter exists for: each query and document, rank, rank and last click, or once."""
Values = Mapping[str, Floats]
"""The values of the parameters by name."""


@dataclass(frozen=True)
class ModelValue:
    """A parameter of a click model."""

    name: str
    index: Index
    about: str


@dataclass(frozen=True)
class Expected:
    """The expectation step: expected hits and misses of each parameter, and the likelihood."""

    likelihood: Floats
    """The log-likelihood of each list, −inf where the model rules its clicks out."""
    hits: dict[str, Floats]
    misses: dict[str, Floats]


class ClickModelStructure(ABC):
    """The assumptions of a click model; it has no values of its own."""

    name: ClassVar[str]
    label: ClassVar[str]
    parameters: ClassVar[tuple[ModelValue, ...]]
    relevance: ClassVar[tuple[str, ...]] = ("attractiveness",)
    """The parameters whose product is the probability that a document satisfies."""
    products_only: ClassVar[bool] = False
    """Whether only products of two parameters are identified, so that one of them is set to 1."""

    @abstractmethod
    def expect(self, lists: ClickLists, values: Values) -> Expected:
        """Return the expected hits and misses of all parameters given the clicks."""

    @abstractmethod
    def conditional(self, lists: ClickLists, values: Values) -> Floats:
        """Return the probability of a click at each position given the clicks above."""

    @abstractmethod
    def marginal(self, lists: ClickLists, values: Values) -> Floats:
        """Return the probability of a click at each position."""

    @abstractmethod
    def draw(self, lists: ClickLists, values: Values, random: np.random.Generator) -> Bools:
        """Return clicks of users that follow the model."""

    def shape(self, parameter: ModelValue, lists: ClickLists) -> tuple[int, ...]:
        """Return the shape of the values of a parameter for these lists."""
        depth = lists.highest_rank
        return {
            "pair": (lists.pairs.height,),
            "rank": (depth,),
            "cell": (depth * depth,),
            "one": (1,),
        }[parameter.index]


def log_likelihood(lists: ClickLists, conditional: Floats) -> Floats:
    """Return the log-likelihood of each list from the conditional click probabilities."""
    total = np.zeros(lists.count.size)
    with np.errstate(divide="ignore"):
        for position, size in enumerate(lists.active[:-1]):
            chance = conditional[position, :size]
            total[:size] += np.log(np.where(lists.click[position, :size], chance, 1 - chance))
    return total


def log_products(chances: Floats, at_once: int = 8) -> Floats:
    """Return the logarithm of the product over positions; few enough at once not to underflow."""
    total = np.zeros(chances.shape[1])
    with np.errstate(divide="ignore"):
        for first in range(0, len(chances), at_once):
            total += np.log(chances[first : first + at_once].prod(axis=0))
    return total


@lru_cache(maxsize=1)
def structures() -> dict[str, ClickModelStructure]:
    """Return all click models by name: the variables ``STRUCTURES`` of the folder ``models``."""
    package = importlib.import_module("assay.behavior.clicks.models")
    found: dict[str, ClickModelStructure] = {}
    for module in pkgutil.iter_modules(package.__path__):
        for each in importlib.import_module(f"{package.__name__}.{module.name}").STRUCTURES:
            found[each.name] = each
    return found


def find_structure(name: str) -> ClickModelStructure:
    """Return the click model of that name."""
    known = structures()
    if name.casefold() not in known:
        raise unknown_name("click model", name, known)
    return known[name.casefold()]
