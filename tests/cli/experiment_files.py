"""The files that the examples of experiments with users name."""

from __future__ import annotations

import random
from pathlib import Path

import polars as pl

import assay


def write_experiment_files(folder: Path, draw: random.Random) -> None:
    """Write runs, lists, logs, visits, trials and answers."""
    (folder / "old.run").write_text((folder / "new.run").read_text().replace(" new ", " old "))
    lines = [line.split() for line in (folder / "old.run").read_text().splitlines()]
    shuffled = [f"{r[0]} Q0 {r[2]} {r[3]} {draw.random():.6f} old\n" for r in lines]
    (folder / "old.run").write_text("".join(shuffled))
    lists = assay.interleave.make([str(folder / "old.run"), str(folder / "new.run")])
    lists.save(folder / "lists.csv")
    shown = lists.frame.select("query", "list", "doc")
    parts = []
    for user in range(8):
        clicks = [int(draw.random() < 0.3) for _ in range(shown.height)]
        parts.append(
            shown.with_columns(
                user=pl.lit(f"u{user}"),
                click=pl.Series(clicks),
                device=pl.lit(draw.choice(["desk", "phone"])),
            )
        )
    pl.concat(parts).write_csv(folder / "clicks.csv")
    _write_visits(folder, draw)
    _write_trials(folder, draw)


def _write_visits(folder: Path, draw: random.Random) -> None:
    rows, sessions = [], []
    for user in range(120):
        arm = "old" if user % 2 else "new"
        for day in (1, 2, 3):
            queries = draw.randint(1, 5)
            rows.append(
                {
                    "user": f"u{user}",
                    "arm": arm,
                    "day": f"2024-05-0{day}",
                    "queries": queries,
                    "clicks": draw.randint(0, queries),
                    "clicks_before": draw.randint(0, 5),
                    "converted": int(draw.random() < 0.3),
                    "seconds": round(draw.random() + 0.5, 3),
                    "device": "desk" if user % 3 else "phone",
                }
            )
            for rank in (1, 2):
                head = {"session": f"s{user}-{day}", "user": f"u{user}", "query": f"q{day}"}
                shown = {"rank": rank, "doc": f"d{rank}", "click": draw.randint(0, 1)}
                sessions.append(head | shown)
    pl.DataFrame(rows).write_csv(folder / "visits.csv")
    pl.DataFrame(sessions).write_csv(folder / "sessions.csv")
    users = pl.DataFrame(rows).select("user", "arm").unique(maintain_order=True)
    users.select("user").write_csv(folder / "users.csv")
    users.write_csv(folder / "arms.csv")


def _write_trials(folder: Path, draw: random.Random) -> None:
    design = assay.lab.design(["old", "new"], 4, 8)
    design.save(folder / "plan.csv")
    count = design.plan.height
    design.plan.with_columns(
        seconds=pl.Series([10 + 20 * draw.random() for _ in range(count)]),
        success=pl.Series([draw.randint(0, 1) for _ in range(count)]),
    ).write_csv(folder / "trials.csv")
    answers = [
        {"participant": person, "system": system}
        | {f"q{item}": draw.randint(1, 5) for item in range(1, 11)}
        for person in range(6)
        for system in ("old", "new")
    ]
    pl.DataFrame(answers).write_csv(folder / "answers.csv")
