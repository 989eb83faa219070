"""Speed and memory side by side with the peers: ``make bench``, or ``python bench/run.py --help``.

Times are medians of wall clock. From files they include start-up, reading, all checks and (ours)
bootstrap intervals; ranx is counted without the compilation of its functions. CPU is the time of
all cores for the whole process, which is steadier on a busy machine; memory is its peak.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path

from data import SHAPES, VARIANTS, Files, files

PROGRAMS = Path(__file__).parent / "programs.py"
COMPILED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""An environment in which our bytecode is kept, as that of an installed package is."""
PEERS = ("pytrec_eval", "ir_measures", "ranx")
CONTENDERS = {
    "files": ("assay", *PEERS),
    "dicts": ("assay", *PEERS),
    "frames": ("assay", "assay_polars", "ir_measures", "ranx"),
}


def measured(contender: str, source: str, place: Files, count: int) -> tuple[float, ...] | None:
    """Seconds, seconds of all cores and peak MB of one process; None if it failed."""
    with tempfile.TemporaryFile() as out:
        begun = time.perf_counter()
        arguments = [f"{contender}_{source}", str(place.qrels), str(place.run), str(count)]
        process = os.posix_spawn(
            sys.executable,
            [sys.executable, str(PROGRAMS), *arguments],
            COMPILED,
            file_actions=[(os.POSIX_SPAWN_DUP2, out.fileno(), 1)],
        )
        _, status, usage = os.wait4(process, 0)
        outside = time.perf_counter() - begun
        out.seek(0)
        found = re.search(r"seconds ([\d.]+)", out.read().decode())
    with_start_up = source == "files" and contender != "ranx"
    if status or not (with_start_up or found):
        return None
    seconds = outside if with_start_up or not found else float(found[1])
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def compared(source: str, place: Files, count: int, asked: argparse.Namespace) -> list[list[str]]:
    """A row for each contender, ratios against ours."""
    rows, ours = [], 0.0
    for contender in CONTENDERS[source]:
        if not contender.startswith("assay") and contender not in asked.peers:
            continue
        repeats = asked.repeat if contender.startswith("assay") else asked.peer_repeat
        found = [measured(contender, source, place, count) for _ in range(repeats)]
        taken = [each for each in found if each is not None]
        if not taken:
            rows.append([contender, "failed", "", "", ""])
            continue
        seconds, cores, memory = (statistics.median(each) for each in zip(*taken, strict=True))
        ours = ours or seconds
        numbers = [f"{seconds:.2f}", f"{cores:.2f}", f"{memory:.0f}", f"{seconds / ours:.1f}"]
        rows.append([contender, *numbers])
    return rows


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "assay-bench"
    parser.add_argument("--folder", type=Path, default=cache, help="where generated data is kept")
    parser.add_argument("--peers", nargs="*", default=PEERS, choices=PEERS)
    parser.add_argument("--shapes", nargs="*", default=list(SHAPES), choices=list(SHAPES))
    parser.add_argument("--sources", nargs="*", default=list(CONTENDERS), choices=list(CONTENDERS))
    parser.add_argument("--variants", nargs="*", default=VARIANTS, choices=VARIANTS)
    parser.add_argument("--measures", nargs="*", type=int, default=(1, 8, 12), choices=(1, 8, 12))
    parser.add_argument("--repeat", type=int, default=5, help="of ours")
    parser.add_argument("--peer-repeat", type=int, default=5)
    return parser.parse_args()


def main() -> None:
    asked = options()
    head = ["shape", "from", "lines", "measures", "contender", "seconds", "CPU", "MB", "× ours"]
    widths = (34, 8, 12, 9, 14, 9, 8, 7, 7)
    print("".join(cell.ljust(width) for cell, width in zip(head, widths, strict=True)), flush=True)
    for shape in asked.shapes:
        for source in asked.sources:
            for variant in asked.variants if source == "files" else ("regular",):
                place = files(SHAPES[shape], variant, asked.folder)
                for count in asked.measures if variant == "regular" else (8,):
                    for row in compared(source, place, count, asked):
                        cells = [str(SHAPES[shape]), source, variant, str(count), *row]
                        line = (c.ljust(w) for c, w in zip(cells, widths, strict=True))
                        print("".join(line), flush=True)


if __name__ == "__main__":
    main()
