"""Complaints of which the advice can be followed."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.terminal import call


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "1000")
    Path("qrels.txt").write_text("".join(f"{q} 0 a 1\n{q} 0 b 0\n" for q in (303, 307, 310)))
    Path("one.run").write_text("".join(f"{q} Q0 a 1 2.0 one\n" for q in (303, 307, 310)))
    Path("two.run").write_text("".join(f"{q} Q0 b 1 2.0 two\n" for q in (303, 307, 310)))


def complaint(*arguments: str) -> str:
    """What is said, in one line, of a call that cannot be."""
    done = call(*arguments)
    assert done.code in (1, 2), done.out
    assert "Traceback" not in done.err
    return " ".join(done.err.split())


@pytest.mark.parametrize("command", ["holes", "ties"])
def test_measures_of_subtopics_are_not_looked_into(command: str) -> None:
    Path("div.txt").write_text("303 1 a 1\n303 2 b 1\n")
    said = complaint(command, "div.txt", "one.run", "-m", "alpha_nDCG@10")
    assert "needs judgments with subtopics, which are not supported here ('assay" in said
    assert "use a measure of plain judgments, such as nDCG@10" in said


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("303 a b a", "pairs"),
        ("303 a b tie", "pairs"),
        ("303 0 a 1", "qrels"),
        ("303 0 a 0", "qrels"),
    ],
)
def test_preferences_say_how_other_forms_are_read(line: str, form: str) -> None:
    Path("judged.txt").write_text(f"{line}\n")
    said = complaint("preferences", "judged.txt", "one.run")
    assert "4 fields where 5 are expected" in said
    assert f"use --form {form}" in said
    assert call("preferences", "judged.txt", "one.run", "--form", form).code == 0


def test_pairs_say_how_levels_are_read() -> None:
    Path("judged.txt").write_text("303 u 1 a 2\n")
    said = complaint("preferences", "judged.txt", "one.run", "--form", "pairs")
    assert "use --form levels" in said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("303 a 1 999.4 tag", "the second field seems to be missing: write Q0 after the query"),
        ("303 Q0 a 1 999.4", "the last field seems to be missing: write the name of the system"),
        ("303 0 a 1 2", "is this a qrels file?"),
        ("303 0 a 1", "is this a qrels file?"),
        ("303 a 1 NIST 0.5", "is this a qrels file?"),
    ],
)
def test_a_run_that_lacks_a_field_is_not_taken_for_qrels(line: str, said: str) -> None:
    Path("five.run").write_text(f"{line}\n")
    assert said in complaint("retrieval", "qrels.txt", "five.run")


def test_a_cost_that_no_run_has_may_come_from_a_table() -> None:
    said = complaint("cost", "qrels.txt", "one.run", "--cost", "time")
    assert "or the file of a table (CSV) with the columns system and time" in said
    Path("time.csv").write_text("system,time\none,3\n")
    assert call("cost", "qrels.txt", "one.run", "--cost", "time.csv").code == 0


def test_a_gate_of_a_file_against_itself_says_so() -> None:
    gate = ("gate", "retrieval", "qrels.txt", "one.run", "-m", "AP", "--margin", "0.1")
    said = complaint(*gate, "--baseline", "one.run")
    assert "the baseline and the candidate are the same, one; give the files of two systems" in said


def test_an_explanation_needs_a_measure() -> None:
    said = complaint("explain", "retrieval", "qrels.txt", "one.run", "--query", "303")
    assert "Missing option '-m'" in said
    assert "None" not in said


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("301", "the query '301' has no judgments. There are 303, 307, 310."),
        ("0303", "Did you mean 303?"),
        ("30", "Did you mean 303 or 307?"),
    ],
)
def test_numbers_that_share_digits_are_not_alike(query: str, said: str) -> None:
    asked = ("explain", "retrieval", "qrels.txt", "one.run", "-m", "AP", "--query", query)
    assert said in complaint(*asked)
    assert said in complaint("plot", "pr", "qrels.txt", "one.run", "--query", query, "-o", "x.svg")


def test_a_test_may_be_meant_by_what_it_is() -> None:
    asked = ("compare", "retrieval", "qrels.txt", "one.run", "two.run", "--test", "signed-rank")
    assert "Did you mean wilcoxon or" in complaint(*asked)


@pytest.mark.parametrize("name", ["ttest", "t-test", "student"])
def test_the_paired_t_test_has_several_names(name: str) -> None:
    asked = ("compare", "retrieval", "qrels.txt", "one.run", "two.run", "--test")
    assert call(*asked, name).out == call(*asked, "t").out


@pytest.mark.parametrize("figure", ["precision_recall", "precisionrecall"])
def test_a_figure_may_be_meant_by_what_it_is(figure: str) -> None:
    assert f"'{figure}' is not a figure. Did you mean precision-recall" in complaint("plot", figure)


def test_methods_say_which_columns_they_need() -> None:
    Path("methods.csv").write_text("name,tpr,fpr\na,0.5,0.1\n")
    said = complaint("plot", "methods", "methods.csv", "-o", "x.svg")
    assert "there is no column tp and no fp and no fn among name" in said
    assert "a row for each method has the columns method, tp, fp, fn, tn, with counts of" in said
    assert "tn and corpus may be left out" in said


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("x.foo", "name it x.parquet"),
        ("x", "name it x.parquet"),
        ("sc.csv", "or print with --per-unit --format csv > sc.csv"),
        ("sc.tex", "or print with --format latex > sc.tex"),
    ],
)
def test_scores_are_saved_as_parquet_only(file: str, said: str) -> None:
    assert said in complaint("retrieval", "qrels.txt", "one.run", "--save", file)
    assert not Path(file).exists()


def test_a_printed_table_of_all_units_can_be_compared() -> None:
    asked = ("retrieval", "qrels.txt", "one.run", "two.run", "-m", "AP")
    Path("sc.csv").write_text(call(*asked, "--per-unit", "--format", "csv").out)
    assert call("compare", "sc.csv").code == 0


def test_a_rating_is_a_grade() -> None:
    Path("rated.csv").write_text("query,docid,rating\nnotebook,1,1\nnotebook,2,0\n")
    assert call("convert", "rated.csv", "out.txt").code == 0
    assert Path("out.txt").read_text() == "notebook 0 1 1\nnotebook 0 2 0\n"


def test_a_table_that_is_neither_a_run_nor_judgments_says_what_it_lacks() -> None:
    Path("any.csv").write_text("query,docid,stars\nnotebook,1,1\n")
    said = complaint("convert", "any.csv", "out.txt")
    assert "neither a grade, as judgments have, nor a score or a rank, as a run has, is" in said
    assert "query, docid, stars; rename the one that holds it" in said


def test_judgments_without_any_relevant_document_are_doubted() -> None:
    Path("turned.txt").write_text("303 a 1 0\n303 b 0 0\n")
    done = call("retrieval", "turned.txt", "one.run", "-m", "AP")
    assert "are the columns in the order query, 0, document, grade?" in " ".join(done.err.split())


def test_a_number_with_a_comma_is_told_to_have_a_point() -> None:
    Path("eu.csv").write_text("label;p_a;p_b\na;0,25;0,75\nb;0,5;0,5\n")
    told = "decimals are written with a point, 0.25"
    assert told in complaint("classification", "eu.csv", "--truth", "label", "--score", "p_a")
    said = complaint("classification", "eu.csv", "--truth", "label", "--probabilities", "p_*")
    assert told in said
    assert told in complaint("regression", "eu.csv", "--truth", "p_a", "--predicted", "p_b")
    Path("eu.run").write_text("303 Q0 a 1 0,25 eu\n")
    assert told in complaint("retrieval", "qrels.txt", "eu.run")


@pytest.mark.parametrize(
    ("times", "said"),
    [
        (1, "one: 1 duplicate document is left out (the first is kept)"),
        (2, "one: 2 duplicate documents are left out (the first is kept)"),
    ],
)
def test_one_is_not_many(times: int, said: str) -> None:
    Path("twice.run").write_text("303 Q0 a 1 2.0 one\n" * (times + 1))
    asked = ("retrieval", "qrels.txt", "twice.run", "-m", "AP", "--policy", "duplicates=first")
    assert said in " ".join(call(*asked).err.split())


def test_one_judgment_is_not_many() -> None:
    Path("twice.txt").write_text("303 0 a 1\n303 0 a 1\n")
    asked = ("retrieval", "twice.txt", "one.run", "-m", "AP", "--policy", "duplicates=first")
    said = " ".join(call(*asked).err.split())
    assert "twice.txt: 1 duplicate judgment is left out" in said


def test_fusing_says_its_method_not_its_tag() -> None:
    done = call("fuse", "one.run", "two.run", "--tag", "mine", "-o", "fused.run")
    assert "rrf of 2 runs" in done.err


@pytest.mark.parametrize(
    "asked",
    [
        ("measures", "classification.F"),
        ("next", "--help"),
        ("measures", "--task", "classification"),
    ],
)
def test_a_terminal_shows_no_double_backticks(asked: tuple[str, ...]) -> None:
    done = call(*asked)
    assert done.code == 0, done.err
    assert "``" not in done.out


def test_whole_grades_are_whole_numbers_in_csv() -> None:
    assert call("convert", "qrels.txt", "qrels.csv").code == 0
    assert Path("qrels.csv").read_text().splitlines()[:3] == [
        "query,doc,grade",
        "303,a,1",
        "303,b,0",
    ]


def test_a_tag_is_no_markup_in_markdown() -> None:
    Path("odd.run").write_text(Path("two.run").read_text().replace(" two", " <b>|x"))
    done = call("retrieval", "qrels.txt", "one.run", "odd.run", "-m", "AP", "--format", "markdown")
    assert r"| \<b>\|x |" in done.out


def test_runs_that_share_few_documents_are_told() -> None:
    Path("both.run").write_text("303 Q0 a 1 2 both\n303 Q0 b 2 1 both\n303 Q0 c 3 0 both\n")
    Path("last.run").write_text("303 Q0 b 1 2 last\n303 Q0 a 2 1 last\n")
    said = " ".join(call("correlation", "both.run", "last.run").err.split())
    assert "the runs share 2 documents, of 3 in both and 2 in last: measures of two orders" in said
    assert "share" not in call("correlation", "last.run", "last.run").err


def test_a_return_within_a_row_that_is_too_long_is_told() -> None:
    Path("odd.csv").write_bytes(b"query,doc,grade\n303,a,1,5\rx\n")
    assert "odd.csv:2: 4 fields where the header has 3" in complaint(
        "retrieval", "odd.csv", "one.run"
    )


@pytest.mark.parametrize("words", ["break even", "fall out", "miss rate"])
def test_a_measure_of_several_words_is_written_with_hyphens(words: str, tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 3 x\n")
    done = call("retrieval", str(tmp_path / "qrels"), str(tmp_path / "run"), "-m", words)
    assert f"A name of several words has hyphens: {words.replace(' ', '-')}." in " ".join(
        done.err.split()
    )
