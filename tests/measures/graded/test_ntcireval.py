"""The sample of NTCIREVAL: 19 measures under four settings."""

from __future__ import annotations

from pathlib import Path

import pytest

import assay

pytestmark = pytest.mark.shared

GAINS = {
    "compute": "{1:1,2:2,3:3}",
    "compute_cutoff": "{1:1,2:2,3:3}",
    "compute_grade": "{1:1,2:4,3:9}",
    "compute_label_j": "{1:1,2:2,3:3}",
}


def _names(gain: str, depth: str) -> dict[str, str]:
    """What the sample calls a measure, and its name here."""
    worth = [float(pair.split(":")[1]) for pair in gain.strip("{}").split(",")]
    # A document stops a user with gain / (highest gain + 1), and is worth gain / highest gain.
    stop = ",".join(f"{grade}:{each / (max(worth) + 1)}" for grade, each in enumerate(worth, 1))
    share = ",".join(f"{grade}:{each / max(worth)}" for grade, each in enumerate(worth, 1))
    cut = f"@{int(depth)}"
    return {
        "RR": "RR",
        "O-measure": f"O-measure(gain={gain})",
        "P-measure": f"P-measure(gain={gain})",
        "P-plus": f"P-plus(gain={gain})",
        "AP": "AP",
        "Q-measure": f"Q-measure(gain={gain})",
        "NCUgu,P": f"NCU(gain={gain})",
        "NCUgu,BR": f"NCU(gain={gain},utility=BR)",
        "NCUrb,P": f"NCU(gain={gain},stop=rb)",
        "NCUrb,BR": f"NCU(gain={gain},stop=rb,utility=BR)",
        "RBP": f"RBP(p=0.95,gmax={{{share}}})",
        "ERR": f"ERR(gmax={{{stop}}})",
        f"AP@{depth}": f"AP(denominator=reachable){cut}",
        f"Q@{depth}": f"Q(gain={gain}){cut}",
        f"nDCG@{depth}": f"nDCG(gain={gain},discount=older){cut}",
        f"MSnDCG@{depth}": f"MSnDCG(gain={gain}){cut}",
        f"P@{depth}": f"P{cut}",
        f"nERR@{depth}": f"nERR(gmax={{{stop}}}){cut}",
        f"Hit@{depth}": f"Hit{cut}",
    }


def _grades(path: Path) -> dict[str, float]:
    return {doc: float(level[1:]) for doc, level in map(str.split, path.read_text().splitlines())}


@pytest.mark.parametrize("setting", list(GAINS))
def test_sample(shared_data: Path, setting: str) -> None:
    folder = shared_data / "ntcireval"
    qrels = {"1": _grades(folder / "sample.rel")}
    listed = (folder / "sample.res").read_text().split()
    run = {"1": {doc: float(-place) for place, doc in enumerate(listed)}}
    lines = (folder / f"res_test_{setting}.txt").read_text().splitlines()
    expected = dict(line.split("=") for line in lines if "=" in line and "#" not in line)
    wanted = {name.strip(): float(value) for name, value in expected.items()}
    depth = next(name for name in wanted if name.startswith("Hit@")).split("@")[1]
    names = _names(GAINS[setting], depth)
    assert set(names) == set(wanted)
    if setting == "compute_label_j":  # the list without documents that were not judged
        names = {theirs: _condensed(ours) for theirs, ours in names.items()}
    for theirs, ours in names.items():
        measured = assay.retrieval(qrels, run, [ours], interval=None).results[0].value
        assert measured == pytest.approx(wanted[theirs], abs=5.1e-5), theirs


def _condensed(name: str) -> str:
    return f"{name}:judged_only=true"
