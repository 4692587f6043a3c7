"""Forms of a strategy other than behavior: pure strategies, genes, networks, rules.

Begin with `encoding` (how genes become a strategy) and `direct_encoding`, the simplest. `network_encoding` and
`tuple_table` are more of them, and `normal_form` has pure strategies. What plays real cards at a
table is in `players`.
"""

from pokerlab.strategies.direct_encoding import DirectEncoding
from pokerlab.strategies.encoding import BehaviorEncoding, Encoding
from pokerlab.strategies.network_encoding import Inputs, NetworkEncoding
from pokerlab.strategies.normal_form import pure_plans
from pokerlab.strategies.players.matrix_encoding import MatrixEncoding
from pokerlab.strategies.players.network_insight import (
    Activations,
    Habits,
    decision,
    features,
    habits,
    inputs_at,
)
from pokerlab.strategies.players.rule_genome import RuleEncoding
from pokerlab.strategies.players.rule_words import rules, street
from pokerlab.strategies.players.table_network import TableNetwork
from pokerlab.strategies.tuple_table import TupleTable
from pokerlab.strategies.vectors import BitString, Integers, RealVector

__all__ = [
    "Activations",
    "BehaviorEncoding",
    "BitString",
    "DirectEncoding",
    "Encoding",
    "Habits",
    "Inputs",
    "Integers",
    "MatrixEncoding",
    "NetworkEncoding",
    "RealVector",
    "RuleEncoding",
    "TableNetwork",
    "TupleTable",
    "decision",
    "features",
    "habits",
    "inputs_at",
    "pure_plans",
    "rules",
    "street",
]


def __dir__() -> list[str]:
    return sorted(__all__)
