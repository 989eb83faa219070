"""Clustering: items in clusters, with their classes, to Scores."""

from __future__ import annotations

from typing import Any

from assay.core.tables import Assignments
from assay.engine.scores import Scores
from assay.evidence.contingency import Contingency
from assay.evidence.from_assignments import contingency, memberships
from assay.evidence.memberships import Memberships
from assay.statistics.intervals import Bootstrap
from assay.tasks.assembly import Asked, chosen, described, scored
from assay.tasks.columns import columns_of

NEEDS = {Contingency: "the true class of each item", Memberships: "the class of each item"}


def clustering(
    data: Any,
    measures: Asked = None,
    *,
    cluster: str = "cluster",
    classes: str = "class",
    item: str | None = None,
    name: str = "clustering",
    bootstrap: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Evaluate clusters against the true classes of their items.

    ``data`` is a path, a frame or a dict of columns; the other arguments name its columns.
    """
    columns = {"cluster": cluster, "class": classes, "item": item}
    assignments = Assignments.of(*columns_of(data, columns, "the clusters"))
    views = {
        Contingency: lambda: contingency(assignments),
        Memberships: lambda: memberships(assignments),
    }
    asked = chosen(measures, "clustering", views, NEEDS)
    return Scores(
        task="clustering",
        results=tuple(scored(name, asked, views, bootstrap)),
        conventions=described({"clusters": assignments}, bootstrap),
    )
