"""Figures: evidence or Scores to a drawing and the points that it shows."""
