"""Maps equal minisom 2.3.6, detectors pyod, in an environment of their own (`make oracles`)."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.conftest import ROOT

from assay.selection.learning_tasks.outliers import DETECTORS
from assay.selection.learning_tasks.precision_at_n import precision_at_n
from assay.selection.learning_tasks.self_organizing_map import (
    MapTraining,
    quantization_errors,
    start_map,
    topographic_errors,
    train_map,
    u_matrix,
)

PYTHON = ROOT / ".venv-oracles" / "bin" / "python"
pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(not PYTHON.exists(), reason="run `make oracles`: minisom, pyod are absent"),
]
DRAW = np.random.default_rng(24)
ITEMS = DRAW.normal(size=(120, 5)) + 2 * (np.arange(120) % 3)[:, None]
START = start_map(ITEMS, 4, 6)
ORDER = DRAW.integers(0, 120, 900)
TRAINING = MapTraining(rate=0.4, width=1.5)
TRUTH = (np.arange(120) % 8 == 0).astype(int)
SCORES = DRAW.normal(size=120) + TRUTH


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path: Path = tmp_path_factory.mktemp("oracle") / "items.json"
    given = {"features": ITEMS, "start": START, "order": ORDER, "train": ITEMS[:80]}
    given |= {"test": ITEMS[80:], "truth": TRUTH, "scores": SCORES}
    numbers = {"rate": TRAINING.rate, "width": TRAINING.width}
    path.write_text(json.dumps({name: own.tolist() for name, own in given.items()} | numbers))
    script = ROOT / "scripts" / "learning_values.py"
    done = subprocess.run([PYTHON, script, path], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_maps_equal_minisom(theirs: Any) -> None:
    weights = train_map(ITEMS, START, ORDER, TRAINING)
    np.testing.assert_allclose(weights, theirs["weights"], rtol=1e-9, atol=1e-12)
    assert quantization_errors(ITEMS, weights).mean() == pytest.approx(theirs["quantization"])
    assert topographic_errors(ITEMS, weights).mean() == pytest.approx(theirs["topographic"])
    ours = u_matrix(weights)
    np.testing.assert_allclose(ours / ours.max(), theirs["u_matrix"], rtol=1e-9)


def test_detectors_equal_pyod(theirs: Any) -> None:
    ours = DETECTORS["neighbors"](ITEMS[:80], ITEMS[80:], 1)
    np.testing.assert_allclose(ours, theirs["neighbors"], rtol=1e-9)
    assert precision_at_n(TRUTH == 1, SCORES) == pytest.approx(theirs["precision"])
