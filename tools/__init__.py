"""What only a clone of the repository can do: its site."""
