"""Print what minisom and pyod compute for the items of a JSON file, as JSON.

It runs in the environment of `make oracles`, which has both and not Assay.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from minisom import MiniSom
from pyod.models.knn import KNN
from pyod.utils.utility import precision_n_scores


def main() -> None:
    given = {name: np.array(own) for name, own in json.loads(Path(sys.argv[1]).read_text()).items()}
    features, start = given["features"], given["start"]
    rows, columns, width = start.shape
    settings = {"sigma": float(given["width"]), "learning_rate": float(given["rate"])}
    made = MiniSom(
        rows,
        columns,
        width,
        decay_function="asymptotic_decay",
        sigma_decay_function="asymptotic_decay",
        **settings,
    )
    made._weights = start.copy()
    made.train(features[given["order"]], len(given["order"]))
    detector = KNN(n_neighbors=5, method="largest").fit(given["train"])
    found = {
        "weights": made.get_weights().tolist(),
        "quantization": float(made.quantization_error(features)),
        "topographic": float(made.topographic_error(features)),
        "u_matrix": made.distance_map(scaling="mean").tolist(),
        "neighbors": detector.decision_function(given["test"]).tolist(),
        "precision": float(precision_n_scores(given["truth"], given["scores"])),
    }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
