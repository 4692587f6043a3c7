"""Hold'em by its definitions: buckets, tournaments, and how evolved players decide, once more and slowly.

Begin with `bucketed_holdem`, plain recursion on the betting; `joint_holdem` keeps histories of buckets.
`tournament` follows the rules of many tables hand by hand. `rule_genome`, `matrix_strategy` and
`table_network` decide one action at a time.
"""
