"""The pages that ``assay report`` writes, task by task."""
