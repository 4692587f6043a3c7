"""Hold'em in the notebook: a table with its seats, a hand street by street, equity as cards fall."""
