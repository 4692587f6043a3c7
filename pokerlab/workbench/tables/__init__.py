"""Tables at which a person plays: a match knows the state, a table its buttons and its picture."""
