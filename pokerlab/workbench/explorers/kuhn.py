"""Kuhn poker to explore: a slider and a padlock for each probability, and at once what it is worth."""

from collections.abc import Mapping
from functools import partial

from ipywidgets import FloatSlider, ToggleButton

from pokerlab.games import Profile, kuhn
from pokerlab.workbench.drawings.kuhn_picture import (
    EQUILIBRIUM_RANGES,
    LARGEST_ALPHA,
    SCALES,
    VALUE,
    KuhnReading,
    describe_distance,
    draw_kuhn_reading,
    kuhn_character,
    kuhn_equilibrium,
    make_profile,
    name_action_at,
)
from pokerlab.workbench.drawings.svg import choose_color
from pokerlab.workbench.live.explorer import Button, Control, Explorer, SliderMark, Values
from pokerlab.workbench.text import signed

STEP = 1 / 60  # of the sliders: it has 1/2, 1/3 and 1/5 among its multiples
COLUMNS = (
    (0, "", "acts first: bet?"),
    (0, ", pass-bet", "after check, bet: call?"),
    (1, ", pass", "after a check: bet?"),
    (1, ", bet", "after a bet: call?"),
)
CARDS = ("K", "Q", "J")
KEYS = {
    f"{player + 1} {card}{after}": (player, card + after)
    for player, after, _ in COLUMNS
    for card in CARDS
}
"""Player and information set of each slider, by the slider's name."""
LOCKS = {f"lock {name}": key for name, key in KEYS.items()}
NAMES = ("uniform", "always bet", "never bet", "an equilibrium")
LOCKED_BEST = "best while locked"
"""What moves the sliders that are free to an equilibrium in which the others stay."""
ALPHA = "alpha"
CAPTION = (
    "The stronger the color of a cell, the more often a chip goes in. Green marks the values that a probability has"
    " in some equilibrium; those of player 1 belong together, and α sets them all. The words below a slider say what"
    " a best response would do there, and by how many chips a hand that is better than the other action. A closed"
    " padlock fixes a habit; green diamonds then show the best play in the open situations that can still come up."
)


def make_kuhn_controls() -> list[Control]:
    """Return a slider with its padlock for each probability, by columns, and one that walks along the equilibria."""
    number = {"min": 0.0, "step": STEP, "readout_format": ".2f"}
    wide = {"layout": {"width": "300px"}, "style": {"description_width": "95px"}}
    narrow = {"layout": {"width": "calc(100% - 34px)"}, "style": {"description_width": "18px"}}
    lock = {"icon": "unlock", "layout": {"width": "30px", "padding": "0"}}
    about = "Walk along the family of equilibria: how often player 1 bluffs with a jack."
    look = number | wide | {"max": LARGEST_ALPHA}
    controls = [Control(ALPHA, 0.2, FloatSlider, "equilibrium α", about, widget_arguments=look)]
    for player, after, heading in COLUMNS:
        for card in CARDS:
            name = f"{player + 1} {card}{after}"
            about = f"player {player + 1} with {card}, {heading}"
            group = f"<b>player {player + 1}</b>, {heading}"
            look = number | narrow | {"max": 1.0}
            habit = f"Lock this habit: {about}"
            controls += [
                Control(name, 0.5, FloatSlider, card, about, group, widget_arguments=look),
                Control(
                    f"lock {name}",
                    False,
                    ToggleButton,
                    "",
                    habit,
                    left_neighbor=name,
                    widget_arguments=lock,
                ),
            ]
    return controls


def read_kuhn(values: Values) -> KuhnReading:
    """Return what the sliders' profile is worth, and what answers the habits that are locked."""
    profile = make_profile({key: values[name] for name, key in KEYS.items()})
    return KuhnReading.compute(
        profile, frozenset(key for name, key in LOCKS.items() if values[name])
    )


def choose(name: str, values: Values, reading: KuhnReading) -> Values:
    """Return the values after all sliders that are not locked have moved to a profile that has a name."""
    if name == LOCKED_BEST:
        bets = reading.locked_equilibrium
    else:
        chosen = kuhn_equilibrium(values[ALPHA]) if name == NAMES[-1] else kuhn_character(name)
        bets = {key: likely["bet"] for key, likely in chosen.to_table().items()}
    free = {n: key for n, key in KEYS.items() if key in bets and not values[f"lock {n}"]}
    return values | {n: bets[key] for n, key in free.items()}


def follow_kuhn_control(values: Values, name: str) -> Values:
    """Return the values after a control has moved: the slider of the equilibria takes the others along."""
    if name != ALPHA:
        return values
    return choose(NAMES[-1], values, read_kuhn(values))


def mark_sliders(reading: KuhnReading) -> Mapping[str, SliderMark]:
    """Return what there is to say of each probability: its place among the equilibria, and the best response."""
    marks = {}
    for name, (player, known) in KEYS.items():
        action = reading.find_best_action(player, known)
        better = abs(reading.bet_advantages[player, known])
        words = f"best: {name_action_at(action, known)}" + f", by {better:.3f}" * (
            action != "either"
        )
        words += "; locked" * ((player, known) in reading.locked)
        marks[name] = SliderMark(
            choose_color(player),
            reading.profile.action_probabilities(player, known)["bet"],
            words,
            None if reading.locked else EQUILIBRIUM_RANGES[player, known],
            reading.locked_equilibrium.get((player, known)),
        )
    return marks


def tell_worth(reading: KuhnReading) -> str:
    """Return as HTML what both players win and could win, and the exploitability as a bar on a scale that fits."""
    longest = next(end for end in SCALES if reading.exploitability <= end)
    shares = [100 * max(float(gain), 0.0) / longest for gain in reading.gains]
    bar = "".join(
        f'<span style="display: inline-block; height: 100%; width: {share:.2f}%;'
        f' background: {choose_color(p)};"></span>'
        for p, share in enumerate(shares)
    )
    rows = (
        ("expected payoff, chips a hand", reading.values),
        ("payoff of the best response", reading.best_values),
        ("gain from a best response", reading.gains),
    )
    cell = '<td style="text-align: right; padding: 0 0 0 14px; white-space: nowrap;">'
    body = "".join(
        f"<tr><td>{words}</td>{''.join(f'{cell}{signed(float(n), 4)}</td>' for n in numbers)}</tr>"
        for words, numbers in rows
    )
    heads = "".join(f"{cell}<b>player {player}</b></td>" for player in (1, 2))
    locked = (
        "<p>At best play around the locks (diamonds) player 1 wins"
        f" {signed(reading.locked_value, 4)} chips; with nothing locked {signed(VALUE, 4)}.</p>"
    ) * bool(reading.locked)
    return (
        '<div style="display: flex; flex-flow: row wrap; gap: 8px 40px; line-height: 1.5;">'
        f'<div style="flex: 1 1 320px; max-width: 480px;"><b>{describe_distance(reading)}</b>'
        '<div style="height: 20px; line-height: 0; background: rgba(128, 128, 128, 0.25); margin: 4px 0;">'
        f"{bar}</div>"
        f'<div style="display: flex; justify-content: space-between;"><span>0</span><span>{longest:g}</span></div>'
        "Gain from a best response, in chips: player 1 and player 2.</div>"
        f'<table style="line-height: 1.5; margin: 0;"><tr><td></td>{heads}</tr>{body}</table></div>'
        f'{locked}<p style="line-height: 1.45;">{CAPTION}</p>'
    )


class KuhnExplorer(Explorer[KuhnReading]):
    """Twelve sliders that say a `profile`, and the `reading`, its worth; make it with `kuhn_explorer`."""

    @property
    def profile(self) -> Profile:
        """What the sliders say."""
        return self.reading.profile


def say_profile(profile: Profile) -> Values:
    """Return the values of the sliders for a profile."""
    kuhn().validate_probabilities(profile)
    return {n: profile.action_probabilities(*key)["bet"] for n, key in KEYS.items()}


def kuhn_explorer(start: str | Profile = "uniform") -> KuhnExplorer:
    """Show sliders for the twelve probabilities of Kuhn poker and what they are worth, live.

    A closed padlock is a habit: buttons leave its slider alone, and the others' best answer to it is shown.

    Parameters
    ----------
    start : str or Profile
        'uniform', 'an equilibrium', 'always bet', 'never bet', 'kings only', or any profile of two-player Kuhn poker.

    Returns
    -------
    KuhnExplorer
        What is shown; `profile` and `reading` are what is on the screen.

    Examples
    --------
    >>> explorer = kuhn_explorer("an equilibrium")
    >>> explorer.reading.exploitability < 1e-12
    True
    """
    profile = kuhn_character(start) if isinstance(start, str) else start
    return KuhnExplorer(
        "Kuhn explorer", make_kuhn_controls(), read_kuhn, partial(draw_kuhn_reading, columns=COLUMNS, cards=CARDS),
        start=say_profile(profile), adjust_values=follow_kuhn_control, mark_sliders=mark_sliders,
        write_live_html=tell_worth,
        buttons=[
            *(Button(name, partial(choose, name)) for name in NAMES),
            Button(LOCKED_BEST, partial(choose, LOCKED_BEST), lambda reading: bool(reading.locked)),
        ],
        write_summary=lambda reading: f"exploitability {reading.exploitability:.4f} chips",
    ).open()  # fmt: skip
