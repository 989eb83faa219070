"""The values of runs on the driver, put together from parts that arrive in any order."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.engine.formula_values import MeasuredQueries
from assay.engine.spark.array_file import ArrayFile, allocate_in
from assay.engine.spark.packed_values import Flags, PackedValues, States

_ANSWERED, _MISSING = 1, 2
"""What is known of a query: it is answered, or it counts as not answered."""


@dataclass
class RunValues:
    """The values of one run over all judged queries, as far as parts of it have arrived."""

    numbers: Floats
    """Number × judged query."""
    flags: Flags
    known: Flags
    """0 for a judged query without values."""
    overflow: list[bool]
    notes: list[dict[str, Any]] = field(default_factory=list)
    unjudged: set[str] = field(default_factory=set)

    def add_notes(self, notes: dict[str, Any]) -> bool:
        """Add what an executor noted; return whether its unjudged queries are new."""
        unjudged = notes.get("unknown", ())
        expected = len(self.unjudged) + len(unjudged)
        self.unjudged.update(unjudged)
        self.notes.append(notes)
        return len(self.unjudged) == expected


@dataclass
class CollectedRuns:
    """The values of all runs; those of very many lists are in a file."""

    judged: tuple[str, ...]
    """The judged queries in bytewise order."""
    silent: PackedValues
    """Their values for a run that answers none of them."""
    file: ArrayFile | None = None
    runs: dict[str, RunValues] = field(default_factory=dict)

    @cached_property
    def _names(self) -> pl.Enum:
        return pl.Enum(self.judged)

    def add(self, states: States) -> bool:
        """Add the values of some lists; return whether none of the lists was there before."""
        for row, name in enumerate(states.frame["run"].to_list()):
            run = self._run(name)
            if not run.add_notes(states.notes[row]):
                return False
            missing = states.missing(row)
            if not len(missing):
                continue
            places = states.places(row, self._names)
            if run.known[places].any():
                return False
            run.known[places] = np.where(missing, _MISSING, _ANSWERED)
            packed = states.values(row, self.silent.measures)
            run.numbers[:, places], run.flags[:, places] = packed.numbers, packed.flags
            run.overflow = [a or b for a, b in zip(run.overflow, packed.overflow, strict=True)]
        if self.file is not None:
            self.file.release()
        return True

    def _run(self, name: str) -> RunValues:
        if name not in self.runs:
            allocate, size = allocate_in(self.file), len(self.judged)
            self.runs[name] = RunValues(
                allocate((len(self.silent.numbers), size), np.float64),
                allocate((len(self.silent), size), np.uint8),
                np.zeros(size, dtype=np.uint8),
                list(self.silent.overflow),
            )
        return self.runs[name]

    def view(self, name: str, skip: bool) -> tuple[MeasuredQueries, int]:
        """Return the values of a run, and how many judged queries it does not answer.

        These have the values of silence, unless they are left out.
        """
        run = self.runs[name]
        silent = np.flatnonzero(run.known == 0)
        units, missing = self.judged, run.known != _ANSWERED
        if skip and len(silent):
            kept = np.flatnonzero(run.known)
            units = tuple(self.judged[place] for place in kept.tolist())
            numbers, flags, missing = run.numbers[:, kept], run.flags[:, kept], missing[kept]
        else:
            run.numbers[:, silent] = self.silent.numbers[:, silent]
            run.flags[:, silent] = self.silent.flags[:, silent]
            numbers, flags = run.numbers, run.flags
        values = replace(self.silent, overflow=run.overflow, numbers=numbers, flags=flags)
        return MeasuredQueries(units, values, missing), len(silent)
