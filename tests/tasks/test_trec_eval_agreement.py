"""``assay trec_eval`` beside pytrec_eval, which holds trec_eval 9.0.8: at full precision."""

from __future__ import annotations

import gzip
import math
import random
from pathlib import Path

import pytest

from assay.tasks.trec_eval.evaluation import MeasureValues, trec_eval
from assay.tasks.trec_eval.topic_selection import Options

pytrec_eval = pytest.importorskip("pytrec_eval")

NO_NUMBERS = ("runid", "relstring")
Table = dict[str, dict[str, float]]


def ours(qrels: Path, run: Path, options: Options) -> Table:
    """Query, measure, value."""
    found = trec_eval(str(qrels), str(run), options)
    values: Table = {topic: {} for topic in found.topics}
    for each in found.answers:
        if isinstance(each, MeasureValues):
            for topic, value in zip(found.topics, each.values.tolist(), strict=True):
                values[topic][each.name] = value
    return values


def theirs(qrels: Path, run: Path, level: int = 1, judged_only: bool = False) -> Table:
    judged: Table = {}
    answers: Table = {}
    for query, _, doc, grade in map(str.split, _lines(qrels)):
        judged.setdefault(query, {})[doc] = int(grade)
    for query, _, doc, _, score, *_ in map(str.split, _lines(run)):
        answers.setdefault(query, {})[doc] = float(score)
    wanted = pytrec_eval.supported_measures - set(NO_NUMBERS)
    own = pytrec_eval.RelevanceEvaluator(
        judged, wanted, relevance_level=level, judged_docs_only_flag=judged_only
    )
    return dict(own.evaluate(answers))


def _lines(path: Path) -> list[str]:
    content = path.read_bytes()
    text = gzip.decompress(content) if path.suffix == ".gz" else content
    return text.decode().splitlines()


def compare(found: Table, expected: Table, judged_only: bool = False) -> int:
    compared = 0
    assert set(found) == set(expected)
    for topic, values in expected.items():
        for name, value in values.items():
            mine = found[topic][name]
            if math.isnan(value):
                assert judged_only, name  # 0/0 in trec_eval where nothing judged was retrieved
            else:
                assert mine == pytest.approx(value, abs=1e-9), (topic, name)
            compared += 1
    return compared


@pytest.mark.oracle
@pytest.mark.shared
@pytest.mark.parametrize("number", range(5))
def test_every_measure_on_robust03(shared_data: Path, number: int) -> None:
    qrels = shared_data / "robust03" / "qrels.txt.gz"
    run = sorted((shared_data / "robust03" / "runs").iterdir())[number]
    found = ours(qrels, run, Options(("all_trec",), version=9))
    assert compare(found, theirs(qrels, run)) == 100 * 93


def _made(folder: Path, seed: int) -> tuple[Path, Path]:
    """Small files with ties, scores that differ only in double precision, and odd topics."""
    draw = random.Random(seed)
    docs = [f"{draw.choice('dDx')}{n}" for n in range(40)]
    judged, listed = [], []
    for query in ("q1", "q10", "q2", "Q3"):
        grades = (0, 0, 0, 1, 2, 4, -1) if query != "q2" else (0, 0)
        for doc in draw.sample(docs, 25):
            judged.append(f"{query} 0 {doc} {draw.choice(grades)}")
        for doc in draw.sample(docs, 30):
            score = draw.choice((draw.random(), round(draw.random(), 1), 1 + draw.random() / 1e8))
            listed.append(f"{query} Q0 {doc} 1 {score!r} made")
    draw.shuffle(listed)
    (folder / "qrels").write_text("\n".join(judged))
    (folder / "run").write_text("\n".join(listed))
    return folder / "qrels", folder / "run"


@pytest.mark.oracle
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("judged_only", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_every_measure_on_made_up_topics(
    tmp_path: Path, seed: int, level: int, judged_only: bool
) -> None:
    qrels, run = _made(tmp_path, seed)
    options = Options(("all_trec",), level=level, judged_only=judged_only, version=9)
    expected = theirs(qrels, run, level, judged_only)
    assert compare(ours(qrels, run, options), expected, judged_only) >= 4 * 93
