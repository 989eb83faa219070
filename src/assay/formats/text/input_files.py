"""Opening files: plain, gzip or zstd, or standard input, with complaints that say what to do."""

from __future__ import annotations

import gzip
import hashlib
import io
import sys
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from assay.core.errors import FormatError
from assay.formats.text.compression import COMPRESSIONS, decompress, is_compressed

STANDARD_INPUT = "-"
PIECE = 8 << 20
_FAMILIAR = (".run", ".txt", ".trec", ".tsv", ".csv", ".json", ".jsonl", ".ndjson", ".parquet")


class Input:
    """The bytes of a file, unpacked if it is packed; ``-`` is standard input.

    What comes through a pipe is kept, since it is read more than once.
    """

    def __init__(self, given: str | Path) -> None:
        self.path = Path(given)
        self.name = "standard input" if str(given) == STANDARD_INPUT else str(given)
        self._digest: str | None = None
        self._kept: bytes | None = None
        """What came through a pipe, which can be read only once."""

    @property
    def endings(self) -> list[str]:
        """The endings of the name, folded, without the one that says how it is packed."""
        found = [ending.casefold() for ending in self.path.suffixes]
        return [ending for ending in found if ending not in COMPRESSIONS]

    @property
    def stem(self) -> str:
        """The name of the file without its folder and endings, to call a system by."""
        stem = self.path.name
        for ending in reversed(self.path.suffixes):
            if ending.casefold() not in (*COMPRESSIONS, *_FAMILIAR):
                break
            stem = stem.removesuffix(ending)
        return stem if stem not in ("", STANDARD_INPUT) else self.name

    @property
    def digest(self) -> str:
        """The fingerprint of the file as it lies; it is read for this if it was not yet."""
        if self._digest is None:
            with self._open_file() as raw:
                found = hashlib.sha256()
                while piece := raw.read(PIECE):
                    found.update(piece)
                self._digest = _fingerprint(found.hexdigest())
        return self._digest

    def head(self, size: int = 1 << 16) -> bytes:
        """The first bytes, to see what the file is."""
        with self._open_file() as raw:
            return bytes(decompress(raw).read(size))

    def content(self) -> bytes:
        """All bytes at once."""
        return b"".join(self.pieces())

    def pieces(self, size: int = PIECE) -> Iterator[bytes]:
        """The bytes in pieces that end with a line; the next one is read meanwhile."""
        with self._open_file() as raw, ThreadPoolExecutor(1) as reader:
            lines = _Lines(raw, size)
            following = reader.submit(lines.read)
            while piece := following.result():
                following = reader.submit(lines.read)
                yield piece
            self._digest = _fingerprint(lines.hash.hexdigest())

    @contextmanager
    def _open_file(self) -> Iterator[IO[bytes]]:
        """The file as it lies; all that can go wrong in reading it becomes a complaint."""
        if self.path.is_dir():
            raise FormatError("this is a folder; a file is expected", self.name)
        with self._translate_errors():
            if self._kept is None and self.name == "standard input":
                self._kept = sys.stdin.buffer.read()
            if self._kept is not None:
                yield io.BytesIO(self._kept)
                return
            with self.path.open("rb") as raw:
                if not raw.seekable():
                    self._kept = raw.read()
                yield raw if self._kept is None else io.BytesIO(self._kept)

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            raise FormatError("there is no such file; check the path", self.name) from None
        except EOFError:
            raise FormatError(
                "the packed file ends too early: it was cut off; copy it again", self.name
            ) from None
        except (zlib.error, gzip.BadGzipFile) as failure:
            raise FormatError(
                f"the packed file is damaged ({failure}); copy it again", self.name
            ) from failure
        except OSError as failure:
            raise FormatError(
                f"the file cannot be read: {failure.strerror or failure}", self.name
            ) from failure


class _Lines:
    """Reads some whole lines at a time, and fingerprints the file as it lies meanwhile."""

    def __init__(self, raw: IO[bytes], size: int) -> None:
        self.hash = hashlib.sha256()
        self._size = size
        self._plain = not is_compressed(raw)
        self._stream: Any = raw if self._plain else decompress(_Hashing(raw, self.hash))

    def read(self) -> bytes:
        """So many bytes and the rest of the last line; nothing at the end."""
        if not self._plain:
            return bytes(self._stream.read(self._size) + self._stream.readline())
        start = self._stream.tell()
        self._stream.seek(start + self._size)
        rest = len(self._stream.readline())  # found first, so that the piece is copied only once
        self._stream.seek(start)
        piece: bytes = self._stream.read(self._size + rest)
        self.hash.update(piece)
        return piece


class _Hashing(io.RawIOBase):
    """A file that is fingerprinted while it is read."""

    def __init__(self, raw: IO[bytes], fingerprint: Any) -> None:
        self._raw = raw
        self._hash = fingerprint

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        found = self._raw.read(len(buffer))
        self._hash.update(found)
        buffer[: len(found)] = found
        return len(found)


def _fingerprint(digest: str) -> str:
    return f"sha256:{digest}"
