"""Online experiments: planning, assignment and analysis of A/B tests."""
