"""``assay trec_eval``: what trec_eval printed, byte for byte, and kind words where it has none."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path

import pytest
from tests.cli.terminal import call
from tests.conftest import ROOT

from assay.tasks.trec_eval.measure_names import TREC_NAMES
from assay.tasks.trec_eval.requested_measures import NICKNAMES

QRELS = "q1 0 a 1\nq1 0 b 0\nq1 0 c 2\nq2 0 a 1\nq10 0 z 1\n"
RUN = (
    "q1 Q0 c 1 3.0 mine\nq1 Q0 x 2 2.0 mine\nq1 Q0 a 3 1.0 mine\n"
    "q2 Q0 b 1 2.0 mine\nq2 Q0 a 2 1.0 mine\nq10 Q0 z 1 1.0 mine\n"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    return tmp_path


def _commands() -> list[tuple[str, str, str, str]]:
    """The stored commands; none where the shared data is absent, which the fixture then says."""
    for place in (ROOT.parent, ROOT.parent.parent):
        file = place / "shared" / "data" / "trec_eval" / "commands.tsv"
        if file.exists():
            with file.open() as lines:
                _, *rows = csv.reader(lines, delimiter="\t")
            return [(row[0], row[1], row[2], row[3]) for row in rows]
    return [("", "qrels.test", "results.test", "out.test")]


COMMANDS = _commands()
NINE = [each for each in COMMANDS if "comment" not in each[1]]


@pytest.mark.shared
@pytest.mark.parametrize(("options", "qrels", "run", "expected"), COMMANDS)
def test_prints_what_trec_eval_10_printed(
    shared_data: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: str,
    qrels: str,
    run: str,
    expected: str,
) -> None:
    monkeypatch.chdir(shared_data / "trec_eval")
    called = call("trec_eval", *options.split(), qrels, run)
    assert (called.out, called.err, called.code) == (Path(expected).read_text(), "", 0)


@pytest.mark.shared
@pytest.mark.parametrize(("options", "qrels", "run", "expected"), NINE)
def test_prints_what_trec_eval_9_printed(
    shared_data: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: str,
    qrels: str,
    run: str,
    expected: str,
) -> None:
    monkeypatch.chdir(shared_data / "trec_eval")
    own = options.replace("zscores_file", "v9/zscores_file").split()
    called = call("trec_eval", "--profile", "trec_eval-9", *own, qrels, run)
    assert (called.out, called.code) == (Path("v9", expected).read_text(), 0)


def lines(text: str) -> dict[tuple[str, str], str]:
    rows = (line.split("\t") for line in text.splitlines())
    return {(label.rstrip(), topic): value for label, topic, value in rows}


def test_topics_come_in_the_order_of_bytes(folder: Path) -> None:
    called = call("trec_eval", "-q", "-m", "num_ret", "-m", "map", "qrels", "run")
    assert called.out == (
        "num_ret               \tq1\t3\n"
        "map                   \tq1\t0.8333\n"
        "num_ret               \tq10\t1\n"
        "map                   \tq10\t1.0000\n"
        "num_ret               \tq2\t2\n"
        "map                   \tq2\t0.5000\n"
        "num_ret               \tall\t6\n"
        "map                   \tall\t0.7778\n"
    )


@pytest.mark.parametrize(
    ("options", "label", "topic", "value"),
    [
        ("-m runid", "runid", "all", "mine"),
        ("-m num_q", "num_q", "all", "3"),
        ("-l 2 -q -m map", "map", "q1", "1.0000"),
        ("-l2 -m num_rel", "num_rel", "all", "1"),
        ("-M 1 -q -m num_ret", "num_ret", "q1", "1"),
        ("-J -q -m relstring", "relstring", "q1", "'21'"),
        ("-q -m relstring", "relstring", "q1", "'2-1'"),
        ("-q -mrelstring.1", "relstring_1", "q1", "'2'"),
        ("-m P.2,1", "P_2", "all", "0.5000"),
        ("-m P.2.9", "P_2", "all", "0.5000"),
        ("-D 1.q2 -m map", "map", "all", "0.5000"),
        ("-D 1.q2 -m num_q", "num_q", "all", "1"),
        ("--measure map --nosummary --query_eval_wanted", "map", "q2", "0.5000"),
        ("-o -T trec_results -R qrels -m recip_rank", "recip_rank", "all", "0.8333"),
    ],
)
def test_options(folder: Path, options: str, label: str, topic: str, value: str) -> None:
    called = call("trec_eval", *options.split(), "qrels", "run")
    assert called.code == 0, called.err
    assert lines(called.out)[label, topic] == value


def test_no_summary(folder: Path) -> None:
    assert "\tall\t" not in call("trec_eval", "-qn", "qrels", "run").out
    assert call("trec_eval", "-n", "qrels", "run").out == ""


def test_order_of_lines_is_trec_evals_own(folder: Path) -> None:
    called = call("trec_eval", "-m", "P.5", "-m", "map", "-m", "num_q", "qrels", "run")
    assert [line.split()[0] for line in called.out.splitlines()] == ["num_q", "map", "P_5"]


@pytest.fixture
def short(folder: Path) -> Path:
    """A run that leaves q2 out."""
    (folder / "run").write_text("".join(line for line in RUN.splitlines(True) if "q2 " not in line))
    return folder


def test_version_10_wants_every_topic_answered(short: Path) -> None:
    called = call("trec_eval", "-m", "map", "qrels", "run")
    assert (called.out, called.code) == ("", 1)
    assert "run: 1 of 3 judged topics of qrels are not answered, the first is q2" in called.err
    assert "-c" in called.err
    assert "--profile trec_eval-9" in called.err


def test_version_9_leaves_topics_out_and_says_so(short: Path) -> None:
    called = call("trec_eval", "--profile", "trec_eval-9", "-m", "map", "qrels", "run")
    assert called.out == "map                   \tall\t0.9167\n"
    assert "1 of 3 judged topics of qrels are not answered and are left out" in called.err
    quiet = call("trec_eval", "--quiet", "--profile", "trec_eval-9", "-m", "map", "qrels", "run")
    assert (quiet.out, quiet.err) == (called.out, "")


def test_complete_averages(short: Path) -> None:
    ten = lines(call("trec_eval", "-cq", "-m", "map", "-m", "num_q", "qrels", "run").out)
    nine = lines(
        call(
            *("trec_eval", "--profile", "trec_eval-9", "-cq", "-m", "map", "-m", "num_q"),
            *("qrels", "run"),
        ).out
    )
    assert ten["map", "q2"] == "0.0000"
    assert ("map", "q2") not in nine
    for each in (nine, ten):
        assert (each["map", "all"], each["num_q", "all"]) == ("0.6111", "3")


def test_complete_counts_relevant_whatever_the_level(folder: Path) -> None:
    """An oddity of trec_eval that is kept: with -c the sum of num_rel does not heed -l."""
    with_c = lines(call("trec_eval", "-c", "-l2", "-m", "num_rel", "qrels", "run").out)
    without = lines(call("trec_eval", "-l2", "-m", "num_rel", "qrels", "run").out)
    assert (with_c["num_rel", "all"], without["num_rel", "all"]) == ("4", "1")


def test_standard_input(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = call("trec_eval", "qrels", "run").out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RUN.encode())))
    called = call("trec_eval", "qrels", "-")
    assert (called.out, called.err) == (expected, "")


def test_zscores(folder: Path) -> None:
    (folder / "means").write_text("q1 map 0.5 0.5\nq2 map 0.25 0\nq10 map 1 0\nq1 P_5 0.1 nan\n")
    found = call("trec_eval", "-q", "-Z", "means", "-m", "map", "-m", "P.5", "qrels", "run")
    values = lines(found.out)
    assert values["Zmap", "q1"] == "0.6667"
    assert values["Zmap", "q2"] == "-1000000.0000"  # no deviation, and not the mean
    assert values["Zmap", "q10"] == "0.0000"
    assert values["ZP_5", "q1"] == "   nan"
    assert values["ZP_5", "q2"] == "-1000000.0000"  # no mean is known


def test_whole_grades(folder: Path) -> None:
    (folder / "qrels").write_text(QRELS.replace("c 2", "c 1.9"))
    called = call("trec_eval", "-l2", "-m", "num_rel", "qrels", "run")
    assert lines(called.out)["num_rel", "all"] == "0"
    assert "qrels:3: trec_eval knows only whole grades; 1 lose" in called.err


def test_one_set_of_parameters(folder: Path) -> None:
    """Like trec_eval the first one is taken; unlike it, that is said."""
    called = call("trec_eval", "-m", "P.1", "-m", "P.2", "qrels", "run")
    assert [line.split()[0] for line in called.out.splitlines()] == ["P_1"]
    assert "keeps the first parameters of a measure, P.1" in called.err


def test_a_cutoff_that_is_none_is_pointed_out(folder: Path) -> None:
    called = call("trec_eval", "-m", "recip_rank.10", "qrels", "run")
    assert called.out == "recip_rank            \tall\t0.8333\n"
    assert "recip_rank takes no parameter; '.10' is ignored; -M 10 cuts all lists" in called.err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ("-m mpa qrels run", 2, "trec_eval has no measure 'mpa'. Did you mean map"),
        ("-m P. qrels run", 2, "-m P.: there is nothing after the dot"),
        ("-m P.x qrels run", 2, "-m P.x: 'x' is not a number"),
        ("-m P.0 qrels run", 2, "-m P.0: a depth is 1 or more"),
        ("-m P.5,5 qrels run", 2, "-m P.5,5: each number may occur only once"),
        ("-m utility.1,2 qrels run", 2, "utility takes 4 numbers, such as utility.1,-1,0,0"),
        ("-m ndcg.5 qrels run", 2, "-m ndcg.5: '5' should read key=number"),
        ("--profile trec_eval-9 -m rbp qrels run", 2, "it came with version 10"),
        ("-m map -R prefs qrels run", 2, "-m map needs -R qrels"),
        ("-m prefs qrels run", 2, "needs -R prefs or -R qrels_prefs"),
        ("-l -1 qrels run", 2, "-l"),
        ("-D 1.q9 qrels run", 2, "-D: there are no judgments for the topic q9"),
        ("qrels", 2, "QRELS and RUN are needed"),
        ("-x qrels run", 2, "-x"),
        ("qrels nowhere", 1, "nowhere: there is no such file"),
        ("nowhere run", 1, "nowhere: there is no such file"),
        ("-Z nowhere qrels run", 1, "nowhere: there is no such file"),
        ("run qrels", 1, "run:1: 6 fields where 4 are expected"),
        ("twice run", 1, "twice:3"),
        ("qrels short", 1, "short:2"),
        ("qrels other", 1, "other"),
        ("endless run", 1, "endless:2: the grade is inf"),
        ("-Z short qrels run", 1, "short:1"),
    ],
)
def test_mistakes_end_in_one_line(folder: Path, arguments: str, code: int, message: str) -> None:
    (folder / "short").write_text("q1 Q0 a 1 3.0 mine\nq1 Q0 b 2\n")
    (folder / "twice").write_text("q1 0 a 1\nq1 0 b 1\nq1 1 a 1\n")
    (folder / "endless").write_text("q1 0 a 1\nq1 0 b inf\n")
    (folder / "other").write_text("q7 Q0 a 1 3.0 mine\n")
    called = call("trec_eval", *arguments.split())
    assert (called.out, called.code) == ("", code)
    assert message in called.err
    assert "Traceback" not in called.err


GRADED = "q 0 a 3\nq 0 b 2\nq 0 c 1\nq 0 d 0\nq 0 e 1\nq 0 f 1\n"
LISTED = "q Q0 c 1 4 t\nq Q0 a 2 3 t\nq Q0 x 3 2 t\nq Q0 b 4 1 t\n"
PRINTED_BY_10_0 = ("0.2949", "0.8848", "0.0804")
"""For rbp.p=0.8 on these very files: alone, and with unj, rbp_resid and 11pt_avg as two builds
of the same source left the memory that is never set."""


@pytest.mark.parametrize("beside", ["", "-m unj -m rbp_resid -m 11pt_avg", "-m all_trec"])
def test_rbp_does_not_depend_on_what_else_is_asked(folder: Path, beside: str) -> None:
    """Each grade is worth its share of the topic's highest: 0.2 · (1/3 + 0.8 + 0.8³ · 2/3)."""
    (folder / "qrels").write_text(GRADED)
    (folder / "run").write_text(LISTED)
    called = call("trec_eval", "-m", "rbp.p=0.8", *beside.split(), "qrels", "run")
    right = round(0.2 * (1 / 3 + 0.8 + 0.8**3 * 2 / 3), 4)
    assert lines(called.out)["rbp_p=0.8", "all"] == PRINTED_BY_10_0[0] == str(right)
    assert all(wrong != str(right) for wrong in PRINTED_BY_10_0[1:])


def test_gains_of_rbp(folder: Path) -> None:
    (folder / "qrels").write_text(GRADED)
    (folder / "run").write_text(LISTED)
    called = call("trec_eval", "-m", "rbp.1=.2,2=.5,3=1,p=.8", "qrels", "run")
    expected = f"{0.2 * (0.2 + 0.8 + 0.8**3 * 0.5):.4f}"
    assert lines(called.out)["rbp_1=.2,2=.5,3=1,p=.8", "all"] == expected
    refused = call("trec_eval", "-m", "rbp.1=.2", "qrels", "run")
    assert (refused.out, refused.code) == ("", 2)
    assert "gains are shares between 0 and 1" in refused.err


def test_gains_below_one_are_told_apart(folder: Path) -> None:
    """trec_eval prints 0.0000 for this perfect ranking: it compares gains as whole numbers."""
    (folder / "qrels").write_text("q 0 a 3\nq 0 b 2\nq 0 c 1\n")
    (folder / "run").write_text("q Q0 a 1 3 t\nq Q0 b 2 2 t\nq Q0 c 3 1 t\n")
    called = call("trec_eval", "-m", "ndcg.1=0.2,2=0.5,3=0.9", "qrels", "run")
    assert called.out == "ndcg_1=0.2,2=0.5,3=0.9\tall\t1.0000\n"


def test_a_grade_without_a_gain_keeps_its_own(folder: Path) -> None:
    (folder / "qrels").write_text("q 0 a 3\nq 0 b 2\nq 0 c 1\n")
    (folder / "run").write_text("q Q0 c 1 3 t\nq Q0 b 2 2 t\nq Q0 a 3 1 t\n")
    # 5, 2, 3 by rank; ideal 5, 3, 2: so b, of grade 2, is still worth 2.
    discount = [1, 1 / 1.5849625007211562, 0.5]
    gained = sum(g * d for g, d in zip((5, 2, 3), discount, strict=True))
    ideal = sum(g * d for g, d in zip((5, 3, 2), discount, strict=True))
    called = call("trec_eval", "-m", "ndcg.1=5", "qrels", "run")
    assert lines(called.out)["ndcg_1=5", "all"] == f"{gained / ideal:.4f}"


def test_a_topic_that_is_not_answered_has_an_empty_list(short: Path) -> None:
    """trec_eval 10 lets a phantom document stand there, which shows with parameters: '-', -1."""
    arguments = "-cq -m relstring.5 -m utility.1,-1,0,0 -m rbp_resid -m unj.5"
    found = lines(call("trec_eval", *arguments.split(), "qrels", "run").out)
    names = ("relstring_5", "utility_1,-1,0,0", "rbp_resid", "unj_5")
    assert [found[name, "q2"] for name in names] == ["''", "0.0000", "0.0000", "0.0000"]


def test_no_residual_where_all_is_judged(folder: Path) -> None:
    """An oddity of trec_eval 10 that is kept; RBP_residual knows that the list ends."""
    found = lines(call("trec_eval", "-q", "-m", "rbp_resid", "qrels", "run").out)
    assert found["rbp_resid", "q10"] == "0.0000"
    assert found["rbp_resid", "q1"] == f"{0.9**3 + 0.1 * 0.9:.4f}"


def test_nothing_judged_is_zero(folder: Path) -> None:
    """Where -J leaves nothing, trec_eval prints -nan for itself and for the mean."""
    (folder / "run").write_text(RUN.replace("q10 Q0 z", "q10 Q0 y"))
    found = lines(call("trec_eval", "-qJ", "-m", "all_trec", "qrels", "run").out)
    assert found["11pt_avg", "q10"] == "0.0000"
    assert "nan" not in "".join(found.values())


def test_help_explains_measures() -> None:
    called = call("trec_eval", "-h", "-m", "map", "-m", "runid", "-m", "P")
    assert called.code == 0
    assert "AP: The mean of the precision at the rank of each relevant document" in called.out
    assert "P.5,10,15,20,30,100,200,500,1000" in called.out
    assert "The tag of the run." in called.out
    everything = call("trec_eval", "-h", *(f"-m{word.name}" for word in TREC_NAMES))
    assert everything.code == 0, everything.err


def test_version() -> None:
    called = call("trec_eval", "-v", "--profile", "trec_eval-9")
    assert called.out.strip().endswith("like trec_eval 9")


def test_nicknames_are_trec_evals() -> None:
    assert set(NICKNAMES) == {"official", "set", "all_trec", "all_prefs", "prefs", "qrels_jg"}


def test_a_measure_may_be_written_as_it_is_printed(folder: Path) -> None:
    printed = call("trec_eval", "-m", "ndcg_cut_10", "-m", "iprec_at_recall_0.10", "qrels", "run")
    asked = call("trec_eval", "-m", "ndcg_cut.10", "-m", "iprec_at_recall.0.10", "qrels", "run")
    assert printed.code == 0
    assert printed.out == asked.out


@pytest.mark.filterwarnings("error")
def test_a_deviation_near_0_gives_no_warning_of_python(folder: Path) -> None:
    queries = sorted({line.split()[0] for line in (folder / "qrels").read_text().splitlines()})
    means = [f"{q} map {n % 2} 5e-324\n" for n, q in enumerate(queries)]
    (folder / "means").write_text("".join(means))
    done = call("trec_eval", "-Z", "means", "-m", "map", "qrels", "run")
    assert done.code == 0, done.err
    assert not done.err
