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
from typing import IO, Any, BinaryIO

from assay.core.errors import MissingExtra

_BUFFER = 1 << 20
_GZIP, _ZSTD, _XZ = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\x00"
_BZIP2 = re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)")
_MAGIC = 10
"""How many bytes show whether a file is compressed."""
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


def decompress(raw: Any) -> io.BufferedReader:
    """Return the decompressed stream; the stream itself if it is not compressed."""
    buffered = raw if hasattr(raw, "peek") else io.BufferedReader(raw, _BUFFER)
    opened = _open_compressed(buffered.peek(_MAGIC))
    if opened is None:
        return buffered
    counted = _CountingReader(buffered)
    return io.BufferedReader(_LimitedReader(opened(counted), counted), _BUFFER)


def is_compressed(raw: IO[bytes]) -> bool:
    """Return whether a file begins as a compressed one; its position does not change."""
    start = raw.read(_MAGIC)
    raw.seek(-len(start), io.SEEK_CUR)
    return _open_compressed(start) is not None


def _open_compressed(start: bytes) -> Callable[[Any], Any] | None:
    """Return what decompresses a file that begins like this; None if it is not compressed."""
    if start.startswith(_GZIP):
        return lambda raw: gzip.GzipFile(fileobj=raw)
    if start.startswith(_ZSTD):
        return _ZstandardReader
    if start.startswith(_XZ):
        return lzma.LZMAFile
    return bz2.BZ2File if _BZIP2.match(start) else None


class TooLarge(OSError):
    """A compressed file unpacks to more than is allowed."""


class _CountingReader:
    """A compressed file that counts the bytes that are read from it."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self.count = 0

    def read(self, size: int = -1) -> bytes:
        content: bytes = self._raw.read(size)
        self.count += len(content)
        return content

    def __getattr__(self, name: str) -> Any:
        return getattr(self._raw, name)


class _LimitedReader(io.RawIOBase):
    """A decompressed stream that ends with an error when it becomes too large."""

    def __init__(self, stream: Any, compressed: _CountingReader) -> None:
        self._stream = stream
        self._compressed = compressed
        self._limit = int(os.environ.get(UNPACKED_LIMIT) or 0)
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
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


class _ZstandardReader(io.RawIOBase):
    """A zstd stream that raises an error if it is cut off, which the library ignores."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._library = _import_zstandard()
        self._raw = raw
        self._frame = self._library.ZstdDecompressor().decompressobj()
        self._open = False
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
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
