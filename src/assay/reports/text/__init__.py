"""Text: results as tables and sentences."""
