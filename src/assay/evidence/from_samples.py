"""Sampled judgments and a run to sampled rankings."""

from __future__ import annotations

import numpy as np
import polars as pl

from assay.core.conventions import Conventions
from assay.core.errors import AlignmentError
from assay.core.tables import Judgments, Run
from assay.evidence.alignment import order, refuse_repeats
from assay.evidence.samples import Sample, SampledRankings


def align_samples(judgments: Judgments, run: Run, conventions: Conventions) -> SampledRankings:
    """The rankings of one run, beside judgments with strata or inclusion probabilities."""
    columns = judgments.frame.columns
    if "stratum" not in columns and "probability" not in columns:
        raise AlignmentError(
            f"{judgments.source.name}: these measures need a stratum or a probability for each"
            " judgment (sampled qrels: query, 0, document, stratum, grade; prels: query, document,"
            " grade, method, probability)"
        )
    refuse_repeats(judgments, ["query", "doc"], "judgment of document")
    _refuse_probabilities(judgments)
    ordered = order(run, conventions).select("query", "doc", "place")
    rows = judgments.frame.with_row_index("row").join(ordered, on=["query", "doc"], how="left")
    answered = set(ordered["query"].unique())
    parts = rows.sort("query", "doc").partition_by("query", as_dict=True, maintain_order=True)
    samples = {
        str(query): _sample(part, judgments)
        for (query,), part in parts.items()
        if query in answered or conventions.missing_queries != "skip"
    }
    return SampledRankings(tuple(samples), tuple(samples.values()))


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
