"""Pictures of memories: worst cases, sets, mixes, payoffs, security, and one round step by step."""
