"""The benchmark: pokerlab against other libraries, in one run of `tools.benchmarks.run`."""
