"""Gates: conditions that Scores must meet."""
