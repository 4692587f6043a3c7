"""Forms of a strategy other than behavior: pure strategies, genes, networks, rules.

Begin with `encoding` (how genes become a strategy) and `direct_encoding`, the simplest. `network_encoding` and
`tuple_table` are more of them, and `normal_form` has pure strategies. What plays real cards at a
table is in `players`.
"""

from pokerlab.core.faces import shown
from pokerlab.strategies.direct_encoding import DirectEncoding as DirectEncoding
from pokerlab.strategies.encoding import BehaviorEncoding as BehaviorEncoding
from pokerlab.strategies.encoding import Encoding as Encoding
from pokerlab.strategies.network_encoding import Inputs as Inputs
from pokerlab.strategies.network_encoding import NetworkEncoding as NetworkEncoding
from pokerlab.strategies.normal_form import pure_plans as pure_plans
from pokerlab.strategies.players.matrix_encoding import MatrixEncoding as MatrixEncoding
from pokerlab.strategies.players.network_insight import Activations as Activations
from pokerlab.strategies.players.network_insight import Habits as Habits
from pokerlab.strategies.players.network_insight import decision as decision
from pokerlab.strategies.players.network_insight import features as features
from pokerlab.strategies.players.network_insight import habits as habits
from pokerlab.strategies.players.network_insight import inputs_at as inputs_at
from pokerlab.strategies.players.rule_genome import RuleEncoding as RuleEncoding
from pokerlab.strategies.players.rule_words import rules as rules
from pokerlab.strategies.players.rule_words import street as street
from pokerlab.strategies.players.table_network import TableNetwork as TableNetwork
from pokerlab.strategies.tuple_table import TupleTable as TupleTable
from pokerlab.strategies.vectors import BitString as BitString
from pokerlab.strategies.vectors import Integers as Integers
from pokerlab.strategies.vectors import RealVector as RealVector

__all__, __dir__ = shown(globals())
