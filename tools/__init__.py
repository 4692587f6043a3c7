"""What only a clone of the repository can do: open its notebooks in JupyterLab, make its site."""
