"""Control characters in ids, names and labels: a terminal never obeys them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.cli.terminal import call

BELL = "\x07\x9b31m"
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
RETRIEVAL = ("qrels.txt", "one.run", "two.run")
CLASSES = ("p.csv", "--truth", "truth", "--predicted", "one", "--predicted", "two")


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    queries = [f"{number}{BELL}" for number in range(4)]
    judged = [f"{q} 0 d{n}{BELL} {n % 3}\n" for q in queries for n in range(6)]
    Path("qrels.txt").write_text("".join(judged))
    for name, step in (("one", 1), ("two", 5)):
        lines = [
            f"{q} Q0 d{n * step % 7}{BELL} {n} {9 - n} {name}{BELL}\n"
            for q in queries
            for n in range(7)
        ]
        Path(f"{name}.run").write_text("".join(lines))
    labels = [f"{each}{BELL}" for each in "abc"]
    rows = [",".join(labels[(n * step) % 3] for step in (1, 2, 4)) for n in range(12)]
    table = [f"{row},{n % 4},{n},s{n % 2}{BELL}" for n, row in enumerate(rows)]
    Path("p.csv").write_text("truth,one,two,x,y,seg\n" + "\n".join(table) + "\n")
    Path("m.csv").write_text(f",{labels[0]},{labels[1]}\n{labels[0]},3,1\n{labels[1]},2,5\n")
    rated = [f"i{n}{BELL},r{r}{BELL},{labels[(n + r * n) % 3]}" for n in range(6) for r in (0, 1)]
    Path("ratings.csv").write_text("item,assessor,label\n" + "\n".join(rated) + "\n")


@pytest.mark.parametrize(
    "words",
    [
        ("retrieval", *RETRIEVAL),
        ("retrieval", *RETRIEVAL, "-m", "AP", "--per-query"),
        ("compare", "retrieval", *RETRIEVAL, "-m", "AP"),
        ("compare", "retrieval", *RETRIEVAL, "-m", "AP", "--show", "gains"),
        ("holes", *RETRIEVAL),
        ("ties", *RETRIEVAL),
        ("next", *RETRIEVAL),
        ("risk", *RETRIEVAL),
        ("check", *RETRIEVAL),
        ("explain", "retrieval", *RETRIEVAL, "-m", "AP", "--query", f"1{BELL}"),
        ("explain", "retrieval", *RETRIEVAL[:2], "-m", "AP", "--query", f"1{BELL}"),
        ("explain", "classification", *CLASSES, "-m", "MCC"),
        ("correlation", "one.run", "two.run"),
        ("classification", *CLASSES, "--by", "seg"),
        ("classification", *CLASSES[:5]),
        ("confusion", "m.csv"),
        ("clustering", "p.csv", "--cluster", "one", "--cluster", "two", "--class", "truth"),
        ("agreement", "ratings.csv"),
        ("aggregate", "ratings.csv"),
        ("aggregate", "ratings.csv", "--method", "dawid-skene", "--show", "confusions"),
        ("gate", "retrieval", *RETRIEVAL[:2], "--baseline", "two.run", "-m", "AP", "--margin", "1"),
        ("pool", "stats", *RETRIEVAL[1:], "--qrels", "qrels.txt", "--depth", "3"),
        ("pool", "reuse", *RETRIEVAL, "--depth", "3"),
        ("interleave", "make", *RETRIEVAL[1:]),
        ("retrieval", "qrels.txt", f"no{BELL}.run"),
        ("retrieval", *RETRIEVAL, "-m", f"AP{BELL}"),
    ],
    ids=lambda words: " ".join(words[:2] + words[4:6]).replace(BELL, ""),
)
def test_no_control_character_is_printed(words: tuple[str, ...]) -> None:
    done = call(*words)
    assert done.code in (0, 1, 2, 3)
    assert done.out or done.code in (1, 2)
    assert not CONTROLS.search(done.out + done.err), repr(done.out + done.err)
