"""Rules of small games, the sequence form that they are compiled to, and contests, of which only results are known.

Begin with `rules` (what a game is made of) and `small_poker` (Kuhn poker, Leduc). `sequence_form` has the arrays and
profiles, `tree_passes` what is computed on them. `matrix_games`, `symmetric` and `intransitive_numbers` are games of
one choice, and `contests` know only who beat whom. `variants` change a game in one respect, `conformance` checks
rules of your own, and `efg` keeps games in files.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any, NoReturn

from numpy.typing import ArrayLike

from pokerlab.core import GameError, KindError, Unit, number
from pokerlab.core.old_names import explain_public_name
from pokerlab.core.settings import check_kind
from pokerlab.games.conformance import check_rules
from pokerlab.games.contests import Contest
from pokerlab.games.efg import read_efg, write_efg
from pokerlab.games.intransitive_numbers import IntransitiveNumbers
from pokerlab.games.matrix_games import (
    biased_rps_rules,
    bimatrix_rules,
    identical_payoff_rules,
    rock_paper_scissors_rules,
)
from pokerlab.games.rules import Chance, Decision, Rules, Terminal, playthrough
from pokerlab.games.sequence_form import Profile, SequenceForm, check_game, compile_rules
from pokerlab.games.small_poker import kuhn_rules, leduc_rules, one_card_rules, two_round_rules
from pokerlab.games.symmetric import compound, self_play
from pokerlab.games.variants import LockedRules, RakedRules

__all__ = [
    "Chance",
    "Contest",
    "Decision",
    "Profile",
    "Rules",
    "SequenceForm",
    "Terminal",
    "biased_rps",
    "bimatrix",
    "check_rules",
    "compile_rules",
    "compound",
    "contest",
    "identical_payoffs",
    "intransitive_numbers",
    "kuhn",
    "leduc",
    "locked",
    "one_card_poker",
    "playthrough",
    "raked",
    "read_efg",
    "rock_paper_scissors",
    "self_play",
    "two_round_poker",
    "unlocked",
    "write_efg",
]


def compiled(make_rules: Callable[..., Rules], *parameters: Any, **switches: bool) -> SequenceForm:
    """Return the game of these rules, compiled once."""
    make_rules(*parameters, **switches)  # refuses 2.0 and True, which the cache takes for 2 and 1
    return compiled_once(make_rules, *parameters, **switches)


@lru_cache(maxsize=32)
def compiled_once(
    make_rules: Callable[..., Rules], *parameters: Any, **switches: bool
) -> SequenceForm:
    """Return the game of these rules; the parameters have been checked before."""
    return compile_rules(make_rules(*parameters, **switches))


def kuhn(num_players: int = 2) -> SequenceForm:
    """Return KP(n), Kuhn poker for 2 to 6 players with n + 1 cards."""
    return compiled(kuhn_rules, num_players)


def one_card_poker(ranks: int) -> SequenceForm:
    """Return two-player one-card poker, 3 to 200 ranks; 3 make Kuhn poker, 13 Gordon's game."""
    return compiled(one_card_rules, ranks)


def two_round_poker(
    deck: str = "ranks", bets_per_round: int = 3, *, isomorphic: bool = False
) -> SequenceForm:
    """Return the 6-card game of Oliehoek et al. (2006), with a 'ranks' or a 'paired' deck."""
    return compiled(two_round_rules, deck, bets_per_round, isomorphic=isomorphic)


def leduc(num_players: int = 2, *, isomorphic: bool = False) -> SequenceForm:
    """Return Leduc hold'em for 2 or 3 players; `isomorphic` leaves the suits out."""
    return compiled(leduc_rules, num_players, isomorphic=isomorphic)


def rock_paper_scissors() -> SequenceForm:
    """Return rock-paper-scissors, where a win counts one point."""
    return compiled(rock_paper_scissors_rules)


def biased_rps() -> SequenceForm:
    """Return rock-paper-scissors with payoffs 50 : 25 : 5, whose equilibrium is 1/16, 10/16, 5/16."""
    return compiled(biased_rps_rules)


def bimatrix(row_payoff: ArrayLike, column_payoff: ArrayLike) -> SequenceForm:
    """Return the two-player game with these payoff matrices, both (rows, columns)."""
    return compile_rules(bimatrix_rules(row_payoff, column_payoff))


def identical_payoffs(payoff: ArrayLike) -> SequenceForm:
    """Return the two-player game in which both get `payoff`, (rows, columns)."""
    return compile_rules(identical_payoff_rules(payoff))


def intransitive_numbers(
    dimensions: int = 2, largest: int = 100, *, threshold: int = 0, mutation_rate: float = 0.1
) -> IntransitiveNumbers:
    """Return the intransitive numbers game of Watson & Pollack (2001)."""
    return IntransitiveNumbers(
        dimensions=dimensions, largest=largest, threshold=threshold, mutation_rate=mutation_rate
    )


def contest(
    play: Callable[[Any, Any, int], float],
    *,
    name: str,
    unit: Unit,
    symmetric: bool = True,
    seconds: float = 600.0,
) -> Contest:
    """Return the game in which `play(a, b, seed)` says what a strategy `a` wins from `b`: see `Contest`.

    Populations draw the seeds of their meetings anew in each generation. Memories and minimax coevolution let two
    genomes meet once, with seed 0: where luck decides much, let `play` average over many draws from it.

    Examples
    --------
    >>> import pokerlab as pl
    >>> ahead = contest(lambda a, b, seed: float((a - b).sum()), name="ahead", unit=pl.core.POINTS)
    >>> search = pl.solvers.Mutants(seed=1, offspring=10)
    >>> memory = pl.solvers.NashMemory(ahead, encoding=pl.strategies.BitString(5), heuristic=search)
    >>> memory.step(memory.init(), 30).strategies[-1].tolist()
    [1.0, 1.0, 1.0, 1.0, 1.0]
    """
    return Contest(play, name, unit, symmetric, seconds)


def raked(game: SequenceForm, share: Fraction | float) -> SequenceForm:
    """Return a two-player poker game whose house keeps `share`, below 1/2, of each pot that is won."""
    check_game(game)
    number("the rake", share, 0, 0.5)
    return compile_rules(RakedRules(game.rules, Fraction(str(share))))


def locked(
    game: SequenceForm, profile: Profile, where: int | Iterable[tuple[int, str]]
) -> SequenceForm:
    """Return the game in which some information sets play as `profile` says.

    It answers questions such as "what if she never bluffs?". Locked choices are chance's, so that all solvers and
    metrics take the game. Labels and the other information sets stay, but for those that only a locked action of
    probability zero leads to. `unlocked` takes profiles back.

    Parameters
    ----------
    game : SequenceForm
        Any compiled game, a locked one included.
    profile : Profile
        Of this game; only its probabilities at the locked information sets matter.
    where : int or iterable of (int, str)
        A player (0-based), or pairs (player, label of an information set).

    Examples
    --------
    >>> import pokerlab as pl
    >>> kuhn = pl.games.kuhn()
    >>> honest = Profile.from_table(kuhn, {(1, "J, pass"): {"pass": 1.0}})
    >>> never_bluffs = locked(kuhn, honest, where=[(1, "J, pass")])
    >>> never_bluffs
    <KP(2), locked: player 2 at 'J, pass': 2 players, 6 + 5 information sets, 26 ends>
    >>> round(pl.solvers.SequenceFormLP(never_bluffs).solve().value, 6)  # 1/18; was -1/18
    0.055556
    """
    return compile_rules(LockedRules(game, profile, where))


def unlocked(profile: Profile) -> Profile:
    """Return a locked game's profile as one of the game before: with the locked choices put back.

    Information sets that locked choices never lead to play as the profile said that the game was locked with.
    """
    check_kind("profile", profile, Profile, "one of a locked game, from games.locked()", KindError)
    rules = profile.game.rules
    if not isinstance(rules, LockedRules):
        raise GameError(
            f"{profile.game.name} has nothing locked; give a profile of games.locked()."
        )
    before = rules.profile
    return Profile.from_table(before.game, before.table() | profile.table())


def __getattr__(name: str) -> NoReturn:
    explain_public_name(__name__, name)


def __dir__() -> list[str]:
    return sorted(__all__)
