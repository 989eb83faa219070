"""Files whose ids, names and labels are hostile, and the commands that print them."""

from __future__ import annotations

from pathlib import Path

RETRIEVAL = ("qrels.txt", "one.run", "two.run")
CLASSES = ("p.csv", "--truth", "truth", "--predicted", "one", "--predicted", "two")


def write_hostile_files(before: str, after: str) -> None:
    """Write files to the current folder; each name has these texts around it."""

    def odd(name: object) -> str:
        return f"{before}{name}{after}"

    queries = [odd(number) for number in range(4)]
    judged = [f"{q} 0 {odd(f'd{n}')} {n % 3}\n" for q in queries for n in range(6)]
    Path("qrels.txt").write_text("".join(judged))
    for name, step in (("one", 1), ("two", 5)):
        lines = [
            f"{q} Q0 {odd(f'd{n * step % 7}')} {n} {9 - n} {odd(name)}\n"
            for q in queries
            for n in range(7)
        ]
        Path(f"{name}.run").write_text("".join(lines))
    labels = [odd(each) for each in "abc"]
    rows = [",".join(labels[(n * step) % 3] for step in (1, 2, 4)) for n in range(12)]
    table = [f"{row},{n % 4},{n},{odd(f's{n % 2}')}" for n, row in enumerate(rows)]
    Path("p.csv").write_text("truth,one,two,x,y,seg\n" + "\n".join(table) + "\n")
    Path("m.csv").write_text(f",{labels[0]},{labels[1]}\n{labels[0]},3,1\n{labels[1]},2,5\n")
    rated = [
        f"{odd(f'i{n}')},{odd(f'r{r}')},{labels[(n + r * n) % 3]}" for n in range(6) for r in (0, 1)
    ]
    Path("ratings.csv").write_text("item,assessor,label\n" + "\n".join(rated) + "\n")


def hostile_commands(query: str) -> list[tuple[str, ...]]:
    """Return commands that print names of these files; one query by its name."""
    return [
        ("retrieval", *RETRIEVAL),
        ("retrieval", *RETRIEVAL, "-m", "AP", "--per-query"),
        ("compare", "retrieval", *RETRIEVAL, "-m", "AP"),
        ("compare", "retrieval", *RETRIEVAL, "-m", "AP", "--show", "gains"),
        ("holes", *RETRIEVAL),
        ("ties", *RETRIEVAL),
        ("next", *RETRIEVAL),
        ("risk", *RETRIEVAL),
        ("check", *RETRIEVAL),
        ("explain", "retrieval", *RETRIEVAL, "-m", "AP", "--query", query),
        ("explain", "retrieval", *RETRIEVAL[:2], "-m", "AP", "--query", query),
        ("explain", "classification", *CLASSES, "-m", "MCC"),
        ("correlation", "one.run", "two.run"),
        ("classification", *CLASSES, "--by", "seg"),
        ("classification", *CLASSES[:5]),
        ("confusion", "m.csv", "--rows", "actual", "--matrix"),
        ("clustering", "p.csv", "--cluster", "one", "--cluster", "two", "--classes", "truth"),
        ("agreement", "ratings.csv"),
        ("aggregate", "ratings.csv"),
        ("aggregate", "ratings.csv", "--method", "dawid-skene", "--show", "confusions"),
        ("gate", "retrieval", *RETRIEVAL[:2], "--baseline", "two.run", "-m", "AP", "--margin", "1"),
        ("pool", "stats", *RETRIEVAL[1:], "--qrels", "qrels.txt", "--depth", "3"),
        ("pool", "reuse", *RETRIEVAL, "--depth", "3"),
        ("interleave", "make", *RETRIEVAL[1:]),
    ]
