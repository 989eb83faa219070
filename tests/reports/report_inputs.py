"""Small evidence for pages and figures: files as a user has them."""

from __future__ import annotations

from pathlib import Path

EVIL = "<script>alert(1)</script>"
"""A name that is shown as text and never run; ids cannot hold blanks in TREC files."""
EVIL_TEXT = '<img src=x onerror=alert(2)> </script><script>alert(3)</script> \u2028 & "quoted" \''


def write_retrieval(folder: Path, queries: int = 6, systems: int = 3, evil: bool = False) -> None:
    """Judgments of five documents a query; system n finds the first n places later."""
    names = [f"q{n}" for n in range(1, queries + 1)]
    if evil:
        names[0] = EVIL
    grades = [2, 1, 0, 1, 0]
    (folder / "qrels.txt").write_text(
        "".join(f"{q} 0 {q}-d{d} {grade}\n" for q in names for d, grade in enumerate(grades, 1))
    )
    (folder / "runs").mkdir()
    for system in range(systems):
        tag = EVIL if evil and system == 0 else f"system{system}"
        lines = []
        for number, query in enumerate(names):
            turned = (number * system) % 6
            docs = [f"{query}-d{d}" for d in range(1, 6)] + [f"{query}-x"]
            docs = docs[turned:] + docs[:turned]
            lines += [f"{query} Q0 {doc} {n} {10 - n} {tag}\n" for n, doc in enumerate(docs, 1)]
        (folder / "runs" / f"system{system}.run").write_text("".join(lines))
    words = EVIL_TEXT if evil else "words of a query"
    (folder / "topics.tsv").write_text("".join(f"{query}\t{words}\n" for query in names))
    import json

    (folder / "docs.jsonl").write_text(
        "".join(
            json.dumps({"id": f"{query}-d1", "title": "T", "text": EVIL_TEXT if evil else "words"})
            + "\n"
            for query in names
        )
    )


LECTURE = "PPNPPPNNPNPNPNNNPNPN"
LECTURE_SCORES = [
    ".90", ".80", ".70", ".60", ".55", ".54", ".53", ".52", ".51", ".50",
    ".40", ".39", ".38", ".37", ".36", ".35", ".34", ".33", ".30", ".10",
]  # fmt: skip


def write_decisions(folder: Path) -> Path:
    """The twenty items of the lecture: truth, score, and what is said at .54."""
    rows = [
        f"{truth},{score},{'P' if float(score) >= 0.54 else 'N'}"
        for truth, score in zip(LECTURE, LECTURE_SCORES, strict=True)
    ]
    path = folder / "decisions.csv"
    path.write_text("truth,score,guess\n" + "\n".join(rows) + "\n")
    return path
