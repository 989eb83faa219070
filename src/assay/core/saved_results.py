"""Results as JSON text, and back: tables, arrays and undefined numbers keep their types.

What JSON lacks is an object with one key that begins with ``$``. A file has the ``digest`` of its
``result``, so that a damaged one is noticed.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.core.errors import FormatError, UsageError
from assay.core.output_files import write_text
from assay.version import VERSION

FORMAT = 1
"""The version of the file format that this program writes."""
DTYPES = {
    str(dtype()): dtype
    for dtype in (
        *(pl.String, pl.Boolean, pl.Null, pl.Float32, pl.Float64),
        *(pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64),
    )
}
"""The types of columns by name; lists of these are kept, too."""
FIX = "restore it from a copy, or save the result again"


def save_result(result: Any, path: str | Path) -> None:
    """Keep a result in one JSON file."""
    content = encode_result(result)
    whole = {"assay": VERSION, "format": FORMAT, "digest": _digest(content), "result": content}
    write_text(path, json.dumps(whole, ensure_ascii=False, indent=1), "\n")


def load_result(text: str, path: str | Path) -> Any:
    """Return the result of such a file; refuse a damaged or foreign one."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as failure:
        raise _damaged(path, "it is not JSON") from failure
    if not isinstance(whole, dict) or not {"assay", "format", "digest", "result"} <= set(whole):
        raise FormatError(
            "this is not a saved result; save one with result.save('result.json'), and a gate with"
            " --save gate.json (what -o and --format json write is for other programs)",
            str(path),
        )
    if whole["format"] != FORMAT:
        raise FormatError(
            f"this result was saved by Assay {whole['assay']} in format {whole['format']}, and this"
            f" program reads format {FORMAT}; update Assay, or save the result with this version",
            str(path),
        )
    if whole["digest"] != _digest(whole["result"]):
        raise _damaged(path, "its content does not match its digest")
    try:
        return decode_result(whole["result"])
    except (LookupError, TypeError, ValueError, ImportError, AttributeError) as failure:
        raise FormatError(
            f"this result was saved by Assay {whole['assay']}, and this is {VERSION}, which cannot"
            f" read it ({failure}); save it again with this version",
            str(path),
        ) from failure


def _damaged(path: str | Path, what: str) -> FormatError:
    return FormatError(f"this saved result is damaged: {what}; {FIX}", str(path))


def _digest(content: Any) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def encode_result(value: Any) -> Any:
    """Return a value as JSON has it; equal values give equal JSON."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float | np.generic):
        return _encode_scalar(value)
    if isinstance(value, np.ndarray):
        kept = [encode_result(each) for each in value.ravel().tolist()]
        return {"$array": {"type": value.dtype.str, "shape": list(value.shape), "values": kept}}
    if isinstance(value, pl.DataFrame):
        return {"$table": [_encode_column(each) for each in value]}
    if isinstance(value, Mapping):
        return _encode_mapping(value)
    if isinstance(value, list):
        return [encode_result(each) for each in value]
    if isinstance(value, Set):
        return {"$set": sorted((encode_result(each) for each in value), key=json.dumps)}
    if isinstance(value, Sequence):
        return {"$tuple": [encode_result(each) for each in value]}
    if dataclasses.is_dataclass(value) and type(value).__module__.startswith("assay."):
        return _encode_object(value)
    raise UsageError(
        f"a {type(value).__name__} cannot be saved; keep its tables (to_polars, to_json)"
    )


def _encode_scalar(value: float | np.generic) -> Any:
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, float) and not math.isfinite(plain):
        return {"$number": str(plain)}
    return plain


def _encode_column(column: pl.Series) -> dict[str, Any]:
    dtype = column.dtype
    inner = dtype.inner if isinstance(dtype, pl.List) else dtype
    if str(inner) not in DTYPES:
        column = column.cast(pl.String)  # categories
    values = [encode_result(each) for each in column.to_list()]
    return {"name": column.name, "type": str(column.dtype), "values": values}


def _encode_mapping(value: Mapping[Any, Any]) -> Any:
    if all(isinstance(key, str) and not key.startswith("$") for key in value):
        return {key: encode_result(each) for key, each in value.items()}
    return {"$pairs": [[encode_result(key), encode_result(each)] for key, each in value.items()]}


def _encode_object(value: Any) -> Any:
    """Return the fields of a dataclass that are compared, and what it computes and keeps."""
    kind = type(value)
    names = [each.name for each in dataclasses.fields(value) if each.compare and each.init]
    names += getattr(kind, "COMPUTED", ())
    kept = {name: encode_result(getattr(value, name)) for name in names}
    return {"$object": [f"{kind.__module__}:{kind.__qualname__}", kept]}


def decode_result(content: Any) -> Any:
    """Return the value that was encoded."""
    if isinstance(content, list):
        return [decode_result(each) for each in content]
    if not isinstance(content, dict):
        return content
    key = next(iter(content), "")
    if not key.startswith("$"):
        return {name: decode_result(each) for name, each in content.items()}
    return _DECODERS[key](content[key])


def _decode_array(kept: Mapping[str, Any]) -> Any:
    values = np.asarray(decode_result(kept["values"]), dtype=np.dtype(kept["type"]))
    return values.reshape(kept["shape"])


def _decode_table(columns: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(
        [
            pl.Series(each["name"], decode_result(each["values"]), dtype=_dtype(each["type"]))
            for each in columns
        ]
    )


def _dtype(name: str) -> Any:
    inner = name.removeprefix("List(")
    return pl.List(DTYPES[inner[:-1]]) if inner != name else DTYPES[name]


def _decode_object(kept: Sequence[Any]) -> Any:
    """Return an object of a dataclass of Assay; what it computes is not computed again."""
    place, content = kept
    module, _, name = place.partition(":")
    kind = getattr(import_module(module), name) if module.startswith("assay.") else None
    if not (isinstance(kind, type) and dataclasses.is_dataclass(kind)):
        raise ValueError(f"there is no result {name}")
    values = {name: decode_result(each) for name, each in content.items()}
    computed = {name: values.pop(name) for name in getattr(kind, "COMPUTED", ())}
    found = kind(**values)
    found.__dict__.update(computed)
    return found


_DECODERS: dict[str, Callable[[Any], Any]] = {
    "$number": float,
    "$array": _decode_array,
    "$table": _decode_table,
    "$pairs": lambda kept: {decode_result(key): decode_result(each) for key, each in kept},
    "$set": lambda kept: frozenset(map(decode_result, kept)),
    "$tuple": lambda kept: tuple(map(decode_result, kept)),
    "$object": _decode_object,
}
"""What each mark of a value stands for."""
