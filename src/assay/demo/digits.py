"""Files to try every task on, made from scikit-learn's bundled 1,797 handwritten digits.

One set of images serves all tasks: `d0042` is image 42, counted from 0, in every file, and the
query `q0042` asks for images like it.

- **Retrieval**: 300 query images, 30 of each digit, rank all other images. The same digit has
  grade 2. A digit often confused with it has grade 1: we classify every image by the nearest mean
  image of the other four fifths, count the errors between two digits in either direction, and take
  the `CONFUSABLE` pairs with most errors. Other digits have grade 0, and only a sample of them is
  judged, so that unjudged documents occur as they do in practice.
- **Classification, regression and agreement** learn from the first half of the images and speak
  about the second. The halves are not shuffled: images gathered together resemble each other, and
  a shuffled split looks better than it is (logistic regression: 96 % right instead of 93 %).
- **Clustering** takes all images, and never sees a label.

The same bytes come out of every call on one machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from assay.core.output_folders import make_folder
from assay.demo.images import load_images
from assay.demo.judgments import choose_queries, write_qrels, write_topics
from assay.demo.predictions import write_clusters, write_predictions, write_ratings, write_values
from assay.demo.systems import write_runs


@dataclass(frozen=True)
class DemoFiles:
    """The paths of the files."""

    qrels: Path
    topics: Path
    runs: tuple[Path, ...]
    predictions: Path
    clusters: Path
    values: Path
    ratings: Path


def write_demo_files(folder: Path) -> DemoFiles:
    """Write all demo files to the folder, which need not exist yet."""
    images = load_images()
    from threadpoolctl import threadpool_limits

    make_folder(folder / "runs")
    queries = choose_queries(images.digits)
    # With several threads the order of adding varies, and with it the last bits.
    with threadpool_limits(limits=1):
        return DemoFiles(
            qrels=write_qrels(folder / "qrels.txt", images, queries),
            topics=write_topics(folder / "topics.tsv", images, queries),
            runs=write_runs(folder / "runs", images, queries),
            predictions=write_predictions(folder / "predictions.csv", images),
            clusters=write_clusters(folder / "clusters.csv", images),
            values=write_values(folder / "values.csv", images),
            ratings=write_ratings(folder / "ratings.csv", images),
        )
