"""Groupings by the points alone, without a gold standard."""

TASKS = ("clustering",)
