"""How well a profile does against players who choose at random."""

from pokerlab.core import GameError
from pokerlab.games import Profile, SequenceForm


def performance(game: SequenceForm, profile: Profile) -> float:
    """Return what players gain over the uniform baseline when the others play it, summed.

    The sum over players i of u_i(sigma_i, b_-i) - u_i(b), with b uniform (Lanctot 2014, eq. 11).

    Raises
    ------
    GameError
        If the profile belongs to another game.
    """
    if not isinstance(game, SequenceForm):
        raise GameError(
            f"performance is worked out in compiled games, such as games.kuhn(); {game!r} is none."
            " Use game.values, exploitability or epsilon."
        )
    game.owned(profile)
    baseline = game.uniform()
    at_baseline = game.values(baseline)
    return sum(
        float(game.values(baseline.replace(player, profile))[player] - at_baseline[player])
        for player in range(game.num_players)
    )
