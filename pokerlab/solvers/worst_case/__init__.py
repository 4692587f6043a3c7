"""How badly a genome can lose: by exact best responses, by evolution, by search."""
