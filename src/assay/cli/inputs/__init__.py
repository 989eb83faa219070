"""What each task reads: one file per task, found by its name."""
