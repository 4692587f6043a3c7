"""Hold'em by its definitions: buckets, tournaments, and how evolved players decide, once more and slowly.

Begin with `bucketed_holdem`, plain recursion on the betting. `tournament` follows the rules of many tables
hand by hand. `players` decides one action at a time.
"""
