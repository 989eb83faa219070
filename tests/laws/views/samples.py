"""The laws of sampled rankings: a word, and a letter for each document's stratum."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from tests.laws.law import Law, ViewLaws, same_number

from assay.core.names import Measure
from assay.engine.local import measured
from assay.evidence.drawing import sampled
from assay.evidence.samples import SampledRankings

word = st.text("?-+2~", min_size=1, max_size=7).filter(lambda text: set(text) & set("-+2"))
queries = st.lists(word, min_size=1, max_size=3)


def build(example: list[str]) -> SampledRankings:
    parts = [replace(sampled(text), queries=(f"q{n}",)) for n, text in enumerate(example)]
    whole = parts[0]
    for part in parts[1:]:
        whole = whole + part
    return whole


def _query_alone(measure: Measure, example: list[str]) -> bool:
    """The value of a query does not depend on the queries beside it."""
    together = measured(build(example), measure).values
    alone = [measured(build([text]), measure).values[0] for text in example]
    return all(same_number(*both) for both in zip(together, alone, strict=True))


LAWS = ViewLaws(
    view=SampledRankings,
    examples=queries,
    build=build,
    laws=[Law("query alone", queries, _query_alone)],
)
