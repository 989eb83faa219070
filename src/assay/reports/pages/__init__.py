"""Pages: one self-contained HTML file for each evaluation."""
