"""Rankings that should cover the subtopics of a query."""

TASKS = ("retrieval",)
