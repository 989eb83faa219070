"""Predicted numbers."""

TASKS = ("regression",)
