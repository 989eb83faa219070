"""Valid files, broken at random: each gives numbers or one clear complaint, never a traceback.

``ASSAY_MUTATIONS=100000`` asks for more than the 2,000 of every day.
"""

from __future__ import annotations

import gzip
import os
import random
from pathlib import Path

import pytest
import zstandard

from assay.core.errors import AssayError
from assay.formats.containers import formats
from assay.formats.conversion import convert
from assay.tasks.check_files import check
from assay.tasks.retrieval.retrieval import retrieval

MUTATIONS = int(os.environ.get("ASSAY_MUTATIONS", "2000"))
QRELS = "".join(f"{q} 0 d{d} {(q * d) % 3}\n" for q in range(1, 4) for d in range(1, 5))
RUN = "".join(f"{q} Q0 d{d} {d} {10 - d}.5 tag\n" for q in range(1, 4) for d in range(1, 7))
TOKENS = [
    b'nan', b'inf', b'-inf', b'1e400', b'1_000', b'0x1', b'\xff\xfe', b'\x00', b'\r', b'\t\t',
    b'\n\n', b'#', b'"', b"'", b',', b'{', b'}', b'[', b']', b'null', b'true',
    b'\xef\xbb\xbf', b'\xc3\xa9', b'\x1f\x8b', b'PAR1', b'(\xb5/\xfd',
    b'99999999999999999999', b'-1', b'+', b'.', b"", b' ', b'query',
    b'query-id\tcorpus-id\tscore\n', b':', b'\x0b', b'\x1c', b'\x85', b'\xe2\x80\xa8',
]  # fmt: skip


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[bytes]]:
    """Files of both kinds in every format, plain and packed."""
    folder = tmp_path_factory.mktemp("originals")
    kept: dict[str, list[bytes]] = {"qrels": [], "run": []}
    for kind, text in (("qrels", QRELS), ("run", RUN)):
        (folder / "given.txt").write_text(text)
        for name in (n for n, f in formats().items() if kind == "qrels" or "score" in f.holds):
            convert(folder / "given.txt", folder / "out", kind, output_format=name)
            kept[kind].append((folder / "out").read_bytes())
        kept[kind] += [text.encode()] * 4
        kept[kind] += [gzip.compress(text.encode()), zstandard.compress(text.encode())]
    return kept


def mutated(content: bytes, chance: random.Random) -> bytes:
    """The content with some small harm done to it."""
    for _ in range(chance.choice([1, 1, 1, 2, 5])):
        at, end = sorted(chance.randrange(len(content) + 1) for _ in range(2))
        match chance.randrange(7):
            case 0:
                content = content[:at]
            case 1:
                content = content[:at] + chance.choice(TOKENS) + content[at:]
            case 2:
                content = content[:at] + chance.choice(TOKENS) + content[at + 3 :]
            case 3:
                content = content[:at] + bytes([chance.randrange(256)]) + content[at + 1 :]
            case 4:
                content = content[:at] + content[min(end, at + 20) :]
            case 5:
                content = content[:end] + content[at:end] + content[end:]
            case _:
                lines = content.splitlines(keepends=True)
                chance.shuffle(lines)
                content = b"".join(lines)
    return content


@pytest.mark.parametrize("part", range(4))
def test_mutated_files(part: int, originals: dict[str, list[bytes]], tmp_path: Path) -> None:
    chance = random.Random(part)
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    said = []
    for _ in range(MUTATIONS // 4):
        good = chance.choice(originals["qrels"]), chance.choice(originals["run"])
        broken = chance.randrange(2)
        qrels.write_bytes(mutated(good[0], chance) if broken == 0 else good[0])
        run.write_bytes(mutated(good[1], chance) if broken == 1 else good[1])
        try:
            scores = retrieval(qrels, [run], "AP nDCG@3 RR", interval=None)
            assert all(0 <= each.value <= 1 or each.value != each.value for each in scores.results)
        except AssayError as complaint:
            said.append(str(complaint))
        if chance.randrange(10) == 0:
            check(qrels, [run])
    assert 0 < len(said) < MUTATIONS // 4
    assert all(complaint.strip() and "\n" not in complaint for complaint in said)
