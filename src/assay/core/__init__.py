"""Words shared by all parts: tables, measure names, the catalogue, segmented sums, errors."""
