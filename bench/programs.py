"""What each contender does in a process of its own: ``python bench/programs.py NAME …``.

A program prints the seconds that count: from dicts and frames without making these, and for ranx
after its functions were compiled. For files the clock runs outside, start-up included.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

NAMES = {
    1: {"assay": "nDCG@10", "trec": "ndcg_cut.10", "ranx": "ndcg@10"},
    8: {
        "assay": "nDCG@10 nDCG AP RR P@10 R@100 R@1000 Rprec",
        "trec": "ndcg_cut.10 ndcg map recip_rank P.10 recall.100,1000 Rprec",
        "ranx": "ndcg@10 ndcg map mrr precision@10 recall@100 recall@1000 r-precision",
    },
    12: {
        "assay": "nDCG@10 nDCG AP RR P@10 R@100 R@1000 Rprec P@5 P@100 nDCG@100 AP@100",
        "trec": "ndcg_cut.10,100 ndcg map recip_rank P.5,10,100 recall.100,1000 Rprec map_cut.100",
        "ranx": "ndcg@10 ndcg map mrr precision@10 recall@100 recall@1000 r-precision"
        " precision@5 precision@100 ndcg@100 map@100",
    },
}
"""The same measures under each contender's names, by how many there are."""


def assay_files(qrels: str, run: str, count: int) -> Callable[[], Any]:
    from assay.cli import start

    sys.argv = ["assay", "retrieval", qrels, run, "-m", NAMES[count]["assay"]]
    return start


def assay_paths(qrels: str, run: str, count: int) -> Callable[[], Any]:
    """Files in a process that is running; the clock is inside."""
    import assay

    _ready(count)
    return lambda: assay.retrieval(qrels, run, NAMES[count]["assay"])


def pytrec_eval_files(qrels: str, run: str, count: int) -> Callable[[], Any]:
    import pytrec_eval

    judged = nested(qrels, int)
    with Path(run).open() as lines:
        return _pytrec(judged, pytrec_eval.parse_run(lines), count)


def ir_measures_files(qrels: str, run: str, count: int) -> Callable[[], Any]:
    import ir_measures

    measures = [ir_measures.parse_measure(name) for name in NAMES[count]["assay"].split()]
    judged, answers = ir_measures.read_trec_qrels(qrels), ir_measures.read_trec_run(run)
    return lambda: ir_measures.calc_aggregate(measures, judged, answers)


def ranx_files(qrels: str, run: str, count: int) -> Callable[[], Any]:
    import ranx

    _warm(count)

    def work() -> Any:
        judged = ranx.Qrels.from_file(qrels, kind="trec")
        return _ranx(judged, ranx.Run.from_file(run, kind="trec"), count)

    return work


def assay_dicts(qrels: str, run: str, count: int) -> Callable[[], Any]:
    import assay

    _ready(count)
    judged, answers = nested(qrels, int), nested(run, float)
    return lambda: assay.retrieval(judged, {"bench": answers}, NAMES[count]["assay"])


def pytrec_eval_dicts(qrels: str, run: str, count: int) -> Callable[[], Any]:
    return _pytrec(nested(qrels, int), nested(run, float), count)


def ir_measures_dicts(qrels: str, run: str, count: int) -> Callable[[], Any]:
    import ir_measures

    measures = [ir_measures.parse_measure(name) for name in NAMES[count]["assay"].split()]
    judged, answers = nested(qrels, int), nested(run, float)
    return lambda: ir_measures.calc_aggregate(measures, judged, answers)


def ranx_dicts(qrels: str, run: str, count: int) -> Callable[[], Any]:
    import ranx

    _warm(count)
    judged, answers = nested(qrels, int), nested(run, float)
    return lambda: _ranx(ranx.Qrels(judged), ranx.Run(answers), count)


def assay_frames(qrels: str, run: str, count: int) -> Callable[[], Any]:
    import assay

    _ready(count)
    judged, answers = _pandas(qrels, "relevance", int), _pandas(run, "score", float)
    return lambda: assay.retrieval(judged, {"bench": answers}, NAMES[count]["assay"])


def assay_polars_frames(qrels: str, run: str, count: int) -> Callable[[], Any]:
    import polars as pl

    import assay

    _ready(count)
    judged = pl.from_pandas(_pandas(qrels, "relevance", int))
    answers = pl.from_pandas(_pandas(run, "score", float))
    return lambda: assay.retrieval(judged, {"bench": answers}, NAMES[count]["assay"])


def ir_measures_frames(qrels: str, run: str, count: int) -> Callable[[], Any]:
    import ir_measures

    measures = [ir_measures.parse_measure(name) for name in NAMES[count]["assay"].split()]
    judged, answers = _pandas(qrels, "relevance", int), _pandas(run, "score", float)
    return lambda: ir_measures.calc_aggregate(measures, judged, answers)


def ranx_frames(qrels: str, run: str, count: int) -> Callable[[], Any]:
    import ranx

    _warm(count)
    judged, answers = _pandas(qrels, "relevance", int), _pandas(run, "score", float)
    columns = {"q_id_col": "query_id", "doc_id_col": "doc_id"}
    return lambda: _ranx(
        ranx.Qrels.from_df(judged, score_col="relevance", **columns),
        ranx.Run.from_df(answers, score_col="score", **columns),
        count,
    )


def nested(path: str, number: Callable[[str], float]) -> dict[str, dict[str, float]]:
    """A file as a dict of dicts."""
    found: dict[str, dict[str, float]] = {}
    with Path(path).open() as lines:
        for line in lines:
            fields = line.split()
            value = fields[3] if len(fields) == 4 else fields[4]
            found.setdefault(fields[0], {})[fields[2]] = number(value)
    return found


def _pandas(path: str, value: str, number: Callable[[str], float]) -> Any:
    import pandas as pd

    names = ["query_id", "q0", "doc_id", value]
    if value == "score":
        names = ["query_id", "q0", "doc_id", "rank", "score", "tag"]
    kinds = {"query_id": str, "doc_id": str, value: number}
    frame = pd.read_csv(path, sep=" ", header=None, names=names, dtype=kinds)
    ids = {"query_id": object, "doc_id": object}
    return frame[["query_id", "doc_id", value]].astype(ids)


def _pytrec(judged: Any, answers: Any, count: int) -> Callable[[], Any]:
    import pytrec_eval

    def work() -> Any:
        names = set(NAMES[count]["trec"].split())
        return pytrec_eval.RelevanceEvaluator(judged, names).evaluate(answers)

    return work


def _ranx(judged: Any, answers: Any, count: int) -> Any:
    import ranx

    return ranx.evaluate(judged, answers, NAMES[count]["ranx"].split(), make_comparable=True)


def _ready(count: int) -> None:
    """Import what is imported at the first use: for dicts and frames start-up does not count.

    There are enough queries, with different values, for intervals by resampling.
    """
    import assay

    judged = {f"q{n}": {"a": n % 2, "b": 1} for n in range(20)}
    answers = {query: {"a": 2.0, "b": 1.0} for query in judged}
    assay.retrieval(judged, {"bench": answers}, NAMES[count]["assay"])


def _warm(count: int) -> None:
    import ranx

    tiny = {"q": {"a": 1, "b": 2}}
    _ranx(ranx.Qrels(tiny), ranx.Run({"q": {"a": 1.0, "b": 2.0}}), count)


def main() -> None:
    name, qrels, run, count = sys.argv[1:]
    work = globals()[name](qrels, run, int(count))
    begun = time.perf_counter()
    with contextlib.suppress(SystemExit):
        work()
    print(f"\nseconds {time.perf_counter() - begun:.3f}")


if __name__ == "__main__":
    main()
