"""Where all measures are found.

The catalogue walks the folder of measures when it is first used, and takes the measures of other
distributions through the entry-point group ``assay.measures``.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from itertools import chain
from typing import Any, TypeVar

from assay.core.curves import Curve
from assay.core.definition import Definition
from assay.core.errors import AssayError

Declared = TypeVar("Declared", Definition, Curve)


class Catalogue(Mapping[str, Definition]):
    """All measures by their key (task and name), in the order of tasks and names."""

    def __init__(self, package: str = "assay.measures", group: str = "assay.measures") -> None:
        self._package = package
        self._group = group

    @cached_property
    def _found(self) -> tuple[dict[str, Definition], dict[str, Curve]]:
        definitions: dict[str, Definition] = dict(self.own)
        curves: dict[str, Curve] = {}
        for thing in chain(self._declared_measures, self._entry_point_measures()):
            if isinstance(thing, Definition):
                _add_declaration(definitions, thing.key, thing)
            else:
                _add_declaration(curves, thing.name, thing)
        return dict(sorted(definitions.items())), dict(sorted(curves.items()))

    @cached_property
    def own(self) -> dict[str, Definition]:
        """The measures of the folder alone: asking all distributions takes as long as the rest."""
        return _index_by_key(self._declared_measures)

    def families(self, task: str) -> dict[str, Definition]:
        """The measures of the folders that say in ``TASKS`` that they are for a task.

        Who asks for nDCG should not wait for clusters to be read. A folder that says nothing is
        for every task.
        """
        root = importlib.import_module(self._package)
        folders = [each for each in pkgutil.iter_modules(root.__path__) if each.ispkg]
        read = [importlib.import_module(f"{self._package}.{each.name}") for each in folders]
        chosen = [each for each in read if task in getattr(each, "TASKS", (task,))]
        modules = (module for folder in chosen for module in self._modules(folder))
        return _index_by_key(_declarations_in(modules))

    @cached_property
    def _declared_measures(self) -> list[Definition | Curve]:
        """What the folder of measures declares."""
        return _declarations_in(self._modules(importlib.import_module(self._package)))

    def _entry_point_measures(self) -> Iterator[Definition | Curve]:
        """What other distributions declare."""
        from importlib.metadata import entry_points

        for entry in entry_points(group=self._group):
            thing = entry.load()
            if not isinstance(thing, Definition | Curve):
                raise AssayError(
                    f"the entry point {entry.name} of {entry.value} is not a measure:"
                    " it must name a function decorated with assay.define or assay.curve"
                )
            yield thing

    @staticmethod
    def _modules(root: Any) -> Iterator[Any]:
        for found in pkgutil.walk_packages(root.__path__, prefix=root.__name__ + "."):
            yield importlib.import_module(found.name)

    @property
    def curves(self) -> dict[str, Curve]:
        """All curves by name."""
        return self._found[1]

    def __getitem__(self, key: str) -> Definition:
        return self._found[0][key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found[0])

    def __len__(self) -> int:
        return len(self._found[0])

    def of_task(self, task: str) -> list[Definition]:
        """The measures of a task, by name."""
        return [each for each in self.values() if each.task == task]


def _declarations_in(modules: Iterable[Any]) -> list[Definition | Curve]:
    return [
        thing
        for module in modules
        for thing in vars(module).values()
        if isinstance(thing, Definition | Curve) and thing.module == module.__name__
    ]


def _index_by_key(declared: Iterable[Definition | Curve]) -> dict[str, Definition]:
    found: dict[str, Definition] = {}
    for thing in declared:
        if isinstance(thing, Definition):
            _add_declaration(found, thing.key, thing)
    return found


def _add_declaration(known: dict[str, Declared], key: str, one: Declared) -> None:
    before = known.setdefault(key, one)
    if before is not one:
        raise AssayError(f"{key} is declared twice: in {before.module} and in {one.module}")


@cache
def catalogue() -> Catalogue:
    """The one catalogue of this process."""
    return Catalogue()
