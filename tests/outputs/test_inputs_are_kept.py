"""No command overwrites what it reads, under whatever name."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from tests.cli.terminal import call
from tests.outputs.commands import OTHER_WRITERS, WRITERS, write_inputs

import assay
from assay.cli.application import application
from assay.cli.parameters import InputFile, OutputFile
from assay.core.errors import OutputError
from assay.core.output_files import refuse_unwritable


@pytest.fixture
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_inputs(tmp_path, "one", queries=3, depth=4)
    return tmp_path


def refused(*words: str) -> None:
    done = call(*words)
    assert done.code == 2, done.err
    assert "this file is an input" in done.err
    assert "name another output" in done.err
    assert done.out == ""


@pytest.mark.parametrize("link", ["same name", "symbolic", "hard", "linked folder"])
@pytest.mark.parametrize("kind", [*WRITERS, *OTHER_WRITERS])
def test_an_input_as_output(inputs: Path, kind: str, link: str) -> None:
    writer = (WRITERS | OTHER_WRITERS)[kind]
    given = inputs / "one" / writer.reads
    content = given.read_bytes()
    *words, output = writer.call("one")
    if link == "same name":  # with the ending that the command wants
        given.rename(inputs / output)
        words = [output if word == f"one/{writer.reads}" else word for word in words]
        given = inputs / output
    elif link == "symbolic":
        (inputs / output).symlink_to(given)
    elif link == "hard":
        (inputs / output).hardlink_to(given)
    else:
        (inputs / "folder").symlink_to("one")
        given = given.rename(given.with_name(output))
        words = [f"one/{output}" if word == f"one/{writer.reads}" else word for word in words]
        output = f"folder/{output}"
    refused(*words, output)
    assert given.read_bytes() == content


@pytest.mark.parametrize(
    "words",
    [
        "gate scores.parquet --floor 0 --save scores.parquet",
        "gate retrieval one/qrels.txt one/a.run --baseline one/b.run --margin 1 --save one/b.run",
        "gate scores.parquet --floor 0 --units one/labels.csv --save one/labels.csv",
        "report retrieval one/qrels.txt one/a.run --topics one/labels.csv -o one/labels.csv",
        "aggregate one/ratings.csv --gold one/labels.csv --save one/labels.csv",
        "clustering one/labels.csv --cluster label --qrels one/qrels.txt"
        " --run label=scores.parquet --save scores.parquet",
        "retrieval beir one/a.run --save beir/qrels/test.parquet",
    ],
)
def test_files_of_options(inputs: Path, words: str) -> None:
    assert call(*WRITERS["save"].call("one")[:-1], "scores.parquet").code == 0
    (inputs / "beir/qrels").mkdir(parents=True)
    (inputs / "beir/qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq0\td\t1\n")
    (inputs / "beir/qrels/test.parquet").symlink_to("test.tsv")
    refused(*words.split())


def test_standard_input_is_an_input(inputs: Path) -> None:
    content = (inputs / "one/a.run").read_bytes()
    words = ["convert", "-", "one/a.run", "--kind", "run"]
    with (inputs / "one/a.run").open() as given:
        done = subprocess.run(
            [sys.executable, "-m", "assay", *words], stdin=given, capture_output=True, check=False
        )
    assert done.returncode == 2
    assert b"one/a.run: this file is an input (- is the same file)" in done.stderr
    assert (inputs / "one/a.run").read_bytes() == content


def test_in_python(inputs: Path) -> None:
    from assay.formats.conversion import convert

    (inputs / "link.run").symlink_to("one/a.run")
    with pytest.raises(assay.AssayError, match="this file is an input"):
        convert("one/a.run", "link.run")


def test_a_name_is_not_an_input(inputs: Path) -> None:
    """A tag may be the name of the file."""
    for _ in range(2):
        done = call("fuse", "one/a.run", "one/b.run", "--tag", "fused", "-o", "fused")
        assert done.code == 0, done.err


def _commands(command: click.Command, ctx: click.Context) -> Iterator[click.Command]:
    if not isinstance(command, click.Group):
        yield command
        return
    for name in command.list_commands(ctx):
        inner = command.get_command(ctx, name)
        if inner is not None:
            yield from _commands(inner, ctx)


def test_every_option_for_a_file_says_whether_it_is_read_or_written() -> None:
    context = click.Context(application)
    options = [
        param
        for command in _commands(application, context)
        for param in command.params
        if isinstance(param, click.Option)
        and any(word in str(param.metavar) for word in ("FILE", "=RUN"))
    ]
    assert len(options) > 20
    undeclared = {
        str(option.opts)
        for option in options
        if not isinstance(option, OutputFile) and not isinstance(option.type, InputFile)
    }
    assert not undeclared


def test_a_loop_of_links_is_an_error_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "one.csv").symlink_to(tmp_path / "two.csv")
    (tmp_path / "two.csv").symlink_to(tmp_path / "one.csv")
    with pytest.raises(OutputError, match=r"one\.csv: the file cannot be written"):
        refuse_unwritable(tmp_path / "one.csv")


def test_scores_are_not_saved_over_what_they_were_computed_from(tmp_path: Path) -> None:
    qrels, run, link = tmp_path / "qrels.txt", tmp_path / "a.run", tmp_path / "link.txt"
    qrels.write_text("1 0 d 1\n2 0 d 1\n")
    run.write_text("1 Q0 d 1 2 a\n2 Q0 d 1 2 a\n")
    link.symlink_to(qrels)
    scores = assay.retrieval(qrels, {"a": run}, "AP")
    for path in (qrels, run, link):
        before = path.read_bytes()
        with pytest.raises(assay.AssayError, match="would be overwritten"):
            scores.save(path)
        assert path.read_bytes() == before
    scores.save(tmp_path / "scores.parquet")
    scores.save(tmp_path / "scores.parquet")  # again
