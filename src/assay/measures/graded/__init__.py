"""Rankings with graded relevance."""
