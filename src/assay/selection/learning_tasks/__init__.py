"""The tasks that machines learn, each with its evaluation and with reference learners."""
