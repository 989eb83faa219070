"""Input files, compressed or not, or standard input, with errors that say what to do."""

from __future__ import annotations

import gzip
import hashlib
import io
import lzma
import sys
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from assay.core.errors import FormatError
from assay.formats.compression import COMPRESSIONS, TooLarge, decompress, is_compressed

STANDARD_INPUT = "-"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
COMMENT = b"#"
PIECE = 8 << 20
_START, _LONGEST_FIRST_LINE = 1 << 16, 1 << 20
_FAMILIAR = (".run", ".txt", ".trec", ".tsv", ".csv", ".json", ".jsonl", ".ndjson", ".parquet")


class Input:
    """The bytes of a file, decompressed if needed; ``-`` is standard input.

    The content of a pipe is kept, since it is read more than once.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.name = "standard input" if str(path) == STANDARD_INPUT else str(path)
        self._digest: str | None = None
        self._kept: bytes | None = None
        """The content of a pipe, which can be read only once."""

    @property
    def endings(self) -> list[str]:
        """The extensions of the name in lower case, without that of a compression."""
        endings = [ending.casefold() for ending in self.path.suffixes]
        return [ending for ending in endings if ending not in COMPRESSIONS]

    @property
    def stem(self) -> str:
        """The name of the file without its folder and extensions, used as the name of a system."""
        stem = self.path.name
        for ending in reversed(self.path.suffixes):
            if ending.casefold() not in (*COMPRESSIONS, *_FAMILIAR):
                break
            stem = stem.removesuffix(ending)
        return stem if stem not in ("", STANDARD_INPUT) else self.name

    @property
    def digest(self) -> str:
        """The SHA-256 digest of the file as stored; the file is read if it was not yet."""
        if self._digest is None:
            with self._open_file() as raw:
                digest = hashlib.sha256()
                while piece := raw.read(PIECE):
                    digest.update(piece)
                self._digest = f"sha256:{digest.hexdigest()}"
        return self._digest

    @cached_property
    def start(self) -> bytes:
        """The first 64 KB and all of the first line, without a byte order mark.

        An empty file is refused.
        """
        with self._open_file() as raw:
            stream = decompress(raw)
            start = bytes(stream.read(_START))
            if b"\n" not in start and b"\r" not in start and b"\0" not in start:
                start += stream.readline(_LONGEST_FIRST_LINE)
        content = start.removeprefix(BYTE_ORDER_MARK)
        if not content.strip():
            raise FormatError("the file is empty; was it written to the end?", self.name)
        return content

    @property
    def first_byte(self) -> bytes:
        """The first byte that is not white space."""
        return self.start.lstrip()[:1]

    @cached_property
    def first_lines(self) -> list[bytes]:
        """The complete lines of the start that are neither blank nor comments."""
        text = self.start.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if b"\n" in text and len(self.start) >= _START - len(BYTE_ORDER_MARK):
            text = text[: text.rfind(b"\n")]
        lines = [line.strip() for line in text.split(b"\n")]
        return [line for line in lines if line and not line.startswith(COMMENT)]

    @cached_property
    def first_rows(self) -> list[list[bytes]]:
        """The fields of the first lines, separated by white space."""
        return [line.split() for line in self.first_lines[:200]]

    @property
    def first_row(self) -> list[bytes]:
        """The fields of the first line; none if all lines are comments."""
        return self.first_rows[0] if self.first_rows else []

    def content(self) -> bytes:
        """Return all bytes at once."""
        return b"".join(self.pieces())

    def text_content(self) -> bytes:
        """Return all bytes of a text, without a byte order mark and with a line feed per line."""
        content = self.content().removeprefix(BYTE_ORDER_MARK)
        if b"\r" in content and b"\n" not in content:
            return content.replace(b"\r", b"\n")
        return content

    def pieces(self, size: int = PIECE) -> Iterator[bytes]:
        """Yield the bytes in pieces of complete lines; the next piece is read in a thread."""
        with self._open_file() as raw, ThreadPoolExecutor(1) as reader:
            lines = _PieceReader(raw, size)
            following = reader.submit(lines.read)
            while piece := following.result():
                following = reader.submit(lines.read)
                yield piece
            self._digest = f"sha256:{lines.hash.hexdigest()}"

    @contextmanager
    def open(self) -> Iterator[io.BufferedReader]:
        """Open the decompressed bytes, for readers that limit how much they take at once."""
        with self._open_file() as raw:
            yield decompress(raw)

    @contextmanager
    def _open_file(self) -> Iterator[IO[bytes]]:
        """Open the file as stored; whatever fails while it is read becomes a FormatError."""
        if self.path.is_dir():
            raise FormatError("this is a folder; a file is expected", self.name)
        try:
            if self._kept is None and self.name == "standard input":
                self._kept = sys.stdin.buffer.read()
            if self._kept is not None:
                yield io.BytesIO(self._kept)
                return
            with self.path.open("rb") as raw:
                if not raw.seekable():
                    self._kept = raw.read()
                yield raw if self._kept is None else io.BytesIO(self._kept)
        except (OSError, EOFError, zlib.error, lzma.LZMAError) as failure:
            raise FormatError(_read_failure(failure), self.name) from failure


def _read_failure(failure: Exception) -> str:
    """Return what is wrong with a file that could not be read, and what to do."""
    match failure:
        case FileNotFoundError():
            return "there is no such file; check the path"
        case EOFError():
            return "the compressed file is cut off; copy it again"
        case TooLarge():
            return str(failure)
        case zlib.error() | gzip.BadGzipFile() | lzma.LZMAError():
            return f"the compressed file is damaged ({failure}); copy it again"
        case _:
            return f"the file cannot be read: {getattr(failure, 'strerror', None) or failure}"


class _PieceReader:
    """Reads complete lines, some at a time, and hashes the file as stored meanwhile."""

    def __init__(self, raw: IO[bytes], size: int) -> None:
        self.hash = hashlib.sha256()
        self._size = size
        self._plain = not is_compressed(raw)
        self._stream: Any = raw if self._plain else decompress(_HashingReader(raw, self.hash))

    def read(self) -> bytes:
        """Return the next bytes and the rest of their last line; nothing at the end."""
        if not self._plain:
            return bytes(self._stream.read(self._size) + self._stream.readline())
        start = self._stream.tell()
        self._stream.seek(start + self._size)
        rest = len(self._stream.readline())  # measured first, so that the piece is copied once
        self._stream.seek(start)
        piece: bytes = self._stream.read(self._size + rest)
        self.hash.update(piece)
        return piece


class _HashingReader(io.RawIOBase):
    """A file that is hashed while it is read."""

    def __init__(self, raw: IO[bytes], digest: Any) -> None:
        self._raw = raw
        self._hash = digest

    def readable(self) -> bool:
        """Return that the stream can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read bytes into the buffer, and return how many."""
        content = self._raw.read(len(buffer))
        self._hash.update(content)
        buffer[: len(content)] = content
        return len(content)
