"""A checksum inside a Parquet file, so that damage is found before the file is decoded.

It stands between the data and the footer, where readers of Parquet do not look: the footer is
found from the end of the file, and says where the data begins. A program that writes the table
again leaves it out.
"""

from __future__ import annotations

import hashlib

MARK = b"\xffASSAY\xfeSHA256\xff"
"""What precedes the checksum; it is not UTF-8, so that no text has it."""
_SIZE = len(MARK) + hashlib.sha256().digest_size
_END = 8
"""Bytes after the footer: its length, and the four letters of the format."""


def add_checksum(content: bytes) -> bytes:
    """Return a Parquet file with a checksum of all its bytes before the footer."""
    place = len(content) - _END - int.from_bytes(content[-8:-4], "little")
    checksum = hashlib.sha256(content).digest()
    return b"".join((content[:place], MARK, checksum, content[place:]))


def matches_checksum(content: bytes) -> bool | None:
    """Return whether a file is as it was when its checksum was added; None if it has none."""
    place = content.rfind(MARK)
    if place < 0:
        return None
    rest = content[:place] + content[place + _SIZE :]
    return hashlib.sha256(rest).digest() == content[place + len(MARK) : place + _SIZE]
