"""Labels of collections for classification: RCV topics, 20 Newsgroups, MNIST, plain lists."""

from __future__ import annotations

import csv
import re
import struct
from collections.abc import Callable
from pathlib import Path

import polars as pl

from assay.benchmark.collections.text_files import TextFile
from assay.core.errors import DataError, FormatError
from assay.formats.input_files import Input

SCHEMA = {"item": pl.String, "label": pl.String}
_IDX_LABELS, _IDX_IMAGES = 0x0801, 0x0803
_LABEL_COLUMNS = ("label", "class", "target", "category", "ground_truth", "predictionstring")
_OTHER_FILES = ("{", "[", "<", ".I ")
"""How files of JSON, XML and SMART begin."""
_RCV = re.compile(r"\S+ \d+ 1\s*$")
_FILE_NAME = re.compile(r"\S+\.[A-Za-z]\w{1,4}\s+\S")
"""The name of an image, and a label after it."""


def read_labels(path: str | Path, encoding: str | None = None) -> pl.DataFrame:
    """Return a row for each label of an item: item, label.

    A folder has a folder for each class (20 Newsgroups); a file is a list of topics of Reuters RCV
    (topic, document, 1), an idx file of MNIST, pairs of item and label, or a label on each line, as
    ImageNet and ObjectNet have them: items are then numbered from 0. An item may have several
    labels in RCV alone. Texts are UTF-8 unless an ``encoding`` is named.
    """
    if Path(path).is_dir():
        return _class_folders(Path(path))
    start = Input(path).start
    if start[:2] == b"\0\0" and len(start) >= 8:
        return _idx_labels(Path(path))
    return _text_labels(TextFile(path, encoding))


def _class_folders(folder: Path) -> pl.DataFrame:
    rows = [
        (f"{kind.name}/{item.name}", kind.name)
        for kind in sorted(folder.iterdir())
        if kind.is_dir()
        for item in sorted(kind.iterdir())
        if item.is_file() and not item.name.startswith(".")
    ]
    if not rows:
        raise DataError(
            f"{folder}: there is no folder with items for any class; name the folder whose folders"
            " are the classes"
        )
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _idx_labels(path: Path) -> pl.DataFrame:
    """Return the labels of an idx file: a magic number, a count, and a byte for each."""
    content = Input(path).content()
    magic, count = struct.unpack(">II", content[:8])
    if magic == _IDX_IMAGES:
        raise FormatError("these are images; the labels are in a file of their own", str(path))
    if magic != _IDX_LABELS:
        raise FormatError(f"the magic number is 0x{magic:04x}, but labels have 0x0801", str(path))
    if len(content) != 8 + count:
        raise FormatError(
            f"{count:,} labels are announced, but there are {len(content) - 8:,}", str(path)
        )
    rows = [(str(place), str(label)) for place, label in enumerate(content[8:])]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _text_labels(file: TextFile) -> pl.DataFrame:
    if file.first_line.startswith(_OTHER_FILES):
        raise file.error(
            "this is not a list of labels: a label, or an item and a label, on a line", 1
        )
    lines = [(number, line.strip()) for number, line in file.lines() if line.strip()]
    for number, line in lines:
        if len(line) > csv.field_size_limit():
            raise file.error("this line is too long for an item and a label", number)
    if _RCV.match(lines[0][1]):
        return _rows(file, lines, lambda words: (words[1], words[0]), 3)
    separator = next((each for each in ("\t", ",") if each in lines[0][1]), None)
    pairs = [_fields(line, separator) for _, line in lines[:100]]
    if all(len(words) == 2 for words in pairs):
        return _pair_rows(file, lines, separator)
    if any(word.casefold() in _LABEL_COLUMNS for word in pairs[0]):
        raise file.error(
            f"there are {len(pairs[0])} columns; an item and its label are expected", lines[0][0]
        )
    if separator is None and all(_FILE_NAME.match(line) for _, line in lines[:100]):
        return _pair_rows(file, lines, " ")
    rows = [(str(place), line) for place, (_, line) in enumerate(lines)]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _fields(line: str, separator: str | None) -> list[str]:
    """Return the fields of a line; texts between quotes may have commas, labels spaces."""
    if separator == ",":
        return [word.strip() for word in next(csv.reader([line], skipinitialspace=True))]
    if separator == " ":
        return line.split(None, 1)
    return [word.strip() for word in line.split(separator)]


def _pair_rows(file: TextFile, lines: list[tuple[int, str]], separator: str | None) -> pl.DataFrame:
    """Return an item and its label from each line, without a header."""
    header = [word.strip('"').casefold() for word in _fields(lines[0][1], separator)]
    lines = lines[1:] if header[1] in _LABEL_COLUMNS else lines
    # ImageNet's solution: the class, and the box around it, perhaps several times.
    boxes = header[1] == "predictionstring"
    rows = _rows(file, lines, lambda words: (words[0], words[1]), 2, separator)
    if boxes:
        rows = rows.with_columns(pl.col("label").str.split(" ").list.first())
    twice = rows["item"].is_duplicated().arg_true()
    if len(twice):
        item = rows["item"][twice[0]]
        again = next(place for place in twice.to_list()[1:] if rows["item"][place] == item)
        raise file.error(f"item {item} has a second label; an item has one here", lines[again][0])
    return rows


def _rows(
    file: TextFile,
    lines: list[tuple[int, str]],
    pick: Callable[[list[str]], tuple[str, str]],
    count: int,
    separator: str | None = None,
) -> pl.DataFrame:
    rows = []
    for number, line in lines:
        words = _fields(line, separator)
        if len(words) != count:
            raise file.error(f"expected {count} fields, found {len(words)}", number)
        rows.append(pick(words))
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")
