"""Experiments equal tea-tasting 1.14, which runs in an environment of its own (`make oracles`)."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.conftest import ROOT

import assay

PYTHON = ROOT / ".venv-oracles" / "bin" / "python"
NAMES = {
    "spent": ("mean(spent)", {}),
    "spent adjusted": ("mean(spent)", {"mean(spent)": "spent_before"}),
    "ratio": ("clicks/queries", {}),
    "ratio adjusted": ("clicks/queries", {"clicks/queries": "clicks_before/queries_before"}),
}
FIELDS = {
    "control": "control",
    "value": "treatment",
    "difference": "effect_size",
    "low": "effect_size_ci_lower",
    "high": "effect_size_ci_upper",
    "p": "pvalue",
}

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(not PYTHON.exists(), reason="run `make oracles`: tea-tasting is absent"),
]


@pytest.fixture(scope="module")
def users() -> pl.DataFrame:
    generator = np.random.default_rng(22)
    size = 3000
    arm = (generator.random(size) < 0.5).astype(int)
    habit = generator.gamma(2.0, 2.0, size)
    queries, before = 1 + generator.poisson(habit), 1 + generator.poisson(habit)
    appeal = generator.beta(4, 6, size)
    return pl.DataFrame(
        {
            "user": np.arange(size),
            "arm": arm,
            "spent": habit + generator.normal(0, 1, size) + 0.1 * arm,
            "spent_before": habit + generator.normal(0, 1, size),
            "queries": queries,
            "clicks": generator.binomial(queries, np.clip(appeal + 0.02 * arm, 0, 1)),
            "queries_before": before,
            "clicks_before": generator.binomial(before, appeal),
        }
    )


@pytest.fixture(scope="module")
def theirs(users: pl.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> dict:
    path: Path = tmp_path_factory.mktemp("oracle") / "users.csv"
    users.write_csv(path)
    script = str(ROOT / "scripts" / "tea_tasting_values.py")
    done = subprocess.run(
        [str(PYTHON), script, str(path)], capture_output=True, text=True, check=True
    )
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize("name", NAMES)
def test_estimates_intervals_and_p_values(name: str, users: pl.DataFrame, theirs: dict) -> None:
    measure, covariates = NAMES[name]
    found = assay.experiment.analyze(users, measure, covariates=covariates, control="0")
    row = found.results.row(0, named=True)
    for ours, other in FIELDS.items():
        assert row[ours] == pytest.approx(theirs[name][other], rel=1e-8), other


def test_the_sample_ratio(users: pl.DataFrame, theirs: dict) -> None:
    found = assay.experiment.analyze(users, "spent", control="0")
    assert found.sample_ratio["p"].item() == pytest.approx(
        theirs["sample ratio"]["pvalue"], rel=1e-8
    )
