"""What ``assay.split`` offers: splits of items and of queries, and the check of a split."""

from __future__ import annotations

from assay.benchmark.collections.splits import split_topics as queries
from assay.selection.splits.split_check import check_split as check
from assay.selection.splits.split_items import split_items as items

__all__ = ["check", "items", "queries"]
