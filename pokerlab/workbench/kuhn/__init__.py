"""Kuhn poker to play with: its explorer and its table."""
