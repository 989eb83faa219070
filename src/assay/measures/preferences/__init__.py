"""Measures of preferences: pairs of documents, and judgments of several users."""

TASKS = ("preferences", "retrieval")
