"""Sampled judgments and a run to sampled rankings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from assay.core.conventions import Conventions
from assay.core.tables import Judgments, Run
from assay.evidence.alignment.align import Alignment
from assay.evidence.alignment.aligned_lists import align_lists
from assay.evidence.alignment.judged_documents import drop_duplicate_judgments
from assay.evidence.validation.required_columns import require_columns
from assay.evidence.validation.sample_strata import refuse_invalid_sample
from assay.evidence.views.sampled_rankings import QuerySample, SampledRankings

_FORMS = (
    "sampled qrels are: query, 0, document, stratum, grade; prels: query, document, grade, method,"
    " probability"
)


def align_samples(
    judgments: Judgments, run: Run, conventions: Conventions
) -> Alignment[SampledRankings]:
    """The rankings of one run, beside judgments with strata or inclusion probabilities."""
    need = "estimates need a stratum or a probability for each judgment"
    require_columns(judgments, "stratum", "probability", need=need, mend=_FORMS)
    if conventions.duplicates == "error":
        refuse_invalid_sample(judgments)  # first: it tells of two strata, not just of two lines
    kept = _drop_duplicates(judgments, conventions)
    refuse_invalid_sample(kept)
    found = align_lists(judgments, run, conventions)
    rows = kept.frame.join(found.documents, on=["query", "doc"], how="left")
    parts = rows.sort("query", "doc").partition_by("query", as_dict=True, maintain_order=True)
    samples = tuple(_build_sample(parts[(query,)]) for query in found.queries)
    return found.to_view(SampledRankings(found.queries, samples, found.missing))


def _drop_duplicates(judgments: Judgments, conventions: Conventions) -> Judgments:
    """The judgments with each document once, which still know the lines that they had."""
    numbered = replace(judgments, frame=judgments.frame.with_row_index("row"))
    frame, _ = drop_duplicate_judgments(numbered, ["query", "doc"], conventions.duplicates)
    return replace(judgments, frame=frame.drop("row"), source=judgments.source.of(frame["row"]))


def _build_sample(part: pl.DataFrame) -> QuerySample:
    stratum = np.zeros(part.height, dtype=np.int64)
    if "stratum" in part.columns:
        names = part["stratum"].unique().sort()
        stratum = names.search_sorted(part["stratum"]).to_numpy().astype(np.int64)
    grade = part["grade"].to_numpy()
    share = (np.bincount(stratum, grade >= 0) / np.bincount(stratum))[stratum]
    listed = part.with_row_index("number").drop_nulls("place").sort("place")
    return QuerySample(
        rank=listed["place"].cast(pl.Int64).to_numpy(),
        listed=listed["number"].cast(pl.Int64).to_numpy(),
        grade=grade,
        stratum=stratum,
        probability=part["probability"].to_numpy() if "probability" in part.columns else share,
    )
