"""Genomes that play real cards at a table: rules, matrices and networks.

Begin with `rule_genome` (42 genes of a limit player), `matrix_encoding` (weights over strength and cost) or
`table_network` (a network of no-limit hold'em). The kernels that decide are there, in `rule_decision` and in
`network_decision`. `rule_words` puts rules in words, `network_insight` puts networks in
numbers, and `perceptron` computes many networks at once.
"""
