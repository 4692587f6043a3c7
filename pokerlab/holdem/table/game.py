"""Tables as games: what is played there, with a name, a fingerprint and a unit.

Solvers hold one of these as their `game`; runs, checkpoints and provenance then say what was played
and refuse to go on with anything else.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

from numpy.typing import ArrayLike

from pokerlab.core.errors import SettingError, UnknownNameError
from pokerlab.core.settings import switch
from pokerlab.core.units import CHIPS, Unit
from pokerlab.holdem.betting.seating import MOST_SEATS
from pokerlab.holdem.betting.structure import Structure
from pokerlab.holdem.table.play import play
from pokerlab.holdem.table.players import Player
from pokerlab.holdem.table.results import Played
from pokerlab.holdem.table.steps import checked_lineups, stacks_of

LEFT_OUT = "ante_from='everybody', straddles=(), button_straddle=0, rake=None"
"""What structures also said of themselves when runs were first recorded: fingerprints still have it."""


@dataclass(frozen=True)
class RingGame:
    """A cash game, with fresh stacks every hand or carried ones; make one with `ring_game`.

    Attributes
    ----------
    structure : Structure
        Blinds and sizes of bets.
    stacks : tuple of int
        Chips of each seat at the start of every hand, or of a game if they are carried.
    stacks_carried : bool
        Whether chips stay from hand to hand: see `pokerlab.holdem.play`.
    unit : Unit
        Of what players win: chips.
    """

    structure: Structure
    stacks: tuple[int, ...]
    stacks_carried: bool = False
    unit: Unit = field(default=CHIPS, init=False)

    def __post_init__(self) -> None:
        check_kind("structure", self.structure, Structure, "no_limit(1, 2)")
        switch("stacks_carried", self.stacks_carried)
        object.__setattr__(self, "stacks", stacks_of(len(self.stacks), self.stacks))

    @property
    def num_seats(self) -> int:
        """How many seats a table has."""
        return len(self.stacks)

    @property
    def name(self) -> str:
        """What people call the game."""
        blinds = f"{self.structure.small_blind}/{self.structure.big_blind}"
        carried = ", stacks carried" if self.stacks_carried else ""
        return f"{self.structure.kind} hold'em {blinds} with {self.num_seats} seats{carried}"

    @property
    def fingerprint(self) -> str:
        """A digest of everything that decides the numbers; equal for equal games."""
        return digest(self.structure, self.stacks, *(["carried"] if self.stacks_carried else []))

    def play(
        self,
        players: Sequence[Player],
        num_deals: int,
        *,
        seed: int,
        lineups: ArrayLike | None = None,
        **options: Any,
    ) -> Played:
        """Play hands at one table or many; all parameters are those of `pokerlab.holdem.play`.

        Raises
        ------
        SettingError
            If the players or line-ups do not fill the seats, or an option is out of range.
        UnknownNameError
            If there is no such option, or the game decides it.
        """
        own: dict[str, Any] = {"stacks": self.stacks, "stacks_carried": self.stacks_carried}
        check_options("cash game", play, options, own)
        check_full(self.num_seats, players, lineups)
        return play(
            self.structure, players, num_deals, seed=seed, lineups=lineups, **own, **options
        )


def ring_game(
    structure: Structure,
    seats: int = 10,
    stacks: int | Sequence[int] = 1000,
    *,
    stacks_carried: bool = False,
) -> RingGame:
    """Return a cash game.

    Parameters
    ----------
    structure : Structure
        From `limit` or `no_limit`.
    seats : int
        Seats of a table, 2 to 10.
    stacks : int or sequence of int
        Chips of every seat, or of each, at the start of a hand, or of a game if they are carried.
    stacks_carried : bool
        Whether chips stay from hand to hand: see `pokerlab.holdem.play`.

    Raises
    ------
    SettingError
        If a number is out of range.

    Examples
    --------
    >>> from pokerlab.holdem import ALWAYS_CALL, RANDOM, limit
    >>> game = ring_game(limit(2), seats=3, stacks=200)
    >>> game.name, str(game.unit)
    ("limit hold'em 1/2 with 3 seats", 'chips')
    >>> lineups = [[0, 1, 2], [3, 2, 0]]
    >>> game.play([RANDOM, ALWAYS_CALL] * 2, 50, seed=1, lineups=lineups).hands_of.tolist()
    [100, 50, 100, 50]
    """
    return RingGame(structure, stacks_of(seats, stacks), stacks_carried)


def digest(*parts: object) -> str:
    """Return the beginning of the SHA-256 of what dataclasses of numbers and texts say of themselves."""
    text = re.sub(r"( ante=\d+)\)", rf"\1, {LEFT_OUT})", repr(parts))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def check_kind(name: str, value: object, kind: type, example: str) -> None:
    """Refuse rules of another kind."""
    if not isinstance(value, kind):
        raise SettingError(f"{name} is {value!r}; give a {kind.__name__}, such as {example}.")


def check_options(
    kind: str, rules: Callable[..., Any], options: Iterable[str], own: Iterable[str]
) -> None:
    """Refuse options that `rules` does not have, or that a game has as its `own`."""
    each = signature(rules).parameters.values()
    named = [option.name for option in each if option.kind is option.KEYWORD_ONLY]
    known = [name for name in named if name not in {"seed", "lineups", *own}]
    for name in options:
        UnknownNameError.check(f"option of a {kind}", name, known)


def check_full(
    num_seats: int, players: Sequence[Player], lineups: ArrayLike | None, most: int = MOST_SEATS
) -> None:
    """Refuse players or line-ups that do not fill the seats of each table."""
    if lineups is None:
        if len(players) != num_seats:
            raise SettingError(
                f"{len(players)} players are given for {num_seats} seats; give {num_seats} players, or"
                " say who sits where with lineups."
            )
        return
    filled = checked_lineups(lineups, len(players), most).shape[1]
    if filled != num_seats:
        raise SettingError(
            f"lineups have {filled} players a table; the game has {num_seats} seats. Give {num_seats}"
            " players a row."
        )
