"""Scores and thresholds."""

TASKS = ("classification",)
