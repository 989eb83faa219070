"""Every command that writes a file, with inputs large enough to be interrupted while writing."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Writer:
    """A command, the file it writes, and the file that it reads first."""

    words: tuple[str, ...]
    output: str
    reads: str

    def call(self, version: str) -> list[str]:
        """Return the words of the command with the inputs of one version."""
        return [word.format(v=version) for word in (*self.words, self.output)]


_RUNS = ("{v}/qrels.txt", "{v}/a.run", "{v}/b.run")
_CLASSES = ("{v}/labels.csv", "--truth", "label", "--score", "p", "--positive", "yes")
_GATE = ("gate", "retrieval", *_RUNS, "-m", "AP", "--floor", "0", "--format", "json", "--save")

WRITERS = {
    "save": Writer(
        ("retrieval", *_RUNS, "-m", "AP", "--resamples", "0", "--save"), "out.parquet", "a.run"
    ),
    "fuse": Writer(("fuse", "{v}/a.run", "{v}/b.run", "-o"), "out.run", "a.run"),
    "gate": Writer(_GATE, "out.json", "a.run"),
    "aggregate": Writer(("aggregate", "{v}/ratings.csv", "--save"), "out.csv", "ratings.csv"),
    "report": Writer(
        ("report", "retrieval", *_RUNS, "--resamples", "0", "-o"), "out.html", "a.run"
    ),
    "plot svg": Writer(("plot", "roc", *_CLASSES, "-o"), "out.svg", "labels.csv"),
    "plot png": Writer(("plot", "roc", *_CLASSES, "-o"), "out.png", "labels.csv"),
    "convert trec": Writer(("convert", "{v}/a.run"), "out.run", "a.run"),
    "convert gzip": Writer(("convert", "{v}/a.run"), "out.run.gz", "a.run"),
    "convert zstd": Writer(("convert", "{v}/a.run"), "out.run.zst", "a.run"),
    "convert parquet": Writer(("convert", "{v}/a.run"), "out.parquet", "a.run"),
}


def write_inputs(folder: Path, version: str, queries: int = 40, depth: int = 60) -> None:
    """Write the inputs of one version into a folder of its name."""
    place = folder / version
    place.mkdir()
    draw = random.Random(version)
    names = [f"q{query}" for query in range(queries)]
    docs = [f"document-{version}-{doc}" for doc in range(depth)]
    qrels = [f"{query} 0 {doc} {draw.randrange(2)}" for query in names for doc in docs[::2]]
    (place / "qrels.txt").write_text("\n".join([*qrels, ""]))
    for run in "ab":
        lines = [f"{q} Q0 {doc} 1 {draw.random()} {run}" for q in names for doc in docs]
        (place / f"{run}.run").write_text("\n".join([*lines, ""]))
    rows = [f"{draw.choice(['yes', 'no'])},{draw.random()}" for _ in range(queries * 10)]
    (place / "labels.csv").write_text("\n".join(["label,p", *rows, ""]))
    rated = [f"{q},{who},{draw.randrange(3)}" for q in range(queries * 20) for who in ("x", "y")]
    (place / "ratings.csv").write_text("\n".join(["item,assessor,label", *rated, ""]))
