"""How the error of a learner depends on its capacity and on the size of the data."""
