"""The benchmark: pokerlab against other libraries, in one run of `benchmarks.run`."""
