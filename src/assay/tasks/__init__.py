"""One file is one task: inputs to evidence to Scores with intervals."""
