"""JSON text: bytes that are UTF-8, strings that are text, and objects without repeated keys."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from assay.core.errors import DataError, FormatError
from assay.formats.input_files import Input
from assay.formats.line_layout import decode_text

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_ESCAPE = re.compile(rb"\\(?:u([0-9a-fA-F]{4})|.)", re.S)


def read_json_text(file: Input) -> bytes:
    """Return the text of a JSON file; refuse what is not UTF-8, or half a surrogate pair."""
    content = file.text_content()
    if b"\0" in content:  # JSON escapes this character: only UTF-16 and UTF-32 have such bytes
        raise FormatError("this is UTF-16 or UTF-32 text; save the file as UTF-8", file.name)
    decode_text(content, file.name)
    _refuse_half_characters(content, file.name, 1)
    return content


def _refuse_half_characters(content: bytes, file: str, first_line: int) -> None:
    """Refuse half a surrogate pair, which is no text."""
    place = _lone_surrogate(content) if _SURROGATE.search(content) else None
    if place is not None:
        half = content[place : place + 6].decode()
        message = f"{half} is half of a character; write the whole character, or remove it"
        raise FormatError(message, file, first_line + content.count(b"\n", 0, place))


def _lone_surrogate(content: bytes) -> int | None:
    """Return the place of the first escape that is half of a surrogate pair; None without one."""
    high: re.Match[bytes] | None = None
    for found in _ESCAPE.finditer(content):
        code = int(found[1], 16) if found[1] else 0
        follows = high is not None and high.end() == found.start()
        if high is not None and not (follows and 0xDC00 <= code < 0xE000):
            return high.start()
        if high is None and 0xDC00 <= code < 0xE000:
            return found.start()
        high = found if 0xD800 <= code < 0xDC00 else None
    return None if high is None else high.start()


def numbered_lines(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, with their numbers."""
    for number, line in enumerate(content.split(b"\n"), 1):
        if line.strip():
            yield number, line


def parse_line(line: bytes, file: str, number: int) -> Any:
    """Return the JSON value of a line; refuse repeated keys and halves of characters."""
    _refuse_half_characters(line, file, number)
    try:
        text = line.decode().removeprefix("\ufeff")
        return json.loads(text, object_pairs_hook=refuse_repeated_keys)
    except json.JSONDecodeError as failure:
        raise FormatError(f"this line is not JSON: {failure.msg}", file, number) from None
    except RecursionError:
        raise FormatError("the JSON is nested too deeply", file, number) from None
    except ValueError:  # of a number with thousands of digits
        raise FormatError("a number in this line is too long", file, number) from None
    except DataError as failure:
        raise FormatError(str(failure), file, number) from None


def refuse_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of these keys and values; refuse a key that occurs twice."""
    unique = dict(pairs)
    if len(unique) < len(pairs):
        repeated = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise DataError(f"the key '{repeated}' occurs twice in one object; keep one of the two")
    return unique
