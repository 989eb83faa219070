"""Preferences and weights that cannot be: told with the line and the topic, or the run."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest
from tests.cli.terminal import call, told

from assay.core.errors import AssayError, UsageError
from assay.fusion.fuse import fuse
from assay.tasks.preferences import preferences

RUN = "7 Q0 a 1 2 bm25\n8 Q0 a 1 2 bm25\n8 Q0 b 2 1 bm25\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run").write_text(RUN)
    (tmp_path / "other").write_text(RUN.replace("bm25", "dense"))
    return tmp_path


class Bad(NamedTuple):
    """Lines that cannot be, and the number of the first one that shows it."""

    lines: list[str]
    line: int
    said: str

    @property
    def content(self) -> str:
        return "".join(f"{each}\n" for each in self.lines)


LEVELS = {
    "a circle of two": Bad(
        ["8 u 1 a 2", "8 u 1 b 1", "8 u 2 b 2", "8 u 2 a 1"], 4, "cycle, a over b over a; remove"
    ),
    "a circle of three": Bad(
        ["8 u 1 a 2", "8 u 1 b 1", "8 u 2 b 2", "8 u 2 c 1", "8 u 3 c 2", "8 u 3 a 1"],
        6,
        "cycle, a over b over c over a; remove one of them",
    ),
    "a circle beside a longer way": Bad(
        ["8 u 1 a 3", "8 u 1 b 2", "8 u 1 c 1", "8 u 2 c 2", "8 u 2 a 1"], 5, "a over c over a"
    ),
    "a document twice": Bad(["8 u 1 a 2", "8 u 1 a 1"], 2, "document a for query 8 occurs twice"),
    "relevant and not": Bad(
        ["8 u 1 a 2", "8 u 1 b 1", "8 u 2 a 0", "8 u 2 c 1"], 3, "the document a has level 0"
    ),
    "a level below 0": Bad(["8 u 1 a -1"], 1, "the level is -1.0"),
    "a level without end": Bad(
        ["8 u 1 a inf"], 1, "the level is inf, but a level is a finite number"
    ),
    "a word for a level": Bad(["8 u 1 a high"], 1, "the level is 'high', but a number"),
}
PAIRS = {
    "a circle of pairs": Bad(
        ["8 a b a", "8 b c b", "8 d c c", "8 a d d"], 4, "cycle, a over b over c over d over a"
    ),
    "a pair the other way round": Bad(["8 a b a", "8 b a b"], 2, "but 'a' at judged:1"),
    "a tie after a preference": Bad(["8 a b a", "8 b a tie"], 2, "'tie' is preferred here"),
    "a document against itself": Bad(
        ["7 a b a", "7 c d c", "8 a a a"], 3, "document a is compared with itself"
    ),
    "a stranger": Bad(["8 a b z"], 1, "'z' is preferred, but the documents are a and b"),
}
FORMS = {
    "levels": (LEVELS, ["query", "group", "subgroup", "doc", "level"]),
    "pairs": (PAIRS, ["query", "first", "second", "preferred"]),
}
EACH = [
    pytest.param(form, bad, id=name)
    for form, (table, _) in FORMS.items()
    for name, bad in table.items()
]


@pytest.mark.parametrize("command", [(), ("compare",)], ids=["preferences", "compare"])
@pytest.mark.parametrize(("form", "bad"), EACH)
def test_lines_are_named(form: str, bad: Bad, command: tuple[str, ...], folder: Path) -> None:
    (folder / "judged").write_text(bad.content)
    done = call(*command, "preferences", "judged", "run", "other", "--form", form)
    told(done, f"judged:{bad.line}", "8", bad.said)


@pytest.mark.parametrize("bad", LEVELS.values(), ids=LEVELS)
def test_trec_eval_names_them_too(bad: Bad, folder: Path) -> None:
    """trec_eval itself stops at a cycle, without saying where."""
    (folder / "judged").write_text(bad.content)
    done = call("trec_eval", "-R", "prefs", "-m", "prefs_simp", "judged", "run")
    told(done, f"judged:{bad.line}", "8", bad.said)


@pytest.mark.parametrize(("form", "bad"), EACH)
def test_rows_of_frames_are_named(form: str, bad: Bad) -> None:
    rows = [each.split() for each in bad.lines]
    frame = pl.DataFrame(rows, schema=FORMS[form][1], orient="row")
    with pytest.raises(AssayError, match=rf"^preferences, row {bad.line}: .*query 8"):
        preferences(frame, {"8": {"a": 1.0}}, form=form)


def test_the_same_pair_may_be_compared_again(folder: Path) -> None:
    (folder / "judged").write_text("8 a b a\n8 b a a\n")
    assert call("preferences", "judged", "run", "--form", "pairs").code == 0


def test_of_two_levels_one_can_be_chosen(folder: Path) -> None:
    (folder / "judged").write_text("8 u 1 a 2\n8 u 1 b 1\n8 u 1 a 0\n")
    refused = call("preferences", "judged", "run", "-m", "prefs_simp")
    assert "--policy duplicates=first" in refused.err
    asked = ("preferences", "judged", "run", "-m", "prefs_simp", "--format", "csv", "--quiet")
    first, last = (call(*asked, "--policy", f"duplicates={each}") for each in ("first", "last"))
    assert (first.code, last.code) == (0, 0)
    assert ",1.0," in first.out
    assert ",0.0," in last.out


WEIGHTS = {
    "-1,1": "run: the weight of bm25 is -1.0 (number 1): a number from 0 is expected",
    "1,nan": "other: the weight of dense is nan (number 2)",
    "inf,1": "run: the weight of bm25 is inf (number 1)",
    "1": "1 weight for 2 runs: give one for each, in their order (bm25, dense)",
    "1,1,1": "3 weights for 2 runs",
    "0,0": "all weights are 0",
    "1,": "in '1,' the weight of run 2 is absent; a number for each run is expected",
    ",1": "the weight of run 1 is absent",
    "": "the weight of run 1 is absent",
    "1,much": "the weight of run 2 is 'much'",
}


@pytest.mark.parametrize("given", WEIGHTS)
def test_weights_are_named(given: str, folder: Path) -> None:
    done = call("fuse", "run", "other", "--method", "sum", "--weights", given)
    assert (done.code, done.out) == (2, "")
    assert WEIGHTS[given] in done.err
    assert "Traceback" not in done.err


def test_a_weight_that_is_none_is_named() -> None:
    runs = {"bm25": {"8": {"a": 1.0}}, "dense": {"8": {"a": 1.0}}}
    with pytest.raises(UsageError, match=r"the weight of dense is None \(number 2\)"):
        fuse(runs, weights=[1, None])
    assert len(fuse(runs, weights=pl.Series([1, 2]).to_numpy())) == 1


def test_the_advice_of_a_complaint_can_be_followed(folder: Path) -> None:
    (folder / "run").write_text(RUN + "8 Q0 a 3 0.5 bm25\n8 Q0 c 4 nan bm25\n")
    asked = ("fuse", "run", "other", "--policy", "duplicates=first")
    assert "--policy nan_scores=drop" in call(*asked).err
    twice = call(*asked[:3], "--policy", "nan_scores=drop")
    assert "--policy duplicates=first" in twice.err
    assert call(*asked, "--policy", "nan_scores=drop").out.count("\n") == 3
    assert call(*asked, "--policy", "nan_scores=keep").out.count("\n") == 4
    added = call(*asked, "--policy", "nan_scores=keep", "--method", "sum")
    assert added.code == 1
    assert "document c for query 8 is not a number" in added.err


def test_fused_lists_can_be_cut_and_ordered_by_rank(folder: Path) -> None:
    (folder / "run").write_text("8 Q0 a 2 2 bm25\n8 Q0 b 1 1 bm25\n")
    asked = ("fuse", "run", "other", "--policy", "depth=1")
    assert call(*asked).out.count("8 Q0") == 1
    ranked = call(*asked, "--order", "rank", "--input-format", "trec")
    assert ranked.code == 0
    assert ranked.out.count("8 Q0") == 2


def test_a_table_of_pairs_is_recognized(tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("query,first,second,preferred\nq,a,b,b\n")
    (tmp_path / "one.run").write_text("q Q0 b 1 2 s\nq Q0 a 2 1 s\n")
    files = [str(tmp_path / name) for name in ("pairs.csv", "one.run")]
    assert "use --form pairs" in call("preferences", *files).err
    assert call("preferences", *files, "--form", "pairs").code == 0
