"""Binary rankings and sets of documents."""

TASKS = ("retrieval",)
