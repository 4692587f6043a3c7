"""A contest for a class: a folder of submissions, who wins what from whom, and what is wrong with the others.

How to read it. A submission is a file that defines one function, `strategy`. In Kuhn poker and in limit hold'em it
is asked once in each situation, alone in its process (see `apart`); its answers are a strategy as data, which is played
here. In a contest of your own it is either asked once for a genome, or move by move: then the two who meet sit in
processes of their own, begun anew for each pair, so that nobody remembers other meetings.
"""

import unicodedata
from collections.abc import Callable, Collection, Container, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from contests.apart import Apart, Broken, lend_function
from pokerlab import solvers
from pokerlab.classroom.truths_on_holdem import play_choosily
from pokerlab.core import GameError, PokerlabError, SettingError, UnknownNameError
from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.random_numbers import random_stream
from pokerlab.core.settings import validate_integer, validate_number
from pokerlab.games import Profile, kuhn
from pokerlab.games.contests import Contest
from pokerlab.holdem import (
    BucketedProfile,
    TupleTable,
    play_round_robin,
    ring_game,
)
from pokerlab.holdem.hand import ACTIONS, CALLING
from pokerlab.holdem.real_player import find_largest_loss, make_bucketed_player, make_structure
from pokerlab.metrics import rate_players
from pokerlab.metrics.match_results import Ratings
from pokerlab.papers import methods, samothrakis2011_holdem
from pokerlab.strategies import RealVector

PAIRS = 50
"""Winnings are those of 100 hands, half of them in each seat."""
KUHN_HOUSE, LIMIT_HOUSE = ("equilibrium", "coin tosser"), ("CFR+", "evolved", "choosy")
"""Who plays with the class."""
MOST_LETTERS, DIGITS = 24, 9
"""Of a name; of what is exact, so that a draw is a draw."""


@dataclass(frozen=True, eq=False)
class Leaderboard:
    """What came of a contest of N players; `leaderboard` makes it."""

    names: tuple[str, ...]  # submissions that can be played, by the alphabet, then the house
    table: Floats  # (N, N): what the row wins from the column
    errors: Floats  # (N, N): standard errors; 0 where the table is exact
    prices: Floats  # (N,): what a best response wins, NaN where nobody knows
    unit: str  # of all of these
    broken: Mapping[str, str]  # what is wrong with other submissions, by name
    confined_by: str = ""  # what confined each submission on this machine, and what is missing

    @cached_property
    def ratings(self) -> Ratings:
        """Four ratings of everybody, with intervals unless the table is exact."""
        return rate_players(self.table, errors=self.errors if self.errors.any() else None)


def rank_submissions(
    folder: Path | str,
    contest: str | Contest,
    *,
    answers: RealVector | Collection[Any] = (),
    meetings: int = 1000,
    seed: int = 1,
    seconds: float = 10.0,
    megabytes: int = 1024,
) -> Leaderboard:
    """Let the submissions of a folder meet, and name what is wrong with those that cannot.

    Parameters
    ----------
    folder : Path or str
        Each of its files `*.py` defines a function `strategy`.
    contest : {'kuhn', 'limit'} or Contest
        In Kuhn poker `strategy(card, before)` returns the chance to bet or call: a card is 'J', 'Q' or 'K', and before
        it was '', 'check', 'bet' or 'check, bet'. In limit hold'em with six buckets `strategy(street, bucket, button,
        own_raises, other_raises)` returns the chances to fold, call and raise; streets are 0 to 3, a bucket of 5 is
        best, and raises are those of this street. For a contest of your own see `answers`.
    answers : encoding or collection
        For a contest of your own. An encoding, such as `RealVector(3)`: `strategy()` returns a genome. A
        collection of all that may be answered: `play` gets functions, and calls them with numbers, texts, or lists.
    meetings : int
        Of a pair: deals in limit hold'em, each played in both seats; else seeds of a contest of your own.
    seed : int
        Of all of these.
    seconds, megabytes : float, int
        What a submission may take, to load and to answer, alone or in all meetings of a pair.
    """
    confined_by: set[str] = set()
    apart = partial(
        lend_function,
        seconds=validate_number("seconds", seconds, 0.1),
        megabytes=validate_integer("megabytes", megabytes, 64),
        confined_by=confined_by,
    )
    validate_integer("meetings", meetings, 2)
    if isinstance(contest, Contest):
        if not hasattr(answers, "validate_genomes") and not len(answers):
            raise SettingError("answers is empty; give an encoding, or all that may be answered.")
        seeds = random_stream(seed, "a class").integers(0, 2**62, meetings)
        board = play_own_contest(find_submissions(Path(folder)), apart, contest, answers, seeds)
    else:
        UnknownNameError.check("contest", contest, ("kuhn", "limit"))
        if contest == "kuhn":
            board = play_kuhn_poker(find_submissions(Path(folder), KUHN_HOUSE), apart)
        else:
            files = find_submissions(Path(folder), LIMIT_HOUSE)
            board = play_limit_holdem(files, apart, meetings, seed)
    return replace(board, confined_by=" or ".join(sorted(confined_by)))


def find_submissions(folder: Path, taken: Container[str] = ()) -> dict[str, Path]:
    """Return the submissions of a folder by their names, which are not `taken` and can be shown anywhere."""
    found: dict[str, Path] = {}
    for path in sorted(folder.glob("*.py")):
        stem = unicodedata.normalize("NFC", path.stem)[:MOST_LETTERS]
        name = "".join(sign if sign.isalnum() or sign in " +-_.()" else "?" for sign in stem)
        names = [name, *(f"{name} ({number})" for number in range(2, len(found) + 3))]
        if path.is_file() and not path.name.startswith("."):
            found[next(one for one in names if one not in found and one not in taken)] = path
    if not found:
        raise SettingError(
            f"there are no submissions in {folder}. Put a file NAME.py for each into this folder."
        )
    return found


def ask_submissions(
    files: Mapping[str, Path], apart: Any, read: Callable[[Apart], Any]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what is read of each submission, alone in its process, and what is wrong with the others."""
    players: dict[str, Any] = {}
    broken: dict[str, str] = {}
    for name, path in files.items():
        try:
            with apart(path, name) as ask:
                players[name] = read(ask)
        except Broken as error:
            broken[name] = error.why
        except PokerlabError as error:
            broken[name] = Broken(name, f"broken: {error}").why
    return players, broken


def play_kuhn_poker(files: Mapping[str, Path], apart: Any) -> Leaderboard:
    """Return what profiles of Kuhn poker win from each other, exactly."""
    players, broken = ask_submissions(files, apart, read_kuhn_profile)
    house = (
        solvers.SequenceFormLP(kuhn()).solve().profile,
        methods.make_characters(kuhn())["toss a coin"],
    )
    players |= dict(zip(KUHN_HOUSE, house, strict=True))
    each = players.values()
    won = np.array(
        [[methods.compute_payoff_against(kuhn(), one, other) for other in each] for one in each]
    )
    prices = np.array([kuhn().nash_conv(one) for one in each])
    won, prices = ((PAIRS * exact).round(DIGITS) + 0.0 for exact in (won, prices))  # no minus zero
    return Leaderboard((*players,), won, 0.0 * won, prices, "chips in 100 hands", broken)


def read_kuhn_profile(ask: Apart) -> Profile:
    """Return what a submission does in the twelve situations of Kuhn poker."""
    table = {}
    for player, label in kuhn().infoset_index:
        card, _, before = label.partition(", ")
        given = card, before.replace("pass", "check").replace("-", ", ")
        chance = validate_number(f"strategy{given}", ask(*given), 0.0, 1.0)
        table[player, label] = {"bet": chance, "pass": 1.0 - chance}
    return Profile.from_table(kuhn(), table)


def play_limit_holdem(files: Mapping[str, Path], apart: Any, deals: int, seed: int) -> Leaderboard:
    """Return what tables of chances win from each other with real cards; their prices are those in six buckets."""
    encoding = TupleTable(samothrakis2011_holdem.make_six_bucket_game(), positive="absolute")
    found, broken = ask_submissions(files, apart, partial(read_tuple_table, encoding=encoding))
    house = (
        samothrakis2011_holdem.make_agent("regret minimization"),
        samothrakis2011_holdem.make_agent(samothrakis2011_holdem.OURS),
    )
    found |= dict(zip(LIMIT_HOUSE, house, strict=False))
    players: list[Any] = [
        *(make_bucketed_player(profile, name) for name, profile in found.items()),
        play_choosily,
    ]
    game = ring_game(make_structure(house[0]), 2, find_largest_loss(house[0]), duplicates=True)
    won, errors = play_round_robin(game, players, deals, seed=seed)
    prices = PAIRS * np.array([encoding.game.nash_conv(each) for each in found.values()])
    names = (*found, LIMIT_HOUSE[-1])
    return Leaderboard(names, won / 10, errors / 10, np.append(prices, np.nan), "BB/100", broken)


def read_tuple_table(ask: Apart, *, encoding: TupleTable) -> BucketedProfile:
    """Return what a submission does in each bucket of each situation of limit hold'em.

    Where it may not fold or raise, that chance is one to check or call.
    """
    chances = np.zeros(encoding.shape)
    for row, bucket in np.ndindex(*encoding.shape[:2]):
        street, *betting = encoding.game.tree.situations[row]
        given = street, bucket, *betting
        answer = ask(*given)
        if not isinstance(answer, list) or len(answer) != len(ACTIONS) or not any(answer):
            raise SettingError(
                f"strategy{given} is {answer!r}; give chances to {', '.join(ACTIONS)}."
            )
        allowed = encoding.has_effect[row, bucket]
        numbers = np.array([validate_number(f"strategy{given}", each, 0.0, 1.0) for each in answer])
        chances[row, bucket] = numbers * allowed
        chances[row, bucket, CALLING] += numbers @ ~allowed
    return encoding.make_profile(chances.ravel())


def play_own_contest(
    files: Mapping[str, Path], apart: Any, contest: Contest, answers: Any, seeds: Ints
) -> Leaderboard:
    """Return what genomes, or functions, win from each other in a contest."""
    of_genomes = hasattr(answers, "validate_genomes")
    players, broken = ask_submissions(
        files, apart, lambda ask: answers.validate_genomes([ask()])[0] if of_genomes else ()
    )
    won: dict[tuple[str, str], Floats] = {}
    alone = np.zeros(len(seeds), int)
    for pair in combinations(players, 2):
        if broken.keys().isdisjoint(pair):
            try:
                with ExitStack() as stack:
                    two: list[Any] = [np.array([players[name]]) for name in pair]
                    if not of_genomes:
                        asks = [stack.enter_context(apart(files[name], name)) for name in pair]
                        two = [[partial(check_answer, ask, [*answers])] for ask in asks]
                    won[pair] = contest.play_pairings(two[0], two[1], alone, alone, seeds)
            except (Broken, GameError) as error:
                fault = error if isinstance(error, Broken) else error.__cause__
                if not isinstance(fault, Broken):
                    raise
                broken[fault.name] = fault.why
    names = tuple(name for name in players if name not in broken)
    table, errors = np.zeros((2, len(names), len(names)))
    for row, column in combinations(range(len(names)), 2):
        of_pair = won[names[row], names[column]]
        table[row, column] = of_pair.mean()
        errors[row, column] = of_pair.std(ddof=1) / len(seeds) ** 0.5
    unknown, unit = np.full(len(names), np.nan), contest.unit.plural
    return Leaderboard(names, table - table.T, errors + errors.T, unknown, unit, broken)


def check_answer(ask: Apart, allowed: Collection[Any], *arguments: Any) -> Any:
    """Return what a submission answers, which is one of what is allowed."""
    answer = ask(*arguments)
    for each in allowed:
        if each == answer:
            return each
    asked_with = ", ".join(map(repr, arguments))
    why = f"broken: it answers {answer!r}, which is none of {allowed}, to strategy({asked_with})"
    raise Broken(ask.name, why)
