"""Rankings with graded relevance."""

TASKS = ("retrieval",)
