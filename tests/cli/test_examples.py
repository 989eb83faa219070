"""Every example of every ``--help`` runs."""

from __future__ import annotations

import gzip
import io
import json
import random
import re
import shlex
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import click
import polars as pl
import pytest
from tests.cli.experiment_files import write_experiment_files
from tests.cli.terminal import call

from assay.cli.application import application

QUERIES = [str(number) for number in range(301, 313)]
DOCS = [f"d{number:02}" for number in range(30)]
TASKS_TAKEN_IN = ("compare", "gate", "power")
"""Their examples are those of the command itself, whatever the task."""


def commands(
    command: click.Command, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """All commands, those within commands too."""
    yield path, command
    if isinstance(command, click.Group) and path[:1] not in [(name,) for name in TASKS_TAKEN_IN]:
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from commands(inner, (*path, name))


def examples() -> list[str]:
    """The command lines that the helps show, without pipes and remarks."""
    found = []
    for _, command in commands(application):
        text = re.sub(r"\\\n\s*", "", command.epilog or "")
        for line in text.splitlines():
            shown = re.search(r"(?:^ *|\| )assay ((?!demo).+)", line)
            if shown and "makes real data" not in line:
                found.append(re.split(r" {3,}| [|>] ", shown[1])[0].strip())
    return sorted(set(found))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all files that the examples name."""
    folder = tmp_path_factory.mktemp("examples")
    draw = random.Random(4)
    _write_rankings(folder, draw)
    _write_tables(folder, draw)
    write_experiment_files(folder, draw)
    scores = ("retrieval", str(folder / "qrels.txt"), "-m", "nDCG@10 AP RR", "--quiet")
    saved = {"scores": ["bm25", "dense", "main"], "one": ["a", "b", "new"], "two": ["a", "b"]}
    saved |= {"new": ["new"], "main": ["main"]}
    for name, runs in saved.items():
        files = [str(folder / f"{run}.run") for run in runs]
        done = call(*scores, *files, "--save", str(folder / f"{name}.parquet"))
        assert done.code == 0, done.err
    return folder


def _write_rankings(folder: Path, draw: random.Random) -> None:
    grades = {query: {doc: draw.choice([0, 0, 1, 2]) for doc in DOCS} for query in QUERIES}
    lines = [f"{q} 0 {d} {grade}\n" for q, own in grades.items() for d, grade in own.items()]
    for name in ("qrels.txt", "one.qrels", "two.qrels"):
        (folder / name).write_text("".join(lines))
    rows = [line.split() for line in lines]
    for name in ("qrels.dev.tsv", "qrels/test.tsv"):
        (folder / name).parent.mkdir(exist_ok=True)
        text = "".join(f"{q}\t{d}\t{grade}\n" for q, _, d, grade in rows)
        (folder / name).write_text("query-id\tcorpus-id\tscore\n" + text)
    (folder / "runs").mkdir()
    for name in ["bm25", "dense", "a", "b", "new", "main", "baseline", "other", "five", "nine"]:
        listed = {query: draw.sample(DOCS, 25) for query in QUERIES}
        text = "".join(
            f"{query} Q0 {doc} {place} {30 - place} {name} {len(name)}\n"
            for query, docs in listed.items()
            for place, doc in enumerate(docs, 1)
        )
        (folder / f"{name}.run").write_text(text)
    for name in ("bm25.run.gz", "runs/bm25.run.gz"):
        (folder / name).write_bytes(gzip.compress((folder / "bm25.run").read_bytes()))
    shutil.copy(folder / "dense.run", folder / "runs/dense.run")
    ranked = [line.split() for line in (folder / "bm25.run").read_text().splitlines()]
    (folder / "run.tsv").write_text("".join(f"{r[0]}\t{r[2]}\t{r[3]}\n" for r in ranked))
    for name in ("bm25", "dense"):
        rows = [line.split() for line in (folder / f"{name}.run").read_text().splitlines()]
        timed = "".join(f"{r[0]},{r[2]},{r[4]},{r[6]}\n" for r in rows)
        (folder / f"{name}.csv").write_text("query,doc,score,time\n" + timed)
    nested: dict[str, dict[str, float]] = {}
    for row in ranked:
        nested.setdefault(row[0], {})[row[2]] = float(row[4])
    (folder / "results.json").write_text(json.dumps(nested))
    levels = [f"{q} 0 1 {d} {draw.choice([1, 2, 3])}\n" for q in QUERIES for d in DOCS[:6]]
    (folder / "prefs.txt").write_text("".join(levels))
    (folder / "pairs.txt").write_text(
        "".join(f"{q} d01 d02 d01\n{q} d02 d03 tie\n" for q in QUERIES)
    )
    texts = [f"{query}\twords of {query}\n" for query in QUERIES]
    (folder / "topics.tsv").write_text("".join(texts))
    (folder / "docs.jsonl").write_text(
        "".join(json.dumps({"_id": doc, "text": f"words of {doc}"}) + "\n" for doc in DOCS)
    )
    units = [f"{q},{draw.choice(['head', 'tail'])},{draw.randint(1, 9)}\n" for q in QUERIES]
    (folder / "topics.csv").write_text("query,type,traffic\n" + "".join(units))
    values = [f"{m},{d},{draw.random():.3f}\n" for m in ("one", "two") for d in "uvwxyz"]
    (folder / "benchmark.csv").write_text("model,dataset,ACC\n" + "".join(values))
    (folder / "seconds.csv").write_text("system,cost\nbm25,1\ndense,5\n")
    for name in ("rank", "train"):  # rankers that copy a run to their last argument
        (folder / name).write_text('#!/bin/sh\nfor last; do :; done\ncp bm25.run "$last"\n')
        (folder / name).chmod(0o755)


def _write_tables(folder: Path, draw: random.Random) -> None:
    rows = range(60)
    yes = [draw.random() < 0.5 for _ in rows]
    answers = {
        "label": ["yes" if each else "no" for each in yes],
        "sick": ["yes" if each else "no" for each in yes],
        "guess": [draw.choice(["yes", "no"]) for _ in rows],
        "id": list(rows),
        "old": [draw.choice(["yes", "no"]) for _ in rows],
        "new": [draw.choice(["yes", "no"]) for _ in rows],
        "guess_0": [draw.choice(["yes", "no"]) for _ in rows],
        "guess_50": [draw.choice(["yes", "no"]) for _ in rows],
        "p": [round(draw.random() / 2 + each / 2, 3) for each in yes],
        "glucose": [draw.randint(80, 120) + 20 * each for each in yes],
        "segment": [draw.choice("uv") for _ in rows],
        "region": [draw.choice("uv") for _ in rows],
        "y": [draw.random() + 1 for _ in rows],
        "yhat": [draw.random() + 1 for _ in rows],
        "linear": [draw.random() + 1 for _ in rows],
        "forest": [draw.random() + 1 for _ in rows],
        "q": [draw.random() + 0.1 for _ in rows],
        "c": [draw.choice("ij") for _ in rows],
        "k5": [draw.choice("ijk") for _ in rows],
        "k9": [draw.choice("ijkl") for _ in rows],
        "topic": [draw.choice("st") for _ in rows],
        "x1": [draw.random() for _ in rows],
        "x2": [draw.random() for _ in rows],
        "x": [draw.random() for _ in rows],
    }
    frame = pl.DataFrame(answers)
    for name in ["predictions", "guesses", "clusters", "points", "held_out", "train", "test"]:
        frame.write_csv(folder / f"{name}.csv")
    known = pl.Series("known", [number % 5 == 0 for number in rows])
    frame.with_columns(known).write_csv(folder / "points.csv")
    wide = frame.with_columns(p_yes=pl.col("p"), p_no=1 - pl.col("p"))
    wide.drop("p").write_parquet(folder / "predictions.parquet")
    frame.write_parquet(folder / "points.parquet")
    ratings = [
        f"{doc},{who},{draw.randint(0, 2)},{doc[1]},{draw.randint(2, 9)}\n"
        for doc in DOCS
        for who in ("ann", "ben", "cem")
    ]
    (folder / "ratings.csv").write_text("doc,who,grade,query,time\n" + "".join(ratings))
    labels = [f"{doc},{draw.randint(0, 2)},{draw.randint(0, 2)},1\n" for doc in DOCS]
    (folder / "wide.csv").write_text("doc,ann,ben,cem\n" + "".join(labels))
    (folder / "gold.csv").write_text("item,label\nd01,1\nd02,0\n")
    (folder / "sizes.csv").write_text("size,guess\nS,S\nM,L\nXL,L\nL,L\n")
    (folder / "matrix.csv").write_text(
        "class,man,woman,child\nman,5,1,0\nwoman,2,6,1\nchild,0,1,4\n"
    )
    board = "system,ap,ndcg\na,0.1,0.2\nb,0.2,0.3\nc,0.3,0.1\nd,0.4,0.5\n"
    for name in ("leaderboard1", "leaderboard2", "leaderboards"):
        (folder / f"{name}.csv").write_text(board)
    methods = "method,tp,fp,fn,tn\na,5,1,2,9\nb,4,2,3,8\n"
    (folder / "methods.csv").write_text(methods)
    tags = [
        {"tags": ["u", "v"], "guessed": ["u"], "scores": {"u": 0.9, "v": 0.4}},
        {"tags": ["v"], "guessed": ["v"], "scores": {"u": 0.2, "v": 0.7}},
    ]
    (folder / "tags.jsonl").write_text("".join(json.dumps(each) + "\n" for each in tags))
    spans = {"truth": [[0, 4, "name"]], "predicted": [[0, 4, "name"], [6, 9, "place"]]}
    (folder / "spans.jsonl").write_text(json.dumps(spans) + "\n")


def words(example: str) -> list[str]:
    """The words as a shell hands them over: bare patterns become the files they fit."""
    found: list[str] = []
    for word in shlex.split(example.split(" < ")[0], posix=False):
        bare = word.strip('"')
        found += (
            sorted(str(path) for path in Path().glob(word))
            if "*" in word and word == bare
            else [bare]
        )
    return found


@pytest.mark.parametrize("example", examples())
def test_an_example_runs(
    example: str, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((made / "bm25.run").read_bytes())))
    done = call(*words(example))
    assert "Traceback" not in done.err
    if "--engine spark" in example and find_spec("pyspark") is None:
        assert (done.code, done.out) == (2, "")
        assert 'PySpark is not installed: run  pip install "assay-eval[spark]"' in done.err
        return
    if "there is no such file" not in done.err:  # Then it was understood at least.
        assert done.code in ((0, 3) if example.startswith("gate") else (0,)), done.err


def test_one_example_is_called_an_example() -> None:
    for name, command in commands(application):
        for head, lines in re.findall(r"(Examples?):\n((?:  .*\n?)+)", command.epilog or ""):
            shown = re.findall(r"^  assay ", lines, re.MULTILINE)
            if len(shown) == 1:
                assert head == "Example", name
