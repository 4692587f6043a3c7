"""Disturbances of runs: what a reader can do to the run of a solver, and how a run begins at a point of a triangle.

`list_offers` returns the disturbances that fit a solver, for the controls of `live.disturb`.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from pokerlab.core import SettingError, random_stream
from pokerlab.games import Profile, SequenceForm
from pokerlab.holdem import RuleEncoding
from pokerlab.papers.lanctot2014 import draw_profile
from pokerlab.papers.methods import make_characters
from pokerlab.papers.noble2001 import BAD, PRINTED, REASONABLE
from pokerlab.solvers import (
    ContinuousReplicator,
    MinimaxCoevolution,
    PopulationCoevolution,
    ReplicatorDynamics,
    mix_in_profile,
)
from pokerlab.solvers.disturbances import replace_strategies, set_action_probability
from pokerlab.solvers.dynamics import DynamicsState
from pokerlab.solvers.population_coevolution import PopulationState
from pokerlab.strategies import DirectEncoding
from pokerlab.workbench.live.view import Change, Choice, Offer, Values

SHARES = {f"{share}%": share / 100 for share in (1, 2, 5, 10, 20, 30, 50, 90, 100)}
PROBABILITIES = {
    "never (0)": 0.0,
    "rarely (0.01)": 0.01,
    "half the time (0.5)": 0.5,
    "always (1)": 1.0,
}
USUAL_SHARE = "10%"


def list_offers(solver: Any) -> tuple[Offer, ...]:
    """Return the disturbances that fit a solver, or none if its next step would overwrite a changed state.

    CFR and fictitious play compute their strategies from regrets and averages, and a memory computes its mixture from
    the stored strategies. Minimax coevolution draws a new population in each generation.
    """
    if isinstance(solver, ReplicatorDynamics | ContinuousReplicator):
        return make_mutants_offer(solver.game), make_action_offer(solver.game)
    if isinstance(solver, PopulationCoevolution):
        return (make_newcomers_offer(solver),)
    return ()


def make_mutants_offer(game: SequenceForm) -> Offer:
    """Return the offer to mix in a share of mutants that play another profile."""
    mutants: dict[str, Any] = {
        "the uniform strategy": game.uniform(),
        "a best response": find_best_responses,
        "a random strategy": lambda state: draw_profile(game, state.iteration),
    }
    mutants |= list_characters(game)

    def make_change(values: Values) -> Change:
        share = values["share"]
        profile = mutants[values["who"]]

        def mix_in(state: DynamicsState) -> DynamicsState:
            mutant_profile = profile if isinstance(profile, Profile) else profile(state)
            return mix_in_profile(state, mutant_profile, share)

        return mix_in, f"{share:.0%} mutants: {values['who']}"

    return Offer(
        "Mix in mutants",
        (
            Choice("who", "Mutants play", lambda values: {name: name for name in mutants}),
            Choice("share", "Share of mutants", lambda values: SHARES, USUAL_SHARE),
        ),
        make_change,
    )


def find_best_responses(state: DynamicsState) -> Profile:
    """Return the profile in which each player plays a best response to the current strategies of the others."""
    game, current = state.game, state.current
    responses = [game.best_response(current, player).behavior for player in range(game.num_players)]
    return Profile(game, np.concatenate(responses))


def list_characters(game: SequenceForm) -> dict[str, Profile]:
    """Return simple profiles of a game by name, such as 'always bet', or one for each action of a matrix game.

    They are empty for other games than poker with the actions pass and bet and symmetric matrix games.
    """
    if set(game.action_label) == {("pass", "bet")}:
        characters: dict[str, Profile] = make_characters(game)
        return {name: each for name, each in characters.items() if name != "toss a coin"}
    if set(game.num_infosets) == {1} and len(set(game.action_label)) == 1:
        actions = game.action_label[0]
        pure = np.eye(len(actions))
        return {
            f"always {action}": Profile(game, np.tile(pure[index], game.num_players))
            for index, action in enumerate(actions)
        }
    return {}


def make_action_offer(game: SequenceForm) -> Offer:
    """Return the offer to set the probability of an action, such as never or always."""
    situations = {
        f"player {player + 1}: {label}": (player, label) for player, label in game.infoset_index
    }

    def list_actions(values: Values) -> dict[str, str]:
        return {action: action for action in game.find_action_slice(*values["situation"])[1]}

    def make_change(values: Values) -> Change:
        (player, label), action, probability = (
            values[name] for name in ("situation", "action", "probability")
        )
        change = partial(
            set_action_probability,
            player=player,
            infoset=label,
            action=action,
            probability=probability,
        )
        return change, f"player {player + 1}, {label}: {action} {probability:g}"

    return Offer(
        "Set an action's probability",
        (
            Choice("situation", "Situation", lambda values: situations),
            Choice("action", "Action", list_actions),
            Choice("probability", "Probability", lambda values: PROBABILITIES),
        ),
        make_change,
    )


def make_newcomers_offer(solver: PopulationCoevolution) -> Offer:
    """Return the offer to replace the least fit strategies by random ones, copies of the champion, or named ones."""
    genomes: dict[str, Any] = {"random strategies": None, "copies of the champion": None}
    if isinstance(solver.encoding, RuleEncoding):
        named = {one.name: one.genome for one in (*REASONABLE, *BAD)}
        genomes |= {"the one that the paper prints": PRINTED.genome} | named
    populations = {f"population {index + 1}": index for index in range(solver.populations)}

    def make_change(values: Values) -> Change:
        who, share, population = (values[name] for name in ("who", "share", "population"))
        count = max(1, round(share * solver.size))

        def replace_least_fit(state: PopulationState) -> PopulationState:
            genome = genomes[who]
            if who == "random strategies":
                generator = random_stream(solver.seed, "newcomers", state.iteration, population)
                newcomers = solver.encoding.draw_genomes(generator, count)
            else:
                copied = state.champions[population] if genome is None else genome
                newcomers = np.tile(copied, (count, 1))
            return replace_strategies(state, newcomers, population=population)

        where = f" in population {population + 1}" * (solver.populations > 1)
        return replace_least_fit, f"{count} × {who}{where}"

    return Offer(
        "Put in newcomers",
        (
            Choice("who", "Newcomers are", lambda values: {name: name for name in genomes}),
            Choice("share", "Share", lambda values: SHARES, USUAL_SHARE),
            Choice("population", "Population", lambda values: populations),
        ),
        make_change,
    )


def make_start_change(solver: Any, state: Any, player: int, mixture: Sequence[float]) -> Change:
    """Return a change that lets a run begin with a mixture of a player's three actions, and words for it.

    The other players begin as in `state`, or with the same mixture if all seats share one genome.

    Parameters
    ----------
    solver : Solver
        The solver.
    state : Any
        The state of iteration 0.
    player : int
        The index of the player.
    mixture : sequence of 3 floats
        The weights of the actions, which are scaled to sum to 1. Negative ones count as 0.

    Raises
    ------
    SettingError
        If the solver's genomes are not probabilities, as with network weights.
    """
    game: SequenceForm = solver.game
    encoding = getattr(solver, "encoding", None)
    if isinstance(solver, MinimaxCoevolution) and not isinstance(encoding, DirectEncoding):
        raise SettingError(
            "These genomes are network weights, so a mixture cannot be set directly. Choose the representation"
            " 'direct'."
        )
    shared = encoding is not None and encoding.seats == "shared"
    players = range(game.num_players) if shared else (player,)
    weights = np.maximum(np.asarray(mixture, np.float64), 0.0)
    begin: Profile = state.profile if encoding is not None else state.current
    for each in players:
        begin = begin.replace(each, weights / weights.sum())
    start = begin if encoding is None else encoding.find_genome(begin.probabilities)
    actions = zip(game.action_label[int(game.infoset_start[player])], weights, strict=True)
    words = ", ".join(f"{action} {weight:.2f}" for action, weight in actions)
    return lambda state: solver.init(start), f"start at {words}"
