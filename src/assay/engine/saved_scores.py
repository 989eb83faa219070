"""The file that saved scores are kept in, and the check when it is read.

It is a Parquet file with a row for each value. The key ``assay`` of its metadata has everything
else as JSON: ``task``, ``results``, ``conventions`` and ``warnings``, and what the file is checked
against: ``version``, ``rows`` and ``digest``. Files written before version 1 lack these three, and
the checksum of the bytes, which is looked at first: Polars may abort over damaged pages.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar, get_args

import numpy as np
import polars as pl

from assay.core.definition import Better
from assay.core.errors import FormatError, UsageError
from assay.core.output_files import is_stream, refuse_input
from assay.core.table_bytes import parquet_bytes
from assay.engine.result import Result
from assay.formats.files import parquet
from assay.formats.input_files import Input

VERSION = 1
"""The version of the file format that this program writes."""
KEY = "assay"
"""The key of the metadata."""
CHECKS = ("version", "rows", "digest")
"""The fields that a file is checked against; a file has all of them or, if it is old, none."""
FIELDS: Mapping[str, type] = {"task": str, "results": list, "conventions": dict, "warnings": list}
"""The fields that hold what was measured."""
NAMES: Mapping[Any, str] = {str: "text", list: "a list", dict: "an object", float: "a number"}
"""How a message names the types of JSON."""
FIX = "restore it from a copy, or save the scores again with --save"

Read = TypeVar("Read")


OTHER_ENDINGS = frozenset(
    [".csv", ".tsv", ".xlsx", ".json", ".html", ".md", ".tex", ".pkl", ".svg", ".pdf", ".png"]
)
"""Endings of files that hold something else than saved scores."""


def refuse_other_endings(path: str | Path) -> None:
    """Refuse the name of another kind of file; what is saved is a Parquet file."""
    if Path(path).suffix.casefold() in OTHER_ENDINGS:
        raise UsageError(
            f"{path}: saved scores are a Parquet file, which assay.load reads: name it"
            f" {Path(path).with_suffix('.parquet').name}; for a table see to_pandas() and"
            " to_markdown(), for a page report(path), for a figure plot().save(path)"
        )


def encode_scores(content: Mapping[str, Any], rows: pl.DataFrame) -> bytes:
    """Return the bytes of a scores file."""
    plain = json.loads(json.dumps(content)) | {"version": VERSION, "rows": rows.height}
    metadata = {KEY: json.dumps(plain | {"digest": digest(plain, rows)})}
    return parquet.add_checksum(parquet_bytes(rows, metadata))


def digest(content: Mapping[str, Any], rows: pl.DataFrame) -> str:
    """Return the SHA-256 digest of the content, however a Parquet writer lays it out.

    It covers the metadata but the digest itself, as ASCII JSON with sorted keys and no spaces, then
    the columns in the order of the table, each with its rows in their order: numbers as IEEE 754
    doubles, low byte first, with a single NaN; text as the lengths in bytes (64-bit integers, low
    byte first, -1 for null) followed by the bytes in UTF-8.
    """
    said = {name: value for name, value in content.items() if name != "digest"}
    found = hashlib.sha256(json.dumps(said, sort_keys=True, separators=(",", ":")).encode())
    for column in rows:
        for piece in _number_bytes(column) if column.dtype.is_float() else _text_bytes(column):
            found.update(piece)
    return f"sha256:{found.hexdigest()}"


def _number_bytes(column: pl.Series) -> list[bytes]:
    numbers = column.to_numpy()
    return [np.where(np.isnan(numbers), np.nan, numbers).astype("<f8").tobytes()]


def _text_bytes(column: pl.Series) -> list[bytes]:
    lengths = column.str.len_bytes().cast(pl.Int64).fill_null(-1).to_numpy()
    return [lengths.astype("<i8").tobytes(), "".join(column.fill_null("").to_list()).encode()]


def holds_scores(path: str | Path) -> bool:
    """Return whether a file carries the metadata of saved scores, sound or not."""
    try:
        content = Input(path).content()
        if parquet.matches_checksum(content) is not None:
            return True
        return KEY in parquet.decode(content, str(path), pl.read_parquet_metadata)
    except FormatError:
        return False


def read_scores(
    path: str | Path, columns: Mapping[str, Any], result: type
) -> tuple[dict[str, Any], pl.DataFrame]:
    """Return the checked content of a scores file: its metadata and its rows.

    ``columns`` are the types of the columns by name; ``result`` is the dataclass whose plain fields
    each entry of ``results`` has.
    """
    content = Input(path).content()
    if not content.startswith(parquet.MAGIC):
        raise _foreign(path, "it is not a Parquet file")
    if parquet.matches_checksum(content) is False:
        raise damaged_file_error(path, "its bytes changed after it was saved")
    kept = _decode(content, path, pl.read_parquet_metadata)
    if KEY not in kept:
        raise _foreign(path, "it lacks the metadata of saved scores")
    said = _parse(kept[KEY], path)
    rows = _decode(content, path, pl.read_parquet)
    _check_columns(rows, columns, path)
    if any(name in said for name in CHECKS):
        _check_content(said, rows, path)
    _check_fields(said, result, path)
    _check_owners(said["results"], rows, path)
    return said, rows


def _decode(content: bytes, path: str | Path, reader: Callable[[Any], Read]) -> Read:
    try:
        return parquet.decode(content, str(path), reader)
    except FormatError as failure:
        raise damaged_file_error(path, "it cannot be read as Parquet") from failure


def _parse(text: str, path: str | Path) -> dict[str, Any]:
    try:
        said = json.loads(text)
    except (ValueError, RecursionError) as failure:
        raise damaged_file_error(path, "its metadata is not JSON") from failure
    if not isinstance(said, dict):
        raise damaged_file_error(path, "its metadata is not a JSON object")
    version = said.get("version")
    if isinstance(version, int) and version > VERSION:
        raise FormatError(
            f"this scores file has version {version}, and this program reads up to {VERSION};"
            " update Assay (pip install -U assay-eval), or save the scores with this version",
            str(path),
        )
    return said


def _check_columns(rows: pl.DataFrame, columns: Mapping[str, Any], path: str | Path) -> None:
    if rows.columns != list(columns):
        raise damaged_file_error(
            path,
            f"its columns are {', '.join(map(repr, rows.columns)) or 'none'}, expected"
            f" {', '.join(columns)}",
        )
    for name, expected in columns.items():
        if rows[name].dtype != expected:
            raise damaged_file_error(
                path, f"its column {name} is {rows[name].dtype}, expected {expected()}"
            )
        if name != "reason" and (absent := rows[name].null_count()):
            raise damaged_file_error(
                path, f"its column {name} is empty in {absent} of {rows.height} rows"
            )


def _check_content(said: Mapping[str, Any], rows: pl.DataFrame, path: str | Path) -> None:
    """Compare a file with its own version, row count and digest."""
    for name in CHECKS:
        if not isinstance(said.get(name), str if name == "digest" else int):
            raise damaged_file_error(path, f"its metadata lacks a valid {name}")
    if said["rows"] != rows.height:
        raise damaged_file_error(path, f"it has {rows.height} rows, and {said['rows']} were saved")
    if said["digest"] != digest(said, rows):
        raise damaged_file_error(path, "its content does not match its digest")


def _check_fields(said: Mapping[str, Any], result: type, path: str | Path) -> None:
    for name, expected in FIELDS.items():
        if not isinstance(said.get(name), expected):
            raise damaged_file_error(path, f"'{name}' in its metadata is not {NAMES[expected]}")
    if not all(isinstance(each, str) for each in said["warnings"]):
        raise damaged_file_error(path, "'warnings' in its metadata is not a list of texts")
    for number, entry in enumerate(said["results"], 1):
        _check_result(entry, result, f"result {number} in its metadata", path)


def _check_result(entry: Any, result: type, where: str, path: str | Path) -> None:
    """Compare the metadata of one result with the fields of the dataclass."""
    if not isinstance(entry, dict):
        raise damaged_file_error(path, f"{where} is not an object")
    fields = {each.name: each for each in dataclasses.fields(result)}
    if strange := sorted(entry.keys() - fields.keys()):
        raise damaged_file_error(path, f"{where} has an unknown field '{strange[0]}'")
    for name, field in fields.items():
        if name not in entry and field.default is not dataclasses.MISSING:
            continue  # added to the format later
        expected = {"str": str, "float": float}.get(str(field.type), list)
        value = entry.get(name)
        allowed = (int, float) if expected is float else expected
        if (
            not isinstance(value, allowed)
            or isinstance(value, bool)
            or (value and expected is list)
        ):
            kind = "an empty list" if expected is list else NAMES[expected]
            raise damaged_file_error(path, f"'{name}' of {where} is not {kind}")
    if entry["better"] not in get_args(Better):
        raise damaged_file_error(
            path, f"'better' of {where} is not one of {', '.join(get_args(Better))}"
        )


def _check_owners(results: list[dict[str, Any]], rows: pl.DataFrame, path: str | Path) -> None:
    """Refuse results that are listed twice, and rows that belong to no result."""
    owners = [(each["system"], each["slice"], each["measure"]) for each in results]
    if len(set(owners)) < len(owners):
        raise damaged_file_error(path, "its metadata lists a result twice")
    found = rows.select("system", "slice", "measure").unique(maintain_order=True)
    for system, part, measure in found.iter_rows():
        if (system, part, measure) not in set(owners):
            raise damaged_file_error(
                path,
                f"its metadata has no result for its rows of {measure} of {system} (slice {part})",
            )


def damaged_file_error(path: str | Path, what: str) -> FormatError:
    """Return the error about a damaged scores file."""
    return FormatError(f"this scores file is damaged: {what}; {FIX}", str(path))


def _foreign(path: str | Path, why: str) -> FormatError:
    return FormatError(
        f"this is not a scores file: {why}; save one with --save scores.parquet", str(path)
    )


def refuse_inputs(path: str | Path, inputs: list[str]) -> None:
    """Refuse a file that the scores were computed from, by its name or the digest of its bytes."""
    refuse_input(path, inputs)
    if is_stream(path) or not Path(path).is_file():
        return
    with Path(path).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if f"sha256:{digest}" in inputs:
        raise UsageError(
            f"{path}: these scores were computed from this file, which would be overwritten; name"
            " another output"
        )


def restore_results(heads: list[dict[str, Any]], rows: pl.DataFrame) -> Iterator[Result]:
    """Yield the results of saved scores, with the values of their units."""
    keys = ["system", "slice", "measure"]
    parts = rows.partition_by(keys, as_dict=True, maintain_order=True)
    for head in heads:
        part = parts.get(tuple(head[key] for key in keys), rows.clear())
        yield Result(
            **head
            | {
                "units": tuple(part["unit"].to_list()),
                "values": part["value"].to_numpy(),
                "reasons": tuple(part["reason"].to_list()),
            }
        )
