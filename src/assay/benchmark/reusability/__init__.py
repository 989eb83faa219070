"""How far judgments can be used again, and how many are worth making."""
