"""Kuhn poker to explore: a slider and a padlock for each probability, and at once what it is worth."""

from functools import partial

import ipywidgets

from pokerlab.games import Profile, kuhn
from pokerlab.workbench.drawings.kuhn_picture import (
    LARGEST_ALPHA,
    KuhnReading,
    draw_reading,
    kuhn_character,
    kuhn_equilibrium,
    profile_of,
)
from pokerlab.workbench.live.screen import OnScreen, Screen, button

STEP = 1 / 60  # of the sliders: it has 1/2, 1/3 and 1/5 among its multiples
COLUMNS = (
    (0, "", "acts first: bet?"),
    (0, ", pass-bet", "after check, bet: call?"),
    (1, ", pass", "after a check: bet?"),
    (1, ", bet", "after a bet: call?"),
)
CARDS = ("K", "Q", "J")
NAMES = ("uniform", "always bet", "never bet", "an equilibrium")
LOCKED_BEST = "best while locked"
"""What moves the sliders that are free to an equilibrium in which the others stay."""


class KuhnExplorer(OnScreen):
    """Twelve sliders that say a `profile`, and the `reading`, its worth; make it with `kuhn_explorer`.

    A closed padlock is a habit: buttons leave its slider alone, and the others' best answer to it is shown.
    """

    def __init__(self) -> None:
        keys = {
            (player, card + after): f"player {player + 1} with {card}, {words}"
            for card in CARDS
            for player, after, words in COLUMNS
        }
        self.sliders = {
            key: ipywidgets.FloatSlider(
                0.5, tooltip=words, min=0.0, max=1.0, step=STEP, description=key[1][0], readout_format=".2f",
                layout={"width": "calc(97% - 32px)"}, style={"description_width": "18px"},
            )
            for key, words in keys.items()
        }  # fmt: skip
        self.padlocks = {
            key: ipywidgets.ToggleButton(
                icon="unlock",
                tooltip=f"Lock this habit: {words}",
                layout={"width": "30px", "padding": "0"},
            )
            for key, words in keys.items()
        }
        self.alpha = ipywidgets.FloatSlider(
            0.2, min=0.0, max=LARGEST_ALPHA, step=STEP, description="equilibrium α",
            readout_format=".2f", layout={"width": "300px"}, style={"description_width": "95px"},
            tooltip="Walk along the family of equilibria: how often player 1 bluffs with a jack.",
        )  # fmt: skip
        self.screen = Screen("svg+xml")
        for control in (*self.sliders.values(), *self.padlocks.values()):
            control.observe(self.answer, "value")
        self.alpha.observe(lambda _: self.choose("an equilibrium"), "value")
        self.controls = self.lay_out()
        self.profile = kuhn_character("uniform")

    def lay_out(self) -> ipywidgets.VBox:
        """Return the sliders below their situations, and the buttons."""
        columns = []
        for player, after, words in COLUMNS:
            head = ipywidgets.HTML(f"<b>player {player + 1}</b>, {words}")
            pairs = [
                ipywidgets.HBox([of[player, card + after] for of in (self.sliders, self.padlocks)])
                for card in CARDS
            ]
            layout = {"flex": "1 1 200px", "max_width": "225px", "margin": "0 8px 0 0"}
            columns.append(ipywidgets.VBox([head, *pairs], layout=layout))
        buttons = [button(name, partial(self.choose, name)) for name in (*NAMES, LOCKED_BEST)]
        self.best = buttons[-1]
        wrapping = {"flex_flow": "row wrap"}
        rows = ([*buttons, self.alpha], columns)
        return ipywidgets.VBox([ipywidgets.HBox(row, layout=wrapping) for row in rows])

    def choose(self, name: str) -> None:
        """Move all sliders that are not locked to a profile that has a name."""
        if name == "an equilibrium":
            chosen = kuhn_equilibrium(self.alpha.value).to_table()
        elif name == LOCKED_BEST:
            chosen = {key: {"bet": bet} for key, bet in self.reading.answers.items()}
        else:
            chosen = kuhn_character(name).to_table()
        bets = {key: slider.value for key, slider in self.sliders.items()}
        bets |= {key: chosen[key]["bet"] for key in chosen.keys() - self.locked}
        self.profile = profile_of(bets)

    @property
    def locked(self) -> frozenset[tuple[int, str]]:
        """The information sets whose padlocks are closed."""
        return frozenset(key for key, padlock in self.padlocks.items() if padlock.value)

    @property
    def profile(self) -> Profile:
        """What the sliders say."""
        return profile_of({key: slider.value for key, slider in self.sliders.items()})

    @profile.setter
    def profile(self, profile: Profile) -> None:
        kuhn().checked_probabilities(profile)
        with self.quietly():
            for (player, known), slider in self.sliders.items():
                slider.value = profile.action_probabilities(player, known)["bet"]
        self.refresh()

    def refresh(self) -> None:
        """Read off the numbers and draw them."""
        for padlock in self.padlocks.values():
            padlock.icon = "lock" if padlock.value else "unlock"
        self.best.disabled = not self.locked
        self.reading = KuhnReading.of(self.profile, self.locked)
        self.picture = draw_reading(self.reading, COLUMNS, CARDS)
        self.screen.draw(self.picture)

    def __repr__(self) -> str:
        return f"<Kuhn explorer at exploitability {self.reading.exploitability:.4f} chips>"


def kuhn_explorer(start: str | Profile = "uniform") -> KuhnExplorer:
    """Show sliders for the twelve probabilities of Kuhn poker and what they are worth, live.

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
    explorer = KuhnExplorer()
    explorer.profile = kuhn_character(start) if isinstance(start, str) else start
    return explorer.open()
