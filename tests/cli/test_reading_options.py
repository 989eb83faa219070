"""Every command that takes judgments and runs reads and joins them as ``assay retrieval`` can."""

from __future__ import annotations

import importlib
from pathlib import Path

import click
import polars as pl
import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import UsageError
from assay.tasks.retrieval.holes import holes
from assay.tasks.retrieval.judge_next import judge_next
from assay.tasks.retrieval.risk import risk
from assay.tasks.retrieval.ties import ties

QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 1\n2 0 d 1\n"
RUN = "1 Q0 b 1 3 bm25\n1 Q0 a 2 2 bm25\n1 Q0 x 3 1 bm25\n2 Q0 a 1 3 bm25\n2 Q0 z 2 2 bm25\n"
OTHER = "1 Q0 a 1 9 dense\n1 Q0 b 2 1 dense\n2 Q0 y 1 3 dense\n2 Q0 d 2 4 dense\n"
COMMANDS = {
    "holes": ("qrels", "run", "other"),
    "ties": ("qrels", "run", "other"),
    "next": ("qrels", "run", "other"),
    "risk": ("qrels", "run", "other"),
    "cost": ("qrels", "run", "other", "--cost", "costs.csv"),
}
PICTURED = {
    "explain retrieval": ("qrels", "run", "-m", "AP", "--query", "1"),
    "report retrieval": ("qrels", "run", "other", "-o", "page.html"),
    "plot pr": ("qrels", "run", "other", "-o", "pr.svg"),
    "plot per-query": ("qrels", "run", "other", "-o", "changes.svg"),
}
READING = {"--rel", "--profile", "--order", "--policy", "--input-format", "--qrels-format"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    (tmp_path / "other").write_text(OTHER)
    (tmp_path / "costs.csv").write_text("system,cost\nbm25,1\ndense,2\n")
    return tmp_path


def options(name: str) -> dict[str, str | None]:
    """The options of a command, and what each says."""
    first, *rest = name.split()
    command = importlib.import_module(f"assay.cli.commands.{first}").command
    for word in rest:
        command = command.get_command(click.Context(command), word)
    return {
        word: each.help
        for each in command.params
        if isinstance(each, click.Option)
        for word in each.opts
    }


@pytest.mark.parametrize("name", COMMANDS | PICTURED)
def test_the_options_are_those_of_retrieval(name: str) -> None:
    own, theirs = options(name), options("retrieval")
    assert {word: own.get(word) for word in READING} == {word: theirs[word] for word in READING}


@pytest.mark.parametrize("name", COMMANDS | PICTURED)
def test_the_advice_of_a_complaint_can_be_followed(name: str, folder: Path) -> None:
    words = (*name.split(), *(COMMANDS | PICTURED)[name])
    (folder / "run").write_text(RUN.replace("x 3 1", "x 3 nan"))
    refused = call(*words)
    assert "--policy nan_scores=drop" in refused.err
    assert call(*words, "--policy", "nan_scores=drop").code == 0
    (folder / "run").write_text(RUN + RUN.splitlines()[0])
    refused = call(*words)
    assert "--policy duplicates=first" in refused.err
    assert call(*words, "--policy", "duplicates=first").code == 0


def test_profiles_are_compared_as_they_are(folder: Path) -> None:
    words = ("explain", "retrieval", "qrels", "run", "-m", "AP", "--profiles")
    refused = call(*words, "--policy", "duplicates=first")
    assert refused.code == 2
    assert "leave out duplicates" in refused.err
    assert call(*words, "--rel", "2").out != call(*words).out


@pytest.mark.parametrize("name", COMMANDS)
def test_ranks_can_make_the_order(name: str, folder: Path) -> None:
    asked = (name, *COMMANDS[name], "-m", "P@1", "--quiet", "--format", "csv")
    by_score, by_rank = call(*asked), call(*asked, "--order", "rank")
    assert (by_score.code, by_rank.code) == (0, 0), by_rank.err
    assert by_score.out != by_rank.out
    assert by_rank.out == call(*asked, "--policy", "order=rank").out


@pytest.mark.parametrize("name", COMMANDS)
def test_the_format_of_files_can_be_named(name: str, folder: Path) -> None:
    asked = (name, *COMMANDS[name], "--quiet", "--format", "csv")
    told = call(*asked)
    assert call(*asked, "--input-format", "trec").out == told.out
    frame = pl.DataFrame({"query": [1, 1, 2, 2], "doc": list("abad"), "grade": [1, 0, 1, 1]})
    (folder / "qrels").write_bytes(frame.write_csv().encode())
    named = call(*asked, "--input-format", "trec", "--qrels-format", "csv")
    assert (named.code, named.out) == (0, told.out)
    assert call(*asked, "--qrels-format", "trec").code == 1


@pytest.mark.parametrize("name", ["holes", "risk", "cost"])
def test_lists_can_be_cut(name: str, folder: Path) -> None:
    asked = (name, *COMMANDS[name], "-m", "AP", "--quiet", "--format", "csv")
    whole, cut = call(*asked), call(*asked, "--depth", "1")
    assert (whole.code, cut.code) == (0, 0), cut.err
    assert whole.out != cut.out


def test_in_python_they_are_policies() -> None:
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    runs = {"bm25": {"1": {"b": 3.0, "a": 2.0}}, "dense": {"1": {"a": 1.0}, "2": {"a": 1.0}}}
    skipped = {"missing_queries": "skip"}
    plain = assay.retrieval(qrels, runs, "AP", policies=skipped, interval=None)
    expected = [each.value for each in plain.results]
    assert holes(qrels, runs, "AP", policies=skipped).measures["value"].to_list() == expected
    assert ties(qrels, runs, "AP", policies=skipped).measures["value"].to_list() == expected
    found = risk(qrels, runs["bm25"], {"dense": runs["dense"]}, "AP", policies=skipped)
    assert (found["queries"][0], found["difference"][0]) == (1, 0.5)


def test_next_compares_the_queries_that_both_answer() -> None:
    """With queries of its own, neither run says anything about the other."""
    qrels = {"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 1}}
    first = {"2": {"a": 2.0, "x": 1.0}, "3": {"x": 2.0, "a": 1.0}}
    second = {"1": {"y": 2.0, "a": 1.0}, "3": {"a": 2.0, "x": 1.0}}
    found = judge_next(qrels, first, second, "P@1", policies={"missing_queries": "skip"})
    assert found.select("query", "doc", "now", "change").rows() == [("3", "x", -1.0, 1.0)]


@pytest.mark.parametrize(
    ("name", "policy", "said"),
    [
        ("ties", "depth=2", "could split documents of equal score"),
        ("next", "depth=2", "--depth says how far they are searched"),
        ("next", "unjudged=drop", "there is nothing to judge"),
    ],
)
def test_policies_that_contradict_the_question(
    name: str, policy: str, said: str, folder: Path
) -> None:
    done = call(name, *COMMANDS[name], "--policy", policy)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_ties_are_not_cut_in_python_either() -> None:
    run = {"1": dict.fromkeys("abcd", 1.0)}
    with pytest.raises(UsageError, match="such as P@2"):
        ties({"1": {"a": 1}}, run, "AP", policies={"depth": "2"})


def test_a_policy_is_a_name_and_a_choice(folder: Path) -> None:
    done = call("holes", "qrels", "run", "--policy", "nan_scores")
    assert done.code == 2
    assert "'nan_scores' is not NAME=CHOICE" in done.err


def test_two_choices_that_differ_are_refused(folder: Path) -> None:
    asked = ("qrels", "run", "-m", "AP")
    for command in ("retrieval", "holes"):
        done = call(command, *asked, "--depth", "1", "--policy", "depth=2")
        assert done.code == 2
        assert "depth is set twice, to 1 and by a policy to 2; set it once" in done.err
        assert call(command, *asked, "--depth", "1", "--policy", "depth=1").code == 0
    done = call("retrieval", *asked, "--policy", "depth=1", "--policy", "depth=2")
    assert done.code == 2
    assert "depth is 1 and 2; say it once" in done.err


def test_explaining_names_the_line_of_a_mistake(folder: Path) -> None:
    Path("twice.run").write_text("q2 Q0 x 1 9 t\n# two\nq1 Q0 a 1 3 t\nq1 Q0 a 2 1 t\n")
    Path("judged.txt").write_text("q2 0 x 1\nq1 0 a 1\nq1 0 a 0\n")
    asked = ("-m", "AP", "--query", "q1")
    done = call("explain", "retrieval", "judged.txt", "twice.run", *asked)
    assert "judged.txt:3: the judgment of document a" in done.err
    Path("judged.txt").write_text("q2 0 x 1\nq1 0 a 1\n")
    done = call("explain", "retrieval", "judged.txt", "twice.run", *asked)
    assert "twice.run:4: the document a for query q1 occurs twice, first at twice.run:3" in done.err


def test_trec_eval_says_where_a_policy_can_be_chosen(folder: Path) -> None:
    Path("twice.run").write_text("q1 Q0 a 1 3 t\nq1 Q0 a 2 1 t\n")
    Path("judged.txt").write_text("q1 0 a 1\n")
    done = call("trec_eval", "judged.txt", "twice.run")
    assert "or duplicates=last with --policy of 'assay retrieval'" in " ".join(done.err.split())


def test_a_threshold_is_a_number(folder: Path) -> None:
    Path("p.csv").write_text("t,p\nyes,0.9\nno,0.2\n")
    columns = ("p.csv", "--truth", "t", "--score", "p", "--positive", "yes")
    done = call("classification", *columns, "--threshold", "nan")
    assert done.code == 2
    assert "--threshold must be a number, not nan" in done.err


def test_ties_need_the_unjudged_documents(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"such as AP\(judged_only=yes\)"):
        ties("qrels", "run", policies={"unjudged": "drop"})


def test_decimal_commas_of_ratings_and_leaderboards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.csv").write_text("item;ann;ben\n1;0,5;0,5\n2;1,5;2,5\n3;3;2,5\n4;1;1\n")
    points = Path("p.csv")
    points.write_text("item;ann;ben\n1;0.5;0.5\n2;1.5;2.5\n3;3;2.5\n4;1;1\n")
    ratings = ("--item", "item", "--assessors", "ann,ben", "--scale", "interval", "-m", "alpha")
    orders = ("--item", "item", "--first", "ann", "--second", "ben", "-m", "tau")
    for command, columns in (("agreement", ratings), ("correlation", orders)):
        comma = call(command, "r.csv", *columns, "--decimal-comma", "--format", "csv")
        point = call(command, "p.csv", *columns, "--format", "csv")
        assert comma.code == point.code == 0
        assert comma.out == point.out
