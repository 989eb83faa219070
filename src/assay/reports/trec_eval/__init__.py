"""The vocabulary and the printing of trec_eval, over our own measures."""
