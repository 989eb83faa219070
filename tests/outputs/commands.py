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
_GATE = ("gate", "retrieval", *_RUNS, "-m", "AP", "--floor", "0", "--format", "markdown", "--save")

WRITERS = {
    "save": Writer(
        ("retrieval", *_RUNS, "-m", "AP", "--resamples", "0", "--save"), "out.parquet", "a.run"
    ),
    "fuse": Writer(("fuse", "{v}/a.run", "{v}/b.run", "-o"), "out.run", "a.run"),
    "gate": Writer(_GATE, "out.md", "a.run"),
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

OTHER_WRITERS = {
    "classification": Writer(
        ("classification", *_CLASSES, "-m", "AUC", "--save"), "out.parquet", "labels.csv"
    ),
    "split items": Writer(("split", "items", "{v}/labels.csv", "-o"), "out.csv", "labels.csv"),
    "split queries": Writer(("split", "queries", "{v}/topics.tsv", "-o"), "out.csv", "topics.tsv"),
    "pool": Writer(("pool", "make", "{v}/a.run", "{v}/b.run", "-o"), "out.pool", "a.run"),
    "behavior": Writer(
        ("behavior", "sample", "{v}/clicks.csv", "--size", "2", "-o"), "out.csv", "clicks.csv"
    ),
    "clicks": Writer(
        ("clicks", "fit", "{v}/clicks.csv", "--model", "PBM", "-o"), "out.json", "clicks.csv"
    ),
    "interleave": Writer(
        ("interleave", "make", "{v}/a.run", "{v}/b.run", "-o"), "out.jsonl", "a.run"
    ),
    "experiment": Writer(
        ("experiment", "assign", "{v}/users.csv", "--salt", "s", "-o"), "out.csv", "users.csv"
    ),
}
"""Commands whose outputs go through the same writer: links and limits, but no kills."""


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
    (place / "users.csv").write_text("user\n" + "".join(f"u{n}\n" for n in range(queries)))
    (place / "topics.tsv").write_text("".join(f"{n}\ttext {n}\n" for n in range(1, 30)))
    clicks = [f"s{n},q{n % 5},d{r},{r},{draw.randrange(2)}" for n in range(40) for r in (1, 2, 3)]
    (place / "clicks.csv").write_text("\n".join(["session,query,doc,rank,click", *clicks, ""]))
    rated = [f"{q},{who},{draw.randrange(3)}" for q in range(queries * 20) for who in ("x", "y")]
    (place / "ratings.csv").write_text("\n".join(["item,assessor,label", *rated, ""]))
