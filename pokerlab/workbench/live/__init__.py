"""The bench: an experiment under way, watched and steered."""
