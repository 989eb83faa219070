"""Texts by id: the words of queries and of documents, from JSON lines or a table."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from assay.core.errors import FormatError
from assay.formats.delimited import read_table
from assay.formats.files import read_bytes

IDS = ("id", "_id", "doc_id", "docid", "docno", "doc", "query_id", "qid", "query", "topic", "pid")
TEXTS = ("text", "contents", "content", "body", "abstract", "query_text", "passage", "description")


def read_texts(path: str | Path, wanted: Collection[str] | None = None) -> dict[str, str]:
    """The text of each id; only of the wanted ones, if these are named.

    JSON lines have an id and a text, and perhaps a title, under names that are in use. In a table
    the first column is the id and the others are the text; its first line may be a header.
    """
    ending = Path(str(path).removesuffix(".gz")).suffix.casefold()
    if ending in (".csv", ".parquet"):
        frame, _ = read_table(path)
        rows: Iterator[tuple[str, str]] = (
            (str(row[0]), " · ".join(str(cell) for cell in row[1:] if cell is not None))
            for row in frame.iter_rows()
        )
    else:
        rows = _lines(path)
    return {key: text for key, text in rows if wanted is None or key in wanted}


def _lines(path: str | Path) -> Iterator[tuple[str, str]]:
    for number, raw in enumerate(read_bytes(path)[0].splitlines(), 1):
        line = raw.decode("utf-8", errors="replace").strip()
        if line.startswith("{"):
            yield _from_json(line, str(path), number)
        elif line and not line.startswith("#"):
            key, _, text = line.partition("\t")
            if not text:
                raise FormatError(
                    "an id, a tab and a text are expected, or a JSON object with an id and a text",
                    str(path),
                    number,
                )
            yield key, text.replace("\t", " · ")


def _from_json(line: str, where: str, number: int) -> tuple[str, str]:
    try:
        record: dict[str, Any] = json.loads(line)
    except json.JSONDecodeError as failure:
        raise FormatError(f"this is not JSON: {failure.msg}", where, number) from None
    key = next((record[name] for name in IDS if name in record), None)
    text = next((record[name] for name in TEXTS if record.get(name)), None)
    title = record.get("title")
    if key is None or (text is None and title is None):
        raise FormatError(
            f"no id or no text among {', '.join(record)}; call them id and text", where, number
        )
    return str(key), " · ".join(str(each) for each in (title, text) if each)
