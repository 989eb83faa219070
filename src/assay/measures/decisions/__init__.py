"""Decisions of a classifier, from a confusion matrix."""

TASKS = ("classification",)
