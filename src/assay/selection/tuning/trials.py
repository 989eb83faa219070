"""Trials on disk: a search that was interrupted goes on where it ended."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from assay.core.arrays import exact_mean
from assay.core.errors import DataError
from assay.core.output_files import write_text
from assay.core.output_folders import make_folder
from assay.selection.tuning.space import Values

TRIALS = "trials.jsonl"
LEDGER = "test-ledger.jsonl"
"""A line for every time that the test data was looked at."""


@dataclass(frozen=True)
class Trial:
    """What one combination of values reached on the validation data."""

    number: int
    parameters: Values
    stages: Sequence[Mapping[str, float]] = ()
    """The measure of each unit (query, fold) of the validation data, with rising budgets.

    A trial that failed has the stages before.
    """
    seconds: float = 0.0
    failure: str | None = None
    """Why there is no result."""
    pruned: bool = False
    """Whether the trial was not among those that went on with a higher budget."""

    @property
    def units(self) -> Mapping[str, float]:
        """The measure of each unit with the highest budget; none if the trial failed."""
        return self.stages[-1] if self.stages and self.failure is None else {}

    @property
    def defined(self) -> list[str]:
        """The units that have a value, sorted."""
        return sorted(unit for unit, value in self.units.items() if math.isfinite(value))

    @property
    def value(self) -> float:
        """The mean over units; NaN if the trial failed or no unit has a value."""
        return mean_value(self.units)


def mean_value(units: Mapping[str, float]) -> float:
    """Return the mean over the units that have a value; NaN if none has."""
    kept = [value for value in units.values() if math.isfinite(value)]
    return exact_mean(kept) if kept else math.nan


@dataclass(frozen=True)
class TrialStore:
    """The folder of a search: trials, and how often the test data was looked at.

    The digest is that of the spec, its inputs and its executable: trials of another digest are
    never used again.
    """

    folder: Path
    digest: str

    def read(self) -> list[Trial]:
        """Return the trials that have ended; refuse those of another spec."""
        path = self.folder / TRIALS
        if not path.exists():
            return []
        try:
            head, *lines = path.read_text("utf-8").splitlines()
            found = json.loads(head)["digest"]
            trials = [Trial(**json.loads(line)) for line in lines]
        except (ValueError, KeyError, TypeError):
            raise DataError(
                f"{path}: this is not a file of trials, or one of another version of Assay; name a"
                " new folder"
            ) from None
        if found != self.digest:
            raise DataError(
                f"{path}: these trials are of another spec, or its inputs have changed; use another"
                " folder"
            )
        return trials

    def write(self, trials: Sequence[Trial]) -> None:
        """Write all trials with a result; the file is complete or as it was.

        A trial that failed is tried again: the reason may be gone.
        """
        make_folder(self.folder)
        head = json.dumps({"digest": self.digest})
        kept = sorted((each for each in trials if each.failure is None), key=lambda t: t.number)
        lines = [json.dumps(asdict(each)) for each in kept]
        write_text(self.folder / TRIALS, "\n".join([head, *lines]), "\n")

    def look_at_test(self, parameters: Values) -> int:
        """Record a look at the test data, and return how many there were."""
        path = self.folder / LEDGER
        before = path.read_text("utf-8") if path.exists() else ""
        line = json.dumps({"digest": self.digest, "parameters": parameters})
        write_text(path, before, line, "\n")
        return len(before.splitlines()) + 1


def digest_of(spec: Any, files: Sequence[Path]) -> str:
    """Return the digest of a spec and of the content of its files."""
    found = hashlib.sha256(json.dumps(spec, sort_keys=True, default=str).encode())
    for path in sorted(files):
        found.update(str(path.name).encode())
        with path.open("rb") as file:
            while piece := file.read(1 << 20):
                found.update(piece)
    return f"sha256:{found.hexdigest()}"
