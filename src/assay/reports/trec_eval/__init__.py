"""What trec_eval prints, and what it says of its measures."""
