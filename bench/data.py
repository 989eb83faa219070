"""Generated judgments and runs, the same on every machine; made once and kept."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

VARIANTS = ("regular", "tabs", "blanks", "shuffled", "interleaved")


@dataclass(frozen=True)
class Shape:
    """So many queries, so many documents in each list, and so many of these judged."""

    name: str
    queries: int
    documents: int
    judged: int

    def __str__(self) -> str:
        return f"{self.queries:,} × {self.documents:,}, {self.judged:,} judged"


SHAPES = {
    shape.name: shape
    for shape in (Shape("wide", 6_980, 1_000, 2), Shape("deep", 250, 1_000, 1_000))
}


@dataclass(frozen=True)
class Files:
    """Where judgments and a run lie."""

    qrels: Path
    run: Path


def files(shape: Shape, variant: str, folder: Path) -> Files:
    """The files of a shape, with the lines of the run in one of several forms.

    They are made in a process of its own: the peak memory of a process begins with what its parent
    held.
    """
    place = Files(folder / f"{shape.name}.qrels", folder / f"{shape.name}.{variant}.run")
    if not (place.qrels.exists() and place.run.exists()):
        subprocess.run([sys.executable, __file__, shape.name, variant, str(folder)], check=True)
    return place


def make(shape: Shape, variant: str, folder: Path) -> None:
    """Write the files that are not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    qrels, regular = folder / f"{shape.name}.qrels", folder / f"{shape.name}.regular.run"
    if not (qrels.exists() and regular.exists()):
        _generate(shape, qrels, regular)
    run = folder / f"{shape.name}.{variant}.run"
    if not run.exists():
        run.write_bytes(_changed(regular.read_bytes(), variant, shape))


def _generate(shape: Shape, qrels: Path, run: Path) -> None:
    draw = np.random.default_rng(1)
    names = np.sort(draw.choice(1_100_000, shape.queries, replace=False)).tolist()
    with qrels.open("w") as judgments, run.open("w") as answers:
        for query in names:
            docs = draw.choice(8_841_823, shape.documents * 3 // 2, replace=False).tolist()
            listed = docs[: shape.documents]
            scores = np.sort(draw.gamma(3, 4, shape.documents) + 5)[::-1].tolist()
            answers.writelines(
                f"{query} Q0 {doc} {rank} {score:.6f} bench\n"
                for rank, (doc, score) in enumerate(zip(listed, scores, strict=True), 1)
            )
            judged = draw.choice(len(docs), shape.judged, replace=False)
            grades = draw.integers(0, 4, shape.judged).tolist()
            judgments.writelines(
                f"{query} 0 {docs[n]} {max(grade, int(shape.judged == 2))}\n"
                for n, grade in zip(judged.tolist(), grades, strict=True)
            )


def _changed(content: bytes, variant: str, shape: Shape) -> bytes:
    if variant == "tabs":
        return content.replace(b" ", b"\t")
    if variant == "blanks":
        return content.replace(b" ", b"  ")
    lines = content.splitlines(keepends=True)
    if variant == "shuffled":
        random.Random(1).shuffle(lines)
    else:
        places = np.arange(len(lines)).reshape(shape.queries, shape.documents).T.ravel()
        lines = [lines[place] for place in places.tolist()]
    return b"".join(lines)


if __name__ == "__main__":
    make(SHAPES[sys.argv[1]], sys.argv[2], Path(sys.argv[3]))
