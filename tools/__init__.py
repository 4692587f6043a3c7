"""What only a clone of the repository can do: open its notebooks, run them all again, make a site of them."""
