"""Two orders of the same things."""

TASKS = ("correlation",)
