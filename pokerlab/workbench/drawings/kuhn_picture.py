"""Kuhn poker: profiles that have a name, and what the explorer shows of one, a shaded cell for each probability."""

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
    draw_text,
    mark,
    write_element,
)
from pokerlab.workbench.style import GRAY, GREEN, INK, PAPER
from pokerlab.workbench.text import signed

LARGEST_ALPHA = 1 / 3
VALUE = -1 / 18  # of Kuhn poker, to player 1
CHARACTERS = ("an equilibrium", "uniform", "always bet", "never bet", "kings only")
"""Who always bets also calls, and who never bets folds to every bet."""


def compute_bet_probabilities(alpha: float) -> dict[tuple[int, str], float]:
    """Return the probability of 'bet' at each information set in the equilibrium `alpha`."""
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
"""Smallest and largest probability of putting a chip in, over all equilibria."""


def kuhn_equilibrium(alpha: float = 0.2) -> Profile:
    """Return an equilibrium of two-player Kuhn poker.

    Parameters
    ----------
    alpha : float
        How often player 1 bets with a jack, 0 to 1/3; it decides the rest of player 1's behavior.
        Player 2 has only one equilibrium strategy.

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


def make_profile(bets: dict[tuple[int, str], float]) -> Profile:
    """Return the profile of Kuhn poker with these probabilities of 'bet'."""
    table = {key: {"bet": p, "pass": 1.0 - p} for key, p in bets.items()}
    return Profile.from_table(kuhn(), table)


def kuhn_character(name: str) -> Profile:
    """Return the profile called `name`, one of `CHARACTERS`."""
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
GAUGE_AT, GAUGE = 70.0, 66.0
NUMBERS_AT = HEAD + 3 * CELL_HEIGHT + 18.0
BAR_AT, BAR_WIDTH, BAR_HEIGHT = 430.0, 430.0, 22.0
SCALES = (0.1, 1.0, 3.0)
"""Ends of the bar's axis, in chips; no profile of Kuhn poker is exploitable by more than 17/6."""
TIE = 1e-9  # chips below which two actions are equally good; rounding stays below it
NOTHING = 1e-9
CAPTION = (
    "Each cell is one slider: the darker, the more often a chip goes in. The black dot on its scale is"
    " the slider, the green line all values in equilibria. On the right of the cell, what a best response"
    " would do there, and by how many chips a hand that is better than the other action. A closed padlock fixes a"
    " habit; green diamonds then show the best play in the open situations that can still come up."
)


@dataclass(frozen=True, eq=False)
class KuhnReading:
    """What a profile of Kuhn poker is worth."""

    profile: Profile
    values: Floats  # (2,), what each player wins, in chips a hand
    best: Floats  # (2,), what it would win by a best response
    gains: Floats  # (2,), the difference
    exploitability: float  # the sum of the gains
    # how much more betting wins than passing, by player and information set, with best choices elsewhere
    better: dict[tuple[int, str], float]
    # while some choices are locked: how often to bet elsewhere in an equilibrium, and what player 1 then wins
    locked: frozenset[tuple[int, str]]
    answers: dict[tuple[int, str], float]
    answered: float

    @classmethod
    def compute(
        cls, profile: Profile, locks: frozenset[tuple[int, str]] = frozenset()
    ) -> "KuhnReading":
        """Compute what a profile of two-player Kuhn poker is worth, and what answers its locked choices."""
        game = profile.game
        values = game.values(profile)
        better = {}
        best = np.empty(2)
        for player in range(2):
            best[player], behavior = game.best_response(profile, player)
            reply = profile.replace(player, behavior)
            worth = compute_counterfactual_values(game.block, reply.probabilities)
            for (owner, known), index in game.infoset_index.items():
                if owner == player:
                    at = int(game.first_sequence[index]) - game.num_players
                    better[player, known] = float(worth[at + 1] - worth[at])
        gains = best - values
        answers, answered = find_answers(profile, locks) if locks else ({}, VALUE)
        total = game.nash_conv(profile)
        return cls(profile, values, best, gains, total, better, locks, answers, answered)

    def find_best_action(self, player: int, known: str) -> str:
        """Return 'bet', 'pass', or 'either' where both are equally good."""
        better = self.better[player, known]
        return "either" if abs(better) < TIE else "bet" if better > 0 else "pass"


def find_answers(
    profile: Profile, locks: frozenset[tuple[int, str]]
) -> tuple[dict[tuple[int, str], float], float]:
    """Return how often to bet where nothing is locked and play may come, in an equilibrium, and its value."""
    game = lock_infosets(profile.game, profile, locks)
    solution = SequenceFormLP(game).solve()
    leads = (
        compute_plans(game.block, solution.profile.probabilities)[game.parent_sequence] > NOTHING
    )
    reached = (key for key, there in zip(game.infoset_index, leads, strict=True) if there)
    return {
        key: solution.profile.action_probabilities(*key)["bet"] for key in reached
    }, solution.value


def draw_kuhn_reading(
    reading: KuhnReading, columns: Sequence[tuple[int, str, str]], cards: Sequence[str]
) -> SvgDrawing:
    """Return the picture of a reading."""
    parts, words = [], []
    for column, (player, after, heading) in enumerate(columns):
        x = LEFT + column * CELL_WIDTH
        parts.append(mark(player, x + 12, 13) + draw_text(heading, x + 27, 17, 12, bold=True))
        for row, card in enumerate(cards):
            parts.append(
                draw_probability(reading, player, card + after, x, HEAD + row * CELL_HEIGHT)
            )
            bet = reading.profile.action_probabilities(player, card + after)["bet"]
            best = reading.find_best_action(player, card + after)
            words.append(
                f"player {player + 1} with {card}, {heading} {bet:.2f}, best {name_action_at(best, after)}"
            )
    parts += [draw_kuhn_values(reading), draw_exploitability_bar(reading)]
    news = [describe_distance(reading)]
    if reading.locked:
        news.append(
            f"{len(reading.locked)} locked: player 1 wins {reading.answered:.4f} at best play"
        )
    width = LEFT + len(columns) * CELL_WIDTH
    return SvgDrawing(
        width,
        NUMBERS_AT + 104 + 16 * bool(reading.locked),
        "".join(parts),
        "\n".join([*words, *news]),
        CAPTION,
        "\n".join(news),
    )


def draw_probability(reading: KuhnReading, player: int, known: str, x: float, y: float) -> str:
    """Return one probability: number, shade, place among the equilibria, and the best response."""
    bet = reading.profile.action_probabilities(player, known)["bet"]
    low, high = EQUILIBRIUM_RANGES[player, known]
    color = choose_color(player)
    shade = write_element("rect", x=x + 2, y=y + 2, width=CELL_WIDTH - 8, height=CELL_HEIGHT - 4, rx=5,
                fill=color, fill_opacity=0.04 + 0.46 * bet)  # fmt: skip
    number = draw_text(known[0], x + 10, y + 31, 16, bold=True)
    number += draw_text(f"{bet:.2f}", x + 28, y + 31, 14)
    if (player, known) in reading.locked:
        number += draw_text("locked", x + 10, y + 44, 10, "#444444")
    at = x + GAUGE_AT
    middle = y + CELL_HEIGHT / 2
    ends = (at, middle, at + GAUGE, middle)
    scale = draw_line(*ends, stroke=PAPER, stroke_width=7, stroke_linecap="round")
    scale += draw_line(*ends, stroke="#777777", stroke_width=1)
    if not reading.locked:
        ends = (at + GAUGE * low, middle, at + GAUGE * high + 0.01, middle)
        scale += draw_line(*ends, stroke=GREEN, stroke_width=9, stroke_linecap="round")
    elif (player, known) in reading.answers:
        there = at + GAUGE * reading.answers[player, known]
        scale += write_element("path", d=f"M{there:.2f} {middle - 8}l7 8l-7 8l-7 -8z", fill=GREEN)
    scale += write_element("circle", cx=at + GAUGE * bet, cy=middle, r=3.2, fill=INK)
    best = reading.find_best_action(player, known)
    better = abs(reading.better[player, known])
    right = x + GAUGE_AT + GAUGE + 14
    advice = draw_text(f"best: {name_action_at(best, known)}", right, middle - 2, 11)
    if best != "either":
        advice += draw_text(f"by {better:.3f}", right, middle + 12, 11, "#444444")
    return shade + number + scale + advice


def name_action_at(action: str, known: str) -> str:
    """Return what an action, or 'either', is called at the table by who knows `known`."""
    return get_poker_action_name(action, ["bet"] if known.endswith("bet") else [])


def draw_kuhn_values(reading: KuhnReading) -> str:
    """Return what each player wins, could win, and would gain."""
    rows = (
        ("wins, chips a hand", reading.values),
        ("with the best response", reading.best),
        ("gains by it", reading.gains),
    )
    parts = [mark(player, 232.0 + 90 * player, NUMBERS_AT + 8) for player in range(2)]
    for row, (words, numbers) in enumerate(rows):
        y = NUMBERS_AT + 34 + 22 * row
        parts.append(draw_text(words, 10, y, 12))
        for player in range(2):
            number = signed(float(numbers[player]), 4)
            parts.append(draw_text(number, 256.0 + 90 * player, y, 13, choose_color(player),
                               anchor="end", bold=True))  # fmt: skip
    if reading.locked:
        words = (
            f"At best play around the locks (diamonds) player 1 wins {signed(reading.answered, 4)}"
        )
        words += f" chips; with nothing locked {signed(VALUE, 4)}"
        parts.append(draw_text(words, 10, y + 33, 12))
    return "".join(parts)


def draw_exploitability_bar(reading: KuhnReading) -> str:
    """Return the exploitability as a bar made of both players' gains, on a scale that fits."""
    total = reading.exploitability
    longest = next(end for end in SCALES if total <= end)
    y = NUMBERS_AT + 34
    parts = [draw_text(describe_distance(reading), BAR_AT, NUMBERS_AT + 12, 13, bold=True)]
    parts.append(
        write_element("rect", x=BAR_AT, y=y, width=BAR_WIDTH, height=BAR_HEIGHT, fill="#f0f0f0")
    )
    begin = BAR_AT
    for player in range(2):
        width = BAR_WIDTH * max(float(reading.gains[player]), 0.0) / longest
        size = {"width": width, "height": BAR_HEIGHT}
        parts.append(write_element("rect", x=begin, y=y, **size, fill=choose_color(player)))
        begin += width
    for tenth in range(0, 11, 2):
        x = BAR_AT + BAR_WIDTH * tenth / 10
        parts.append(draw_line(x, y + BAR_HEIGHT, x, y + BAR_HEIGHT + 4, stroke=GRAY))
        number = f"{longest * tenth / 10:g}"
        parts.append(draw_text(number, x, y + BAR_HEIGHT + 16, 11, GRAY, anchor="middle"))
    unit = "exploitability, in chips: what player 1 and player 2 would gain"
    parts.append(draw_text(unit, BAR_AT, y + BAR_HEIGHT + 34, 11))
    return "".join(parts)


def describe_distance(reading: KuhnReading) -> str:
    """Return in a sentence how far the profile is from equilibrium."""
    if reading.exploitability < NOTHING:
        return "An equilibrium: nobody gains by a change of strategy"
    total = reading.exploitability
    return f"Exploitability {total:.4f} chips: {50 * total:.1f} in 100 hands, 50 in each seat"
