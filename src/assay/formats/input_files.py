"""Input files, compressed or not, or standard input, with errors that say what to do."""

from __future__ import annotations

import gzip
import hashlib
import io
import lzma
import sys
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from copy import copy
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import IO, Any

from assay.core.errors import FormatError
from assay.formats.compression import COMPRESSED, TooLarge, decompress
from assay.formats.system_names import file_stem

STANDARD_INPUT = "-"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
COMMENT = b"#"
PIECE = 8 << 20
WORKBOOK_ENDINGS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
LONGEST_LINE = 64 << 20
"""The greatest length of a line, in bytes."""
_MAGIC, _START, _LONGEST_FIRST_LINE, _FIRST_ROWS = 10, 1 << 16, 1 << 24, 200


class Input:
    """The bytes of a file, decompressed if needed; ``-`` is standard input.

    Its start is read at once, since that shows the format. The content of a pipe is kept, since it
    is read more than once.
    """

    hashed = True
    """Whether the file is hashed while it is read, so that its digest needs no second reading."""
    piece = PIECE
    """The size of pieces in bytes."""

    def __init__(self, path: str | Path, content: bytes | None = None) -> None:
        self.path = Path(path)
        self.name = "standard input" if str(path) == STANDARD_INPUT else str(path)
        self._digest: str | None = None
        self._kept = content
        """The content of a pipe, which can be read only once, or in place of that of the file."""
        with self._open_file() as stored:
            found = COMPRESSED.match(stored.read(_MAGIC))
            self._compression = found.lastgroup if found else None
            stored.seek(0)
            stream = decompress(stored, self._compression) if self._compression else stored
            start = stream.read(_START)
            if b"\n" not in start and b"\r" not in start and b"\0" not in start:
                start += stream.readline(_LONGEST_FIRST_LINE)
            following = stream.read(_MAGIC)
        self.is_whole = not following
        """Whether the start is all of the file."""
        self.has_more_text = bool(following.strip())
        """Whether something follows the start that is not blank."""
        self.is_stored_plainly = not (self._compression or start.startswith(BYTE_ORDER_MARK))
        """Whether the bytes on disk are those of the content."""
        self.is_stored_plainly &= self._kept is None
        self.start = start.removeprefix(BYTE_ORDER_MARK)
        """The first 64 KB and all of the first line, without a byte order mark."""
        self.first_byte = self.start.lstrip()[:1]
        """The first byte that is not white space."""
        if not self.first_byte:
            raise FormatError("the file is empty; was it written to the end?", self.name)
        self.first_row = next(self._content_lines(), b"").split()
        """The fields of the first line; none if all lines are comments."""

    @cached_property
    def first_lines(self) -> list[bytes]:
        """The complete lines of the start that are neither blank nor comments."""
        return list(self._content_lines())

    @cached_property
    def first_rows(self) -> list[list[bytes]]:
        """The fields of the first lines, separated by white space."""
        return [line.split() for line in islice(self._content_lines(), _FIRST_ROWS)]

    def _content_lines(self) -> Iterator[bytes]:
        """Yield the complete lines of the start that are neither blank nor comments."""
        text = self.start.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if b"\n" in text and len(self.start) >= _START - len(BYTE_ORDER_MARK):
            text = text[: text.rfind(b"\n")]
        for line in text.split(b"\n"):
            content = line.strip()
            if content and not content.startswith(COMMENT):
                yield content

    @property
    def stem(self) -> str:
        """The name of the file without its folder and extensions, used as the name of a system."""
        return file_stem(self.path)

    def digest(self) -> str:
        """Return the SHA-256 digest of the file as stored; it is read if it was not yet."""
        if self._digest is None:
            with self._open_file(hashed=True) as stored:
                self._digest = stored.digest()
        return self._digest

    def unhashed(self, piece: int = PIECE) -> Input:
        """Return the same file for readers without use for its digest: hashing takes time.

        Those that read no more than its start take smaller pieces.
        """
        twin = copy(self)
        twin.hashed, twin.piece = False, piece
        return twin

    def digest_in_background(self) -> Callable[[], str]:
        """Return what waits for the digest, which a thread of its own finds out."""
        reader = ThreadPoolExecutor(1)
        following = reader.submit(self.digest)
        reader.shutdown(wait=False)
        return following.result

    def stored_size(self) -> int:
        """Return how many bytes there are, as stored."""
        return len(self._kept) if self._kept is not None else self.path.stat().st_size

    def content(self) -> bytes:
        """Return all bytes at once."""
        return b"".join(self.pieces())

    def text_content(self) -> bytes:
        """Return all bytes of a text, without a byte order mark and with a line feed per line."""
        content = self.content().removeprefix(BYTE_ORDER_MARK)
        if b"\r" in content and b"\n" not in content:
            return content.replace(b"\r", b"\n")
        return content

    def pieces(self, size: int | None = None) -> Iterator[bytes]:
        """Yield the bytes in pieces of complete lines; the next piece is read in a thread."""
        size = size or self.piece
        with self._open_file(self.hashed) as stored, ThreadPoolExecutor(1) as reader:
            content = decompress(stored, self._compression) if self._compression else None
            following = reader.submit(_read_piece, stored, content, size)
            while piece := following.result():
                following = reader.submit(_read_piece, stored, content, size)
                yield piece
            if self.hashed:
                self._digest = stored.digest()

    @contextmanager
    def open(self) -> Iterator[io.BufferedReader | _StoredFile]:
        """Open the decompressed bytes, for readers that limit how much they take at once."""
        with self._open_file() as stored:
            yield decompress(stored, self._compression) if self._compression else stored

    @contextmanager
    def _open_file(self, hashed: bool = False) -> Iterator[_StoredFile]:
        """Open the file as stored; whatever fails while it is read becomes a FormatError."""
        if self.path.is_dir():
            raise FormatError("this is a folder; a file is expected", self.name)
        try:
            if self._kept is None and self.name == "standard input":
                self._kept = sys.stdin.buffer.read()
            if self._kept is not None:
                yield _StoredFile(io.BytesIO(self._kept), hashed)
                return
            with self.path.open("rb") as raw:
                if not raw.seekable():
                    self._kept = raw.read()
                yield _StoredFile(raw if self._kept is None else io.BytesIO(self._kept), hashed)
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


class _StoredFile:
    """A file as stored, whose bytes are counted, and perhaps hashed, while it is read."""

    def __init__(self, raw: IO[bytes], hashed: bool) -> None:
        self._raw = raw
        self._hash = hashlib.sha256() if hashed else None
        self.count = 0

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes."""
        content = self._raw.read(size)
        if self._hash is not None:
            self._hash.update(content)
        self.count += len(content)
        return content

    def digest(self) -> str:
        """Return the digest of the whole file, if hashed; what was not read yet is read."""
        while self.read(PIECE):
            pass
        return f"sha256:{self._hash.hexdigest()}" if self._hash is not None else ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._raw, name)


def _read_piece(stored: _StoredFile, content: IO[bytes] | None, size: int) -> bytes:
    """Return the next bytes and the rest of their last line; nothing at the end."""
    if content is not None:
        return content.read(size) + _read_rest(content)
    start = stored.tell()
    stored.seek(start + size)
    rest = len(_read_rest(stored))  # measured first, so that the piece is copied once
    stored.seek(start)
    return stored.read(size + rest)


def _read_rest(stream: Any) -> bytes:
    """Return the rest of a line; refuse one that is longer than any line of evidence."""
    line: bytes = stream.readline(LONGEST_LINE)
    if len(line) >= LONGEST_LINE:
        raise TooLarge(
            f"a line is longer than {LONGEST_LINE:,} bytes; is this a text file, with a line for"
            " each record?"
        )
    return line
