"""Packed streams: gzip and zstd, told by their first bytes and written by the end of the name."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable
from typing import IO, Any, BinaryIO

from assay.core.errors import MissingExtra

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
_BUFFER = 1 << 20


def is_compressed(raw: IO[bytes]) -> bool:
    """Whether a file is packed, by its first bytes; it stays where it is."""
    start = raw.read(len(ZSTD))
    raw.seek(-len(start), io.SEEK_CUR)
    return start.startswith((GZIP, ZSTD))


def decompress(raw: Any) -> io.BufferedReader:
    """The stream without its packing, if it has one."""
    buffered = raw if hasattr(raw, "peek") else io.BufferedReader(raw, _BUFFER)
    start = buffered.peek(len(ZSTD))
    if start.startswith(GZIP):
        return io.BufferedReader(gzip.GzipFile(fileobj=buffered), _BUFFER)
    if start.startswith(ZSTD):
        return io.BufferedReader(_ZstandardReader(buffered), _BUFFER)
    return buffered


class _ZstandardReader(io.RawIOBase):
    """A zstd stream that complains when it was cut off, which the library passes over."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._library = import_zstandard()
        self._raw = raw
        self._frame = self._library.ZstdDecompressor().decompressobj()
        self._open = False
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            packed = self._raw.read(1 << 17)
            if not packed and self._open:
                raise EOFError
            if not packed:
                return 0
            self._ready = memoryview(self._unpack(packed))
        count = min(len(buffer), len(self._ready))
        buffer[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def _unpack(self, packed: bytes) -> bytes:
        """What becomes of some packed bytes; a file may hold several frames."""
        parts = []
        while packed:
            self._open = True
            try:
                parts.append(self._frame.decompress(packed))
            except self._library.ZstdError as failure:
                raise zlib.error(str(failure)) from failure
            packed = b""
            if self._frame.eof:
                packed = self._frame.unused_data
                self._frame = self._library.ZstdDecompressor().decompressobj()
                self._open = False
        return b"".join(parts)


def import_zstandard() -> Any:
    """The library for zstd, or the extra that brings it."""
    try:
        import zstandard as library
    except ModuleNotFoundError:
        raise MissingExtra("zstandard", "zstd") from None
    return library


COMPRESSIONS: dict[str, Callable[[BinaryIO], Any]] = {
    ".gz": lambda raw: gzip.GzipFile("", "wb", compresslevel=6, fileobj=raw, mtime=0),
    ".zst": lambda raw: import_zstandard().ZstdCompressor().stream_writer(raw, closefd=False),
}
"""How a file is packed when it is written, by the end of its name."""
