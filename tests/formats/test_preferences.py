"""Preference files: read, and refused with the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.core.errors import AlignmentError, FormatError
from assay.formats.preferences import read_levels, read_pairs
from assay.tasks.preferences import preferences

RUN = {"1": {"a": 3.0, "b": 2.0, "c": 1.0}}


def _file(folder: Path, *lines: str) -> Path:
    path = folder / "judged.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_levels_are_read(tmp_path: Path) -> None:
    path = _file(tmp_path, "# users", "1 u 0 a 2", "1 u 0 b 1", "", "2 v x c 0.5")
    rows = [("1", "u", "0", "a", 2.0), ("1", "u", "0", "b", 1.0), ("2", "v", "x", "c", 0.5)]
    assert read_levels(path).frame.rows() == rows


def test_pairs_are_read(tmp_path: Path) -> None:
    path = _file(tmp_path, "1 a b b", "1 b c b", "1 a c tie")
    read = read_pairs(path)
    assert read.frame.height == 6
    preferred = read.frame.filter(read.frame["level"] == 2)
    assert preferred["doc"].to_list() == ["b", "b"]
    scores = preferences(path, RUN, "prefs_simp", form="pairs", interval=None)
    assert scores.results[0].value == 0.5


def test_assessors_of_a_campaign_may_contradict_each_other(tmp_path: Path) -> None:
    lines = ["query,first,second,preferred,assessor,seconds", "1,a,b,a,ann,3", "1,a,b,b,ben,3",
             "1,a,b,a,cy,1", "1,b,c,tie,ann,2", "1,b,c,c,ben,2"]  # fmt: skip
    path = _file(tmp_path, *lines)
    # ann a>b, cy a>b; ben b>a, c>b and so c>a: the run fulfills two of five.
    scores = preferences(path, RUN, "prefs_simp", form="pairs", interval=None)
    assert scores.results[0].value == pytest.approx(0.4)
    path = _file(tmp_path, *lines, "1,b,a,b,ann,3")
    with pytest.raises(FormatError, match=r"judged.txt:7: query 1: of b and a, 'b' is preferred"):
        read_pairs(path)
    with pytest.raises(FormatError, match="column assessor"):
        read_pairs(_file(tmp_path, "query,first,second,preferred", "1,a,b,a", "1,a,b,b"))


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (["1 u 0 a 2", "1 u 0 b"], r"judged.txt:2: 4 fields where 5 are expected"),
        (["1 u 0 a 2", "1 u 0 b high"], r"judged.txt:2: the level is 'high'"),
        (["1 u 0 a -1"], r"judged.txt:1: the level is -1.0, but a level is a finite"),
        (["# nothing"], "no lines to read"),
    ],
)
def test_bad_levels_are_refused(tmp_path: Path, lines: list[str], complaint: str) -> None:
    with pytest.raises(FormatError, match=complaint):
        read_levels(_file(tmp_path, *lines))


def test_a_stranger_cannot_be_preferred(tmp_path: Path) -> None:
    with pytest.raises(
        FormatError, match=r"judged.txt:1: query 1: 'z' is preferred, but the documents are"
    ):
        read_pairs(_file(tmp_path, "1 a b z"))


def test_a_circle_is_refused(tmp_path: Path) -> None:
    path = _file(tmp_path, "1 a b a", "1 b c b", "1 c a c")
    with pytest.raises(
        AlignmentError, match=r"judged.txt:3: query 1, group 0: .* cycle, a over b over c over a"
    ):
        preferences(path, RUN, form="pairs")


def test_a_document_judged_twice_is_refused(tmp_path: Path) -> None:
    path = _file(tmp_path, "1 u 0 a 2", "1 u 0 a 1")
    with pytest.raises(AlignmentError, match=r"judged.txt:2: .*occurs twice"):
        preferences(path, RUN)


def test_relevant_and_not_is_refused(tmp_path: Path) -> None:
    path = _file(tmp_path, "1 u 0 a 2", "1 u 0 b 1", "1 u 1 a 0", "1 u 1 c 1")
    with pytest.raises(AlignmentError, match=r"level 0 .not relevant. in one subgroup"):
        preferences(path, RUN)


def test_a_run_about_other_queries_is_refused(tmp_path: Path) -> None:
    path = _file(tmp_path, "1 u 0 a 2", "1 u 0 b 1")
    with pytest.raises(AlignmentError, match="none of its queries is judged"):
        preferences(path, {"9": {"a": 1.0}})
