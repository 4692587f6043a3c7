"""Networks at a no-limit table in the notebook: one decision in all its numbers; start with `network_explorer`."""
