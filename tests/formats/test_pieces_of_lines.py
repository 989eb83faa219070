"""Pieces of a run are read alike whether they are cleaned first or only where they need it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.errors import FormatError
from assay.formats.files.trec import FORMAT, RUN_LAYOUT, LineRun
from assay.formats.input_files import Input
from assay.formats.line_layout import parse_piece
from assay.formats.line_reader import read_lines
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

COLUMNS = ("query", "doc", "rank", "score")
SEPARATORS = (b" ", b" ", b" ", b"\t", b"  ", b"\r", b"\x0b", b"\0", b"\x0c")
ENDS = (b"\n", b"\n", b"\n", b"\r\n", b"\r", b" \n", b"\n\n", b"")
LINES = st.lists(
    st.tuples(st.sampled_from(SEPARATORS), st.sampled_from(ENDS), st.integers(5, 7)), max_size=4
)


def _clean(piece: bytes) -> bytes:
    """Return the lines with line feeds at their ends; refuse binary bytes."""
    if b"\0" in piece or b"\x0b" in piece:
        raise FormatError("refused")
    piece = piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return piece if piece.endswith(b"\n") else piece + b"\n"


def _outcome(piece: bytes, first: bool) -> object:
    """Return the rows, None for those to be read line by line, or that the piece is refused."""
    try:
        if first:
            frame = parse_piece(_clean(piece), RUN_LAYOUT, COLUMNS)[2]
        else:
            frame = parse_piece(piece, RUN_LAYOUT, COLUMNS, clean=_clean)[2]
    except FormatError:
        return "refused"
    return None if frame is None else frame.rows()


@given(LINES, st.integers(0, 3))
def test_a_piece_is_read_as_if_it_had_been_cleaned(
    lines: list[tuple[bytes, bytes, int]], odd: int
) -> None:
    piece = b""
    for number, (separator, end, fields) in enumerate(lines):
        words = [b"q1", b"Q0", b"d%d" % number, b"1", b"2.5", b"tag", b"more"][:fields]
        inner = separator if number == odd else b" "
        piece += b" ".join(words[:2]) + inner + b" ".join(words[2:]) + end
    assert _outcome(piece, first=False) == _outcome(piece, first=True)


@pytest.mark.parametrize("separator", [b" ", b"\t"])
def test_a_vertical_tab_is_refused_with_its_line(tmp_path: Path, separator: bytes) -> None:
    line = separator.join([b"q", b"Q0", b"d", b"1", b"2", b"tag"]) + b"\n"
    run = tmp_path / "x.run"
    run.write_bytes(line * 3 + line.replace(b"d", b"d\x0be") + line)
    with pytest.raises(FormatError, match=r"x\.run:4: there is a vertical tab"):
        list(read_lines(Input(run), RUN_LAYOUT, COLUMNS))


def test_rows_read_ahead_are_those_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.run"
    path.write_bytes(b"".join(b"q%d Q0 d%d 1 2.5 tag\n" % (n // 3, n) for n in range(9)))
    run = FORMAT.read_run(Input(path))
    for ahead in (False, True):
        for asked in (False, True):
            plain = [piece.rows() for piece in run.pieces(asked)]
            run.prefetch(ahead)
            assert [piece.rows() for piece in run.unhashed().pieces(asked)] == plain
            assert [piece.rows() for piece in run.pieces(asked)] == plain
            assert [piece.rows() for piece in run.pieces(asked)] == plain


def test_what_is_wrong_in_rows_read_ahead_is_raised_when_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "x.run"
    path.write_bytes(b"q Q0 d 1 2.5 tag\nq Q0 d 2 high tag\n")
    run = FORMAT.read_run(Input(path))
    run.prefetch()
    with pytest.raises(FormatError, match=r"x\.run:2: the score is 'high'"):
        list(run.pieces())


def test_a_run_is_read_once_for_all_scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.run"
    path.write_bytes(b"q Q0 d 1 2.5 tag\nq Q0 e 2 1.5 tag\n")
    read: list[bool] = []
    rows = LineRun._rows

    def counted(run: LineRun, rank: bool) -> Iterator[pl.DataFrame]:
        read.append(rank)
        return rows(run, rank)

    monkeypatch.setattr(LineRun, "_rows", counted)
    evidence = RetrievalEvidence.read({"q": {"e": 1}}, path).without_digests()
    for name in ("RR", "P@2", "RR"):
        assert [each.value for each in evidence.scores(name).results] == [0.5]
    assert read == [False]
