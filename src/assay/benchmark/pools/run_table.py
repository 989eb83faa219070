"""Which runs contribute to a pool: teams, priorities and late runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.core.errors import DataError, UsageError, did_you_mean
from assay.core.phrases import list_phrase
from assay.formats.containers import to_frame

_YES = ("1", "true", "yes", "late")


@dataclass(frozen=True)
class RunTable:
    """The team, the priority (1 first) and whether it was late, of each run that is listed."""

    teams: dict[str, str] = field(default_factory=dict)
    priorities: dict[str, float] = field(default_factory=dict)
    late: frozenset[str] = frozenset()
    per_team: int | None = None
    """How many runs of a team contribute, those with the lowest priority numbers; all if None."""

    @classmethod
    def read(cls, data: Any, per_team: int | None = None) -> RunTable:
        """Return the table of columns run and team, and perhaps priority and late."""
        if per_team is not None and per_team < 1:
            raise UsageError(f"per_team is {per_team}: a whole number from 1 is expected")
        if data is None:
            return cls(per_team=per_team)
        frame, source = to_frame(data, "teams")
        if not {"run", "team"} <= set(frame.columns):
            raise DataError(
                f"{source.name}: the columns run and team are expected, and perhaps priority and"
                f" late; found {', '.join(frame.columns)}"
            )
        teams: dict[str, str] = {}
        priorities: dict[str, float] = {}
        late = set()
        for place, row in enumerate(frame.iter_rows(named=True)):
            name = str(row["run"])
            if name in teams:
                raise DataError(f"{source.place(place)}: the run {name} is listed twice")
            teams[name] = str(row["team"])
            try:
                priorities[name] = float(row.get("priority") or 1)
            except ValueError:
                raise DataError(
                    f"{source.place(place)}: the priority '{row['priority']}' is not a number"
                ) from None
            if str(row.get("late") or "").strip().casefold() in _YES:
                late.add(name)
        return cls(teams, priorities, frozenset(late), per_team)

    def team(self, run: str) -> str:
        """Return the team of a run; a run that is not listed is a team of its own."""
        return self.teams.get(run, run)

    def contributing(self, runs: Sequence[str]) -> tuple[set[str], list[str]]:
        """Return the runs that contribute, and notes on those that do not."""
        unknown = [name for name in self.teams if name not in runs]
        notes = []
        if unknown:
            notes.append(
                f"the table of runs lists {list_phrase(unknown)}, which is not among the runs."
                + did_you_mean(unknown[0], runs)
            )
        on_time = [name for name in runs if name not in self.late]
        if len(on_time) < len(runs):
            late = [name for name in runs if name in self.late]
            notes.append(f"late, so not pooled: {list_phrase(late)}")
        chosen = self._first_of_teams(on_time)
        left = [name for name in on_time if name not in chosen]
        if left:
            notes.append(f"not pooled, since others of the team come first: {list_phrase(left)}")
        if not chosen:
            raise DataError("no run contributes to the pool: all of them are late")
        return chosen, notes

    def _first_of_teams(self, runs: Sequence[str]) -> set[str]:
        if self.per_team is None:
            return set(runs)
        by_team: dict[str, list[str]] = {}
        for name in runs:
            by_team.setdefault(self.team(name), []).append(name)
        ordered = (
            sorted(each, key=lambda n: self.priorities.get(n, 1)) for each in by_team.values()
        )
        return {name for each in ordered for name in each[: self.per_team]}
