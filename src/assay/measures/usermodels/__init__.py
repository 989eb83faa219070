"""Measures that follow a model of the user down the list."""

TASKS = ("retrieval",)
