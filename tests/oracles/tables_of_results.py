"""What a table of results says, in fractions: cycles one by one, and alpha-rank by its linear equations."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

from tests.oracles.exact_algebra import solve_exactly


def beats(table: Sequence[Sequence[Fraction]], first: int, second: int) -> bool:
    """Return whether one player wins from another."""
    return table[first][second] > 0


def count_cycles(table: Sequence[Sequence[Fraction]]) -> int:
    """Return how many sets of three players beat each other in turn, in one of the two directions."""
    threes = permutations(range(len(table)), 3)
    return sum(beats(table, i, j) and beats(table, j, k) and beats(table, k, i)
               for i, j, k in threes if i == min(i, j, k))  # fmt: skip


def alpha_rank(table: Sequence[Sequence[Fraction]], slips: Fraction) -> list[Fraction]:
    """Return how much of the time a population plays each strategy, in the limit of a large alpha.

    Each strategy meets each other one equally often. A population goes over to the winner with chance 1 - `slips`,
    to the loser with chance `slips`, and after a draw with chance 1/2 (Omidshafiei et al. 2019).
    """
    many = len(table)
    moves = [[Fraction(0)] * many for _ in table]
    for now in range(many):
        for then in range(many):
            if now != then:
                won = table[then][now]
                chance = 1 - slips if won > 0 else slips if won < 0 else Fraction(1, 2)
                moves[now][then] = chance / (many - 1)
        moves[now][now] = 1 - sum(moves[now])
    stays = [
        [moves[now][then] - (now == then) for now in range(many)] for then in range(1, many)
    ]  # one equation follows from the others
    found = solve_exactly([*stays, [1] * many], [0] * (many - 1) + [1])
    assert found is not None
    return found
