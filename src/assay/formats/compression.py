"""Compressed files: gzip, bzip2, xz and zstd, with a limit on what they unpack to."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import re
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO

from assay.core.errors import MissingExtra, UsageError

_BUFFER = 1 << 20
COMPRESSED = re.compile(
    rb"(?P<gzip>\x1f\x8b)|(?P<zstd>\x28\xb5\x2f\xfd)|(?P<xz>\xfd7zXZ\x00)"
    rb"|(?P<bzip2>BZh[1-9](?:1AY&SY|\x17rE8P\x90))"
)
"""How a compressed file begins."""
UNPACKED_LIMIT = "ASSAY_MAX_UNPACKED"
"""The environment variable with the greatest size of an unpacked file, in bytes."""
_UNPACKED, _RATIO = 1 << 28, 200
"""Without it, a file may unpack to so many bytes, or to so many times its own size."""
COMPRESSIONS: dict[str, Callable[[BinaryIO], Any]] = {
    ".gz": lambda raw: gzip.GzipFile("", "wb", compresslevel=6, fileobj=raw, mtime=0),
    ".zst": lambda raw: _import_zstandard().ZstdCompressor().stream_writer(raw, closefd=False),
    ".bz2": lambda raw: bz2.BZ2File(raw, "wb"),
    ".xz": lambda raw: lzma.LZMAFile(raw, "wb"),  # noqa: SIM115 (closed by the caller)
}
"""How a file is compressed when it is written, by its extension."""


class TooLarge(OSError):
    """A compressed file unpacks to more than is allowed."""


def decompress(source: Any, compression: str) -> io.BufferedReader:
    """Return the decompressed stream of a file that counts the bytes read from it.

    Compressions are the groups of ``COMPRESSED``.
    """
    readers: dict[str, Callable[[Any], Any]] = {
        "gzip": lambda raw: gzip.GzipFile(fileobj=raw),
        "zstd": _ZstandardReader,
        "xz": lzma.LZMAFile,
        "bzip2": bz2.BZ2File,
    }
    return io.BufferedReader(_LimitedReader(readers[compression](source), source), _BUFFER)


def _chosen_limit() -> int:
    """Return the limit of the environment; 0 for that of Assay."""
    text = os.environ.get(UNPACKED_LIMIT) or "0"
    if not text.isdecimal():
        raise UsageError(
            f"{UNPACKED_LIMIT} is a number of bytes, such as 10000000000, not '{text}'"
        )
    return int(text)


class _LimitedReader(io.RawIOBase):
    """A decompressed stream that ends with an error when it becomes too large."""

    def __init__(self, stream: Any, compressed: Any) -> None:
        self._stream = stream
        self._compressed = compressed
        self._limit = _chosen_limit()
        self._count = 0

    def readable(self) -> bool:
        """Return that the stream can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read bytes into the buffer, and return how many."""
        content = self._stream.read(len(buffer))
        self._count += len(content)
        limit = self._limit or max(_UNPACKED, _RATIO * self._compressed.count)
        if self._count > limit:
            raise TooLarge(
                f"the compressed file unpacks to more than {limit:,} bytes; if that is expected,"
                f" set the environment variable {UNPACKED_LIMIT} to a greater number of bytes"
            )
        buffer[: len(content)] = content
        return len(content)


class _ZstandardReader:
    """A zstd stream that raises an error if it is cut off, which the library ignores."""

    def __init__(self, raw: Any) -> None:
        self._library = _import_zstandard()
        self._raw = raw
        self._frame = self._library.ZstdDecompressor().decompressobj()
        self._open = False
        self._ready = memoryview(b"")

    def read(self, size: int) -> memoryview:
        """Return the next bytes, at most so many."""
        while not self._ready:
            compressed = self._raw.read(1 << 17)
            if not compressed and self._open:
                raise EOFError
            if not compressed:
                break
            self._ready = memoryview(self._decompress(compressed))
        content, self._ready = self._ready[:size], self._ready[size:]
        return content

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
