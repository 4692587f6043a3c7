"""A network under the fingers: a slider for each thing that it sees, and at once what it does."""

from collections.abc import Mapping
from statistics import fmean
from typing import Any

import ipywidgets
import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import CardError, SettingError, UnknownNameError
from pokerlab.core.settings import check_kind, checked_integer, checked_number
from pokerlab.holdem import TableNetwork
from pokerlab.holdem.cards import BOARD_SIZES, STREETS, format_cards, parse_cards
from pokerlab.holdem.equity import win_probability
from pokerlab.holdem.hand import MOST_SEATS
from pokerlab.holdem.network_genome import INPUTS, SEATS, Floats32
from pokerlab.solvers.population_coevolution import PopulationState
from pokerlab.workbench.drawings.network_drawing import (
    Matrices,
    NetworkDecision,
    Spot,
    draw_network,
)
from pokerlab.workbench.live.panel import PANEL_CLASS, SHEET
from pokerlab.workbench.live.screen import Fold, OnScreen, Screen, alert
from pokerlab.workbench.text import percent

WIDTH = "310px"
ROW = {"width": "300px", "height": "28px", "margin": "1px 0"}
LABEL = {"description_width": "112px"}
WIDE_LABEL = {"description_width": "142px"}
STACK, STEP = 1000, 5  # chips of each player to begin with, and by which sliders of chips move
MOST_AGGRESSIVE = 5.0  # where the sliders end
BY_SEAT = {"others": ("chips", 1), "overall": ("overall", 0), "recent": ("recent", 0)}
"""Sliders that move several seats: what the inputs are called, and the first seat; seat 0 is the player's."""


class NetworkExplorer(OnScreen):
    """Networks in a situation that sliders set, the `spot`, and their `decision`; make it with `network_explorer`."""

    def __init__(self, encoding: TableNetwork, networks: Mapping[str, Floats32]) -> None:
        self.encoding = encoding
        names, genomes = list(networks), np.stack(list(networks.values()))
        self.players = dict(zip(names, encoding.make_players(genomes, names), strict=True))
        self.weights = {name: Matrices.of(encoding, genome) for name, genome in networks.items()}
        self.screen = Screen("svg+xml", beside=True)
        look = {"style": LABEL, "layout": ROW}
        self.network = ipywidgets.Dropdown(options=names, description="Network", **look)
        self.cards, self.board = (
            ipywidgets.Text(
                description=words, tooltip=f"{many}; press Enter", continuous_update=False, **look
            )
            for words, many in (
                ("Cards", "two cards, such as As Kd"), ("Board", "three to five cards"),
            )
        )  # fmt: skip
        self.message = ipywidgets.HTML(layout={"min_height": "28px"})
        self.by_seat = seat_sliders()
        self.sliders = all_sliders()
        self.network.observe(self.answer, "value")
        for text in (self.cards, self.board):
            text.observe(lambda _: self.read_cards(), "value")
        for name, slider in self.sliders.items():
            slider.observe(lambda _, name=name: self.moved(name), "value")
        self.network.layout.display = None if len(names) > 1 else "none"
        sheet = ipywidgets.HTML(SHEET, layout={"display": "none"})
        folded = [self.sliders[part] for parts in self.by_seat.values() for part in parts]
        joint = [slider for slider in self.sliders.values() if slider not in folded]
        by_seat = Fold("Seat by seat", folded, overflow="hidden")
        rows = [self.network, self.cards, self.board, self.message, *joint, by_seat, sheet]
        self.controls = ipywidgets.VBox(rows, layout={"width": WIDTH, "flex": "none"})
        self.controls.add_class(PANEL_CLASS)

    @property
    def spot(self) -> Spot:
        """What the sliders say."""
        values = {name: slider.value for name, slider in self.sliders.items()}
        for name, parts in self.by_seat.items():
            values[name] = tuple(values.pop(part) for part in parts)
        return Spot(**values, seats=MOST_SEATS, free_folds=self.encoding.free_folds)

    def move(self, **values: float) -> None:
        """Move sliders by the names of a `Spot`, such as `move(win=0.9, price=200)`, in this order.

        `move(overall=2.0)` moves all seats, `move(overall_3=2.0)` the third on the left; the slider of
        all then shows their mean.
        """
        for name, value in values.items():
            UnknownNameError.check("slider", name, self.sliders)
            slider = self.sliders[name]
            check = (
                checked_number if isinstance(slider, ipywidgets.FloatSlider) else checked_integer
            )
            check(name, value, slider.min, slider.max)
        with self.quietly():
            for name, value in values.items():
                for each in (name, *self.by_seat.get(name, ())):
                    self.sliders[each].value = value
            for name, parts in self.by_seat.items():
                self.sliders[name].value = fmean(self.sliders[part].value for part in parts)
            if "win" in values:  # no longer that of the cards in the fields
                self.cards.value = self.board.value = self.message.value = ""
        self.refresh()

    def deal(self, cards: str, board: str = "") -> None:
        """Let the chance to win be that of hole cards, such as 'As Kd', on a board."""
        hole, dealt = parse_cards(cards), parse_cards(board)
        if len(hole) != 2:
            raise CardError(f"a player has two cards, such as 'As Kd'; '{cards}' is not two.")
        win = float(win_probability(hole, dealt, "win"))
        with self.quietly():
            self.cards.value = format_cards(hole)
            self.board.value = format_cards(dealt)
            self.sliders["win"].value = win
        self.message.value = ""
        self.refresh()

    def read_cards(self) -> None:
        """Answer the fields; cards that cannot be are refused in words."""
        if self.moving:
            return
        if not self.cards.value.strip():
            self.message.value = ""
            return
        try:
            self.deal(self.cards.value, self.board.value)
        except CardError as error:
            self.message.value = alert(str(error))

    def moved(self, name: str) -> None:
        """Answer a slider."""
        if not self.moving:
            self.move(**{name: self.sliders[name].value})

    def refresh(self) -> None:
        """Let the network decide, and show it."""
        spot, name = self.spot, self.network.value
        win = spot.win**spot.opponents if self.encoding.against == "all hands" else spot.win
        self.decision = NetworkDecision.of(self.players[name], spot.view, win)
        self.picture = draw_network(self.weights[name], self.decision, self.title())
        self.screen.draw(self.picture)

    def title(self) -> str:
        """Return which network it is, and what it sees in short."""
        spot, board = self.spot, self.board.value
        street = STREETS[BOARD_SIZES.index(len(parse_cards(board)))]
        where = f" on {board}" if board else f" {street}"
        held = f"holding {self.cards.value}{where}, which " if self.cards.value else "whose hand "
        price = spot.view.legal.to_call
        owed = f"{price:,} to call" if price else "nothing to call"
        return (
            f"{self.network.value}: {held}wins {percent(spot.win)} against a random hand; {owed}, pot"
            f" {spot.pot + spot.price:,}"
        )

    def __repr__(self) -> str:
        return f"<Network explorer: {self.network.value} {self.decision}>"


def all_sliders() -> dict[str, Any]:
    """Return a slider for each number of a `Spot`, by its name there, and those that move several seats."""
    chips = {"step": STEP, "readout_format": ",d"}
    ranges: dict[str, tuple[str, Any, float, float, dict[str, Any]]] = {
        "win": ("Win percent", 0.5, 0.0, 1.0, {"step": 0.01, "readout_format": ".0%"}),
        "price": ("To call", 4 * STEP, 0, 2 * STACK, chips),
        "pot": ("Pot before it", 3 * STEP, 0, 2 * STACK, chips),
        "opponents": ("Opponents in", 1, 1, MOST_SEATS - 1, {}),
        "own": ("Own chips", STACK, STEP, 3 * STACK, chips),
        "others": ("Others' chips", STACK, STEP, 3 * STACK, chips),
        "overall": ("Aggressiveness", 1.0, 0.0, MOST_AGGRESSIVE, {"step": 0.1}),
        "recent": ("... of late", 1.0, 0.0, MOST_AGGRESSIVE, {"step": 0.1}),
        "to_button": ("Hands to button", 0, 0, MOST_SEATS - 1, {}),
        "big_blind": ("Big blind", 2 * STEP, 2, 2 * STACK, {"step": 2, "readout_format": ",d"}),
    }
    for name, parts in seat_sliders().items():
        ranges |= {part: (words, *ranges[name][1:]) for part, words in parts.items()}
    made = {}
    for name, (words, value, low, high, about) in ranges.items():
        kind = ipywidgets.FloatSlider if isinstance(value, float) else ipywidgets.IntSlider
        made[name] = kind(
            value=value, min=low, max=high, description=words, **about, continuous_update=False,
            style=WIDE_LABEL if words in INPUTS else LABEL, layout=ROW,
        )  # fmt: skip
    return made


def seat_sliders() -> dict[str, dict[str, str]]:
    """Return the sliders of single seats, by name with their inputs, for each slider that moves all of them."""
    return {
        name: {f"{name}_{seat}": f"{word}, {SEATS[seat]}" for seat in range(first, MOST_SEATS)}
        for name, (word, first) in BY_SEAT.items()
    }


def network_explorer(
    networks: PopulationState | Mapping[str, ArrayLike] | ArrayLike,
    encoding: TableNetwork | None = None,
) -> NetworkExplorer:
    """Show how a network decides: a slider for each thing that it sees, its units, and what it does.

    The network faces a bet, or nothing to call, with all seats of the table taken: see
    `pokerlab.workbench.drawings.network_drawing`. A hand in the fields moves the slider of the chance to win.

    Parameters
    ----------
    networks : PopulationState, or Mapping[str, array_like], or array_like
        An evolution of networks, whose champions are shown; networks by their names; or one network
        or several, (G,) or (k, G), float32.
    encoding : TableNetwork, optional
        What the networks see and how they are read; the state's own, or the default settings.

    Returns
    -------
    NetworkExplorer
        What is shown: `move(win=0.9, others_3=200)` moves its sliders, `deal("7h 2c")` its cards;
        `decision` is what the network does.

    Examples
    --------
    >>> encoding = TableNetwork()
    >>> explorer = network_explorer(encoding.draw_genomes(np.random.default_rng(1), count=1))
    >>> explorer.move(own=300, price=300)
    >>> set(explorer.decision.likely) == {-1, 0}
    True
    """
    encoding, named = named_networks(networks, encoding)
    explorer = NetworkExplorer(encoding, named)
    explorer.deal("As Kd")
    return explorer.open()


def named_networks(
    networks: Any, encoding: TableNetwork | None
) -> tuple[TableNetwork, dict[str, Floats32]]:
    """Return the settings of networks, and the networks by their names."""
    if isinstance(networks, PopulationState):
        of_state: Any = networks.encoding
        check_kind("the state's encoding", of_state, TableNetwork, "an evolution of TableNetwork")
        several = len(networks.champions) > 1
        champions = enumerate(networks.champions, 1)
        names = {f"champion{f' {n}' * several}": genome for n, genome in champions}
        return of_state, names
    chosen = TableNetwork() if encoding is None else encoding
    check_kind("encoding", chosen, TableNetwork, "the TableNetwork that the networks are of")
    if isinstance(networks, Mapping):
        rows = {str(name): chosen.checked_genomes(genome)[0] for name, genome in networks.items()}
    else:
        given = chosen.checked_genomes(networks)
        rows = {f"network{f' {n}' * (len(given) > 1)}": row for n, row in enumerate(given, 1)}
    if not rows:
        raise SettingError("no network is given; give at least one.")
    return chosen, rows
