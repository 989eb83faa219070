"""The shared fuzzer over the commands that it does not know: benchmarks, users and experiments.

    python tests/slow/newer_commands.py FUZZER --seed WORD --count 500 [--options] [--case 12]

A case that is slow, ends in a traceback or with a wrong exit code, or shows what nobody should have
to read is printed, and the exit code is then 1.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import shlex
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.benchmark.campaign.small import DOCUMENTS, judge_everything, small_campaign
from tests.cli.experiment_files import write_experiment_files

COMMANDS = {
    "collection": ("collection docs.jsonl --topics topics.tsv --qrels qrels.txt", 3),
    "collection smart": ("collection smart.all --topics topics.xml --format json", 2),
    "collection trec": ("collection docs.trec --topics topics.trec --write OUT.folder", 2),
    "pool make": ("pool make a.run b.run --depth 5 -o OUT.csv", 2),
    "pool adaptive": (
        "pool make a.run b.run --teams teams.csv --method maxmean --size 5 --oracle qrels.txt"
        " -o OUT.csv --log OUT.log.csv",
        4,
    ),
    "pool stratified": (
        "pool make a.run --method stratified --strata 5:1,20:0.2 --near-duplicates near.csv"
        " -o OUT.csv",
        2,
    ),
    "pool stats": ("pool stats a.run b.run --depth 5 --pool pool.csv --qrels qrels.txt", 4),
    "pool reuse": ("pool reuse qrels.txt a.run b.run --depth 10 --format json", 3),
    "pool plan": ("pool plan --topics 50 --depth 20 --pool pool.csv --pilot scores.parquet", 2),
    "split": (
        "split queries topics.csv --shares 50,50 --names dev,eval --stratum type -o OUT.csv",
        1,
    ),
    "split used": ("retrieval qrels.txt a.run --split dev --splits splits.csv --resamples 0", 3),
    "log check": ("behavior check log.csv --format json", 1),
    "log check ubi": ("behavior check ubi_queries.jsonl ubi_events.jsonl", 2),
    "log check yandex": ("behavior check yandex.log --log-format yandex", 1),
    "log check blocks": ("behavior check blocks.log --log-format blocks", 1),
    "log check tiangong": ("behavior check tiangong.jsonl --log-format tiangong", 1),
    "log check clickmodels": ("behavior check clickmodels.tsv --log-format clickmodels", 1),
    "log summary": ("behavior summary log.jsonl -o OUT.svg", 1),
    "log sample": ("behavior sample log.parquet --size 2 -o OUT.csv", 1),
    "simulate": ("behavior simulate qrels.txt a.run --sessions 20 -o OUT.csv", 2),
    "clicks fit": ("clicks fit log.csv --model pbm --starts 1 --iterations 20 -o OUT.json", 1),
    "clicks compare": ("clicks compare log.parquet --model rank-ctr --model sdbn --format json", 1),
    "clicks judgments": ("clicks judgments model.json --qrels qrels.txt --format csv", 2),
    "counterfactual": ("clicks counterfactual log.csv b.run --model pbm.json --missing 1", 3),
    "propensities": (
        "clicks counterfactual log.csv b.run --propensities shown.csv --method ips --missing 1",
        3,
    ),
    "interleave": ("interleave make old.run new.run --depth 5 -o OUT.csv", 2),
    "interleave impressions": (
        "interleave make old.run new.run --impressions impressions.csv --format csv",
        3,
    ),
    "preference": ("interleave analyze lists.csv clicks.csv --resamples 20 --by device", 2),
    "experiment": (
        "experiment analyze visits.csv -m clicks/queries -m quantile(seconds,0.9) --control old"
        " --covariate clicks/queries=clicks_before --day day --by device --page OUT.html",
        1,
    ),
    "experiment arms": ("experiment analyze sessions.csv --search --arms arms.csv", 2),
    "experiment assign": ("experiment assign users.csv --salt s --format json", 1),
    "lab": ("lab analyze trials.csv -m seconds --log seconds --plan plan.csv --format json", 2),
    "lab paired": ("lab analyze trials.csv -m success --method paired --page OUT.html", 1),
    "lab sus": ("lab analyze answers.csv --sus q* --format csv", 1),
    "lab design": ("lab design --systems old,new --tasks 4 --participants 8", 0),
    "experiment plan": ("experiment plan --baseline 0.19 --detect 0.01", 0),
    "interleave plan": ("interleave plan --preference 0.05 --ties 0.6 --format json", 0),
    "online": (
        "report online --qrels qrels.txt --baseline old.run --system new.run --lists lists.csv"
        " --log clicks.csv --experiment visits.csv --outcome clicks/queries --control old"
        " -o OUT.html",
        6,
    ),
    "campaign new": (
        "campaign new OUT.db --name pilot --documents docs.jsonl --topics topics.tsv"
        " --guidelines topics.trec",
        3,
    ),
    "campaign topics": ("campaign propose-topic early.db topics.csv", 2),
    "campaign submit": ("campaign submit runs.db late.run --as ann", 2),
    "campaign judge": ("campaign judge camp.db --file judged.csv --as ann", 2),
    "campaign gold": ("campaign gold camp.db gold.qrels", 2),
    "campaign assign": ("campaign assign camp.db --overlap 0.2", 1),
    "campaign status": ("campaign status camp.db", 1),
    "campaign review": ("campaign review camp.db", 1),
    "campaign export": ("campaign export camp.db OUT.exported", 1),
}
"""Each command, and how many of its files are damaged, from the left."""


def _files(command: str, count: int, folder: Path) -> str:
    named = [word for word in shlex.split(command) if (folder / word).is_file()]
    return " ".join(named[:count])


def load_fuzzer(path: str, options: bool) -> Any:
    """Import the fuzzer with these commands and their inputs in place of its own."""
    spec = importlib.util.spec_from_file_location("shared_fuzzer", path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    fuzzer: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fuzzer)
    known, known_call = fuzzer.make_inputs, fuzzer.call

    def make_inputs(folder: Path) -> None:
        known(folder)
        write_inputs(folder, fuzzer)
        fuzzer.COMMANDS = {
            name: (command, _files(command, count, folder))
            for name, (command, count) in COMMANDS.items()
            if count or options
        }

    def call(argv: list[str], folder: Path) -> Any:
        for written in folder.glob("OUT.*/"):
            shutil.rmtree(written)
        return known_call(argv, folder)

    fuzzer.make_inputs, fuzzer.call = make_inputs, call
    return fuzzer


def write_inputs(folder: Path, fuzzer: Any) -> None:
    """Write a collection, logs, experiments and campaigns, beside the inputs of the fuzzer."""
    draw = random.Random(2)
    (folder / "new.run").write_text((folder / "a.run").read_text().replace("STANDARD", " new "))
    write_experiment_files(folder, draw)
    for name, text in _TEXTS.items():
        (folder / name).write_text(text)
    queries = ("301", "302", "303")
    _write(folder / "teams.csv", ["run,team,priority,late", "a,north,1,0", "b,south,1,0"])
    _write(folder / "near.csv", ["doc,group", *(f"FR301-00{i},g{i % 2}" for i in range(5))])
    _write(folder / "topics.csv", ["query,title,type", *(f"{q},topic {q},a" for q in queries)])
    _write(folder / "impressions.csv", ["impression,query", "1,301", "2,302"])
    shown = [f"{q},FR{q}-00{i},{i + 1},{0.5}" for q in queries for i in range(9)]
    _write(folder / "shown.csv", ["query,doc,rank,probability", *shown])
    for line in (
        "behavior simulate qrels.txt a.run --sessions 60 --depth 5 --seed 3 -o log.csv",
        "behavior simulate qrels.txt a.run --sessions 60 --depth 5 --seed 3 -o log.jsonl",
        "behavior simulate qrels.txt a.run --sessions 60 --depth 5 --seed 3 -o log.parquet",
        "clicks fit log.csv --model dbn --starts 1 --iterations 20 -o model.json",
        "clicks fit log.csv --model pbm --starts 1 --iterations 20 -o pbm.json",
        "pool make a.run b.run --depth 5 -o pool.csv",
        "split queries topics.tsv --shares 50,50 --names dev,eval -o splits.csv",
    ):
        _run(fuzzer, folder, line)
    _write_campaigns(folder, fuzzer)


def _write_campaigns(folder: Path, fuzzer: Any) -> None:
    campaign = small_campaign(str(folder / "camp.db"), folder)
    campaign.assign(overlap=0.2)
    campaign.close()
    judge_everything(str(folder / "camp.db"), "ann")
    _write(folder / "judged.csv", ["query,doc,grade", "1,d2,1", "1,d3,0"])
    _write(folder / "gold.qrels", ["1 0 d2 1", "2 0 d3 0"])
    lines = [f"1 Q0 d{rank} {rank} {9 - rank} late" for rank in range(1, 9)]
    _write(folder / "late.run", lines)
    documents = [json.dumps({"id": each[0], "text": each[3]}) for each in DOCUMENTS]
    _write(folder / "few.jsonl", documents)
    _run(fuzzer, folder, "campaign new early.db --name early --documents few.jsonl")
    (folder / "few.tsv").write_text("1\tone topic\n2\tanother\n")
    _run(fuzzer, folder, "campaign new runs.db --name runs --documents few.jsonl --topics few.tsv")
    _run(fuzzer, folder, "campaign join runs.db ann --role participant")
    _run(fuzzer, folder, "campaign phase runs.db runs")


def _run(fuzzer: Any, folder: Path, line: str) -> None:
    found = fuzzer.call(shlex.split(line), folder)
    if found["code"]:
        raise RuntimeError(f"{line}: {found['err']}{found['trace']}")


def _write(path: Path, lines: list[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines))


_TIANGONG_QUERY = {
    "text": "words",
    "clicks": [{"docid": "a", "label": 1}, {"docid": "b", "label": 0}],
}
_TEXTS = {
    "smart.all": "".join(f".I {i}\n.T\ntitle {i}\n.W\nsome words {i}\n" for i in range(1, 6)),
    "topics.xml": "<topics>"
    + "".join(f'<topic number="{q}"><query>words {q}</query></topic>' for q in (301, 302, 303))
    + "</topics>\n",
    "docs.trec": "".join(
        f"<DOC>\n<DOCNO> FR301-{i:03d} </DOCNO>\n<TEXT>\nwords {i}\n</TEXT>\n</DOC>\n"
        for i in range(5)
    ),
    "topics.trec": "".join(
        f"<top>\n<num> Number: {q}\n<title> words {q}\n<desc> Description:\nmore\n</top>\n"
        for q in (301, 302)
    ),
    "ubi_queries.jsonl": "".join(
        json.dumps(
            {
                "query_id": f"q{i}",
                "client_id": "c",
                "user_query": "words",
                "timestamp": f"2024-05-01T00:00:0{i}Z",
                "query_response_hit_ids": ["a", "b"],
            }
        )
        + "\n"
        for i in range(6)
    ),
    "ubi_events.jsonl": "".join(
        json.dumps(
            {
                "action_name": "click",
                "query_id": f"q{i}",
                "client_id": "c",
                "timestamp": f"2024-05-01T00:00:1{i}Z",
                "event_attributes": {"object": {"object_id": "a"}, "position": {"ordinal": 1}},
            }
        )
        + "\n"
        for i in range(6)
    ),
    "blocks.log": "".join(f"q{i % 3}\ta,b,c : b;\n" for i in range(9)),
    "tiangong.jsonl": "".join(
        json.dumps({"session_id": i, "query": [_TIANGONG_QUERY, _TIANGONG_QUERY]}) + "\n"
        for i in range(6)
    ),
    "clickmodels.tsv": "".join(
        f'h{i}\tq{i % 3}\t1\t0\t["a","b"]\t[false,false]\t[{i % 2},0]\n' for i in range(9)
    ),
    "yandex.log": "".join(
        f"{s}\t0\tQ\t{s % 3}\t1\t10\t11\t12\n{s}\t5\tC\t{10 + s % 3}\n" for s in range(8)
    ),
}


def main() -> int:
    """Run the cases, and print those that are not right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fuzzer")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--options", action="store_true")
    parser.add_argument("--case", type=int)
    given = parser.parse_args()
    fuzzer = load_fuzzer(str(Path(given.fuzzer).resolve()), given.options)
    with tempfile.TemporaryDirectory(prefix="assay-fuzz-") as home:
        alive = fuzzer.prepare(Path(home))
        fuzzer.work(argparse.Namespace(**vars(given), home=home, job=0, first=0, jobs=1))
        rows = [json.loads(line) for line in (Path(home) / "log-0.jsonl").read_text().splitlines()]
    for row in rows:
        if "--output" in row["command"].split():  # The JSON is in that file.
            row["bad"] = [fault for fault in row["bad"] if fault != "invalid JSON"]
    bad = [row for row in rows if row["bad"] or given.case is not None]
    for row in bad:
        sys.stdout.write(json.dumps(row) + "\n")
    missing = sorted(set(fuzzer.COMMANDS) - set(alive))
    counts = f"{len(rows)} cases of {len(alive)} commands, {len(bad)} not right"
    sys.stdout.write(f"{counts}; without: {missing}\n")
    return 1 if bad or missing else 0


if __name__ == "__main__":
    sys.exit(main())
