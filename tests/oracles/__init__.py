"""Slow, obvious second definitions of what the package computes fast; only tests read them."""
