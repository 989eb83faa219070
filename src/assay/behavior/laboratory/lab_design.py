"""The plan of a laboratory experiment: who does which task with which system, and when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from assay.behavior.laboratory.squares import SQUARES
from assay.core.errors import UsageError, unknown_name
from assay.core.output_files import write_text
from assay.core.printable import Printable


@dataclass(frozen=True, repr=False, eq=False)
class LabDesign(Printable):
    """The trials of each participant in order, and how far the design is balanced."""

    plan: pl.DataFrame
    """participant, order, block, system, task."""
    balance: pl.DataFrame
    """How often systems meet places, other systems and tasks: the lowest and highest count."""
    kind: str
    seed: int
    notes: tuple[str, ...] = ()

    def save(self, path: str | Path) -> None:
        """Write the plan as CSV."""
        write_text(path, self.plan.write_csv())


def design_experiment(
    systems: Sequence[str] | int,
    tasks: Sequence[str] | int,
    participants: Sequence[str] | int | None = None,
    *,
    kind: str = "williams",
    seed: int = 1,
) -> LabDesign:
    """Plan which system and task each participant gets, in which order.

    Numbers are taken as S1, S2 …, T1 … and P1 …. Each participant does every task once, in one
    block of tasks for each system. ``kind`` is williams (each system equally often in each place
    and after each other one) or latin (in each place). Names are shuffled by the seed, which keeps
    the balance.

    >>> design_experiment(2, 2, 2).plan.height
    4
    """
    names = _names(systems, "S", "systems")
    work = _names(tasks, "T", "tasks")
    if kind not in SQUARES:
        raise unknown_name("design", kind, SQUARES)
    if len(work) % len(names):
        raise UsageError(
            f"`tasks` are {len(work)} and `systems` {len(names)}: the number of tasks must be a"
            " multiple of the number of systems, so that each system gets equally many"
        )
    rows = SQUARES[kind](len(names))
    people = _names(len(rows) if participants is None else participants, "P", "participants")
    generator = np.random.default_rng(seed)
    shuffled = [names[n] for n in generator.permutation(len(names))]
    mixed = [work[n] for n in generator.permutation(len(work))]
    size = len(work) // len(names)
    blocks = [mixed[start : start + size] for start in range(0, len(work), size)]
    trials = []
    for number, person in enumerate(people):
        row, cycle = rows[number % len(rows)], number // len(rows)
        trials += _trials(person, [shuffled[n] for n in row], blocks, cycle, number)
    plan = pl.DataFrame(
        trials, schema=["participant", "order", "block", "system", "task"], orient="row"
    )
    return LabDesign(plan, balance_table(plan), kind, seed, _notes(len(people), rows, names))


def _names(given: Sequence[str] | int, letter: str, what: str) -> list[str]:
    names = [f"{letter}{n}" for n in range(1, given + 1)] if isinstance(given, int) else list(given)
    if len(names) < (2 if what == "systems" else 1):
        raise UsageError(f"`{what}` are {len(names)}: too few for an experiment")
    if any(not str(name).strip() for name in names):
        raise UsageError(f"`{what}` has an empty name; give each a name of its own")
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise UsageError(f"`{what}` has '{twice[0]}' twice; give each a name of its own")
    return [str(name) for name in names]


def _trials(
    person: str, systems: list[str], blocks: list[list[str]], cycle: int, number: int
) -> list[tuple[str, int, int, str, str]]:
    """Return the trials of one participant; blocks of tasks move on with each cycle of rows."""
    found: list[tuple[str, int, int, str, str]] = []
    for place, system in enumerate(systems):
        block = blocks[(place + cycle) % len(blocks)]
        for each in range(len(block)):
            task = block[(each + number) % len(block)]
            found.append((person, len(found) + 1, place + 1, system, task))
    return found


def _notes(people: int, rows: list[list[int]], systems: list[str]) -> tuple[str, ...]:
    if people % len(rows) == 0:
        return ()
    return (
        f"{people} participants are not a multiple of {len(rows)}, so the design of {len(systems)}"
        f" systems is not fully balanced; use {people + len(rows) - people % len(rows)}",
    )


def balance_table(plan: pl.DataFrame) -> pl.DataFrame:
    """Return the lowest and highest count of each pairing that a design balances."""
    blocks = plan.unique(["participant", "block"]).sort("participant", "block")
    before = pl.col("system").shift(1).over("participant")
    after = blocks.with_columns(before=before).drop_nulls("before")
    systems = plan["system"].n_unique()
    pairs = {
        "system × place": (blocks, ["system", "block"], systems * plan["block"].n_unique()),
        "system after system": (after, ["before", "system"], systems * (systems - 1)),
        "system × task": (plan, ["system", "task"], systems * plan["task"].n_unique()),
    }
    rows = []
    for name, (frame, columns, cells) in pairs.items():
        counts = frame.group_by(columns).len()["len"].to_list()
        lowest = min(counts) if len(counts) == cells else 0
        rows.append({"pairing": name, "lowest": lowest, "highest": max(counts, default=0)})
    frame = pl.DataFrame(rows)
    return frame.with_columns(balanced=pl.col("lowest") == pl.col("highest"))
