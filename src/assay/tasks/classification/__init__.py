"""Classification: predictions to Scores."""
