"""Sampled judgments and a run to sampled rankings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from assay.core.conventions import Conventions
from assay.core.errors import AlignmentError
from assay.core.tables import Judgments, Run
from assay.evidence.alignment import Alignment
from assay.evidence.judged import without_repeats
from assay.evidence.lists import lists
from assay.evidence.samples import Sample, SampledRankings


def align_samples(
    judgments: Judgments, run: Run, conventions: Conventions
) -> Alignment[SampledRankings]:
    """The rankings of one run, beside judgments with strata or inclusion probabilities."""
    columns = judgments.frame.columns
    if "stratum" not in columns and "probability" not in columns:
        raise AlignmentError(
            f"{judgments.source.name}: these measures need a stratum or a probability for each"
            " judgment (sampled qrels: query, 0, document, stratum, grade; prels: query, document,"
            " grade, method, probability)"
        )
    _refuse_probabilities(judgments)
    found = lists(judgments, run, conventions)
    numbered = replace(judgments, frame=judgments.frame.with_row_index("row"))
    frame, _ = without_repeats(numbered, ["query", "doc"], conventions.duplicates)
    rows = frame.join(found.documents, on=["query", "doc"], how="left")
    parts = rows.sort("query", "doc").partition_by("query", as_dict=True, maintain_order=True)
    samples = tuple(_sample(parts[(query,)], judgments) for query in found.queries)
    return found.seen_as(SampledRankings(found.queries, samples, found.missing))


def _refuse_probabilities(judgments: Judgments) -> None:
    if "probability" not in judgments.frame.columns:
        return
    given = judgments.frame["probability"]
    bad = ((given <= 0) | (given > 1) | given.is_nan()).arg_true()
    if len(bad):
        row = int(bad[0])
        raise AlignmentError(
            f"{judgments.source.place(row)}: the probability is {given[row]}, but the chance of"
            " being drawn is above 0 and at most 1"
        )


def _sample(part: pl.DataFrame, judgments: Judgments) -> Sample:
    grade = part["grade"].to_numpy()
    if "probability" in part.columns:
        probability = part["probability"].to_numpy()
        stratum = np.zeros(part.height, dtype=np.int64)
    else:
        names = part["stratum"].unique().sort()
        stratum = names.search_sorted(part["stratum"]).to_numpy().astype(np.int64)
        size = np.bincount(stratum)
        drawn = np.bincount(stratum, grade >= 0)
        _refuse_empty_strata(part, names, drawn, judgments)
        probability = (drawn / size)[stratum]
    listed = part.with_row_index("number").drop_nulls("place").sort("place")
    return Sample(
        rank=listed["place"].cast(pl.Int64).to_numpy(),
        listed=listed["number"].cast(pl.Int64).to_numpy(),
        grade=grade,
        stratum=stratum,
        probability=probability,
    )


def _refuse_empty_strata(
    part: pl.DataFrame, names: pl.Series, drawn: np.ndarray, judgments: Judgments
) -> None:
    empty = np.flatnonzero(drawn == 0)
    if not len(empty):
        return
    name = names[int(empty[0])]
    row = int(part.filter(pl.col("stratum") == name)["row"][0])
    raise AlignmentError(
        f"{judgments.source.place(row)}: no document of stratum {name} of query"
        f" {part['query'][0]} was judged, so nothing can be estimated for it; judge some, or leave"
        " the stratum out of the pool"
    )
