"""The layouts in which collections were published; a file for each."""
