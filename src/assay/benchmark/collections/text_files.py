"""Text files of collections: decoded line by line, with the place of whatever cannot be read."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from assay.core.errors import FormatError, UsageError
from assay.formats.input_files import BYTE_ORDER_MARK, Input

DOCUMENT_LIMIT = "ASSAY_MAX_DOCUMENT"
"""The environment variable with the greatest size of a document, in bytes."""
_DOCUMENT_BYTES = 64 << 20
_DECLARED = re.compile(rb"""\s*<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']""")
_ARCHIVES = (
    (0, b"PK\x03\x04", "a zip archive", "unzip"),
    (0, b"\x1f\x9d", "compressed by compress", "gunzip"),
    (257, b"ustar", "a tar archive", "tar -xf"),
)
"""Where an archive has its mark, its mark, what it is, and what unpacks it."""
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")


def document_limit() -> int:
    """Return how many bytes a document (or a whole file of topics) may have."""
    given = os.environ.get(DOCUMENT_LIMIT)
    if not given:
        return _DOCUMENT_BYTES
    if not given.isdecimal() or not int(given):
        raise UsageError(f"{DOCUMENT_LIMIT} is '{given}': a whole number of bytes is expected")
    return int(given)


def too_large(what: str, file: str, line: int) -> FormatError:
    """Return the error for a document, a line or a file over the limit."""
    return FormatError(
        f"{what} has more than {document_limit():,} bytes; is its end missing? If the size is"
        f" right, set the environment variable {DOCUMENT_LIMIT} to a greater number of bytes",
        file,
        line,
    )


class TextFile:
    """A text file, compressed or not; UTF-8 unless an encoding is named, here or by the file."""

    def __init__(
        self, path: str | Path, encoding: str | None = None, folder: Path | None = None
    ) -> None:
        self.input = Input(path)
        self.path = Path(path)
        self._folder = folder or self.path.parent
        self.name = self.input.name
        self._encoding = encoding and _check_encoding(encoding)

    @cached_property
    def encoding(self) -> str:
        """The encoding that is named, or that of an XML declaration, or UTF-8."""
        declared = _DECLARED.match(self.input.start[:200])
        # A declaration of UTF-16 that can be read byte by byte is wrong: .NET writes such files.
        if self._encoding or not declared or declared[1].lower().startswith((b"utf-16", b"utf16")):
            return self._encoding or "utf-8"
        try:
            return _check_encoding(declared[1].decode())
        except UsageError as refused:
            raise self.error(f"the XML declaration states an encoding: {refused}", 1) from None

    @property
    def label(self) -> str:
        """The path of the file within its collection, without its extensions."""
        inside = self.path.relative_to(self._folder)
        return inside.with_name(inside.name.partition(".")[0]).as_posix()

    @cached_property
    def start(self) -> str:
        """The first 64 KB as text, to detect a layout; what cannot be decoded is replaced."""
        self._refuse_other_files()
        return self.input.start.decode(self.encoding, errors="replace")

    @cached_property
    def first_lines(self) -> list[str]:
        """The lines of the start that are not blank; the last may be cut off."""
        found = [line for line in self.start.splitlines() if line.strip()]
        if not found:
            raise self.error("there is no text in this file", 1)
        return found

    @property
    def first_line(self) -> str:
        """The first line that is not blank."""
        return self.first_lines[0].strip()

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield the number and the text of each line, without its end."""
        limit, number = document_limit(), 0
        self._refuse_other_files()
        with self.input.open() as stream:
            while line := stream.readline(limit + 1):
                if len(line) > limit:
                    raise too_large("this line", self.name, number + 1)
                if not number:
                    line = line.removeprefix(BYTE_ORDER_MARK)
                for part in _split_line(line):
                    number += 1
                    yield number, self.decode(part, number)

    def text(self) -> str:
        """Return the whole text, with a line feed after each line."""
        limit, size, parts = document_limit(), 0, []
        for number, line in self.lines():
            size += len(line) + 1
            if size > limit:
                raise too_large("this file", self.name, number)
            parts.append(line)
        return "\n".join(parts) + "\n"

    def decode(self, line: bytes, number: int) -> str:
        """Return a line as text; refuse bytes that are not in the encoding."""
        try:
            text = line.decode(self.encoding)
        except UnicodeDecodeError as failure:
            raise FormatError(
                f"byte 0x{line[failure.start]:02x} is not {self.encoding} text; name the encoding"
                " of the file, such as `encoding=latin-1`, or convert it (iconv)",
                self.name,
                number,
            ) from None
        if "\0" in text:
            raise FormatError("there is a zero byte: this is not a text file", self.name, number)
        return text

    def error(self, message: str, line: int | None = None) -> FormatError:
        """Return an error with the place in this file."""
        return FormatError(message, self.name, line)

    def _refuse_other_files(self) -> None:
        for place, mark, what, command in _ARCHIVES:
            if self.input.start[place : place + len(mark)] == mark:
                raise self.error(f"this is {what}; unpack it ({command})")
        start = self.input.start[:4]
        if start.startswith(_WIDE_MARKS) or (start.count(0) in (2, 3) and start.strip(b"\0")):
            raise self.error("this is UTF-16 or UTF-32 text; convert it (iconv -t utf-8)", 1)


def _split_line(line: bytes) -> list[bytes]:
    """Return a line without its end; several where carriage returns alone end lines."""
    text = line.removesuffix(b"\n").removesuffix(b"\r")
    return text.split(b"\r") if b"\r" in text else [text]


def _check_encoding(name: str) -> str:
    """Return the name of an encoding in which line feeds are single bytes."""
    try:
        found = codecs.lookup(name).name
    except LookupError:
        raise UsageError(
            f"there is no encoding '{name}'; common ones are utf-8, latin-1, cp1252"
        ) from None
    if found.startswith(("utf-16", "utf-32")) or "A".encode(found, errors="replace") != b"A":
        raise UsageError(f"{name} is not read here; convert the file (iconv -t utf-8)")
    return found
