"""A recorded tournament in the notebook: a slider over its rounds, all tables at once."""

from collections.abc import Collection

import ipywidgets

from pokerlab.core.settings import whole
from pokerlab.holdem.tournaments.results import Placed, Round
from pokerlab.workbench.live import registry
from pokerlab.workbench.live.screen import Screen
from pokerlab.workbench.pictures.svg import Picture
from pokerlab.workbench.pictures.tournament_drawing import draw_round_of_tables, headline


class TournamentExplorer:
    """The rounds of a tournament; make it with `watch_tournament`.

    Attributes
    ----------
    rounds : tuple of Round
        All of them.
    slider : ipywidgets.IntSlider
        Which one is on the screen, from 1.
    picture : Picture
        How it is drawn.
    """

    picture: Picture

    def __init__(
        self, rounds: tuple[Round, ...], names: tuple[str, ...], follow: Collection[int]
    ) -> None:
        self.rounds, self.names, self.follow = rounds, names, follow
        self.screen = Screen("svg+xml")
        self.slider = ipywidgets.IntSlider(
            value=1, min=1, max=len(rounds), description="round",
            layout=ipywidgets.Layout(width="620px"),
        )  # fmt: skip
        self.back, self.on = (ipywidgets.Button(description=word) for word in ("Back", "On"))
        self.back.on_click(lambda _: self.step(-1))
        self.on.on_click(lambda _: self.step(1))
        self.slider.observe(lambda _: self.refresh(), "value")
        self.controls = ipywidgets.HBox([self.slider, self.back, self.on])
        self.refresh()

    @property
    def round(self) -> Round:
        """The round on the screen."""
        number: int = self.slider.value
        return self.rounds[number - 1]

    def step(self, by: int) -> None:
        """Go on by so many rounds, as far as there are any."""
        self.slider.value = min(max(self.slider.value + by, 1), len(self.rounds))

    def refresh(self) -> None:
        """Draw the round that the slider says."""
        self.back.disabled = self.slider.value == 1
        self.on.disabled = self.slider.value == len(self.rounds)
        self.picture = draw_round_of_tables(self.round, self.follow, names=self.names)
        self.screen.draw(self.picture)

    def close(self) -> None:
        """Take the controls away; the picture stays."""
        self.screen.close()
        registry.leave_place(self)

    def __repr__(self) -> str:
        return f"<Tournament: {headline(self.round)}>"


def watch_tournament(
    placed: Placed, tournament: int = 0, *, follow: Collection[int] = ()
) -> TournamentExplorer:
    """Show a recorded tournament round by round.

    Its hands are played again first, which takes about a millisecond for each.

    Parameters
    ----------
    placed : Placed
        From tournaments played with `record=True`.
    tournament : int
        Which of them.
    follow : collection of int
        Entrants, by their places in the line-up, whose bars are black.

    Returns
    -------
    TournamentExplorer
        What is shown; its `slider` says which round.

    Raises
    ------
    SettingError
        If nothing was recorded, or there is no such tournament or entrant.

    Examples
    --------
    >>> from pokerlab.holdem import RANDOM, doubling, no_limit, tournament
    >>> game = tournament(doubling(no_limit(5, 10), 20, chips=30_000), entrants=30, seats=6)
    >>> shown = watch_tournament(game.play([RANDOM] * 30, seed=1, record=True), follow=[3])
    >>> shown.slider.value = 2
    >>> shown
    <Tournament: round 2, blinds 5/10: 27 players at 5 tables, 6 out, 5 change tables>
    """
    places = len(placed.stacks)
    for entrant in follow:
        whole("an entrant to follow", entrant, 0, places - 1)
    rounds = tuple(placed.rounds_of(tournament))
    names = tuple(placed.names[player] for player in placed.lineups[tournament])
    explorer = TournamentExplorer(rounds, names, tuple(follow))
    registry.take_place(explorer, None)
    explorer.screen.open(explorer.controls)
    return explorer
