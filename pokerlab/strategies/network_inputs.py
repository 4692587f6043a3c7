"""What a network sees of a hand: a few numbers from -1 to 1 for each information set."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import GameError, SettingError, ShapeError
from pokerlab.core.arrays import Floats
from pokerlab.games import SequenceForm
from pokerlab.games.one_card import OneCardPoker
from pokerlab.games.variants import RakedRules

NONE, BET, PASS = 0.0, 1.0, -1.0
"""How a previous action is encoded; the paper does not say."""


@dataclass(frozen=True, eq=False, init=False)
class Inputs:
    """What a network sees at each information set.

    Parameters
    ----------
    names : tuple of str
        What each input is.
    values : array_like of shape (I, inputs)
        One row for each information set, in the order of `game.infoset_label`.

    Raises
    ------
    ShapeError
        If there is not one column for each name.
    SettingError
        If a value is not a finite number.
    """

    names: tuple[str, ...]
    values: Floats

    def __init__(self, names: tuple[str, ...], values: ArrayLike) -> None:
        table = np.array(values, dtype=np.float64)
        if table.ndim != 2 or table.shape[1] != len(names):
            raise ShapeError(
                f"inputs have shape {table.shape}; with the names {names} give (I, {len(names)}): a row"
                " for each information set."
            )
        if not np.isfinite(table).all():
            row, column = np.argwhere(~np.isfinite(table))[0]
            raise SettingError(
                f"input '{names[column]}' of information set {row} is {table[row, column]}; give finite"
                " numbers, from -1 to 1 where possible."
            )
        table.setflags(write=False)
        object.__setattr__(self, "names", tuple(names))
        object.__setattr__(self, "values", table)

    @classmethod
    def seen_by(
        cls, game: SequenceForm, names: tuple[str, ...], see: Callable[[int, str], ArrayLike]
    ) -> "Inputs":
        """Return the inputs that `see(player, infoset label)` gives, one number a name."""
        rows = [see(player, label) for player, label in game.infoset_index]
        return cls(names, np.array(rows, dtype=np.float64).reshape(len(rows), len(names)))


def inputs_of(game: SequenceForm) -> Inputs:
    """Return what a net sees in a game whose hands a few numbers describe.

    Raises
    ------
    GameError
        If it is another game.
    """
    if max(game.num_infosets) == 1:
        return Inputs((), np.empty((len(game.infoset_label), 0)))
    rules = game.rules.rules if isinstance(game.rules, RakedRules) else game.rules
    if isinstance(rules, OneCardPoker):
        return one_card_inputs(game, rules)
    raise GameError(
        f"what a network is to see of {game.name} cannot be derived. Give inputs=Inputs(names, values),"
        " a row of numbers for each information set, or Inputs.seen_by(game, names, see)."
    )


def one_card_inputs(game: SequenceForm, rules: OneCardPoker) -> Inputs:
    """Return the card, lowest -1 to highest 1, and everybody's previous action (section 4.1)."""
    n, ranks = rules.num_players, rules.ranks
    cards = {rules.card_name(card): 2.0 * card / (ranks - 1) - 1.0 for card in range(ranks)}

    def see(player: int, label: str) -> list[float]:
        card, _, actions = label.partition(", ")
        previous = [NONE] * n
        for turn, action in enumerate(filter(None, actions.split("-"))):
            previous[turn % n] = BET if action == "bet" else PASS
        return [cards[card], *previous]

    names = ("card", *(f"previous action of player {p + 1}" for p in range(n)))
    return Inputs.seen_by(game, names, see)
