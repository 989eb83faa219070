"""The catalogue of all measures and curves.

It walks the folder of measures on first use and adds the measures of other distributions through
the entry-point group ``assay.measures``. A search imports only modules whose source has the name.
"""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING, TypeAlias

from assay.core.curves import Curve
from assay.core.definition import Definition
from assay.core.errors import AssayError, PluginWarning, unknown_name

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Declared: TypeAlias = Definition | Curve


class Catalogue(Mapping[str, Definition]):
    """All measures by key (task and name), sorted by task and name."""

    def __init__(
        self,
        package: str = "assay.measures",
        group: str = "assay.measures",
        task: str | None = None,
    ) -> None:
        self._package = package
        self._group = group
        self._task = task
        self._texts: dict[str, str] = {}

    @property
    def curves(self) -> dict[str, Curve]:
        """All curves by name."""
        return {name: each for name, each in self._all.items() if isinstance(each, Curve)}

    def __getitem__(self, key: str) -> Definition:
        return self._measures[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._measures)

    def __len__(self) -> int:
        return len(self._measures)

    def __repr__(self) -> str:
        return "\n".join(f"{key:<32} {each.label}" for key, each in self.items())

    def require_task(self) -> None:
        """Raise an error if there is no task of that name."""
        if self._task not in self.tasks:
            raise unknown_name("task", str(self._task), sorted(self.tasks))

    def of_task(self, task: str) -> list[Definition]:
        """Return the measures of a task by name."""
        return [each for each in self.values() if each.task == task]

    def standard(self, task: str) -> list[Definition]:
        """Return the measures of a task that are shown when none is requested, by name.

        Some of them replace another one, where the inputs do not allow that.
        """
        found = self.search(task, "standard=True", "replaces=").values()
        known = _measures(_by_key([*found, *self._from_entry_points])).values()
        return [each for each in known if each.task == task and (each.standard or each.replaces)]

    def search(self, task: str | None, *texts: str) -> dict[str, Definition]:
        """Return the measures of all modules whose source has one of the texts, in any case.

        With a task, only the families that name it in ``TASKS`` are searched (a family without
        ``TASKS`` belongs to every task). A family is a folder, or a single module; a module of a
        folder may name tasks of its own. Other modules are not imported.
        """
        wanted, known = [text.casefold() for text in texts], []
        for module in self._files:
            folder, source = module.rpartition(".")[0], self._source(module)
            own = folder == self._package or "tasks =" in source
            declared = source if own else self._source(folder) if folder in self._files else ""
            if task is not None and "tasks =" in declared and f'"{task}"' not in declared:
                continue
            if any(text in source for text in wanted):
                known += _declared_in(module)
        return _measures(_by_key(known))

    @cached_property
    def tasks(self) -> frozenset[str]:
        """The names of all tasks that have measures."""
        families = [module for module in self._files if "tasks =" in self._source(module)]
        return frozenset(task for name in families for task in importlib.import_module(name).TASKS)

    @cached_property
    def _all(self) -> dict[str, Declared]:
        found = [each for module in self._files for each in _declared_in(module)]
        return _by_key(found + self._from_entry_points)

    @cached_property
    def _measures(self) -> dict[str, Definition]:
        found = _measures(self._all).items()
        return {key: each for key, each in found if self._task in (None, each.task)}

    @cached_property
    def _files(self) -> dict[str, str]:
        """The file of each module in the folder."""
        root = next(iter(importlib.import_module(self._package).__path__))
        files = {}
        for folder, _, names in os.walk(root):
            package = self._package + folder.removeprefix(root).replace(os.sep, ".")
            for name in names:
                if name.endswith(".py"):
                    module = f"{package}.{name[:-3]}".removesuffix(".__init__")
                    files[module] = os.path.join(folder, name)  # noqa: PTH118 (ten times as fast)
        return dict(sorted(files.items()))

    def _source(self, module: str) -> str:
        """Return the source text of a module in the folder, with case ignored."""
        if module not in self._texts:
            with open(self._files[module], encoding="utf-8") as file:  # noqa: PTH123 (faster)
                self._texts[module] = file.read().casefold()
        return self._texts[module]

    @cached_property
    def _from_entry_points(self) -> list[Declared]:
        """The measures and curves of other distributions."""
        if not _may_have_entries(self._group):
            return []
        from importlib.metadata import entry_points

        declared = []
        for entry in entry_points(group=self._group):
            try:
                thing = entry.load()
            except (Exception, SystemExit) as failure:  # noqa: BLE001 (modules that are not ours)
                _leave_out(entry, f"{type(failure).__name__}: {failure}")
                continue
            if isinstance(thing, Declared):
                declared.append(thing)
            else:
                _leave_out(entry, "it is not a function decorated with assay.define or assay.curve")
        return declared


def _may_have_entries(group: str) -> bool:
    """Return whether a distribution on the path may have entry points of a group.

    Python's own search reads the metadata of all distributions, which takes a tenth of the time of
    a small command. Whatever is not a plain folder is left to that search.
    """
    for place in sys.path:
        folder = place or "."
        if not os.path.isdir(folder):  # noqa: PTH112 (faster)
            if os.path.exists(folder):  # noqa: PTH110 (an archive)
                return True
            continue
        for name in os.listdir(folder):  # noqa: PTH208 (faster)
            if not name.lower().endswith("-info"):
                continue
            try:
                with open(f"{folder}/{name}/entry_points.txt", "rb") as file:  # noqa: PTH123
                    if group.encode() in file.read():
                        return True
            except OSError:
                continue
    return False


def _leave_out(entry: EntryPoint, why: str) -> None:
    """Warn of a measure of another distribution that cannot be used."""
    distribution = entry.dist.name if entry.dist else entry.value
    warnings.warn(
        f"the measure {entry.name} of {distribution} ({entry.value}) is left out: {why}",
        PluginWarning,
        stacklevel=2,
    )


def _declared_in(module: str) -> list[Declared]:
    """Return what a module declares itself, not what it imports."""
    things = vars(importlib.import_module(module)).values()
    return [each for each in things if isinstance(each, Declared) and each.module == module]


def _by_key(declared: Iterable[Declared]) -> dict[str, Declared]:
    """Return measures and curves by key, sorted; refuse two with the same key."""
    known: dict[str, Declared] = {}
    for each in declared:
        before = known.setdefault(each.key, each)
        if before is not each:
            raise AssayError(
                f"{each.key} is declared twice: in {before.module} and in {each.module}"
            )
    return dict(sorted(known.items()))


def _measures(known: Mapping[str, Declared]) -> dict[str, Definition]:
    return {key: each for key, each in known.items() if isinstance(each, Definition)}


@cache
def catalogue(task: str | None = None) -> Catalogue:
    """Return all measures by key, or those of a task."""
    found = Catalogue(task=task)
    if task is not None:
        found.require_task()
    return found
