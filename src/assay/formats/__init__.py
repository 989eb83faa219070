"""Files and containers to tables, and back: one file is one format."""
