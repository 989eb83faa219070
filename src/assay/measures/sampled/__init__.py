"""Measures estimated from judgments of a sample."""

TASKS = ("retrieval",)
