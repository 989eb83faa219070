"""Text files: opening, decompressing and reading lines."""
