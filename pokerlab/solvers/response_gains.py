"""The gains of responses to a genome, with which a worst case evaluates evolved responses.

The *gain* of a response is the sum, over seats, of its payoff minus the payoff of the genome itself in that seat, while
the genome plays in all other seats. `make_gain_evaluator` returns a function that computes the gains of many responses
to one genome. There is an exact one for compiled games, which uses that a payoff is linear in the plan of its player, a
slower one for other games, one that samples hands, and one for contests.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from pokerlab.core import Floats, GameError, kernel
from pokerlab.evolution.population.encoded_contest import EncodedContest
from pokerlab.games import SequenceForm
from pokerlab.games.game_block import NUM_PLAYERS, unpack_workspace
from pokerlab.games.tree_passes import compute_gradients, compute_plans, fill_plan
from pokerlab.strategies.encoding import Encoding

GainEvaluator: TypeAlias = Callable[..., tuple[Floats, Floats]]
"""A function that returns the gains and standard errors of responses, which are the rows of an array of genomes.

Its second argument is a random generator if hands are sampled, and None if payoffs are exact.
"""


def make_exact_gain_evaluator(encoding: Any, genome: Floats) -> GainEvaluator:
    """Return a function that computes the exact gains of responses to a genome, in a compiled game.

    The gain of a response is the sum, over seats, of its payoff minus the payoff of the genome itself in that seat,
    while the genome plays in all other seats. A player's payoff is linear in its own realization plan. So the gradient
    of the payoff at the genome's profile is computed once and used for all responses.

    Parameters
    ----------
    encoding : encoding with the method `compute_behaviors`
        The encoding, which maps genomes of G genes to strategies of its compiled game.
    genome : array of shape (G,)
        The genome to which the evaluated genomes respond.

    Returns
    -------
    callable
        A function of k responses, an array of shape (k, G), that returns their gains, (k,), and as many zeros, because
        exact gains have no error. It does not use its second argument, a random generator.
    """
    game_block = encoding.game.block
    behavior = encoding.compute_behaviors(genome[None, :])[0]
    gradient = compute_gradients(game_block, compute_plans(game_block, behavior))

    def compute_gains(
        responses: Floats, rng: np.random.Generator | None = None
    ) -> tuple[Floats, Floats]:
        """Return the exact gains of k responses, and k standard errors of zero; `rng` is not used."""
        response_behaviors = encoding.compute_behaviors(responses)
        gains = compute_response_gains(game_block, gradient, behavior, response_behaviors)
        return gains, np.zeros(len(gains))

    return compute_gains


def make_profile_gain_evaluator(encoding: Encoding, genome: Floats) -> GainEvaluator:
    """Return a function that computes the exact gains of responses to a genome, in a game that is not compiled.

    The gain of a response is the sum, over seats, of its payoff minus the payoff of the genome itself in that seat,
    while the genome plays in all other seats. The expected payoffs of a whole profile are computed for each response
    and each seat.

    Parameters
    ----------
    encoding : Encoding
        The encoding, which maps genomes of G genes to strategies of its game.
    genome : array of shape (G,)
        The genome to which the evaluated genomes respond.

    Returns
    -------
    callable
        A function of k responses, an array of shape (k, G), that returns their gains, (k,), and as many zeros. It does
        not use its second argument.
    """
    game: Any = encoding.game
    profile = encoding.make_profile(genome)
    own_payoff = float(game.values(profile).sum())

    def compute_gains(
        responses: Floats, rng: np.random.Generator | None = None
    ) -> tuple[Floats, Floats]:
        """Return the exact gains of k responses, and k standard errors of zero; `rng` is not used."""
        gains = []
        for response in responses:
            response_profile = encoding.make_profile(response)

            # The response plays in each seat, one after the other.
            payoffs = []
            for seat in range(game.num_players):
                profile_with_response = profile.replace(seat, response_profile)
                payoffs.append(game.values(profile_with_response)[seat])
            gains.append(sum(payoffs) - own_payoff)

        return np.array(gains), np.zeros(len(gains))

    return compute_gains


def make_sampling_gain_evaluator(encoding: Any, genome: Floats, hands: int) -> GainEvaluator:
    """Return a function that estimates the gains of responses to a genome from sampled hands, in a compiled game.

    The gain of a response is the sum, over seats, of its payoff minus the payoff of the genome itself in that seat,
    while the genome plays in all other seats. If several terminals have the same sequences of all players, a hand that
    ends in one of them pays the expected utility over these terminals.

    Parameters
    ----------
    encoding : encoding with the method `compute_behaviors`
        The encoding, which maps genomes of G genes to strategies of its compiled game.
    genome : array of shape (G,)
        The genome to which the evaluated genomes respond.
    hands : int
        The number of hands that are sampled in each seat, at least 2.

    Returns
    -------
    callable
        A function of k responses, an array of shape (k, G), and a random generator, which returns their mean gains and
        standard errors, each (k,).
    """
    game = encoding.game
    profile = encoding.make_profile(genome)
    own_plan = compute_plans(game.block, profile.vector)
    own_payoff = float(game.values(profile).sum())

    def compute_terminal_reach(response_plan: Floats, seat: int) -> Floats:
        """Return the probability of each terminal when the response plays in one seat and the genome in all others."""
        reach: Floats = game.chance.copy()
        for player in range(game.num_players):
            plan = response_plan if player == seat else own_plan
            reach *= plan[game.sequence[:, player]]
        return reach

    def estimate_gains(
        responses: Floats, rng: np.random.Generator | None = None
    ) -> tuple[Floats, Floats]:
        """Return the mean gains of k responses over sampled hands, and their k standard errors."""
        assert rng is not None
        payoff_sums = np.zeros(len(responses))
        variances = np.zeros(len(responses))
        for row, behavior in enumerate(encoding.compute_behaviors(responses)):
            response_plan = compute_plans(game.block, behavior)
            for seat in range(game.num_players):
                reach = compute_terminal_reach(response_plan, seat)

                # Sample how often the hands end at each terminal.
                frequencies = rng.multinomial(hands, reach / reach.sum()) / hands
                payoffs = game.payoff[:, seat]
                mean = float(frequencies @ payoffs)
                payoff_sums[row] += mean
                variances[row] += float(frequencies @ (payoffs - mean) ** 2)

        return payoff_sums - own_payoff, np.sqrt(variances / max(hands - 1, 1))

    return estimate_gains


def make_contest_gain_evaluator(encoding: EncodedContest, genome: Floats) -> GainEvaluator:
    """Return a function that computes the gains of responses to a genome in a contest.

    The gain of a response is what it wins from the genome. All contests are played with the same seed.

    Parameters
    ----------
    encoding : EncodedContest
        The contest, as an encoding of genomes of G genes.
    genome : array of shape (G,)
        The genome to which the evaluated genomes respond.

    Returns
    -------
    callable
        A function of k responses, an array of shape (k, G), that returns their payoffs, (k,), and as many zeros. It
        does not use its second argument.
    """

    def compute_gains(
        responses: Floats, rng: np.random.Generator | None = None
    ) -> tuple[Floats, Floats]:
        """Return the payoffs of k responses against the genome, and k standard errors of zero; `rng` is not used."""
        gains = encoding.payoffs(responses, genome[None, :])[:, 0]
        return gains, np.zeros(len(gains))

    return compute_gains


def make_gain_evaluator(encoding: Encoding, genome: Floats, hands: int | None) -> GainEvaluator:
    """Return a function that computes the gains of responses to a genome, in any game.

    The gain of a response is the sum, over seats, of its payoff minus the payoff of the genome itself in that seat,
    while the genome plays in all other seats. The fastest method that the game allows is chosen.

    Parameters
    ----------
    encoding : Encoding
        The encoding, which maps genomes of G genes to strategies of its game.
    genome : array of shape (G,)
        The genome to which the evaluated genomes respond.
    hands : int or None
        The number of hands that are sampled in each seat. If it is None, expected payoffs are computed.

    Returns
    -------
    callable
        A function of k responses, an array of shape (k, G), and of a random generator if hands are sampled. It returns
        their gains and standard errors, each (k,).

    Raises
    ------
    GameError
        If hands are to be sampled in a game that is not compiled.
    """
    is_compiled = isinstance(encoding.game, SequenceForm) and hasattr(encoding, "compute_behaviors")
    if hands is not None:
        if not is_compiled:
            raise GameError(
                f"single hands are played in compiled games; {encoding.game.name} is not one. Use hands=None."
            )
        return make_sampling_gain_evaluator(encoding, genome, hands)

    if isinstance(encoding, EncodedContest):
        return make_contest_gain_evaluator(encoding, genome)
    if is_compiled:
        return make_exact_gain_evaluator(encoding, genome)
    return make_profile_gain_evaluator(encoding, genome)


@kernel
def compute_response_gains(
    game_block: Floats, gradient: Floats, behavior: Floats, responses: Floats
) -> Floats:
    """Return how much each response to a profile wins more than the profile itself, summed over all seats.

    The response plays in one seat at a time, against the profile's strategies in the other seats. A payoff is linear in
    the realization plan of its player. So the gain is the sum, over all sequences, of the payoff's derivative times the
    difference between the response's plan and the profile's plan.

    Parameters
    ----------
    game_block : array
        The arrays of the game, packed into one array (`SequenceForm.block`).
    gradient : array of shape (S,)
        The derivative of each player's payoff by the realization weight of each of its sequences, at the profile to
        which the responses respond. There are S sequences of all n players, and the n empty ones come first.
    behavior : array of shape (S - n,)
        The profile to which the responses respond: the action probability of each nonempty sequence.
    responses : array of shape (k, S - n)
        k responses, each a strategy of every player: the action probability of each nonempty sequence.

    Returns
    -------
    array of shape (k,)
        The gain of each response, in the unit of payoffs.
    """
    game = unpack_workspace(game_block)
    n = game.ids[NUM_PLAYERS]
    own_plan = compute_plans(game_block, behavior)
    gains = np.zeros(responses.shape[0])
    for row in range(gains.size):
        # `fill_plan` replaces the action probabilities in `game.plan` by the realization plan. The empty sequences,
        # which are the first n, have no action probability.
        game.plan[n:] = responses[row]
        for player in range(n):
            fill_plan(game, player, game.plan)
        for sequence in range(n, own_plan.size):
            gains[row] += gradient[sequence] * (game.plan[sequence] - own_plan[sequence])
    return gains
