"""Agreement of assessors."""

TASKS = ("agreement",)
