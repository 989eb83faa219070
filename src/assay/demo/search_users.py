"""A simulated search engine whose users' preferences are known, and the logs of its experiments.

There are 60 queries with 30 documents each; every document has a grade from 0 to 2, and users
click what is relevant to them, less often at lower ranks. The new ranking has less noise than the
old one, so that users prefer it. In one A/B test the two systems differ in their ranking alone:
judges, interleaving and the A/B test agree. In the other the new system is also slow, and its users
leave before they click: judges and interleaving, which compare rankings, cannot see that.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from assay.behavior.interleaving.make_lists import make_lists
from assay.core.arrays import Floats, Ints
from assay.core.output_files import write_text
from assay.core.output_folders import make_folder

QUERIES, DOCS, DEPTH = 60, 30, 10
APPEAL = np.array([0.08, 0.35, 0.7])
"""The probability that a document of each grade is clicked at the first rank."""
NOISE = {"old": 1.6, "new": 0.8}
"""The standard deviation of the errors of each ranking, in grades."""
IMPATIENT = 0.35
"""The share of searches that users of the slow system leave before they look at the results."""


@dataclass(frozen=True)
class UserFiles:
    """The paths of the files."""

    qrels: Path
    old: Path
    new: Path
    lists: Path
    clicks: Path
    visits: Path
    slow_visits: Path


def write_user_files(folder: Path, seed: int = 22) -> UserFiles:
    """Write judgments, runs, interleaved lists and the logs of two A/B tests."""
    make_folder(folder)
    generator = np.random.default_rng(seed)
    grades = generator.choice([0, 1, 2], p=[0.7, 0.2, 0.1], size=(QUERIES, DOCS))
    paths = {name: folder / f"{name}.run" for name in NOISE}
    rankings: dict[str, Ints] = {}
    for name, noise in NOISE.items():
        scores = grades + generator.normal(0, noise, grades.shape)
        rankings[name] = np.argsort(-scores, axis=1, kind="stable")
        write_text(paths[name], _run_text(name, rankings[name]))
    lines = [f"q{q:02} 0 d{d:02} {grades[q, d]}\n" for q in range(QUERIES) for d in range(DOCS)]
    write_text(folder / "qrels.txt", *lines)
    lists = make_lists([str(paths["old"]), str(paths["new"])], depth=DEPTH, lists=10, seed=seed)
    lists.save(folder / "lists.csv")
    clicks = _interleaved_clicks(generator, lists.frame, grades)
    write_text(folder / "clicks.csv", clicks.write_csv())
    for name, slow in (("visits", False), ("slow-visits", True)):
        visits = _visits(generator, rankings, grades, slow)
        write_text(folder / f"{name}.csv", visits.write_csv())
    return UserFiles(
        folder / "qrels.txt",
        paths["old"],
        paths["new"],
        folder / "lists.csv",
        folder / "clicks.csv",
        folder / "visits.csv",
        folder / "slow-visits.csv",
    )


def _run_text(name: str, ranking: Ints) -> str:
    return "".join(
        f"q{query:02} Q0 d{doc:02} {rank} {DOCS - rank} {name}\n"
        for query, docs in enumerate(ranking.tolist())
        for rank, doc in enumerate(docs, 1)
    )


def _click(generator: np.random.Generator, grades: Ints, interest: float) -> Ints:
    """Return which documents of a list are clicked."""
    chance: Floats = APPEAL[grades] * interest / np.sqrt(np.arange(1, len(grades) + 1))
    return (generator.random(len(grades)) < chance).astype(np.int64)


def _interleaved_clicks(
    generator: np.random.Generator, lists: pl.DataFrame, grades: Ints, users: int = 400
) -> pl.DataFrame:
    """Return the log of users who search two to six times."""
    shown = {
        key: part.sort("rank")["doc"].to_list() for key, part in lists.group_by(["query", "list"])
    }
    keys = sorted(shown)
    rows = []
    for user in range(users):
        interest = float(generator.beta(5, 2))
        for number in range(int(generator.integers(2, 7))):
            query, name = keys[int(generator.integers(len(keys)))]
            docs = shown[query, name]
            own = grades[int(str(query)[1:]), [int(doc[1:]) for doc in docs]]
            clicked = _click(generator, own, interest).tolist()
            head = (f"u{user:03}-{number}", f"u{user:03}", query, name)
            rows += [(*head, doc, click) for doc, click in zip(docs, clicked, strict=True)]
    columns = ["impression", "user", "query", "list", "doc", "click"]
    return pl.DataFrame(rows, schema=columns, orient="row")


def _visits(
    generator: np.random.Generator,
    rankings: dict[str, Ints],
    grades: Ints,
    slow: bool,
    users: int = 3000,
) -> pl.DataFrame:
    """Return a row for each user of an A/B test: queries, clicks and mean seconds to a page."""
    rows = []
    for user in range(users):
        arm = "new" if generator.random() < 0.5 else "old"
        interest = float(generator.beta(5, 2))
        queries = 1 + int(generator.poisson(3))
        clicks = 0
        for query in generator.integers(QUERIES, size=queries).tolist():
            left = slow and arm == "new" and generator.random() < IMPATIENT
            own = grades[query, rankings[arm][query, :DEPTH]]
            clicks += 0 if left else int(_click(generator, own, interest).sum())
        seconds = float(generator.lognormal(-1.0, 0.3)) * (4.0 if slow and arm == "new" else 1.0)
        rows.append((f"v{user:04}", arm, queries, clicks, round(seconds, 3)))
    columns = ["user", "arm", "queries", "clicks", "seconds"]
    return pl.DataFrame(rows, schema=columns, orient="row")
