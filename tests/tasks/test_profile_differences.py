"""The same number under each profile, and the convention that makes the difference."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from tests.cli.terminal import call

from assay.core.conventions import Conventions, profile
from assay.core.errors import DataError
from assay.core.profiles import PROFILES
from assay.tasks.explanation.table_explanations import values_by_profile

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}, "q3": {"a": 0}}
RUN = {"q1": {"a": 1.0, "b": 2.0}, "q3": {"a": 1.0}}


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_has_known_choices(name: str) -> None:
    assert profile(name) == Conventions().change(profile=name, **PROFILES[name])
    assert profile(name).changes() == []


def test_missing_queries_make_the_difference() -> None:
    """AP is 1/2 for q1, nothing for q2, undefined for q3."""
    found = {each.profile: each for each in values_by_profile(QRELS, RUN, "AP")}
    assert set(found) == set(PROFILES)
    assert found["assay"].value == 0.25
    assert found["assay"].causes == ()
    # q2 is left out, and q3 counts as zero: (1/2 + 0) / 2. Each of the two alone has its effect.
    assert found["trec_eval-9"].value == 0.25
    assert found["ir_measures"].value == pytest.approx(0.5 / 3)
    assert found["ir_measures"].causes == ("no_relevant=zero",)


def test_one_query_and_the_precision_of_scores() -> None:
    near = {"q1": {"a": 1.0, "b": 1.0 + 1e-12}}
    found = {each.profile: each for each in values_by_profile(QRELS, near, "RR", "q1")}
    assert found["assay"].value == 0.5
    assert found["trec_eval-9"].value == 0.5, "b comes first in a tie as well"
    other = {"q1": {"a": 1.0 + 1e-12, "b": 1.0}}
    found = {each.profile: each for each in values_by_profile(QRELS, other, "RR", "q1")}
    assert found["assay"].value == 1
    assert found["trec_eval-9"].value == 0.5
    assert found["trec_eval-9"].causes == ("score_type=float32",)


def test_what_a_profile_refuses_is_undefined() -> None:
    found = values_by_profile(QRELS, RUN, "AP", "q3")
    assert math.isnan(found[0].value)
    assert found[0].refused is None
    with pytest.raises(DataError, match="has no judgments"):
        values_by_profile(QRELS, RUN, "AP", "q9")


def test_a_refusal_keeps_its_reason() -> None:
    found = values_by_profile({"1": {"a": 1}}, {"1": {"a": float("nan")}}, "AP")
    refused = next(each for each in found if each.profile == "assay")
    assert math.isnan(refused.value)
    assert "the score is not a number" in str(refused.refused)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text("q1 0 a 1\nq1 0 b 0\n")
    (tmp_path / "x.run").write_text("q1 Q0 a 1 2 x\nq1 Q0 b 2 1 x\n")
    (tmp_path / "c.csv").write_text("c,topic\n1,x\n1,x\n2,o\n2,x\n")
    return tmp_path


def test_from_the_command_line(folder: Path) -> None:
    done = call("explain", "retrieval", "qrels.txt", "x.run", "-m", "AP", "--profiles")
    assert done.code == 0, done.err
    assert done.out.splitlines()[0].split()[:2] == ["profile", "AP"]
    assert "trec_eval-10" in done.out
    done = call("explain", "retrieval", "qrels.txt", "x.run", "-m", "AP")
    assert "query q1" in done.out, "the only query need not be named"
    (folder / "two.txt").write_text("q1 0 d1 1\nq2 0 d1 1\n")
    done = call("explain", "retrieval", "two.txt", "x.run", "-m", "AP")
    assert done.code == 2
    assert "name one of 2 queries with --query, such as q1, or compare all profiles" in done.err
    done = call(
        "explain", "clustering", "c.csv", "-m", "purity", "--cluster", "c", "--classes", "topic"
    )
    assert done.out.startswith("purity = 0.7500")
    done = call(
        "explain", "clustering", "c.csv", "-m", "silhouette", "--cluster", "c", "--classes", "topic"
    )
    assert done.code == 2
    assert "--features" in done.err
