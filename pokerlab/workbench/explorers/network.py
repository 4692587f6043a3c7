"""A network under the fingers: a slider for each thing that it sees, and at once what it does."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np
from ipywidgets import Dropdown, FloatSlider, IntSlider, Text
from numpy.typing import ArrayLike

from pokerlab.core import CardError, SettingError
from pokerlab.core.settings import check_kind
from pokerlab.holdem import TableNetwork
from pokerlab.holdem.betting_structure import MOST_SEATS
from pokerlab.holdem.cards import BOARD_SIZES, STREETS, format_cards, parse_cards
from pokerlab.holdem.equity import win_probability
from pokerlab.holdem.network_genome import INPUTS, SEATS
from pokerlab.holdem.network_passes import Floats32
from pokerlab.holdem.players import CompiledPlayer
from pokerlab.solvers.population_coevolution import PopulationState
from pokerlab.workbench.drawings.network_drawing import (
    Matrices,
    NetworkDecision,
    Spot,
    draw_network,
)
from pokerlab.workbench.drawings.svg import SvgDrawing
from pokerlab.workbench.live.explorer import Control, Explorer, Values
from pokerlab.workbench.text import format_percent

ROW = {"width": "300px", "height": "28px", "margin": "1px 0"}
LABEL, WIDE_LABEL = {"description_width": "112px"}, {"description_width": "142px"}
STACK, STEP = 1000, 5  # chips of each player to begin with, and by which sliders of chips move
MOST_AGGRESSIVE = 5.0  # where the sliders end
BY_SEAT = {"others": ("chips", 1), "overall": ("overall", 0), "recent": ("recent", 0)}
"""Sliders that move several seats: what the inputs are called, and the first seat; seat 0 is the player's."""
SEAT_SLIDERS = {
    name: {f"{name}_{seat}": f"{word}, {SEATS[seat]}" for seat in range(first, MOST_SEATS)}
    for name, (word, first) in BY_SEAT.items()
}
"""For each slider that moves several seats the sliders of single ones, by name with their inputs."""


@dataclass(frozen=True, eq=False)
class NetworkReading:
    """What a network does in a situation."""

    name: str  # of the network
    spot: Spot
    decision: NetworkDecision
    weights: Matrices
    cards: str
    board: str

    @property
    def title(self) -> str:
        """Which network it is, and what it sees in short."""
        spot, board = self.spot, self.board
        street = STREETS[BOARD_SIZES.index(len(parse_cards(board)))]
        where = f" on {board}" if board else f" {street}"
        held = f"holding {self.cards}{where}, which " if self.cards else "whose hand "
        price = spot.view.legal_actions.to_call
        owed = f"{price:,} to call" if price else "nothing to call"
        return (
            f"{self.name}: {held}wins {format_percent(spot.win)} against a random hand; {owed}, pot"
            f" {spot.pot + spot.price:,}"
        )

    def __str__(self) -> str:
        return f"{self.name} {self.decision}"


@dataclass(frozen=True, eq=False)
class Networks:
    """Networks by their names."""

    encoding: TableNetwork
    players: Mapping[str, CompiledPlayer]
    weights: Mapping[str, Matrices]

    def read(self, values: Values) -> NetworkReading:
        """Return what the chosen network does in the situation that the sliders say."""
        situation = {name: values[name] for name in SLIDERS}
        situation |= {
            name: tuple(values[part] for part in parts) for name, parts in SEAT_SLIDERS.items()
        }
        spot = Spot(**situation, seats=MOST_SEATS, free_folds=self.encoding.free_folds)
        name = values["network"]
        win = spot.win**spot.opponents if self.encoding.against == "all hands" else spot.win
        decision = NetworkDecision.compute(self.players[name], spot.view, win)
        return NetworkReading(
            name, spot, decision, self.weights[name], values["cards"], values["board"]
        )


SEATS_FOLD = "Seat by seat"
CHIPS = {"step": STEP, "readout_format": ",d"}
SLIDERS: Mapping[str, tuple[str, Any, float, float, Mapping[str, Any]]] = {
    "win": ("Win percent", 0.5, 0.0, 1.0, {"step": 0.01, "readout_format": ".0%"}),
    "price": ("To call", 4 * STEP, 0, 2 * STACK, CHIPS),
    "pot": ("Pot before bet", 3 * STEP, 0, 2 * STACK, CHIPS),
    "opponents": ("Opponents left", 1, 1, MOST_SEATS - 1, {}),
    "own": ("Own chips", STACK, STEP, 3 * STACK, CHIPS),
    "others": ("Others' chips", STACK, STEP, 3 * STACK, CHIPS),
    "overall": ("Aggressiveness", 1.0, 0.0, MOST_AGGRESSIVE, {"step": 0.1}),
    "recent": ("... recently", 1.0, 0.0, MOST_AGGRESSIVE, {"step": 0.1}),
    "to_button": ("Hands to button", 0, 0, MOST_SEATS - 1, {}),
    "big_blind": ("Big blind", 2 * STEP, 2, 2 * STACK, {"step": 2, "readout_format": ",d"}),
}
"""Label, value, range and look of the slider for each number of a `Spot`."""


def make_network_controls(names: list[str]) -> list[Control]:
    """Return a menu of networks, fields for cards, and a slider for each thing that a network sees."""
    row = {"layout": ROW, "style": LABEL, "continuous_update": False}
    menu = {"layout": ROW | {"display": None if len(names) > 1 else "none"}, "style": LABEL}
    controls = [
        Control(
            "network", names[0], Dropdown, "Network", widget_arguments={**menu, "options": names}
        ),
        Control(
            "cards",
            "",
            Text,
            "Cards",
            "two cards, such as As Kd; press Enter",
            widget_arguments=row,
        ),
        Control(
            "board", "", Text, "Board", "three to five cards; press Enter", widget_arguments=row
        ),
    ]
    ranges = [(name, about, "") for name, about in SLIDERS.items()]
    for name, parts in SEAT_SLIDERS.items():
        ranges += [(part, (words, *SLIDERS[name][1:]), SEATS_FOLD) for part, words in parts.items()]
    for name, (words, value, low, high, more), group in ranges:
        kind = FloatSlider if isinstance(value, float) else IntSlider
        look = {**row, **more, "min": low, "max": high}
        look["style"] = WIDE_LABEL if words in INPUTS else LABEL
        controls.append(Control(name, value, kind, words, group=group, widget_arguments=look))
    return controls


def follow_network_control(values: Values, name: str) -> Values:
    """Return the values that go with a control that has moved.

    The slider of all seats moves each, and shows their mean. Cards move the slider of the chance to win, and are
    forgotten when that slider is moved.
    """
    values = values | dict.fromkeys(SEAT_SLIDERS.get(name, ()), values[name])
    means = {each: fmean(values[part] for part in parts) for each, parts in SEAT_SLIDERS.items()}
    kinds = {each: type(SLIDERS[each][1]) for each in means}
    values |= {each: kinds[each](mean) for each, mean in means.items()}
    if name == "win":
        return values | {"cards": "", "board": ""}
    if name not in ("cards", "board") or not values["cards"].strip():
        return values
    hole, dealt = parse_cards(values["cards"]), parse_cards(values["board"])
    if len(hole) != 2:
        raise CardError(f"a player has two cards, such as 'As Kd'; '{values['cards']}' is not two.")
    win = float(win_probability(hole, dealt, "win"))
    return values | {"cards": format_cards(hole), "board": format_cards(dealt), "win": win}


def draw_network_reading(reading: NetworkReading) -> SvgDrawing:
    """Return the picture of a reading."""
    return draw_network(reading.weights, reading.decision, reading.title)


class NetworkExplorer(Explorer[NetworkReading]):
    """Networks in a situation that sliders set, and their `decision`; make it with `network_explorer`."""

    @property
    def decision(self) -> NetworkDecision:
        """What the network does."""
        return self.reading.decision

    def deal(self, cards: str, board: str = "") -> None:
        """Let the chance to win be that of hole cards, such as 'As Kd', on a board."""
        self.show_values(
            follow_network_control(self.values | {"cards": cards, "board": board}, "cards")
        )


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
        What is shown: `move_controls(win=0.9, others_3=200)` moves its sliders, `deal("7h 2c")` its cards;
        `decision` is what the network does.

    Examples
    --------
    >>> encoding = TableNetwork()
    >>> explorer = network_explorer(encoding.draw_genomes(np.random.default_rng(1), count=1))
    >>> explorer.move_controls(own=300, price=300)
    >>> set(explorer.decision.action_probabilities) == {-1, 0}
    True
    """
    encoding, named = name_networks(networks, encoding)
    names = [*named]
    made = encoding.make_players(np.stack([*named.values()]), names)
    weights = {name: Matrices.read_genome(encoding, genome) for name, genome in named.items()}
    players = Networks(encoding, dict(zip(names, made, strict=True)), weights)
    controls = make_network_controls(names)
    start = {control.name: control.value for control in controls} | {"cards": "As Kd"}
    return NetworkExplorer(
        "Network explorer", controls, players.read, draw_network_reading, start=follow_network_control(start, "cards"),
        adjust_values=follow_network_control, has_controls_beside=True,
    ).open()  # fmt: skip


def name_networks(
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
        rows = {str(name): chosen.validate_genomes(genome)[0] for name, genome in networks.items()}
    else:
        given = chosen.validate_genomes(networks)
        rows = {f"network{f' {n}' * (len(given) > 1)}": row for n, row in enumerate(given, 1)}
    if not rows:
        raise SettingError("no network is given; give at least one.")
    return chosen, rows
