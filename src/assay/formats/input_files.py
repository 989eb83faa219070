"""Input files: plain, gzip or zstd, or standard input, with errors that say what to do."""

from __future__ import annotations

import gzip
import hashlib
import io
import sys
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import IO, Any, BinaryIO

from assay.core.errors import FormatError, MissingExtra

STANDARD_INPUT = "-"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
COMMENT = b"#"
PIECE = 8 << 20
_START = 1 << 16
_BUFFER = 1 << 20
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_FAMILIAR = (".run", ".txt", ".trec", ".tsv", ".csv", ".json", ".jsonl", ".ndjson", ".parquet")
COMPRESSIONS: dict[str, Callable[[BinaryIO], Any]] = {
    ".gz": lambda raw: gzip.GzipFile("", "wb", compresslevel=6, fileobj=raw, mtime=0),
    ".zst": lambda raw: _import_zstandard().ZstdCompressor().stream_writer(raw, closefd=False),
}
"""How a file is compressed when it is written, by its extension."""


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
        """The endings of the name in lower case, without that of a compression."""
        endings = [ending.casefold() for ending in self.path.suffixes]
        return [ending for ending in endings if ending not in COMPRESSIONS]

    @property
    def stem(self) -> str:
        """The name of the file without its folder and endings, used as the name of a system."""
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
        """The first 64 KB, without a byte order mark; an empty file is refused."""
        with self._open_file() as raw:
            start = bytes(_decompress(raw).read(_START))
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
        except (OSError, EOFError, zlib.error) as failure:
            raise FormatError(_read_failure(failure), self.name) from failure


def _read_failure(failure: Exception) -> str:
    """Return what is wrong with a file that could not be read, and what to do."""
    match failure:
        case FileNotFoundError():
            return "there is no such file; check the path"
        case EOFError():
            return "the compressed file is cut off; copy it again"
        case zlib.error() | gzip.BadGzipFile():
            return f"the compressed file is damaged ({failure}); copy it again"
        case _:
            return f"the file cannot be read: {getattr(failure, 'strerror', None) or failure}"


class _PieceReader:
    """Reads complete lines, some at a time, and hashes the file as stored meanwhile."""

    def __init__(self, raw: IO[bytes], size: int) -> None:
        self.hash = hashlib.sha256()
        self._size = size
        start = raw.read(len(_ZSTD))
        raw.seek(-len(start), io.SEEK_CUR)
        self._plain = not start.startswith((_GZIP, _ZSTD))
        self._stream: Any = raw if self._plain else _decompress(_HashingReader(raw, self.hash))

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


def _decompress(raw: Any) -> io.BufferedReader:
    """Return the decompressed stream; the stream itself if it is not compressed."""
    buffered = raw if hasattr(raw, "peek") else io.BufferedReader(raw, _BUFFER)
    start = buffered.peek(len(_ZSTD))
    if start.startswith(_GZIP):
        return io.BufferedReader(gzip.GzipFile(fileobj=buffered), _BUFFER)
    if start.startswith(_ZSTD):
        return io.BufferedReader(_ZstandardReader(buffered), _BUFFER)
    return buffered


class _ZstandardReader(io.RawIOBase):
    """A zstd stream that raises an error if it is cut off, which the library ignores."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._library = _import_zstandard()
        self._raw = raw
        self._frame = self._library.ZstdDecompressor().decompressobj()
        self._open = False
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        """Return that the stream can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read bytes into the buffer, and return how many."""
        while not self._ready:
            compressed = self._raw.read(1 << 17)
            if not compressed and self._open:
                raise EOFError
            if not compressed:
                return 0
            self._ready = memoryview(self._decompress(compressed))
        count = min(len(buffer), len(self._ready))
        buffer[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def _decompress(self, compressed: bytes) -> bytes:
        """Return the content of some compressed bytes; a file may hold several frames."""
        parts = []
        while compressed:
            self._open = True
            try:
                parts.append(self._frame.decompress(compressed))
            except self._library.ZstdError as failure:
                raise zlib.error(str(failure)) from failure
            compressed = b""
            if self._frame.eof:
                compressed = self._frame.unused_data
                self._frame = self._library.ZstdDecompressor().decompressobj()
                self._open = False
        return b"".join(parts)


def _import_zstandard() -> Any:
    """Return the zstd library, or name the extra that installs it."""
    try:
        import zstandard
    except ModuleNotFoundError:
        raise MissingExtra("zstandard", "zstd") from None
    return zstandard
