"""Games: the rules of small games, the sequence form that they are compiled to, and contests.

Begin with `rules`, which has the protocol of rules, and with `small_poker`. `compile_rules` converts rules to a
`SequenceForm`, on which `tree_passes` compute values and best responses of a `Profile`. `factored_games` converts the
rules of some card games faster, without a walk over the game tree. In large games with one card for each player,
`card_games` and `card_sums` replace sums over terminals by sums over cards. A contest is a game that is given only by a
function. The module `variants` changes a game in one respect, `conformance` checks your own rules, and `efg_reader` and
`efg_writer` read and write files.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any, NoReturn

from numpy.typing import ArrayLike

from pokerlab.core import GameError, KindError, Unit, validate_number
from pokerlab.core.old_names import reject_missing_name
from pokerlab.core.settings import check_kind
from pokerlab.games import contests
from pokerlab.games.card_games import compile_card_game, is_card_game_faster
from pokerlab.games.compilation import compile_rules
from pokerlab.games.conformance import check_rules
from pokerlab.games.efg_reader import read_efg
from pokerlab.games.efg_writer import write_efg
from pokerlab.games.intransitive_numbers import IntransitiveNumbers
from pokerlab.games.matrix_games import (
    make_biased_rps_rules,
    make_bimatrix_rules,
    make_identical_payoff_rules,
    make_rock_paper_scissors_rules,
)
from pokerlab.games.rules import Chance, Decision, Rules, Terminal, describe_playthrough
from pokerlab.games.sequence_form import Profile, SequenceForm, check_game_is_compiled
from pokerlab.games.small_poker import (
    OneCardPoker,
    make_kuhn_rules,
    make_leduc_rules,
    make_one_card_rules,
    make_two_round_rules,
)
from pokerlab.games.symmetric import compound
from pokerlab.games.variants import LockedRules, RakedRules

__all__ = [
    "Chance",
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
    "describe_playthrough",
    "identical_payoffs",
    "intransitive_numbers",
    "kuhn",
    "leduc",
    "lock_infosets",
    "one_card_poker",
    "rake_game",
    "read_efg",
    "rock_paper_scissors",
    "two_round_poker",
    "unlock_profile",
    "write_efg",
]


def get_compiled_game(
    make_rules: Callable[..., Rules], *parameters: Any, **options: Any
) -> SequenceForm:
    """Return the compiled game of some rules; a second call with equal arguments returns the same object.

    Parameters
    ----------
    make_rules : callable
        The function that makes the rules, such as `make_kuhn_rules`.
    *parameters, **options
        The positional and keyword arguments of this function.

    Returns
    -------
    SequenceForm
        The compiled game.

    Raises
    ------
    SettingError, KindError, UnknownNameError
        If `make_rules` rejects an argument.
    """
    # The parameters are checked here, because the cache cannot distinguish 2.0 and True from 2 and 1.
    make_rules(*parameters, **options)
    return compile_into_cache(make_rules, *parameters, **options)


@lru_cache(maxsize=32)
def compile_into_cache(
    make_rules: Callable[..., Rules], *parameters: Any, **options: Any
) -> SequenceForm:
    """Compile the game of some rules, or take it from a cache of the last 32 games, and return it.

    Parameters
    ----------
    make_rules : callable
        The function that makes the rules.
    *parameters, **options
        The arguments of this function, which must have been checked.

    Returns
    -------
    SequenceForm
        The compiled game. It is a `CardGame`, whose terminals are summed over cards, where that is faster.
    """
    rules = make_rules(*parameters, **options)
    if isinstance(rules, OneCardPoker) and is_card_game_faster(rules):
        return compile_card_game(rules)
    return compile_rules(rules)


def kuhn(num_players: int = 2) -> SequenceForm:
    """Return Kuhn poker for n players with n + 1 cards, which is also called KP(n).

    Parameters
    ----------
    num_players : int
        The number of players n, 2 to 7. From 5 players on, payoffs are summed over cards and not over terminals. With 7
        players the terminals cannot be listed.

    Returns
    -------
    SequenceForm
        The compiled game, whose unit is chips.

    References
    ----------
    .. [1] Kuhn (1950), "A simplified two-person poker"
    .. [2] Lanctot (2014), section 4.1: the game for n players

    Examples
    --------
    >>> kuhn()
    <KP(2): 2 players, 6 + 6 information sets, 30 ends>
    """
    return get_compiled_game(make_kuhn_rules, num_players)


def one_card_poker(
    ranks: int,
    *,
    bet: Fraction | float = 1,
    second_can_bet: bool = True,
    first_can_check: bool = True,
) -> SequenceForm:
    """Return two-player one-card poker, which is Kuhn poker with any number of cards.

    Both players ante one chip and get one card. The first player checks or bets. After a check the second player
    checks or bets, too, and after a bet the other player calls or folds. The higher card wins.

    Parameters
    ----------
    ranks : int
        The number of cards, 3 to 2000. With 3 cards it is Kuhn poker, with 8 the game of Oliehoek et al. (2006),
        section 6, and with 13 Gordon's one-card poker. With more than 13 cards, payoffs are summed over cards and not
        over terminals; with more than 447 the terminals of the default game cannot be listed.
    bet : int, float or Fraction
        The size of the bet in antes, 0.001 to 1000.
    second_can_bet : bool
        Whether the second player may bet after a check. If not, the hands are compared after a check, as in von
        Neumann's poker [1]_.
    first_can_check : bool
        Whether the first player may check. If not, a first player who does not bet folds and loses the ante, as in
        Borel's poker [2]_. Then the second player never bets, whatever `second_can_bet` is.

    Returns
    -------
    SequenceForm
        The compiled game, whose unit is chips.

    References
    ----------
    .. [1] von Neumann & Morgenstern (1944), *Theory of Games and Economic Behavior*, section 19
    .. [2] Borel (1938), *Applications aux jeux de hasard*, chapter 5
    .. [3] Ferguson & Ferguson (2003), "On the Borel and von Neumann poker models": both games, with their solutions

    Examples
    --------
    >>> one_card_poker(50, second_can_bet=False)
    <50-card von Neumann poker: 2 players, 50 + 50 information sets, 7350 ends>
    >>> one_card_poker(50, bet=2, first_can_check=False)
    <50-card Borel poker, bet 2: 2 players, 50 + 50 information sets, 7350 ends>
    """
    return get_compiled_game(
        make_one_card_rules,
        ranks,
        bet=bet,
        second_can_bet=second_can_bet,
        first_can_check=first_can_check,
    )


def two_round_poker(
    deck: str = "ranks", bets_per_round: int = 3, *, isomorphic: bool = False
) -> SequenceForm:
    """Return the 6-card poker game with two betting rounds of Oliehoek et al. (2006), section 6.

    Parameters
    ----------
    deck : str
        The deck, which the paper does not specify. 'ranks' has six ranks of one suit. 'paired' has three ranks in two
        suits, where a pair with the public card wins.
    bets_per_round : int
        The largest number of bets and raises in a round, 1 to 6.
    isomorphic : bool
        Whether suits are ignored, which makes the game smaller and does not change its value.

    Returns
    -------
    SequenceForm
        The compiled game, whose unit is chips.
    """
    return get_compiled_game(make_two_round_rules, deck, bets_per_round, isomorphic=isomorphic)


def leduc(num_players: int = 2, *, isomorphic: bool = False) -> SequenceForm:
    """Return Leduc hold'em, a small poker game with a private card, a public card and two betting rounds.

    Parameters
    ----------
    num_players : int
        The number of players, 2 or 3.
    isomorphic : bool
        Whether suits are ignored, which makes the game smaller and does not change its value.

    Returns
    -------
    SequenceForm
        The compiled game, whose unit is chips.

    References
    ----------
    .. [1] Southey et al. (2005), "Bayes' bluff"
    """
    return get_compiled_game(make_leduc_rules, num_players, isomorphic=isomorphic)


def rock_paper_scissors() -> SequenceForm:
    """Return the compiled game of rock-paper-scissors, in which the winner gets one point from the loser.

    Returns
    -------
    SequenceForm
        The game. A later call can return the same object, because compiled games are kept in memory.
    """
    return get_compiled_game(make_rock_paper_scissors_rules)


def biased_rps() -> SequenceForm:
    """Return the compiled game of rock-paper-scissors with payoffs 50 : 25 : 5, whose equilibrium is 1/16, 10/16, 5/16.

    Returns
    -------
    SequenceForm
        The game. A later call can return the same object, because compiled games are kept in memory.

    References
    ----------
    .. [1] Samothrakis & Lucas (2011), section 4.1
    """
    return get_compiled_game(make_biased_rps_rules)


def bimatrix(row_payoff: ArrayLike, column_payoff: ArrayLike) -> SequenceForm:
    """Return the compiled two-player game in which both players choose at the same time, with given payoffs.

    Parameters
    ----------
    row_payoff, column_payoff : array_like of shape (rows, columns)
        The payoffs of the player who chooses the row, and of the player who chooses the column, in points.

    Returns
    -------
    SequenceForm
        The compiled game.

    Raises
    ------
    GameError
        If a payoff is missing or not a finite number.
    ShapeError
        If the payoffs are not matrices of the same shape.
    """
    return compile_rules(make_bimatrix_rules(row_payoff, column_payoff))


def identical_payoffs(payoff: ArrayLike) -> SequenceForm:
    """Return the compiled two-player game in which both players choose at the same time and get the same payoff.

    Parameters
    ----------
    payoff : array_like of shape (rows, columns)
        The payoff of both players, in points.

    Returns
    -------
    SequenceForm
        The compiled game.

    Raises
    ------
    GameError
        If a payoff is missing or not a finite number.
    ShapeError
        If the payoffs are not a matrix.
    """
    return compile_rules(make_identical_payoff_rules(payoff))


def intransitive_numbers(
    dimensions: int = 2, largest: int = 100, *, threshold: int = 0, mutation_rate: float = 0.1
) -> IntransitiveNumbers:
    """Return the intransitive numbers game, in which two players choose vectors of integers.

    The dimension in which the two vectors differ least decides: the larger integer in this dimension wins. So three
    vectors can beat each other in a cycle.

    Parameters
    ----------
    dimensions : int
        The number of integers in a strategy, 1 to 10.
    largest : int
        The largest value of each integer; the smallest is 0.
    threshold : int
        Dimensions in which the numbers differ by less than this do not count.
    mutation_rate : float
        Mutation draws each bit of a number again with this probability, above 0 and at most 1. Each number is the
        count of ones among `largest` bits.

    Returns
    -------
    IntransitiveNumbers
        The game, whose unit is points.

    References
    ----------
    .. [1] Watson & Pollack (2001), "Coevolutionary dynamics in a minimal substrate"
    """
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
) -> contests.Contest:
    """Return the two-player game that is given by a function, which returns what one strategy wins from another.

    Coevolving populations draw new seeds for their pairings in each generation. Nash memories (`solvers.NashMemory`)
    and minimax coevolution let two strategies play only once, with seed 0. If results depend much on chance, let `play`
    average over many random draws.

    Parameters
    ----------
    play : callable
        A function `play(a, b, seed)`, which returns the finite number that strategy `a` wins from `b`, always the same
        for the same seed, an integer. It may be compiled by `numba.njit`.
    name : str
        The name of the contest.
    unit : Unit
        The unit of payoffs, such as `pokerlab.core.POINTS`.
    symmetric : bool
        Whether both positions are equivalent. If not, each pairing is played in both positions, and the result is half
        of the difference.
    seconds : float
        The longest time of one play, in seconds, where the user cannot interrupt it. After it an error is raised.

    Returns
    -------
    Contest
        The game.

    Raises
    ------
    SettingError
        If `play` is not a function, if `unit` is not a unit, or if another argument is not valid.

    Examples
    --------
    >>> import pokerlab as pl
    >>> ahead = contest(lambda a, b, seed: float((a - b).sum()), name="ahead", unit=pl.core.POINTS)
    >>> search = pl.solvers.Mutants(seed=1, offspring=10)
    >>> memory = pl.solvers.NashMemory(ahead, encoding=pl.strategies.BitString(5), heuristic=search)
    >>> memory.step(memory.init(), 30).strategies[-1].tolist()
    [1.0, 1.0, 1.0, 1.0, 1.0]
    """
    return contests.Contest(play, name, unit, symmetric, seconds)


def rake_game(game: SequenceForm, share: Fraction | float) -> SequenceForm:
    """Return a two-player poker game in which the house keeps a share of each pot that is won.

    Parameters
    ----------
    game : SequenceForm
        A two-player zero-sum poker game.
    share : Fraction or float
        The rake: the share of the pot that the house keeps, at least 0 and below 1/2. Split pots are not raked.

    Returns
    -------
    SequenceForm
        The compiled game, which has the unit of `game`.

    Raises
    ------
    GameError
        If `game` is not a compiled two-player zero-sum game, or if it has too many terminals to list.
    SettingError
        If the share is not a number from 0 to below 1/2.
    """
    check_game_is_compiled(game)
    game.check_terminals_can_be_listed()
    validate_number("the rake", share, 0, 0.5)
    return compile_rules(RakedRules(game.rules, Fraction(str(share))))


def lock_infosets(
    game: SequenceForm, profile: Profile, where: int | Iterable[tuple[int, str]]
) -> SequenceForm:
    """Return the game in which the behavior at some information sets is fixed.

    Such a game answers questions such as "what if player 2 never bluffs?". At a locked information set chance chooses
    the action with the probabilities of a profile, so all solvers and metrics accept the game. The other information
    sets keep their labels. An information set that can only be reached by a locked action of probability zero is
    removed. `unlock_profile` converts a profile of the locked game to a profile of the original one.

    Parameters
    ----------
    game : SequenceForm
        A compiled game, which may itself be locked.
    profile : Profile
        A profile of this game. Only its probabilities at the locked information sets matter.
    where : int or iterable of (int, str)
        The locked information sets: all those of a player, counted from 0, or pairs of a player and the label of an
        information set.

    Returns
    -------
    SequenceForm
        The compiled game.

    Raises
    ------
    SettingError
        If no information set is locked.
    KindError
        If `where` is neither a player nor pairs of a player and a label.
    UnknownNameError
        If the game does not have one of these information sets.
    GameError
        If the profile belongs to another game, or if the game has too many terminals to list.

    Examples
    --------
    >>> import pokerlab as pl
    >>> kuhn = pl.games.kuhn()
    >>> honest = Profile.from_table(kuhn, {(1, "J, pass"): {"pass": 1.0}})
    >>> never_bluffs = lock_infosets(kuhn, honest, where=[(1, "J, pass")])
    >>> never_bluffs
    <KP(2), locked: player 2 at 'J, pass': 2 players, 6 + 5 information sets, 26 ends>
    >>> round(pl.solvers.SequenceFormLP(never_bluffs).solve().value, 6)  # 1/18; was -1/18
    0.055556
    """
    return compile_rules(LockedRules(game, profile, where))


def unlock_profile(profile: Profile) -> Profile:
    """Return the profile of the original game that is equivalent to a profile of a locked game.

    At an information set that was locked, or that the locked game does not have, it has the probabilities of the
    profile with which `lock_infosets` locked the game. At all other information sets it has the probabilities of the
    given profile.

    Parameters
    ----------
    profile : Profile
        A profile of a game that `lock_infosets` returned.

    Returns
    -------
    Profile
        A profile of the game that `lock_infosets` was given.

    Raises
    ------
    KindError
        If `profile` is not a `Profile`.
    GameError
        If the game of the profile is not a locked game.
    """
    check_kind(
        "profile", profile, Profile, "one of a locked game, from games.lock_infosets()", KindError
    )
    rules = profile.game.rules
    if not isinstance(rules, LockedRules):
        raise GameError(
            f"{profile.game.name} has nothing locked; give a profile of games.lock_infosets()."
        )
    original_profile = rules.profile
    return Profile.from_table(
        original_profile.game, original_profile.to_table() | profile.to_table()
    )


def __getattr__(name: str) -> NoReturn:
    reject_missing_name(__name__, name)


def __dir__() -> list[str]:
    return sorted(__all__)
