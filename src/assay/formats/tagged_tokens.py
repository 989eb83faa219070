"""Tags of tokens (BIO, BIOES, IOB1) as spans, and the CoNLL files that hold them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from assay.core.errors import FormatError
from assay.formats.input_files import Input
from assay.formats.system_names import file_endings

ENDINGS = (".conll", ".bio", ".iob", ".iob2", ".bioes")
OPEN_ENDINGS = (".txt", ".tsv", ".out")
"""Endings of files that may hold anything."""
FIRST_BYTES = 4096
OUTSIDE = ("O", "")
_BEGIN, _END = "BSU", "ESLU"
"""The prefixes with which a span begins, and with which it ends."""
_TAG = re.compile("O|[BIESLU]-.+")


def is_tagged(path: str | Path) -> bool:
    """Return whether a file has tagged tokens, by its name or, where that is open, its lines."""
    ending = file_endings(path)[-1:]
    if (ending and ending[0] not in OPEN_ENDINGS) or not Path(path).is_file():
        return ending[:1] != [] and ending[0] in ENDINGS
    content = Input(path).text_content()
    whole = content[: content.rfind(b"\n", 0, FIRST_BYTES)] if content[FIRST_BYTES:] else content
    lines = whole.decode(errors="replace").splitlines()
    rows = [fields for line in lines if (fields := line.split()) and fields[0] != "-DOCSTART-"]
    tags = {tag for fields in rows for tag in fields[-2:]}
    return min(map(len, rows), default=0) > 2 and all(map(_TAG.fullmatch, tags)) and tags != {"O"}


def spans_of_tags(tags: Sequence[str]) -> list[tuple[int, int, str]]:
    """Return begin, end and type of each span, in tokens; the end is the first token after it.

    A span begins at B, S or U, and also at I or E after another type, after O, or after the end of
    a span, so that BIO, IOB1, BIOES and BILOU are read alike.
    """
    found: list[tuple[int, int, str]] = []
    start, kind, closed = -1, "", True
    for place, tag in enumerate([*tags, "O"]):
        prefix, _, name = tag.partition("-")
        outside = tag in OUTSIDE
        begins = not outside and (prefix in _BEGIN or closed or name != kind)
        if start >= 0 and (outside or begins):
            found.append((start, place, kind))
            start = -1
        if begins:
            start, kind = place, name
        closed = outside or prefix in _END
        if closed and start >= 0:
            found.append((start, place + 1, kind))
            start = -1
    return found


def read_tagged(path: str | Path) -> tuple[list[dict[str, list[str]]], list[int], Input]:
    """Return the true and the predicted tags of each sentence, and its first line.

    A line is a token with its tags; the last two columns are the true and the predicted tag, and an
    empty line ends a sentence.
    """
    file = Input(path)
    rows: list[dict[str, list[str]]] = []
    starts: list[int] = []
    open_sentence = False
    for number, line in enumerate(file.text_content().decode().splitlines(), 1):
        fields = line.split()
        if not fields or fields[0] == "-DOCSTART-":
            open_sentence = False
            continue
        if len(fields) < 3:
            raise FormatError(
                f"found {len(fields)} columns; a token, its true tag and its predicted tag are"
                " expected",
                file.name,
                number,
            )
        if not open_sentence:
            rows.append({"truth": [], "predicted": []})
            starts.append(number)
            open_sentence = True
        rows[-1]["truth"].append(fields[-2])
        rows[-1]["predicted"].append(fields[-1])
    return rows, starts, file
