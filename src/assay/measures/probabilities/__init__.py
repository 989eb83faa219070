"""Probabilities of classes."""

TASKS = ("classification",)
