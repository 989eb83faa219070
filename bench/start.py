"""Start-up: ``assay --help`` and ``assay retrieval`` on 50 queries against ``import polars``.

Times are medians of the wall clock over alternating starts, so that a busy machine slows all of
them alike. A first round that is not counted compiles the bytecode.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from data import Shape, make

STARTS = 11
TARGETS = {"assay --help": "0.15 s", "assay retrieval": "1.7 × import polars"}


def seconds(words: list[str], environment: dict[str, str]) -> float:
    """Return how long a process takes from its start to its end."""
    begun = time.perf_counter()
    subprocess.run(words, env=environment, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begun


def median_starts(programs: dict[str, list[str]]) -> dict[str, float]:
    """Return the median time of each program, started in turn."""
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    rounds = [
        {name: seconds(words, environment) for name, words in programs.items()}
        for _ in range(STARTS + 1)
    ]
    return {name: statistics.median(each[name] for each in rounds[1:]) for name in programs}


def main() -> None:
    """Print a row for each program."""
    assay = str(Path(sys.executable).parent / "assay")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        make(Shape("start", queries=50, documents=100, judged=50), "regular", folder)
        inputs = [str(folder / "start.qrels"), str(folder / "start.regular.run")]
        taken = median_starts(
            {
                "import polars": [sys.executable, "-c", "import polars"],
                "assay --help": [assay, "--help"],
                "assay retrieval": [assay, "retrieval", *inputs, "--quiet"],
            }
        )
    print(f"{'start':18}{'seconds':>9}{'× polars':>10}   target")
    for name, median in taken.items():
        ratio = median / taken["import polars"]
        print(f"{name:18}{median:9.3f}{ratio:10.2f}   {TARGETS.get(name, '')}")


if __name__ == "__main__":
    main()
