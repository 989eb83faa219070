"""Pools by hand: every method, budgets, probabilities, logs and files."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.terminal import call

import assay
from assay.benchmark.pools.adaptive_pools import JudgingState
from assay.benchmark.pools.budgets import Budget
from assay.benchmark.pools.pooled_runs import PooledRuns
from assay.benchmark.pools.sampled_pools import rank_weights, scale_to_sum
from assay.core.errors import DataError, UsageError
from assay.formats.containers import to_judgments

A = {"1": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}}
B = {"1": {"b": 4.0, "e": 3.0, "a": 2.0, "f": 1.0}}
RUNS = {"one": A, "two": B}
QRELS = {"1": {"a": 0, "b": 1, "c": 0, "d": 1, "e": 1, "f": 0}}


def _docs(pool: assay.Pool) -> list[str]:
    return pool.frame["doc"].to_list()


def _order(pool: assay.Pool) -> list[str]:
    return pool.log.sort("step")["doc"].to_list()


def test_a_depth_pool_is_the_union_of_the_tops() -> None:
    found = assay.pool(RUNS, depth=2)
    assert found.frame.columns == ["query", "doc", "stratum", "probability", "best_rank", "runs"]
    assert found.frame.rows() == [
        ("1", "a", "all", 1.0, 1, "one"),
        ("1", "b", "all", 1.0, 1, "one two"),
        ("1", "e", "all", 1.0, 2, "two"),
    ]
    assert found.undrawn.is_empty()
    assert set(found.log["doc"]) == {"a", "b", "e"}


@given(
    st.lists(
        st.dictionaries(
            st.sampled_from("xyz"),
            st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 5), min_size=1),
            min_size=1,
        ),
        min_size=1,
        max_size=4,
    ),
    st.integers(1, 5),
)
def test_depth_pools_by_definition(runs: list[dict], depth: int) -> None:
    expected = {
        (query, doc)
        for run in runs
        for query, scores in run.items()
        for doc in sorted(scores, key=lambda d: (scores[d], d), reverse=True)[:depth]
    }
    named = {
        f"r{place}": {q: {d: float(s) for d, s in own.items()} for q, own in run.items()}
        for place, run in enumerate(runs)
    }
    found = assay.pool(named, depth=depth).frame
    assert set(found.select("query", "doc").rows()) == expected
    assert found.height == len(expected)


def test_ties_follow_the_conventions() -> None:
    tied = {"1": {"a": 1.0, "b": 1.0}}
    assert _docs(assay.pool({"r": tied}, depth=1)) == ["b"]
    assert _docs(assay.pool({"r": tied}, depth=1, policies={"ties": "file order"})) == ["a"]


def test_take_by_fused_score() -> None:
    # b: 1/62 + 1/61, a: 1/61 + 1/63; then e (1/62), c (1/63).
    found = assay.pool(RUNS, 4, "take", size=3)
    assert _order(found) == ["b", "a", "e"]
    assert _docs(assay.pool(RUNS, 4, "depth", size=3)) == ["a", "b", "e"]


def test_move_to_front_by_hand() -> None:
    # One run: its documents in order. Two runs: a run goes on while it finds relevant documents.
    assert _order(assay.pool({"one": A}, 4, "mtf", size=4, oracle=QRELS)) == ["a", "b", "c", "d"]
    # b is ranked higher than a by both together, so run two begins: b and e are relevant, a is not.
    # Run one: c is not. Priorities are equal again: f of run two (mean 3/5) before d of one (2/5).
    for seed in range(3):
        order = _order(assay.pool(RUNS, 4, "mtf", size=6, oracle=QRELS, seed=seed))
        assert order == ["b", "e", "a", "c", "f", "d"]


def test_maxmean_by_hand() -> None:
    # Means 1/2: b of run two (1/61 + 1/62) before a (1/61 + 1/63). It is relevant at rank 1, which
    # counts for run two alone (2/3): run one has it at rank 2. e: run two has 3/4. a is not
    # relevant: 3/5, and 1/3 for run one, which ranks it higher. f: 3/6. Then run one.
    for seed in range(3):
        order = _order(assay.pool(RUNS, 4, "maxmean", size=6, oracle=QRELS, seed=seed))
        assert order == ["b", "e", "a", "f", "c", "d"]
    log = assay.pool({"one": A}, 4, "maxmean", size=2, oracle=QRELS).log["reason"].to_list()
    assert log == [
        "next of run one with mean 0.500; judged 0",
        "next of run one with mean 0.333; judged 1",
    ]


TIED = {"x": "apm", "y": "bqn", "good": "cuvq", "bad": "dwp"}


def test_runs_count_by_their_means_where_equal_runs_are_settled() -> None:
    """x offers p, which only a bad run has too; y offers q, which a better run has, but lower."""
    runs = {
        name: {"1": dict(zip(own, range(9, 0, -1), strict=False))} for name, own in TIED.items()
    }
    docs = sorted(set("".join(TIED.values())))
    (lists,) = PooledRuns.read(runs, 4).lists()
    state = JudgingState(lists, tuple(TIED), np.random.default_rng(1))
    assert list(lists.docs) == docs
    fused = dict(zip(docs, lists.fused, strict=True))
    assert fused["p"] > fused["q"]
    for doc, relevant in zip("abcuvdw", (1, 1, 1, 0, 1, 0, 0), strict=True):
        state.record(docs.index(doc), bool(relevant))
    # Means: x and y 2/3, good 3/5, bad 1/4.
    # p: 2/3 · 1/62 + 1/4 · 1/63 = .01472; q: 2/3 · 1/62 + 3/5 · 1/64 = .02013.
    assert state.mean.tolist() == [2 / 3, 2 / 3, 3 / 5, 1 / 4]
    assert state.best_run(state.mean) == 1


def test_equal_runs_that_nothing_settles_go_by_id_rank_and_name() -> None:
    apart = {"two": {"1": {"k": 2.0}}, "one": {"1": {"l": 2.0}}}
    assert _order(assay.pool(apart, 1, "maxmean", size=2, oracle={"1": {"l": 1}})) == ["k", "l"]
    same = {"b": {"1": {"k": 1.0}}, "a": {"1": {"k": 1.0}}}
    log = assay.pool(same, 1, "maxmean", size=1, oracle=QRELS).log
    assert log["reason"][0].startswith("next of run a ")
    lower = {"a": {"1": {"m": 2.0, "k": 1.0}}, "b": {"1": {"k": 1.0}}}
    found = assay.pool(lower, 2, "maxmean", size=2, oracle={"1": {"k": 1, "m": 1}}).log
    assert found["reason"][0].startswith("next of run b ")


@given(
    st.lists(
        st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1), min_size=1, max_size=4
    ),
    st.sets(st.sampled_from("abcdefgh")),
)
def test_maxmean_by_definition(lists: list[list[str]], relevant: set[str]) -> None:
    """Step by step with fractions: the best mean, then reciprocal ranks by means, then the id.

    A judgment counts for the runs that rank the document as high as the run it was taken from.
    """
    expected: list[str] = []
    known: list[list[str]] = [[] for _ in lists]
    while any(set(own) - set(expected) for own in lists):
        means = [Fraction(sum(d in relevant for d in own) + 1, len(own) + 2) for own in known]
        heads = [next((d for d in own if d not in expected), None) for own in lists]
        best = max(mean for mean, head in zip(means, heads, strict=True) if head)
        scores = {
            head: sum(
                m / (61 + o.index(head)) for m, o in zip(means, lists, strict=True) if head in o
            )
            for mean, head in zip(means, heads, strict=True)
            if head and mean == best
        }
        taken = min(scores, key=lambda doc: (-scores[doc], doc))
        reach = min(
            own.index(taken)
            for mean, head, own in zip(means, heads, lists, strict=True)
            if (mean, head) == (best, taken)
        )
        for own, counted in zip(lists, known, strict=True):
            if taken in own[: reach + 1]:
                counted.append(taken)
        expected.append(taken)
    runs = {
        f"r{place}": {"1": {doc: 9.0 - rank for rank, doc in enumerate(own)}}
        for place, own in enumerate(lists)
    }
    oracle = {"1": {doc: int(doc in relevant) for doc in "abcdefgh"}}
    assert _order(assay.pool(runs, 9, "maxmean", size=9, oracle=oracle)) == expected
    turned = dict(reversed(runs.items()))
    assert _order(assay.pool(turned, 9, "maxmean", size=9, oracle=oracle)) == expected


def test_hedge_by_hand() -> None:
    order = _order(assay.pool(RUNS, 4, "hedge", size=6, oracle=QRELS))
    # Depth 4: b has ln(4/2)/2 + ln(4/1)/2 = 1.04 / 2, a has ln(4)/2 + ln(4/3)/2 = 0.84 / 2.
    assert order[0] == "b"
    reason = assay.pool(RUNS, 4, "hedge", size=1, oracle=QRELS).log["reason"][0]
    assert reason == f"hedge score {0.5 * (0.5 * np.log(2) + 0.5 * np.log(4)):.3f}; judged 1"
    # b was relevant: run two, which had it first, gains; its e comes before c of run one.
    assert order.index("e") < order.index("c")


def test_hedge_puts_what_a_run_lacks_after_its_last_rank() -> None:
    runs = {"long": A, "short": {"1": {"e": 1.0}}}
    log = assay.pool(runs, 4, "hedge", size=5, oracle=QRELS).log
    # The short run shares ranks 2 to 5 among a to d; e is at 1 there, and at 5 in the long run.
    shared = np.log(2 * 3 * 4 * 5) / 4
    first = 0.5 * 0.5 * (np.log(4) + np.log(4) - shared)
    assert log["doc"][0] == "a"
    assert log["reason"][0] == f"hedge score {first:.3f}; judged 0"
    # a was not relevant: the long run loses ln(4)/2, the short one (ln(4) - shared)/2.
    worse, better = 0.1 ** (np.log(4) / 2), 0.1 ** ((np.log(4) - shared) / 2)
    own, other = np.log(4) / 2, (np.log(4) - np.log(5)) / 2
    assert log["doc"][1] == "e"
    second = (better * own + worse * other) / (better + worse)
    assert log["reason"][1] == f"hedge score {second:.3f}; judged 1"


def test_hedge_asks_the_other_runs_where_the_best_one_ends() -> None:
    """The best run is ahead by so much that the others vanish beside it in a sum."""
    good, bad = [f"g{n:02}" for n in range(40)], [f"b{n:02}" for n in range(60)]
    rest = ["z", "y", "x", "w"]
    runs = {
        "short": {"1": {doc: 100.0 - place for place, doc in enumerate(good)}},
        "long": {"1": {doc: 200.0 - place for place, doc in enumerate([*bad, *rest])}},
    }
    judgments = {"1": dict.fromkeys(good, 1) | dict.fromkeys([*bad, *rest], 0)}
    order = _order(assay.pool(runs, 100, "hedge", size=104, oracle=judgments))
    assert set(order[:40]) <= {*good, "b00"}
    # The short run lacks all others, so the long one decides: its order, not that of the ids.
    assert [doc for doc in order if doc in {*bad, *rest}] == [*bad, *rest]


def test_thompson_draws_and_repeats_with_its_seed() -> None:
    one = _order(assay.pool(RUNS, 4, "thompson", size=6, oracle=QRELS, seed=3))
    assert one == _order(assay.pool(RUNS, 4, "thompson", size=6, oracle=QRELS, seed=3))
    assert set(one) == set("abcdef")
    assert one[0] in "ab"


def test_a_judge_is_asked() -> None:
    asked = []

    def judge(query: str, doc: str) -> float:
        asked.append((query, doc))
        return 1.0

    found = assay.pool(RUNS, 4, "mtf", size=3, judge=judge)
    assert [doc for _, doc in asked] == _order(found)
    with pytest.raises(UsageError, match="asks for each judgment"):
        assay.pool(RUNS, 4, "mtf", size=3)


def test_an_oracle_that_does_not_know_is_noted() -> None:
    found = assay.pool(RUNS, 4, "maxmean", size=6, oracle={"1": {"b": 1}})
    assert "5 documents of 6 unjudged by the oracle" in found.notes[-1]


RANKED = {"1": {f"d{n:03}": 200.0 - n for n in range(100)}}


def test_strata_have_exact_probabilities() -> None:
    found = assay.pool({"r": RANKED}, method="stratified", strata="20:1,100:0.25")
    sizes = dict(found.frame.group_by("stratum").len().iter_rows())
    assert sizes == {"1-20": 20, "21-100": 20}
    assert found.undrawn.height == 60
    shares = found.frame.select("stratum", "probability").unique().sort("stratum").rows()
    assert shares == [("1-20", 1.0), ("21-100", 0.25)]
    again = assay.pool({"r": RANKED}, method="stratified", strata="20:1,100:0.25")
    assert again.frame.equals(found.frame)
    other = assay.pool({"r": RANKED}, method="stratified", strata="20:1,100:0.25", seed=2)
    assert not other.frame.equals(found.frame)


def test_every_document_of_a_stratum_is_drawn_equally_often() -> None:
    run = {"1": {f"d{n}": 20.0 - n for n in range(10)}}
    counts: dict[str, int] = {}
    for seed in range(400):
        found = assay.pool({"r": run}, method="stratified", strata="2:1,10:0.5", seed=seed)
        for doc in _docs(found):
            counts[doc] = counts.get(doc, 0) + 1
    assert counts["d0"] == counts["d1"] == 400
    assert all(abs(counts[f"d{n}"] - 200) < 50 for n in range(2, 10))


def test_statap_probabilities_by_hand() -> None:
    assert rank_weights(2) == pytest.approx([(1 + 1.5) / 4, (1 + 0.5) / 4])
    assert scale_to_sum(np.array([4.0, 1.0, 1.0]), 2.0) == pytest.approx([1.0, 0.5, 0.5])
    found = assay.pool({"r": RANKED}, 100, "statap", size=30)
    every = pl.concat([found.frame, found.undrawn])
    assert every["probability"].sum() == pytest.approx(30)
    best = every.sort("best_rank")["probability"].to_list()
    assert best == sorted(best, reverse=True)


def test_a_random_part_is_kept_beside_the_chosen_ones() -> None:
    found = assay.pool({"r": RANKED}, 100, "take", size=20, random=0.25)
    by_stratum = dict(found.frame.group_by("stratum").len().iter_rows())
    assert by_stratum == {"chosen": 15, "random": 5}
    rows = found.frame.filter(stratum="random")["probability"].unique().to_list()
    assert rows == [5 / 85]
    assert found.undrawn.height == 80
    with pytest.raises(UsageError, match="a random part"):
        assay.pool({"r": RANKED}, 10, random=0.1)


def test_a_budget_is_shared_between_topics() -> None:
    assert Budget(documents=10).shares({"a": 2, "b": 9, "c": 9}) == {"a": 2, "b": 4, "c": 4}
    assert Budget(documents=11).shares({"a": 9, "b": 9}) == {"a": 5, "b": 6}
    assert Budget(hours=1, minutes=6).total == 10
    assert Budget(size=3).shares({"a": 2, "b": 9}) == {"a": 2, "b": 3}
    assert Budget(share=0.2).shares({"a": 10, "b": 11, "c": 1}) == {"a": 2, "b": 3, "c": 1}
    with pytest.raises(UsageError, match=r"share is 1\.5"):
        Budget(share=1.5)
    for wrong in (float("nan"), float("inf"), 0.0, -1.0):
        with pytest.raises(UsageError, match="above 0 and finite"):
            Budget(hours=wrong)
    with pytest.raises(UsageError, match="smaller than the number of topics"):
        Budget(documents=1).shares({"a": 2, "b": 9})
    with pytest.raises(UsageError, match="give one of"):
        Budget(size=1, documents=2)


@given(st.dictionaries(st.text(min_size=1), st.integers(1, 50), min_size=1), st.integers(1, 500))
def test_a_budget_is_used_up(sizes: dict[str, int], total: int) -> None:
    if total < len(sizes):
        return
    shares = Budget(documents=total).shares(sizes)
    assert sum(shares.values()) == min(total, sum(sizes.values()))
    assert all(0 < shares[name] <= sizes[name] for name in sizes)


TEAMS = {
    "run": ["one", "two", "three"],
    "team": ["x", "x", "y"],
    "priority": [2, 1, 1],
    "late": ["", "", "yes"],
}


def test_priorities_late_runs_and_unanswered_topics() -> None:
    runs = RUNS | {"three": {"1": {"z": 1.0}}}
    found = assay.pool(runs, 2, teams=TEAMS, per_team=1, topics=["1", "2"])
    assert _docs(found) == ["b", "e"]
    notes = " ".join(found.notes)
    assert "late, so not pooled: three" in notes
    assert "others of the team come first: one" in notes
    assert "1 topic without any answer" in notes
    assert "two does not answer 1 topic" in notes


def test_near_duplicates_are_shown_once() -> None:
    found = assay.pool(RUNS, 4, near_duplicates={"doc": ["a", "c", "e"], "group": [1, 1, 2]})
    assert _docs(found) == ["a", "b", "d", "e", "f"]
    assert "a near-duplicate of a" in " ".join(found.log["reason"])


def test_a_pool_is_written_and_read_again(tmp_path: Path) -> None:
    found = assay.pool({"r": RANKED}, method="stratified", strata="20:1,100:0.25")
    found.write(tmp_path / "pool.csv")
    again = assay.Pool.read(tmp_path / "pool.csv")
    assert again.frame.equals(found.frame)
    assert again.undrawn.sort("doc").equals(found.undrawn.sort("doc"))
    grades = {"1": {f"d{n:03}": n % 3 for n in range(100)}}
    judged = again.judgments(grades)
    assert judged.frame.height == 100
    assert judged.frame.filter(pl.col("grade") < 0).height == 60
    value = assay.retrieval(judged, {"r": RANKED}, "xinfAP", interval=None).results[0].value
    assert 0 < value < 1
    with pytest.raises(DataError, match="39 documents of the pool without a judgment"):
        again.judgments({"1": {"d000": 1}})


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, run in RUNS.items():
        lines = [f"1 Q0 {doc} 1 {score} {name}\n" for doc, score in run["1"].items()]
        Path(f"{name}.run").write_text("".join(lines))
    Path("qrels.txt").write_text("".join(f"1 0 {d} {g}\n" for d, g in QRELS["1"].items()))
    done = call("pool", "make", "one.run", "two.run", "--depth", "2", "-o", "pool.csv")
    assert done.code == 0, done.err
    assert assay.Pool.read("pool.csv").frame.equals(assay.pool(RUNS, 2).frame)
    words = ("--method", "maxmean", "--size", "3", "--oracle", "qrels.txt", "--log", "log.csv")
    done = call("pool", "make", "one.run", "two.run", *words, "-o", "-")
    assert done.code == 0, done.err
    assert pl.read_csv("log.csv").height == 3
    done = call("pool", "make", "one.run", "--method", "guess", "-o", "x.csv")
    assert (done.code, "pooling method 'guess'" in done.err) == (2, True)
    done = call("pool", "stats", "one.run", "two.run", "--qrels", "qrels.txt", "--format", "json")
    assert done.code == 0, done.err


@pytest.mark.parametrize(
    ("name", "qrels"), [("robust03", "qrels.txt.gz"), ("trec_covid_round1", "qrels.txt")]
)
def test_adaptive_pools_find_more_with_a_fifth_of_the_judgments(
    name: str, qrels: str, shared_data: Path, tmp_path: Path
) -> None:
    """The protocol of the handbook, through the command: five points more for both methods."""
    folder = shared_data / name
    runs = sorted(str(each) for each in (folder / "runs").iterdir())
    oracle = str(folder / qrels)
    judged = to_judgments(oracle).frame.filter(pl.col("grade") >= 1).select("query", "doc")
    found = {}
    for method, share in (("depth", "1"), ("depth", "0.2"), ("maxmean", "0.2"), ("hedge", "0.2")):
        place = str(tmp_path / "pool.csv")
        limits = ("--method", method, "--share", share, "--oracle", oracle, "--judged-only")
        done = call("pool", "make", *runs, *limits, "-o", place)
        assert done.code == 0, done.err
        pooled = assay.Pool.read(place).frame
        found[method, share] = pooled.join(judged, on=["query", "doc"], how="semi").height
    whole = found["depth", "1"]
    for method in ("maxmean", "hedge"):
        assert (found[method, "0.2"] - found["depth", "0.2"]) / whole >= 0.05


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "qrels"), [("robust03", "qrels.txt.gz"), ("trec_covid_round1", "qrels.txt")]
)
def test_adaptive_pools_find_more_with_a_fifth_of_all_judgments_of_a_topic(
    name: str, qrels: str, shared_data: Path
) -> None:
    """The other protocol of the handbook: whole runs, and what unpooled judgments cost, too."""
    runs = sorted(str(each) for each in (shared_data / name / "runs").iterdir())
    oracle = str(shared_data / name / qrels)
    judged = to_judgments(oracle).frame.select("query", "doc", "grade")
    sizes = judged.group_by("query").agg(size=(pl.len() + 4) // 5)
    relevant = judged.filter(pl.col("grade") >= 1).join(sizes, on="query")
    found, whole = {}, 0
    for method in ("depth", "maxmean", "hedge"):
        log = assay.pool(runs, 1000, method, share=1.0, oracle=oracle, judged_only=True).log
        pooled = log.join(relevant, on=["query", "doc"])
        found[method] = pooled.filter(pl.col("step") <= pl.col("size")).height
        whole = pooled.height
    for method in ("maxmean", "hedge"):
        assert (found[method] - found["depth"]) / whole >= 0.05
        # Of all relevant documents, also those that no run has: at least 5.3 points.
        assert (found[method] - found["depth"]) / relevant.height >= 0.05
