"""Two orders of the same things."""
