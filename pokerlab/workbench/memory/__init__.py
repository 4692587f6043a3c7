"""Pictures of memories: security levels, sets, mixes, payoffs, security, and one round step by step."""
