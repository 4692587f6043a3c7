"""Kuhn poker: profiles with names, and the picture of a profile in its explorer, a shaded cell for each probability."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.core import Floats, SettingError, UnknownNameError
from pokerlab.core.settings import validate_number
from pokerlab.games import Profile, kuhn, lock_infosets
from pokerlab.games.small_poker import get_poker_action_name
from pokerlab.games.tree_passes import compute_counterfactual_values, compute_plans
from pokerlab.solvers import SequenceFormLP
from pokerlab.workbench.drawings.svg import (
    SvgDrawing,
    choose_color,
    draw_line,
    draw_mark,
    draw_text,
    write_element,
)
from pokerlab.workbench.style import GRAY, GREEN, INK, PAPER
from pokerlab.workbench.text import signed

LARGEST_ALPHA = 1 / 3
VALUE = -1 / 18  # of Kuhn poker to player 1, in chips a hand
CHARACTERS = ("an equilibrium", "uniform", "always bet", "never bet", "kings only")
"""The names of profiles. 'always bet' also calls every bet, and 'never bet' folds to every bet."""


def compute_bet_probabilities(alpha: float) -> dict[tuple[int, str], float]:
    """Return the probability of 'bet' in an equilibrium, by player index and information set.

    Parameters
    ----------
    alpha : float
        How often player 1 bets with a jack, 0 to 1/3.
    """
    return {
        (0, "J"): alpha,
        (0, "Q"): 0.0,
        (0, "K"): 3 * alpha,
        (0, "J, pass-bet"): 0.0,
        (0, "Q, pass-bet"): alpha + 1 / 3,
        (0, "K, pass-bet"): 1.0,
        (1, "J, pass"): 1 / 3,
        (1, "Q, pass"): 0.0,
        (1, "K, pass"): 1.0,
        (1, "J, bet"): 0.0,
        (1, "Q, bet"): 1 / 3,
        (1, "K, bet"): 1.0,
    }


EQUILIBRIUM_RANGES = {
    key: (low, compute_bet_probabilities(LARGEST_ALPHA)[key])
    for key, low in compute_bet_probabilities(0.0).items()
}
"""The smallest and the largest probability of 'bet' over all equilibria, by player index and information set."""


def kuhn_equilibrium(alpha: float = 0.2) -> Profile:
    """Return an equilibrium of two-player Kuhn poker.

    Parameters
    ----------
    alpha : float
        How often player 1 bets with a jack, 0 to 1/3. The rest of player 1's strategy follows from it.
        Player 2 has only one equilibrium strategy.

    Raises
    ------
    SettingError
        If alpha is out of range.

    References
    ----------
    .. [1] H. W. Kuhn, "Simplified two-person poker", Contributions to the Theory of Games, 1950

    Examples
    --------
    >>> import pokerlab as pl
    >>> profile = kuhn_equilibrium(0.25)
    >>> pl.metrics.nash_conv(profile.game, profile) < 1e-12
    True
    """
    alpha = validate_number("alpha", alpha)
    if not 0.0 <= alpha <= LARGEST_ALPHA:
        raise SettingError(f"alpha {alpha}; the equilibria of Kuhn poker have alpha from 0 to 1/3.")
    return make_profile(compute_bet_probabilities(alpha))


def make_profile(bet_probabilities: dict[tuple[int, str], float]) -> Profile:
    """Return the profile of Kuhn poker with probabilities of 'bet', by player index and information set."""
    table = {key: {"bet": p, "pass": 1.0 - p} for key, p in bet_probabilities.items()}
    return Profile.from_table(kuhn(), table)


def kuhn_character(name: str) -> Profile:
    """Return a profile of two-player Kuhn poker by its name.

    Parameters
    ----------
    name : {'an equilibrium', 'uniform', 'always bet', 'never bet', 'kings only'}
        The name. 'always bet' also calls every bet, and 'never bet' folds to every bet. 'kings only' bets and calls
        with a king alone.

    Raises
    ------
    UnknownNameError
        If there is no such profile.
    """
    UnknownNameError.check("character", name, CHARACTERS)
    if name == "an equilibrium":
        return kuhn_equilibrium()
    keys = list(kuhn().infoset_index)
    if name == "uniform":
        return kuhn().uniform()
    if name in ("always bet", "never bet"):
        return make_profile(dict.fromkeys(keys, float(name == "always bet")))
    return make_profile({key: float(key[1].startswith("K")) for key in keys})  # kings only


CELL_WIDTH, CELL_HEIGHT, LEFT, HEAD = 225.0, 50.0, 0.0, 30.0
GAUGE_AT, GAUGE_WIDTH = 70.0, 66.0
NUMBERS_AT = HEAD + 3 * CELL_HEIGHT + 18.0
BAR_AT, BAR_WIDTH, BAR_HEIGHT = 430.0, 430.0, 22.0
SCALES = (0.1, 1.0, 3.0)
"""The possible ends of the axis below the bar, in chips. The largest exploitability in Kuhn poker is 17/6."""
TIE = (
    1e-9  # actions whose values differ by fewer chips are equally good; rounding errors are smaller
)
ROUNDING = 1e-9  # smaller exploitabilities and reach probabilities count as 0
CAPTION = (
    "Each cell is one slider: the darker, the more often a chip goes in. The black dot on its scale is"
    " the slider, the green line all values in equilibria. On the right of the cell, what a best response"
    " would do there, and by how many chips a hand that is better than the other action. A closed padlock fixes a"
    " habit; green diamonds then show the best play in the open situations that can still come up."
)


@dataclass(frozen=True, eq=False)
class KuhnReading:
    """The values of a profile of Kuhn poker, its best responses, and the best play around locked choices.

    All values are in chips a hand. Information sets are keys of player index and label.

    Attributes
    ----------
    profile : Profile
        The profile.
    values : array of shape (2,)
        The expected winnings of each player.
    best_values : array of shape (2,)
        The expected winnings of each player by a best response.
    gains : array of shape (2,)
        The differences of these two.
    exploitability : float
        The sum of the gains.
    bet_advantages : dict of (int, str) to float
        How much more 'bet' wins than 'pass' at an information set if the player chooses best elsewhere, weighted by
        the probability that the others and chance lead there.
    locked : frozenset of (int, str)
        The information sets at which the choice is locked.
    locked_equilibrium : dict of (int, str) to float
        The probabilities of 'bet' in an equilibrium of the game with these locks, where play can come and nothing is
        locked; empty without locks.
    locked_value : float
        What player 1 wins in this equilibrium.
    """

    profile: Profile
    values: Floats
    best_values: Floats
    gains: Floats
    exploitability: float
    bet_advantages: dict[tuple[int, str], float]
    locked: frozenset[tuple[int, str]]
    locked_equilibrium: dict[tuple[int, str], float]
    locked_value: float

    @classmethod
    def compute(
        cls, profile: Profile, locked: frozenset[tuple[int, str]] = frozenset()
    ) -> "KuhnReading":
        """Return the reading of a profile of two-player Kuhn poker.

        Parameters
        ----------
        profile : Profile
            The profile.
        locked : frozenset of (int, str)
            The information sets, by player index and label, at which the choice is locked.
        """
        game = profile.game
        values = game.values(profile)
        bet_advantages = {}
        best_values = np.empty(2)
        for player in range(2):
            best_values[player], behavior = game.best_response(profile, player)
            with_response = profile.replace(player, behavior)
            action_values = compute_counterfactual_values(game.block, with_response.probabilities)
            for (owner, infoset), index in game.infoset_index.items():
                if owner == player:
                    first_action = int(game.first_sequence[index]) - game.num_players  # 'pass'
                    difference = action_values[first_action + 1] - action_values[first_action]
                    bet_advantages[player, infoset] = float(difference)
        gains = best_values - values
        locked_equilibrium, locked_value = (
            solve_locked_game(profile, locked) if locked else ({}, VALUE)
        )
        return cls(
            profile=profile,
            values=values,
            best_values=best_values,
            gains=gains,
            exploitability=game.nash_conv(profile),
            bet_advantages=bet_advantages,
            locked=locked,
            locked_equilibrium=locked_equilibrium,
            locked_value=locked_value,
        )

    def find_best_action(self, player: int, infoset: str) -> str:
        """Return the best action at an information set: 'bet', 'pass', or 'either' if both are equally good."""
        advantage = self.bet_advantages[player, infoset]
        return "either" if abs(advantage) < TIE else "bet" if advantage > 0 else "pass"


def solve_locked_game(
    profile: Profile, locked: frozenset[tuple[int, str]]
) -> tuple[dict[tuple[int, str], float], float]:
    """Return an equilibrium of the game in which some choices of a profile are locked.

    Returns
    -------
    dict of (int, str) to float
        The probability of 'bet' at each information set that is not locked and that its player reaches.
    float
        The value of the game with the locks to player 1, in chips a hand.
    """
    game = lock_infosets(profile.game, profile, locked)
    solution = SequenceFormLP(game).solve()
    plans = compute_plans(game.block, solution.profile.probabilities)
    is_reached = plans[game.parent_sequence] > ROUNDING
    reached = (key for key, reach in zip(game.infoset_index, is_reached, strict=True) if reach)
    return {
        key: solution.profile.action_probabilities(*key)["bet"] for key in reached
    }, solution.value


def draw_kuhn_reading(
    reading: KuhnReading, columns: Sequence[tuple[int, str, str]], cards: Sequence[str]
) -> SvgDrawing:
    """Return the picture of a reading: a cell for each probability, the values of both players, and the exploitability.

    Parameters
    ----------
    reading : KuhnReading
        What is drawn.
    columns : sequence of (int, str, str)
        For each column of cells the player index, the label of its information sets after the card, and the heading.
    cards : sequence of str
        The card of each row.
    """
    parts, lines = [], []
    for column, (player, situation, heading) in enumerate(columns):
        x = LEFT + column * CELL_WIDTH
        parts.append(draw_mark(player, x + 12, 13) + draw_text(heading, x + 27, 17, 12, bold=True))
        for row, card in enumerate(cards):
            parts.append(
                draw_probability(reading, player, card + situation, x, HEAD + row * CELL_HEIGHT)
            )
            bet = reading.profile.action_probabilities(player, card + situation)["bet"]
            best = reading.find_best_action(player, card + situation)
            lines.append(
                f"player {player + 1} with {card}, {heading} {bet:.2f}, best {name_action_at(best, situation)}"
            )
    parts += [draw_kuhn_values(reading), draw_exploitability_bar(reading)]
    news = [describe_distance(reading)]
    if reading.locked:
        news.append(
            f"{len(reading.locked)} locked: player 1 wins {reading.locked_value:.4f} at best play"
        )
    width = LEFT + len(columns) * CELL_WIDTH
    return SvgDrawing(
        width,
        NUMBERS_AT + 104 + 16 * bool(reading.locked),
        "".join(parts),
        "\n".join([*lines, *news]),
        CAPTION,
        "\n".join(news),
    )


def draw_probability(reading: KuhnReading, player: int, infoset: str, x: float, y: float) -> str:
    """Return the cell of a probability as SVG, with its upper left corner at (x, y).

    It has the card, the probability as a number, a shade and a dot on a scale, the range over all equilibria, and the
    best action with its advantage.
    """
    bet = reading.profile.action_probabilities(player, infoset)["bet"]
    low, high = EQUILIBRIUM_RANGES[player, infoset]
    color = choose_color(player)
    shade = write_element("rect", x=x + 2, y=y + 2, width=CELL_WIDTH - 8, height=CELL_HEIGHT - 4, rx=5,
                fill=color, fill_opacity=0.04 + 0.46 * bet)  # fmt: skip
    number = draw_text(infoset[0], x + 10, y + 31, 16, bold=True)
    number += draw_text(f"{bet:.2f}", x + 28, y + 31, 14)
    if (player, infoset) in reading.locked:
        number += draw_text("locked", x + 10, y + 44, 10, "#444444")
    scale_left = x + GAUGE_AT
    middle = y + CELL_HEIGHT / 2
    ends = (scale_left, middle, scale_left + GAUGE_WIDTH, middle)
    scale = draw_line(*ends, stroke=PAPER, stroke_width=7, stroke_linecap="round")
    scale += draw_line(*ends, stroke="#777777", stroke_width=1)
    if not reading.locked:
        ends = (
            scale_left + GAUGE_WIDTH * low,
            middle,
            scale_left + GAUGE_WIDTH * high + 0.01,
            middle,
        )
        scale += draw_line(*ends, stroke=GREEN, stroke_width=9, stroke_linecap="round")
    elif (player, infoset) in reading.locked_equilibrium:
        locked_x = scale_left + GAUGE_WIDTH * reading.locked_equilibrium[player, infoset]
        scale += write_element(
            "path", d=f"M{locked_x:.2f} {middle - 8}l7 8l-7 8l-7 -8z", fill=GREEN
        )
    scale += write_element("circle", cx=scale_left + GAUGE_WIDTH * bet, cy=middle, r=3.2, fill=INK)
    best = reading.find_best_action(player, infoset)
    advantage = abs(reading.bet_advantages[player, infoset])
    right = x + GAUGE_AT + GAUGE_WIDTH + 14
    advice = draw_text(f"best: {name_action_at(best, infoset)}", right, middle - 2, 11)
    if best != "either":
        advice += draw_text(f"by {advantage:.3f}", right, middle + 12, 11, "#444444")
    return shade + number + scale + advice


def name_action_at(action: str, infoset: str) -> str:
    """Return the usual name of an action at an information set: 'fold' for 'pass' after a bet. 'either' stays."""
    return get_poker_action_name(action, ["bet"] if infoset.endswith("bet") else [])


def draw_kuhn_values(reading: KuhnReading) -> str:
    """Return both players' values, best values and gains as SVG, with a line on the locks if there are any."""
    rows = (
        ("wins, chips a hand", reading.values),
        ("with the best response", reading.best_values),
        ("gains by it", reading.gains),
    )
    parts = [draw_mark(player, 232.0 + 90 * player, NUMBERS_AT + 8) for player in range(2)]
    for row, (words, numbers) in enumerate(rows):
        y = NUMBERS_AT + 34 + 22 * row
        parts.append(draw_text(words, 10, y, 12))
        for player in range(2):
            number = signed(float(numbers[player]), 4)
            parts.append(draw_text(number, 256.0 + 90 * player, y, 13, choose_color(player),
                               anchor="end", bold=True))  # fmt: skip
    if reading.locked:
        words = f"At best play around the locks (diamonds) player 1 wins {signed(reading.locked_value, 4)}"
        words += f" chips; with nothing locked {signed(VALUE, 4)}"
        parts.append(draw_text(words, 10, y + 33, 12))
    return "".join(parts)


def draw_exploitability_bar(reading: KuhnReading) -> str:
    """Return the exploitability as SVG: a bar made of both players' gains, on the first of `SCALES` that it fits."""
    total = reading.exploitability
    scale_end = next(end for end in SCALES if total <= end)
    y = NUMBERS_AT + 34
    parts = [draw_text(describe_distance(reading), BAR_AT, NUMBERS_AT + 12, 13, bold=True)]
    parts.append(
        write_element("rect", x=BAR_AT, y=y, width=BAR_WIDTH, height=BAR_HEIGHT, fill="#f0f0f0")
    )
    bar_left = BAR_AT
    for player in range(2):
        width = BAR_WIDTH * max(float(reading.gains[player]), 0.0) / scale_end
        size = {"width": width, "height": BAR_HEIGHT}
        parts.append(write_element("rect", x=bar_left, y=y, **size, fill=choose_color(player)))
        bar_left += width
    for tenth in range(0, 11, 2):
        x = BAR_AT + BAR_WIDTH * tenth / 10
        parts.append(draw_line(x, y + BAR_HEIGHT, x, y + BAR_HEIGHT + 4, stroke=GRAY))
        number = f"{scale_end * tenth / 10:g}"
        parts.append(draw_text(number, x, y + BAR_HEIGHT + 16, 11, GRAY, anchor="middle"))
    unit = "exploitability, in chips: what player 1 and player 2 would gain"
    parts.append(draw_text(unit, BAR_AT, y + BAR_HEIGHT + 34, 11))
    return "".join(parts)


def describe_distance(reading: KuhnReading) -> str:
    """Return a sentence with the exploitability of the profile, in chips and in chips of 100 hands."""
    if reading.exploitability < ROUNDING:
        return "An equilibrium: nobody gains by a change of strategy"
    total = reading.exploitability
    return f"Exploitability {total:.4f} chips: {50 * total:.1f} in 100 hands, 50 in each seat"
