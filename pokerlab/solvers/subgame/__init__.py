"""What to play in a game restricted to the strategies encountered: one rule a file."""
