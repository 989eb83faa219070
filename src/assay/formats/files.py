"""Opening files: plain or gzip, with complaints that say where and what to do."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from pathlib import Path

from assay.core.errors import FormatError

GZIP = b"\x1f\x8b"


def read_bytes(path: str | Path) -> tuple[bytes, str]:
    """The content of a file, unpacked if it is packed, and the digest of the file as it lies."""
    place = Path(path)
    if place.is_dir():
        raise FormatError("this is a folder; a file is expected", str(path))
    try:
        content = place.read_bytes()
        digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
        return gzip.decompress(content) if content.startswith(GZIP) else content, digest
    except FileNotFoundError:
        raise FormatError("there is no such file", str(path)) from None
    except (OSError, EOFError, zlib.error) as failure:
        raise FormatError(f"the file cannot be read: {failure}", str(path)) from failure
