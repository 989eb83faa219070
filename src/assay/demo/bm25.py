"""A small ranker to tune: BM25 over the documents and topics of a collection in any layout.

python -m assay.demo.bm25 --documents DOCS --topics TOPICS --k1 1.2 --b 0.75 -o RUN
"""

from __future__ import annotations

import re
from collections import Counter

import click
import numpy as np

from assay.benchmark.collections.collection import Collection
from assay.benchmark.collections.read_files import read_topics
from assay.core.arrays import Floats
from assay.core.errors import AssayError, DataError
from assay.core.output_files import write_text

DEPTH = 100
"""How many documents are returned for each topic."""


def words_of(text: str) -> list[str]:
    """Return the words of a text, in lower case and without a plural s."""
    found = re.findall(r"[a-z0-9]+", text.casefold())
    return [word[:-1] if len(word) > 3 and word.endswith("s") else word for word in found]


class BM25:
    """The documents as an inverted index."""

    def __init__(self, documents: dict[str, str]) -> None:
        self.ids = sorted(documents)
        counts = [Counter(words_of(documents[name])) for name in self.ids]
        self.lengths = np.array([sum(each.values()) for each in counts], dtype=np.float64)
        postings: dict[str, tuple[list[int], list[int]]] = {}
        for place, each in enumerate(counts):
            for word, count in each.items():
                rows, numbers = postings.setdefault(word, ([], []))
                rows.append(place)
                numbers.append(count)
        self.postings = postings

    def scores(self, query: str, k1: float, b: float) -> Floats:
        """Return the score of each document."""
        found = np.zeros(len(self.ids))
        norm = k1 * (1 - b + b * self.lengths / self.lengths.mean())
        for word in words_of(query):
            if word in self.postings:
                rows, counts = (np.array(each) for each in self.postings[word])
                rarity = np.log1p((len(self.ids) - len(rows) + 0.5) / (len(rows) + 0.5))
                found[rows] += rarity * counts * (k1 + 1) / (counts + norm[rows])
        return found


@click.command()
@click.option("--documents", required=True, help="Documents in any layout.")
@click.option("--topics", required=True, help="Topics in any layout.")
@click.option("--k1", type=float, default=1.2, help="Saturation of term counts.")
@click.option("--b", type=float, default=0.75, help="Correction for the length of documents.")
@click.option("-o", "--output", required=True, help="The run to write.")
def main(documents: str, topics: str, k1: float, b: float, output: str) -> None:
    """Rank the documents for each topic by BM25."""
    try:
        write_text(output, *_rank(documents, topics, k1, b))
    except AssayError as failure:
        raise click.ClickException(str(failure)) from None


def _rank(documents: str, topics: str, k1: float, b: float) -> list[str]:
    """Return the lines of the run."""
    read = Collection.read(documents).documents
    if not read:
        raise DataError(f"{documents}: there are no documents")
    index = BM25({each.id: each.text for each in read})
    lines = []
    for topic in read_topics(topics):
        scores = index.scores(topic.text, k1, b)
        best = np.argsort(-scores, kind="stable")[:DEPTH]
        for rank, place in enumerate(best[scores[best] > 0], 1):
            lines.append(f"{topic.id} Q0 {index.ids[place]} {rank} {scores[place]:.6f} bm25\n")
    return lines


if __name__ == "__main__":
    main()
