"""Sets of labels, and spans of text."""

TASKS = ("labelsets", "spans")
