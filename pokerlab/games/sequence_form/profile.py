"""A profile: everybody's behavior at every information set, one flat vector bound to its game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import GameError, KindError, ProbabilityError, ShapeError, UnknownNameError
from pokerlab.core.arrays import Floats
from pokerlab.games.sequence_form.sweeps import behavior_of, plans_of

if TYPE_CHECKING:
    from pokerlab.games.sequence_form.compiled import SequenceForm

SUM_TOLERANCE = 1e-9
"""Rounding of a few hundred additions stays below it; a wrong number does not."""
PLAN_TOLERANCE = 1e-6
"""Plans may come from a linear program, which keeps its constraints to 1e-7."""


@dataclass(frozen=True, eq=False, repr=False)
class Profile:
    """Probabilities of all actions of all players.

    Parameters
    ----------
    game : SequenceForm
        The game it belongs to.
    probabilities : array_like of shape (S - n,)
        One for each non-empty sequence, player after player, in the order of `game.action_label`.

    Raises
    ------
    ShapeError
        If there are too few or too many probabilities.
    ProbabilityError
        If one is negative or not a number, or an information set's do not sum to one.
    """

    game: "SequenceForm"
    probabilities: Floats
    vector: Floats = field(init=False)

    def __init__(self, game: "SequenceForm", probabilities: ArrayLike) -> None:
        vector = np.array(probabilities, dtype=np.float64)
        check_probabilities(game, vector)
        self.hold(game, vector)

    def hold(self, game: "SequenceForm", vector: Floats) -> None:
        """Keep `vector` for the kernels, with a read-only view: numba accepts a writable array faster."""
        shown = vector.view()
        shown.setflags(write=False)
        object.__setattr__(self, "game", game)
        object.__setattr__(self, "probabilities", shown)
        object.__setattr__(self, "vector", vector)

    @classmethod
    def computed(cls, game: "SequenceForm", probabilities: Floats) -> Self:
        """Bind probabilities that pokerlab has computed itself, without checking them."""
        profile = object.__new__(cls)
        profile.hold(game, probabilities)
        return profile

    @classmethod
    def from_plans(cls, game: "SequenceForm", plans: Sequence[ArrayLike]) -> Self:
        """Return the behavior of one realization plan a player; uniform at zero reach."""
        given = [np.asarray(plan, dtype=np.float64) for plan in plans]
        wanted = [(size,) for size in game.num_sequences]
        if [plan.shape for plan in given] != wanted:
            raise ShapeError(
                f"plans have shapes {[plan.shape for plan in given]}; {game.name} needs {wanted}."
            )
        for player, plan in enumerate(given):
            check_plan(game, player, plan)
        whole = np.concatenate([[plan[0] for plan in given], *(plan[1:] for plan in given)])
        return cls(game, behavior_of(game.block, whole))

    @classmethod
    def from_table(
        cls, game: "SequenceForm", table: Mapping[tuple[int, str], Mapping[str, float]]
    ) -> Self:
        """Return the profile that `table` spells out; information sets it leaves out are uniform.

        `table` maps (player, information set) to the probabilities of actions; actions left out
        get 0.
        """
        vector = np.array(game.uniform().probabilities)
        for (player, label), chosen in table.items():
            index = game.infoset(player, label)
            actions = game.action_label[index]
            for action in chosen:
                if action not in actions:
                    raise UnknownNameError.among(f"action at '{label}'", action, actions)
            at = game.first_sequence[index] - game.num_players
            vector[at : at + len(actions)] = [chosen.get(action, 0.0) for action in actions]
        return cls(game, vector)

    def of(self, player: int) -> Floats:
        """Return one player's probabilities, (S_i - 1,)."""
        self.game.check_player(player)
        return self.probabilities[self.game.player_sequences[player]]

    def at(self, player: int, infoset: str) -> dict[str, float]:
        """Return the probabilities at one information set, by action."""
        index = self.game.infoset(player, infoset)
        at = int(self.game.first_sequence[index]) - self.game.num_players
        actions = self.game.action_label[index]
        chosen = self.probabilities[at : at + len(actions)].tolist()
        return dict(zip(actions, chosen, strict=True))

    def plan(self, player: int) -> Floats:
        """Return one player's realization plan, (S_i,), the empty sequence first."""
        self.game.check_player(player)
        weights = plans_of(self.game.block, self.probabilities)
        mine = self.game.player_sequences[player]
        n = self.game.num_players
        return np.concatenate([[1.0], weights[mine.start + n : mine.stop + n]])

    def replace(self, player: int, behavior: "ArrayLike | Profile") -> "Profile":
        """Return this profile with another `behavior`, (S_i - 1,), of one player.

        A profile stands for that player's part of it.
        """
        self.game.check_player(player)
        if isinstance(behavior, Profile):
            check_profile(self.game, behavior)
            behavior = behavior.of(player)
        vector = np.array(self.probabilities)
        mine = self.game.player_sequences[player]
        new = np.asarray(behavior, dtype=np.float64)
        if new.shape != (mine.stop - mine.start,):
            raise ShapeError(
                f"behavior of player {player + 1} has shape {new.shape};"
                f" {self.game.name} needs ({mine.stop - mine.start},)."
            )
        vector[mine] = new
        return Profile(self.game, vector)

    def table(self) -> dict[tuple[int, str], dict[str, float]]:
        """Return all probabilities by (player, information set) and action."""
        return {key: self.at(*key) for key in self.game.infoset_index}

    def __repr__(self) -> str:
        return f"<profile of {self.game.name}: {self.probabilities.size} probabilities>"


def check_plan(game: "SequenceForm", player: int, plan: Floats) -> None:
    """Refuse weights that are not a realization plan of `player`."""
    treeplex = game.treeplex(player)
    if not (plan >= -SUM_TOLERANCE).all():
        raise ProbabilityError(
            f"plan of player {player + 1} has weights down to {np.min(plan)}; they must be from 0 to 1."
        )
    if abs(plan[0] - 1.0) > PLAN_TOLERANCE:
        raise ProbabilityError(
            f"plan of player {player + 1} gives the empty sequence {plan[0]}, not 1."
            " Divide the plan by it."
        )
    starts = treeplex.first_sequence
    totals = np.add.reduceat(plan, starts) if starts.size else plan[:0]
    off = np.abs(totals - plan[treeplex.parent_sequence])
    for infoset in np.flatnonzero(off > PLAN_TOLERANCE)[:1]:
        label = game.infoset_label[int(game.infoset_start[player]) + int(infoset)]
        raise ProbabilityError(
            f"plan of player {player + 1} sums to {totals[infoset]:.12g} at '{label}', whose own"
            f" sequence has weight {plan[treeplex.parent_sequence[infoset]]:.12g}; both must agree."
        )


def check_probabilities(game: "SequenceForm", vector: Floats) -> None:
    """Refuse a vector that is not a profile of `game`."""
    if vector.shape != (game.num_probabilities,):
        raise ShapeError(
            f"profile has shape {vector.shape}; {game.name} needs ({game.num_probabilities},)."
            " Start from game.uniform()."
        )
    n = game.num_players
    for q in np.flatnonzero(~(vector >= 0.0))[:1]:
        player, label, action = name_of(game, int(q))
        raise ProbabilityError(
            f"probability of '{action}' at '{label}' of player {player + 1} is {vector[q]};"
            " it must be from 0 to 1."
        )
    totals = np.add.reduceat(vector, game.first_sequence - n) if vector.size else vector
    for infoset in np.flatnonzero(~(np.abs(totals - 1.0) <= SUM_TOLERANCE))[:1]:
        player, label, _ = name_of(game, int(game.first_sequence[infoset]) - n)
        raise ProbabilityError(
            f"probabilities at '{label}' of player {player + 1} sum to {totals[infoset]:.12g}, not 1."
            " Normalize them first."
        )


def name_of(game: "SequenceForm", position: int) -> tuple[int, str, str]:
    """Return player, information set and action of a profile's entry."""
    sequence = position + game.num_players
    infoset = int(np.searchsorted(game.first_sequence, sequence, side="right")) - 1
    player = int(np.searchsorted(game.infoset_start, infoset, side="right")) - 1
    action = game.action_label[infoset][sequence - int(game.first_sequence[infoset])]
    return player, game.infoset_label[infoset], action


def check_profile(game: "SequenceForm", profile: Profile) -> None:
    """Refuse what is not a profile, and a profile that belongs to another game."""
    if not isinstance(profile, Profile):
        raise KindError(
            f"profile is a {type(profile).__name__}; give a profile of {game.name}, such as game.uniform()."
        ) from None
    if profile.game is not game and profile.game.fingerprint != game.fingerprint:
        raise GameError(
            f"profile belongs to {profile.game.name}, not to {game.name}."
            " Make one with game.uniform() or Profile(game, probabilities)."
        )
