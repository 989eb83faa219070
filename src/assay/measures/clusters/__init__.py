"""Groupings against a gold standard."""

TASKS = ("clustering",)
