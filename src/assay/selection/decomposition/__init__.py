"""Where the error of a learner comes from: bias, variance and noise; the bootstrap estimates."""
