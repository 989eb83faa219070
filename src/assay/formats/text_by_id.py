"""The texts of queries and documents by id, from JSON lines or a table."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.core.errors import FormatError
from assay.core.phrases import list_phrase
from assay.core.tables import ids_as_text
from assay.formats.arrays import is_array, is_frame
from assay.formats.containers import read_table, to_frame
from assay.formats.input_files import BYTE_ORDER_MARK, Input
from assay.formats.system_names import file_endings

ID_COLUMNS = (
    *("id", "_id", "doc_id", "docid", "docno", "doc"),
    *("query_id", "qid", "query", "topic", "pid"),
)
TEXT_COLUMNS = (
    *("text", "contents", "content", "body"),
    *("abstract", "query_text", "passage", "description"),
)


def find_id(names: Collection[str], known: Sequence[str] = ID_COLUMNS) -> str | None:
    """Return which of the names is that of the id, the first that is known.

    A passage of MS MARCO has the id of its document beside its own (pid).
    """
    found = next((name for name in known if name in names), None)
    return "pid" if found == "docid" and "pid" in names else found


def read_texts(path: str | Path, wanted: Collection[str] | None = None) -> dict[str, str]:
    """Return the text of each id; only those of the wanted ids, if they are named.

    JSON lines have an id and a text, and perhaps a title, under their usual names. A line of
    a plain file is an id, a tab and a text. In CSV and Parquet the first column is the id.
    """
    is_table = not {".csv", ".parquet"}.isdisjoint(file_endings(path))
    rows = _texts_from_table(path) if is_table else _texts_from_lines(Input(path))
    return {key: text for key, text in rows if wanted is None or key in wanted}


def given_texts(given: Any) -> dict[str, str]:
    """Return the text of each id, from a dict, a Series of pandas, or a table of ids and texts."""
    if isinstance(given, Mapping):
        if not any(is_array(each) for each in given.values()):
            return {str(key): str(text) for key, text in given.items()}
    elif not is_frame(given) and hasattr(given, "index") and hasattr(given, "to_dict"):
        return given_texts(given.to_dict())
    frame, source = to_frame(given, "the texts")
    names = {name.strip().casefold(): name for name in reversed(frame.columns)}
    known = find_id(names)
    key = None if known is None else names[known]
    wanted = (*TEXT_COLUMNS, "query", "title")
    text = next((names[each] for each in wanted if names.get(each, key) != key), None)
    if key is None or text is None:
        raise FormatError(
            f"no id or no text among {list_phrase(frame.columns)}; call them id and text",
            source.name,
        )
    pairs = zip(ids_as_text(frame[key]), frame[text], strict=True)
    return {str(one): str(other) for one, other in pairs if other is not None}


def _texts_from_table(path: str | Path) -> Iterator[tuple[str, str]]:
    for row in read_table(path)[0].iter_rows():
        yield str(row[0]), " · ".join(str(cell) for cell in row[1:] if cell is not None)


def _texts_from_lines(file: Input) -> Iterator[tuple[str, str]]:
    number = 0
    for piece in file.pieces():
        for raw in piece.splitlines():
            number += 1
            line = raw.removeprefix(BYTE_ORDER_MARK).decode("utf-8", errors="replace").strip()
            if line.startswith("{"):
                yield _parse_json_line(line, file.name, number)
            elif line and not line.startswith("#"):
                yield _parse_tab_line(line, file.name, number)


def _parse_tab_line(line: str, where: str, number: int) -> tuple[str, str]:
    key, _, text = line.partition("\t")
    if not text:
        raise FormatError(
            "an id, a tab and a text are expected, or a JSON object with an id and a text",
            where,
            number,
        )
    return key, text.replace("\t", " · ")


def _parse_json_line(line: str, where: str, number: int) -> tuple[str, str]:
    from assay.formats.files.json_lines import parse_object

    record = parse_object(line)
    if record is None:
        raise FormatError("this is not JSON: an object with an id and a text", where, number)
    known = find_id(record)
    key = None if known is None else record[known]
    text = next((record[name] for name in TEXT_COLUMNS if record.get(name)), None)
    title = record.get("title")
    if key is None or (text is None and title is None):
        raise FormatError(
            f"no id or no text among {', '.join(record)}; call them id and text", where, number
        )
    shown = " · ".join(str(each) for each in (title, text) if each)
    return _replace_surrogates(str(key)), _replace_surrogates(shown)


def _replace_surrogates(text: str) -> str:
    """Return a text that can be written: half of a surrogate pair becomes a question mark."""
    return text.encode("utf-8", errors="replace").decode()
