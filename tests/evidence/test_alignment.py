from __future__ import annotations

import dataclasses
import random
from typing import Any, get_args, get_type_hints

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evidence.simple_alignment import Judged, Rows, Simple, simple

from assay.core.conventions import Conventions, profile
from assay.core.errors import AlignmentError
from assay.core.tables import Judgments, Run
from assay.evidence.alignment import run_batches
from assay.evidence.alignment.align import align
from assay.evidence.alignment.run_order import TIE_RULES, order_run
from assay.evidence.views.rankings import Rankings
from assay.formats import containers

QUERIES = ["1", "2", "10", "é", "Z"]
DOCUMENTS = ["d1", "d10", "d2", "D1", "é", "zebra-with-a-long-name", "zebra-with-a-long-nose"]


def judgments(judged: Judged) -> Judgments:
    rows = [(q, d, g) for q, grades in judged.items() for d, g in grades.items()]
    schema = {"query": pl.String, "doc": pl.String, "grade": pl.Float64}
    return Judgments.of(pl.DataFrame(rows, schema=schema, orient="row"))


def run(rows: Rows) -> Run:
    schema = {"query": pl.String, "doc": pl.String, "score": pl.Float64}
    return Run.of(pl.DataFrame(rows, schema=schema, orient="row"))


def plain(rankings: Rankings) -> Simple:
    def split(values: np.ndarray) -> list[list]:
        return [part.tolist() for part in np.split(values, rankings.hits.offsets[1:-1])]

    pools = np.split(rankings.pool.grade, rankings.pool.offsets[1:-1])
    ties = zip(split(rankings.tie_first), split(rankings.tie_last), strict=True)
    return Simple(
        list(rankings.queries),
        rankings.retrieved.tolist(),
        rankings.missing.tolist(),
        split(rankings.hits.rank),
        split(rankings.hits.grade),
        [list(zip(first, last, strict=True)) for first, last in ties],
        split(rankings.row),
        [pool.tolist() for pool in pools],
    )


grades = st.dictionaries(
    st.sampled_from(DOCUMENTS), st.sampled_from([-1.0, 0.0, 1.0, 1.5, 2.5]), min_size=1
)
judged_queries = st.dictionaries(st.sampled_from(QUERIES), grades, min_size=1)
pairs = st.lists(
    st.tuples(st.sampled_from(QUERIES), st.sampled_from(DOCUMENTS)), unique=True, min_size=1
)
scores = st.sampled_from([3.0, 2.0, 1.0, 1.0 + 1e-12, 0.0, -0.0, float("inf"), float("-inf")])


@given(
    judged_queries,
    pairs,
    st.data(),
    st.sampled_from(sorted(TIE_RULES)),
    st.booleans(),
)
def test_the_fast_way_and_the_simple_way_agree(
    judged: Judged, listed: list[tuple[str, str]], data: st.DataObject, ties: str, single: bool
) -> None:
    rows = [(query, doc, data.draw(scores)) for query, doc in listed]
    if not {query for query, _, _ in rows} & set(judged):
        return
    conventions = Conventions(ties=ties, score_type="float32" if single else "float64")
    found = align(judgments(judged), run(rows), conventions).rankings
    assert plain(found) == simple(judged, rows, ties=ties, single=single)


def large(shuffled: str, seed: int = 5) -> tuple[Judged, Rows]:
    """Lists of very different lengths with ties, in one of several orders of lines."""
    chance = random.Random(seed)
    judged: Judged = {}
    rows: Rows = []
    for query in (f"q{n}" for n in range(60)):
        docs = [f"doc-{n}" for n in chance.sample(range(3000), chance.choice([1, 2, 50, 700]))]
        rows += [(query, doc, chance.randrange(200) / 8) for doc in docs]
        picked = [*chance.sample(docs, min(len(docs), 20)), "not retrieved"]
        judged[query] = {doc: float(chance.randrange(-1, 4)) for doc in picked}
    if shuffled == "falling":
        rows.sort(key=lambda row: (row[0], -row[2]))
    elif shuffled == "interleaved":
        rows.sort(key=lambda row: -row[2])
    elif shuffled == "lines":
        chance.shuffle(rows)
    return judged, rows


@pytest.mark.parametrize("lines", ["falling", "by query", "interleaved", "lines"])
@pytest.mark.parametrize("piece", [7, 500, 1 << 19])
def test_any_order_of_lines_in_pieces_of_any_size(
    lines: str, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged, rows = large(lines)
    monkeypatch.setattr(run_batches, "ROWS", piece)
    given_run = run(rows)
    monkeypatch.setattr(Run, "whole_queries", False)
    monkeypatch.setattr(
        Run, "pieces", lambda self, rank=False: self.frame.iter_slices(min(piece, 1 << 19))
    )
    found = align(judgments(judged), given_run, Conventions()).rankings
    assert plain(found) == simple(judged, rows)
    if lines == "falling":
        listed = order_run(given_run, Conventions())
        again = {
            (q, d): place for q, d, place in listed.select("query", "doc", "place").iter_rows()
        }
        for number, query in enumerate(found.queries):
            hits = slice(found.hits.offsets[number], found.hits.offsets[number + 1])
            for row, rank in zip(found.row[hits], found.hits.rank[hits], strict=True):
                assert again[query, rows[row][1]] == rank


JUDGED: Judged = {"q1": {"a": 1.0, "b": 0.0}, "q2": {"c": 2.0}}
ROWS: Rows = [("q1", "a", 3.0), ("q1", "x", 2.0), ("q1", "b", 1.0), ("q2", "c", 1.0)]


def aligned(rows: Rows = ROWS, judged: Judged = JUDGED, **choices: object) -> Any:
    return align(judgments(judged), run(rows), Conventions().change(**choices))


def test_a_document_that_stands_twice_is_refused_with_both_places() -> None:
    with pytest.raises(
        AlignmentError, match=r"row 5: the document x for query q1 occurs twice, first at .*row 2"
    ):
        aligned([*ROWS, ("q1", "x", 0.5)])


@pytest.mark.parametrize(("policy", "ranks"), [("first", [1, 3]), ("last", [2, 3])])
def test_one_of_two_is_kept_on_request(policy: str, ranks: list[int]) -> None:
    found = aligned([*ROWS, ("q1", "a", 1.5)], duplicates=policy)
    assert found.rankings.hits.rank[:2].tolist() == ranks
    assert found.rankings.retrieved.tolist() == [3, 1]
    assert found.counts["duplicates"] == 1
    assert any("1 duplicate document is left out" in each for each in found.warnings)


def test_duplicate_judgments_follow_the_same_policy() -> None:
    twice = judgments(JUDGED)
    twice = dataclasses.replace(twice, frame=pl.concat([twice.frame, twice.frame[:1]]))
    with pytest.raises(AlignmentError, match="judgment of document a for query q1 occurs twice"):
        align(twice, run(ROWS), Conventions())
    assert align(twice, run(ROWS), Conventions(duplicates="first")).warnings


def test_scores_that_are_not_numbers() -> None:
    rows = [("q1", "b", float("nan")), *ROWS[:2], ROWS[3]]
    with pytest.raises(AlignmentError, match="row 1: the score is not a number"):
        aligned(rows)
    dropped = aligned(rows, nan_scores="drop")
    assert dropped.rankings.retrieved.tolist() == [2, 1]
    kept = aligned(rows, nan_scores="keep")
    assert kept.rankings.hits.rank.tolist() == [1, 3, 1]
    assert dropped.warnings
    assert kept.warnings


def test_queries_without_a_partner() -> None:
    found = aligned([*ROWS[:3], ("q9", "c", 1.0)])
    assert found.rankings.missing.tolist() == [False, True]
    assert "run: 1 of 2 judged queries is not answered and scores zero" in found.warnings
    assert "run: 1 query without judgments (q9) is left out" in found.warnings
    assert aligned(ROWS[:3], missing_queries="skip").rankings.queries == ("q1",)
    with pytest.raises(AlignmentError, match="not answered"):
        aligned(ROWS[:3], missing_queries="error")
    with pytest.raises(AlignmentError, match="q9"):
        aligned([*ROWS, ("q9", "c", 1.0)], unknown_queries="error")


@pytest.mark.parametrize(
    ("judged", "answered", "why"),
    [("007", "7", "leading zeros"), ("ABC", "abc", "case"), ("7", "7 ", "spaces")],
)
def test_ids_that_nearly_meet_are_hinted(judged: str, answered: str, why: str) -> None:
    with pytest.raises(
        AlignmentError, match=f"none of its queries is judged.*differ only by {why}"
    ):
        aligned([(answered, "a", 1.0)], {judged: {"a": 1.0}})


def test_empty_lists_are_answers_unless_told_otherwise() -> None:
    silent = dataclasses.replace(run(ROWS[:3]), empty=("q2",))
    kept = align(judgments(JUDGED), silent, Conventions())
    assert kept.rankings.missing.tolist() == [False, False]
    assert kept.rankings.retrieved.tolist() == [3, 0]
    assert any("empty list" in each for each in kept.warnings)
    as_missing = align(judgments(JUDGED), silent, Conventions(empty_queries="missing"))
    assert as_missing.rankings.missing.tolist() == [False, True]
    with pytest.raises(AlignmentError, match="empty list"):
        align(judgments(JUDGED), silent, Conventions(empty_queries="error"))


def test_unjudged_documents() -> None:
    assert aligned().counts["unjudged documents"] == 1
    dropped = aligned(unjudged="drop")
    assert dropped.rankings.hits.rank.tolist() == [1, 2, 1]
    assert dropped.rankings.retrieved.tolist() == [2, 1]
    with pytest.raises(AlignmentError, match="1 retrieved document is unjudged"):
        aligned(unjudged="error")


def test_depth_cuts_the_lists() -> None:
    cut = aligned(depth=2).rankings
    assert cut.retrieved.tolist() == [2, 1]
    assert cut.hits.rank.tolist() == [1, 1]


def test_order_by_rank_and_by_file() -> None:
    frame = run(ROWS).frame.with_columns(rank=pl.Series([9, 2, 1, 1]))
    ranked = align(judgments(JUDGED), Run.of(frame), Conventions(order="rank")).rankings
    assert ranked.hits.rank.tolist() == [1, 3, 1]
    rising = [("q1", "b", 1.0), ("q1", "a", 3.0), ("q2", "c", 1.0)]
    assert aligned(rising, order="file").rankings.hits.grade.tolist() == [0.0, 1.0, 2.0]
    assert "run: there is no rank to order by; ordered by score" in aligned(order="rank").warnings


def test_the_document_of_the_query_itself() -> None:
    rows = [("q1", "q1", 9.0), *ROWS]
    assert aligned(rows, own_document="drop").rankings.hits.rank.tolist() == [1, 3, 1]
    assert aligned(rows).rankings.hits.rank.tolist() == [2, 4, 1]


def test_equal_keys_of_unequal_documents_do_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every document gets one of two keys: hits and repeats must still be exact."""
    real = pl.Series.hash
    monkeypatch.setattr(pl.Series, "hash", lambda self, seed=0: real(self, seed) % (2 + seed * 997))
    judged = {"q1": {"a": 1.0}, "q2": {"c": 2.0}}
    assert plain(aligned(judged=judged).rankings) == simple(judged, ROWS)
    with pytest.raises(AlignmentError, match="occurs twice"):
        aligned([*ROWS, ("q1", "x", 0.5)], judged)


def test_parts_of_rankings_that_were_made_differently_are_not_joined() -> None:
    one, two = (
        align(
            containers.to_judgments({query: {"a": 1}}), containers.to_run({query: {"a": 1.0}}), way
        )
        for query, way in (("1", profile("assay")), ("2", profile("trec_eval-10")))
    )
    with pytest.raises(AlignmentError, match="differ in recall_levels"):
        one.rankings + two.rankings


def test_every_tie_rule_of_the_conventions_sorts() -> None:
    assert set(TIE_RULES) == set(get_args(get_type_hints(Conventions)["ties"]))


def test_a_tie_rule_by_falling_rows_takes_the_last_line_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(TIE_RULES, "last in file", ("row", True))
    rule: Any = "last in file"
    tied = run([("q", doc, 1.0) for doc in ("b", "a", "c")] + [("q", "d", 2.0)])
    assert order_run(tied, Conventions(ties=rule))["doc"].to_list() == ["d", "c", "a", "b"]
