"""Print what tea-tasting computes for a table of an A/B test, as JSON.

It runs in the environment of `make oracles`, which has tea-tasting and not Assay. The columns are
user, arm (0 and 1), spent, spent_before, clicks, queries, clicks_before, queries_before.
"""

from __future__ import annotations

import json
import sys

import pyarrow.csv
import tea_tasting as tt


def main() -> None:
    data = pyarrow.csv.read_csv(sys.argv[1])
    experiment = tt.Experiment(
        {
            "spent": tt.Mean("spent", equal_var=False),
            "spent adjusted": tt.Mean("spent", "spent_before", equal_var=False),
            "ratio": tt.RatioOfMeans("clicks", "queries", equal_var=False),
            "ratio adjusted": tt.RatioOfMeans(
                "clicks", "queries", "clicks_before", "queries_before", equal_var=False
            ),
            "sample ratio": tt.SampleRatio(method="norm", correction=False),
        },
        variant="arm",
    )
    result = experiment.analyze(data, control=0)
    print(json.dumps({name: dict(values._asdict()) for name, values in result.items()}))


if __name__ == "__main__":
    main()
