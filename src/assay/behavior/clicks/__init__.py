"""Click models: their structures, how they are fitted, compared and used."""
