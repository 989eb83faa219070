"""What retrieval promises beside its peers: ``python bench/goals.py --help``.

Each row is one promise: the peer's median time over ours, and the least ratio that is wanted. The
two contenders start in turn, so that a busy machine slows both. The last row has no peer: seconds
in a process that is running, from files.
"""

from __future__ import annotations

import argparse
import os
import statistics
from dataclasses import dataclass
from pathlib import Path

from data import SHAPES, files
from run import measured

MEASURES = 8


@dataclass(frozen=True)
class Goal:
    """A peer, what both read, and the least ratio of the times."""

    shape: str
    source: str
    peer: str
    least: float
    variant: str = "regular"
    ours: str = "assay"


GOALS = (
    Goal("wide", "files", "pytrec_eval", 8),
    Goal("wide", "files", "pytrec_eval", 5, variant="shuffled"),
    Goal("deep", "files", "pytrec_eval", 1.2),
    Goal("wide", "dicts", "pytrec_eval", 1.5),
    Goal("deep", "dicts", "pytrec_eval", 1.5),
    Goal("wide", "frames", "ir_measures", 8),
    Goal("deep", "frames", "ir_measures", 8),
)
SECONDS_IN_PROCESS = 1.0


def row(name: str, values: list[tuple[float, ...]]) -> tuple[float, str]:
    """Return the median of the seconds, and a row with those of CPU and memory."""
    seconds, cores, memory = (statistics.median(each) for each in zip(*values, strict=True))
    return seconds, f"{name:<13}{seconds:>8.3f}{cores:>8.3f}{memory:>7.0f}"


def main() -> None:
    """Print a row for each contender of each promise."""
    parser = argparse.ArgumentParser(description=__doc__)
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "assay-bench"
    parser.add_argument("--folder", type=Path, default=cache, help="where generated data is kept")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--shapes", nargs="*", default=list(SHAPES), choices=list(SHAPES))
    asked = parser.parse_args()
    print(f"{'shape, source, lines':<48}{'contender':<13}{'seconds':>8}{'CPU':>8}{'MB':>7}  ratio")
    for goal in (goal for goal in GOALS if goal.shape in asked.shapes):
        place = files(SHAPES[goal.shape], goal.variant, asked.folder)
        found: dict[str, list[tuple[float, ...]]] = {goal.ours: [], goal.peer: []}
        for _ in range(asked.repeat):
            for contender, taken in found.items():
                one = measured(contender, goal.source, place, MEASURES)
                if one is None:
                    raise SystemExit(f"{contender} failed on {place.run}")
                taken.append(one)
        head = f"{SHAPES[goal.shape]}, {goal.source}, {goal.variant}"
        seconds, ours = row(goal.ours, found[goal.ours])
        other, peer = row(goal.peer, found[goal.peer])
        print(f"{head:<48}{ours}")
        print(f"{'':<48}{peer}  {other / seconds:.2f} (wanted {goal.least:g})", flush=True)
    if "wide" in asked.shapes:
        place = files(SHAPES["wide"], "regular", asked.folder)
        inside = [measured("assay", "paths", place, MEASURES) for _ in range(asked.repeat)]
        _, ours = row("assay", [each for each in inside if each is not None])
        print(f"{'wide, files, in process':<48}{ours}  (wanted {SECONDS_IN_PROCESS:g} s)")


if __name__ == "__main__":
    main()
