"""Reference learners, and the data that they are trained on."""
