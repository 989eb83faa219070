"""Published experiments give their published numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from scipy.stats import chi2_contingency

import assay


@pytest.fixture(scope="module")
def cookie_cats(shared_data: Path) -> assay.experiment.ExperimentResult:
    return assay.experiment.analyze(
        shared_data / "experiments" / "cookie_cats.csv.gz",
        ["retention_1", "retention_7", "sum_gamerounds"],
        user="userid",
        arm="version",
        correction="none",
    )


@pytest.mark.shared
def test_cookie_cats_has_the_published_numbers(
    cookie_cats: assay.experiment.ExperimentResult, shared_data: Path
) -> None:
    known = json.loads((shared_data / "experiments" / "expected.json").read_text())["cookie_cats"]
    rows = {row["measure"]: row for row in cookie_cats.results.iter_rows(named=True)}
    for name in ("retention_1", "retention_7"):
        assert rows[name]["control"] == pytest.approx(known[name]["gate_30"], rel=1e-12)
        assert rows[name]["value"] == pytest.approx(known[name]["gate_40"], rel=1e-12)
        assert rows[name]["p"] == pytest.approx(known[f"{name}_p_two_sided"], rel=1e-9)
        for arm, column in (("gate_30", "control"), ("gate_40", "value")):
            assert round(rows[name][column], 6) == known["published"][name][arm]
    assert rows["sum_gamerounds"]["control"] == pytest.approx(known["mean_gamerounds"]["gate_30"])
    assert rows["sum_gamerounds"]["value"] == pytest.approx(known["mean_gamerounds"]["gate_40"])
    assert cookie_cats.conventions["arms"] == known["n"]


@pytest.mark.shared
def test_cookie_cats_warns_of_its_sample_ratio_and_its_outlier(
    cookie_cats: assay.experiment.ExperimentResult,
) -> None:
    assert cookie_cats.sample_ratio["p"].item() == pytest.approx(0.008607987810836262, rel=1e-9)
    assert cookie_cats.sample_ratio["status"].item() == "warning"
    assert not cookie_cats.hidden
    said = " ".join(cookie_cats.warnings)
    assert "sample ratio: 44,700 in gate_30, 45,489 in gate_40 (p = 0.0086)" in said
    assert "user '6390605' of gate_30 has 49,854 (next 2,961), 84% of the variance" in said


def table_of(counts: dict[str, tuple[int, int]]) -> dict[str, list]:
    """Users of arms of which so many of so many have an outcome."""
    data: dict[str, list] = {"user": [], "arm": [], "outcome": []}
    for arm, (events, users) in counts.items():
        data["user"] += [f"{arm}{n}" for n in range(users)]
        data["arm"] += [arm] * users
        data["outcome"] += [1] * events + [0] * (users - events)
    return data


def test_aspirin_after_blood_clots() -> None:
    """Moore, McCabe and Craig, Introduction to the Practice of Statistics, example 8.18.

    Published: 45 of 411 (0.1095) against 73 of 411 (0.1776), a relative risk of 62 %.
    """
    counts = {"placebo": (73, 411), "aspirin": (45, 411)}
    found = assay.experiment.analyze(
        table_of(counts), "outcome", control="placebo", lower="outcome"
    )
    row = found.results.row(0, named=True)
    assert (round(row["value"], 4), round(row["control"], 4)) == (0.1095, 0.1776)
    assert round(1 + row["relative"], 2) == 0.62
    assert row["p"] == pytest.approx(
        chi2_contingency([[45, 366], [73, 338]], correction=False).pvalue, rel=1e-9
    )
    assert "aspirin is better than the control" in found.verdicts()[0]
    assert not found.hidden


def test_the_admissions_of_berkeley_are_a_matter_of_departments() -> None:
    """The data set UCBAdmissions of R, on the case of Bickel, Hammel and O'Connell 1975.

    The six largest departments; Simpson's paradox: overall women were admitted less (30 % against
    45 %), but not within departments. The counts, and letters for the departments, are those of the
    data set; its manual states the totals, the paper does not print the counts.
    """
    admitted = {
        "A": ((512, 825), (89, 108)),
        "B": ((353, 560), (17, 25)),
        "C": ((120, 325), (202, 593)),
        "D": ((138, 417), (131, 375)),
        "E": ((53, 191), (94, 393)),
        "F": ((22, 373), (24, 341)),
    }
    totals = [[sum(both[arm][n] for both in admitted.values()) for n in (0, 1)] for arm in (0, 1)]
    assert totals == [[1198, 2691], [557, 1835]]
    data: dict[str, list] = {"user": [], "arm": [], "admitted": [], "department": []}
    for department, arms in admitted.items():
        for arm, (yes, total) in zip(("men", "women"), arms, strict=True):
            data["user"] += [f"{department}{arm}{n}" for n in range(total)]
            data["arm"] += [arm] * total
            data["admitted"] += [1] * yes + [0] * (total - yes)
            data["department"] += [department] * total
    hidden = assay.experiment.analyze(data, "admitted", control="men", by="department")
    assert hidden.hidden, "men and women did not apply in equal shares: this is no experiment"
    found = assay.experiment.analyze(
        data, "admitted", control="men", by="department", ignore_sample_ratio=True
    )
    row = found.results.row(0, named=True)
    assert (round(row["control"], 3), round(row["value"], 3)) == (0.445, 0.304)
    slices = dict(found.slices.select("slice", "difference").iter_rows())
    assert slices["department=A"] == pytest.approx(89 / 108 - 512 / 825)
    assert max(slices.values()) > 0.2
    assert sum(value > 0 for value in slices.values()) == 4
