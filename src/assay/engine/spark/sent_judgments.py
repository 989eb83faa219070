"""Judgments on their way to the executors: small, and unpacked once in each process."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.core.tables import Judgments

_received: dict[bytes, Judgments] = {}
"""The judgments of this process: a worker of Spark runs many tasks with the same ones."""


@dataclass(frozen=True)
class SentJudgments:
    """Judgments as compressed bytes; pickled and loaded again they are judgments."""

    digest: bytes
    packed: bytes

    @classmethod
    def of(cls, judgments: Judgments) -> SentJudgments:
        """Return judgments to be sent."""
        import pyarrow as pa

        plain = pickle.dumps(judgments)
        size = len(plain).to_bytes(8, "big")
        packed = size + pa.Codec("zstd").compress(plain, asbytes=True)
        return cls(blake2b(packed, digest_size=16).digest(), packed)

    def __reduce__(self) -> tuple[Any, ...]:
        return receive, (self.digest, self.packed)


def receive(digest: bytes, packed: bytes) -> Judgments:
    """Return the judgments, unpacked unless this process has done so before."""
    import pyarrow as pa

    if digest not in _received:
        size = int.from_bytes(packed[:8], "big")
        plain = pa.Codec("zstd").decompress(packed[8:], size, asbytes=True)
        _received.clear()
        _received[digest] = pickle.loads(plain)
    return _received[digest]
