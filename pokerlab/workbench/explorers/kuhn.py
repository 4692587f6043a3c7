"""Kuhn poker to explore: a slider for each probability, and at once what it is worth."""

from functools import partial

import ipywidgets

from pokerlab.games import Profile, kuhn
from pokerlab.workbench.live.screen import OnScreen, Screen, button
from pokerlab.workbench.pictures.kuhn_picture import (
    LARGEST_ALPHA,
    KuhnReading,
    draw_reading,
    kuhn_character,
    kuhn_equilibrium,
    profile_of,
)

STEP = 1 / 60
"""Of the sliders: it has 1/2, 1/3 and 1/5 among its multiples."""
COLUMNS = (
    (0, "", "acts first: bet?"),
    (0, ", pass-bet", "after check, bet: call?"),
    (1, ", pass", "after a check: bet?"),
    (1, ", bet", "after a bet: call?"),
)
CARDS = ("K", "Q", "J")


class KuhnExplorer(OnScreen):
    """Twelve sliders that say a `profile`, and the `reading`, its worth; make it with `kuhn_explorer`."""

    def __init__(self) -> None:
        keys = [(player, card + after) for card in CARDS for player, after, _ in COLUMNS]
        self.sliders = {
            key: ipywidgets.FloatSlider(
                0.5, min=0.0, max=1.0, step=STEP, description=key[1][0], readout_format=".2f",
                layout={"width": "97%"}, style={"description_width": "18px"},
            )
            for key in keys
        }  # fmt: skip
        self.alpha = ipywidgets.FloatSlider(
            0.2, min=0.0, max=LARGEST_ALPHA, step=STEP, description="equilibrium α",
            readout_format=".2f", layout={"width": "300px"}, style={"description_width": "95px"},
            tooltip="Walk along the family of equilibria: how often player 1 bluffs with a jack.",
        )  # fmt: skip
        self.screen = Screen("svg+xml")
        for slider in self.sliders.values():
            slider.observe(self.answer, "value")
        self.alpha.observe(lambda _: self.choose("an equilibrium"), "value")
        self.controls = self.lay_out()
        self.profile = kuhn_character("uniform")

    def lay_out(self) -> ipywidgets.VBox:
        """Return the sliders below their situations, and the buttons."""
        columns = []
        for player, after, words in COLUMNS:
            head = ipywidgets.HTML(f"<b>player {player + 1}</b>, {words}")
            sliders = [self.sliders[player, card + after] for card in CARDS]
            layout = {"flex": "1 1 200px", "max_width": "225px"}
            columns.append(ipywidgets.VBox([head, *sliders], layout=layout))
        names = ("uniform", "always bet", "never bet", "an equilibrium")
        buttons = [button(name, partial(self.choose, name)) for name in names]
        wrapping = {"flex_flow": "row wrap"}
        rows = ([*buttons, self.alpha], columns)
        return ipywidgets.VBox([ipywidgets.HBox(row, layout=wrapping) for row in rows])

    def choose(self, name: str) -> None:
        """Move all sliders to a profile that has a name."""
        equilibrium = name == "an equilibrium"
        self.profile = kuhn_equilibrium(self.alpha.value) if equilibrium else kuhn_character(name)

    @property
    def profile(self) -> Profile:
        """What the sliders say."""
        return profile_of({key: slider.value for key, slider in self.sliders.items()})

    @profile.setter
    def profile(self, profile: Profile) -> None:
        kuhn().owned(profile)
        with self.quietly():
            for (player, known), slider in self.sliders.items():
                slider.value = profile.at(player, known)["bet"]
        self.refresh()

    def refresh(self) -> None:
        """Read off the numbers and draw them."""
        self.reading = KuhnReading.of(self.profile)
        self.picture = draw_reading(self.reading, COLUMNS, CARDS)
        self.screen.draw(self.picture)

    def __repr__(self) -> str:
        return f"<Kuhn explorer at exploitability {self.reading.exploitability:.4f} chips>"


def kuhn_explorer(start: str | Profile = "uniform") -> KuhnExplorer:
    """Show sliders for the twelve probabilities of Kuhn poker and what they are worth, live.

    Parameters
    ----------
    start : str or Profile
        'uniform', 'an equilibrium', 'always bet', 'never bet', 'kings only', or any profile of
        two-player Kuhn poker.

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
