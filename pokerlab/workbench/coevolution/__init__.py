"""Pictures of coevolution: buckets and their transitions, evolved tables, genomes, inner runs, beliefs."""
