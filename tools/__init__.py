"""What only a clone of the repository can do: open and run its notebooks, make a site of them, measure speed."""
