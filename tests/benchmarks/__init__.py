"""The benchmark: pokerlab against other libraries, in one run of `tests.benchmarks.run`."""
