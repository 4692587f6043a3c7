"""What a reader can do to the run of each solver: disturb it, or let it begin at a point of a triangle.

`list_offers` says what a solver offers, for the controls of `live.disturb`.
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
    DynamicsState,
    MinimaxCoevolution,
    PopulationCoevolution,
    ReplicatorDynamics,
    mix_in_profile,
    replace_strategies,
    set_action_probability,
)
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
    """Return the disturbances that fit a solver; none if its next step would overwrite a changed state.

    CFR and fictitious play compute their behavior from regrets and averages, and a memory its mixture from what it
    holds. Minimax coevolution has no population that stays.
    """
    if isinstance(solver, ReplicatorDynamics | ContinuousReplicator):
        return offer_mutants(solver.game), offer_action(solver.game)
    if isinstance(solver, PopulationCoevolution):
        return (offer_newcomers(solver),)
    return ()


def offer_mutants(game: SequenceForm) -> Offer:
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
            played = profile if isinstance(profile, Profile) else profile(state)
            return mix_in_profile(state, played, share)

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
    """Return the profile in which each player plays a best response to what the others play now."""
    game, current = state.game, state.current
    responses = [game.best_response(current, player).behavior for player in range(game.num_players)]
    return Profile(game, np.concatenate(responses))


def list_characters(game: SequenceForm) -> dict[str, Profile]:
    """Return fallible players of a game by name: who always bets, for example, or plays one action only."""
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


def offer_action(game: SequenceForm) -> Offer:
    """Return the offer to remove an action, to free it again, or to play nothing else."""
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


def offer_newcomers(solver: PopulationCoevolution) -> Offer:
    """Return the offer to replace the least fit strategies: by random ones, copies of the champion or named ones."""
    genomes: dict[str, Any] = {"random strategies": None, "copies of the champion": None}
    if isinstance(solver.encoding, RuleEncoding):
        named = {one.name: one.genome for one in (*REASONABLE, *BAD)}
        genomes |= {"the one that the paper prints": PRINTED.genome} | named
    populations = {f"population {index + 1}": index for index in range(solver.populations)}

    def make_change(values: Values) -> Change:
        who, share, population = (values[name] for name in ("who", "share", "population"))
        count = max(1, round(share * solver.size))

        def replace_least_fit(state: PopulationState) -> PopulationState:
            given = genomes[who]
            if who == "random strategies":
                generator = random_stream(solver.seed, "newcomers", state.iteration, population)
                newcomers = solver.encoding.draw_genomes(generator, count)
            else:
                one = state.champions[population] if given is None else given
                newcomers = np.tile(one, (count, 1))
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
    """Return the change at iteration 0 that lets a player begin with a mixture of three actions, and words for it.

    The other players begin as the state does, unless they share the player's genes.

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
