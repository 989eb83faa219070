"""Design: power, sample size, stability and reliability."""
