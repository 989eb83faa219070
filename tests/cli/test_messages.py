"""Messages speak in the words of the command line, and fit it."""

from __future__ import annotations

import math
import re
from pathlib import Path

import click
import pytest
from tests.cli.terminal import call

import assay
from assay.cli.application import GROUPS, application, name_files
from assay.cli.output import use_option_names, wrap_message
from assay.core.phrases import pluralize, quantity, rate_percent

QRELS = "301 0 a 2\n301 0 b 0\n302 0 d 1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "nan.run").write_text("301 Q0 a 1 nan t\n302 Q0 d 1 1.0 t\n")
    (tmp_path / "good.run").write_text("301 Q0 a 1 2.0 t\n302 Q0 d 1 1.0 t\n")
    (tmp_path / "twice.run").write_text("301 Q0 a 1 2.0 t\n301 Q0 a 2 1.0 t\n")
    (tmp_path / "gap.csv").write_text("truth,guess,p\nyes,yes,3\nno,,4\n")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("retrieval qrels.txt nan.run", "--policy nan_scores=drop or --policy nan_scores=keep"),
        ("retrieval qrels.txt twice.run", "--policy duplicates=first"),
        ("compare retrieval qrels.txt good.run nan.run", "--policy nan_scores=drop"),
        ("classification gap.csv --predicted guess", "--missing drop leaves such items out"),
        ("classification gap.csv", "(--predicted), a score (--score)"),
        ("classification gap.csv --score p -m F1", "name their column with --predicted"),
        ("clustering gap.csv --cluster guess", "the true class with --classes"),
        ("confusion gap.csv", "--rows actual or --rows predicted"),
    ],
)
def test_a_remedy_is_an_option(arguments: str, said: str, folder: Path) -> None:
    done = call(*arguments.split())
    assert done.code in (1, 2)
    assert said in done.err
    assert "`" not in done.err


def test_a_reason_names_options_too(folder: Path) -> None:
    done = call("retrieval", "qrels.txt", "good.run", "-m", "fallout")
    assert "set --corpus …" in " ".join(done.out.split())


def test_the_library_says_arguments(folder: Path) -> None:
    with pytest.raises(assay.AssayError, match="`missing=drop` leaves such items out"):
        assay.classification("gap.csv", predicted="guess")


def test_words_that_are_no_arguments_stay() -> None:
    command = click.Command("x", params=[click.Option(["--missing"]), click.Argument(["data"])])
    assert use_option_names("`missing=a` `missing` `data` `other=1`", command) == (
        "--missing a --missing data other=1"
    )


def test_prose_fits_eighty_columns_in_a_pipe(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    done = call("retrieval", "qrels.txt", "good.run", "-m", "AP fallout")
    assert max(map(len, [*done.out.splitlines(), *done.err.splitlines()])) <= 80
    assert wrap_message("word " * 30).count("\n") == 1


def test_one_is_not_many() -> None:
    assert [quantity(n, "query") for n in (0, 1, 1200)] == ["0 queries", "1 query", "1,200 queries"]
    assert (pluralize("class"), pluralize("unit")) == ("classes", "units")


def test_one_query_without_an_answer(folder: Path) -> None:
    (folder / "half.run").write_text("301 Q0 a 1 2.0 t\n303 Q0 a 1 2.0 t\n")
    done = call("retrieval", "qrels.txt", "half.run", "-m", "AP")
    assert "1 of 2 judged queries is not answered and scores zero" in done.err
    assert "1 query without judgments (303) is left out" in done.err


def test_help_lists_each_command_on_one_line_of_its_group() -> None:
    lines = call("--help").out.splitlines()
    assert len(lines) <= 80
    headings = [line.removesuffix(":").casefold() for line in lines if re.fullmatch(r"\w+:", line)]
    assert headings[:3] == ["options", "start", "evaluate"]
    assert headings[1:] == [group for group in GROUPS if group in headings]
    commands = lines[lines.index("Start:") : lines.index("  First steps with your own files:")]
    listed = [line.split()[0] for line in commands if line.startswith("  ")]
    assert sorted(listed) == application.list_commands(click.Context(application))
    assert not any("..." in line for line in commands)
    assert listed[0] == "demo"
    evaluate = lines[lines.index("Evaluate:") : lines.index("Decide:")]
    assert any(line.startswith("  retrieval ") for line in evaluate)


def test_a_word_too_long_for_a_file_is_judged_as_what_it_is(folder: Path) -> None:
    (folder / "m.csv").write_text(",a,b\na,3,1\nb,2,5\n")
    long = "a" * 5000
    matrix = ("confusion", "m.csv", "--rows", "actual", "--labels", "0")
    done = call(*matrix, "-m", long)
    assert done.code in (1, 2)
    assert "File name too long" not in done.err
    done = call("retrieval", "qrels.txt", long)
    assert done.code == 1
    assert "File name too long: aaa" in done.err
    assert len(done.err) < 1000


def test_a_table_of_gains_in_a_message_is_not_taken_for_a_place(tmp_path: Path) -> None:
    qrels, run = tmp_path / "qrels.txt", tmp_path / "a.run"
    qrels.write_text("1 0 a 2000\n")
    run.write_text("1 Q0 a 1 3 r\n")
    done = call("retrieval", str(qrels), str(run), "-m", "nDCG(gain=exp)", "--resamples", "0")
    assert done.code == 1
    assert done.err.startswith(f"assay: {qrels}, {run}: the grade 2000 is too large")


def test_the_name_of_a_method_is_not_taken_for_a_place(folder: Path) -> None:
    words = ["good.run", "--method", "ips"]
    assert name_files("ips: nothing is shown", words) == "good.run: ips: nothing is shown"
    assert name_files("standard input: it is empty", words) == "standard input: it is empty"


def test_a_topic_that_is_refused_is_named_with_its_file(folder: Path) -> None:
    pytest.importorskip("sqlalchemy")
    (folder / "docs.jsonl").write_text('{"id": "d1", "text": "words"}\n')
    (folder / "topics.csv").write_text("query,title\n1 2,words\n")
    told = "assay: topics.csv: '1 2' cannot name a topic"
    new = ("campaign", "new", "c.db", "--name", "pilot", "--documents", "docs.jsonl")
    assert call(*new, "--topics", "topics.csv").err.startswith(told)
    assert call(*new).code == 0
    assert call("campaign", "propose-topic", "c.db", "topics.csv").err.startswith(told)


def test_a_rate_is_not_rounded_to_all_or_nothing() -> None:
    rates = [0, 0.0001, 0.004, 0.5, 0.996, 0.9996, 1, math.nan]
    shown = ["0%", "<0.1%", "0.4%", "50%", "99.6%", ">99.9%", "100%", "–"]
    assert [*map(rate_percent, rates)] == shown
