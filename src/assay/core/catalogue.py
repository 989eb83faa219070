"""The catalogue of all measures and curves.

It walks the folder of measures on first use and adds the measures of other distributions through
the entry-point group ``assay.measures``. A search imports only modules whose source has the name.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from assay.core.curves import Curve
from assay.core.definition import Definition
from assay.core.errors import AssayError, PluginWarning

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Declared = TypeVar("Declared", Definition, Curve)


class Catalogue(Mapping[str, Definition]):
    """All measures by key (task and name), sorted by task and name."""

    def __init__(self, package: str = "assay.measures", group: str = "assay.measures") -> None:
        self._package = package
        self._group = group

    @property
    def curves(self) -> dict[str, Curve]:
        """All curves by name."""
        return self._all[1]

    def __getitem__(self, key: str) -> Definition:
        return self._all[0][key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all[0])

    def __len__(self) -> int:
        return len(self._all[0])

    def of_task(self, task: str) -> list[Definition]:
        """Return the measures of a task by name."""
        return [each for each in self.values() if each.task == task]

    def standard(self, task: str) -> list[Definition]:
        """Return the standard measures of a task by name: those shown when none is requested."""
        known = self.search(task, "standard=True")
        _add_all((known, {}), self._from_entry_points)
        standard = (known[key] for key in sorted(known) if known[key].standard)
        return [each for each in standard if each.task == task]

    def search(self, task: str | None, *texts: str) -> dict[str, Definition]:
        """Return the measures of all modules whose source has one of the texts, in any case.

        With a task, only the families that name it in ``TASKS`` are searched (a family without
        ``TASKS`` belongs to every task). A family is a folder, or a single module. Other modules
        are not imported.
        """
        known: dict[str, Definition] = {}
        for module, source in self._sources.items():
            folder = module.rpartition(".")[0]
            family = source if folder == self._package else self._sources.get(folder, "")
            if task is not None and "tasks =" in family and f'"{task}"' not in family:
                continue
            if any(text.casefold() in source for text in texts):
                _add_all((known, {}), _declared_in(module))
        return known

    @cached_property
    def tasks(self) -> frozenset[str]:
        """The names of all tasks that have measures."""
        families = [name for name, source in self._sources.items() if "tasks =" in source]
        return frozenset(task for name in families for task in importlib.import_module(name).TASKS)

    @cached_property
    def _all(self) -> tuple[dict[str, Definition], dict[str, Curve]]:
        definitions: dict[str, Definition] = {}
        curves: dict[str, Curve] = {}
        for module in self._sources:
            _add_all((definitions, curves), _declared_in(module))
        _add_all((definitions, curves), self._from_entry_points)
        return dict(sorted(definitions.items())), dict(sorted(curves.items()))

    @cached_property
    def _sources(self) -> dict[str, str]:
        """The source text of each module in the folder, with case ignored."""
        root = Path(next(iter(importlib.import_module(self._package).__path__)))
        sources = {}
        for file in sorted(root.rglob("*.py")):
            parts = file.relative_to(root).with_suffix("").parts
            name = ".".join((self._package, *parts)).removesuffix(".__init__")
            sources[name] = file.read_text("utf-8").casefold()
        return sources

    @cached_property
    def _from_entry_points(self) -> list[Definition | Curve]:
        """The measures and curves of other distributions."""
        from importlib.metadata import entry_points

        declared = []
        for entry in entry_points(group=self._group):
            try:
                thing = entry.load()
            except Exception as failure:  # noqa: BLE001 (of modules that are not ours)
                _leave_out(entry, f"{type(failure).__name__}: {failure}")
                continue
            if isinstance(thing, Definition | Curve):
                declared.append(thing)
            else:
                _leave_out(entry, "it is not a function decorated with assay.define or assay.curve")
        return declared


def _leave_out(entry: EntryPoint, why: str) -> None:
    """Warn of a measure of another distribution that cannot be used."""
    distribution = entry.dist.name if entry.dist else entry.value
    warnings.warn(
        f"the measure {entry.name} of {distribution} ({entry.value}) is left out: {why}",
        PluginWarning,
        stacklevel=2,
    )


def _declared_in(module: str) -> list[Definition | Curve]:
    """Return what a module declares itself, not what it imports."""
    things = vars(importlib.import_module(module)).values()
    return [
        each for each in things if isinstance(each, Definition | Curve) and each.module == module
    ]


def _add_all(
    known: tuple[dict[str, Definition], dict[str, Curve]], declared: Iterable[Definition | Curve]
) -> None:
    for thing in declared:
        if isinstance(thing, Definition):
            _add(known[0], thing.key, thing)
        else:
            _add(known[1], thing.name, thing)


def _add(known: dict[str, Declared], key: str, thing: Declared) -> None:
    before = known.setdefault(key, thing)
    if before is not thing:
        raise AssayError(f"{key} is declared twice: in {before.module} and in {thing.module}")


@cache
def catalogue() -> Catalogue:
    """Return the catalogue of this process."""
    return Catalogue()
