"""Laboratory experiments: balanced designs, and the analysis of times, ratings and SUS scores."""
