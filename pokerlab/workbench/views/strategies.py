"""Strategies of players: as heat maps whose rows are cards, as bands across all cards, or in a triangle of mixtures."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from pokerlab.core import Floats, Ints, SettingError, UnknownNameError
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.small_poker import (
    BETWEEN_ACTIONS,
    BETWEEN_ROUNDS,
    RANKS,
    list_poker_action_names,
    split_infoset_label,
)
from pokerlab.games.variants import LockedRules
from pokerlab.solvers import SequenceFormLP
from pokerlab.solvers.dynamics import DynamicsState
from pokerlab.workbench.live.view import Frame
from pokerlab.workbench.picture import (
    Axis,
    Bars,
    ColorScale,
    Curve,
    HeatMap,
    Path,
    Strip,
    Triangle,
    make_named_ticks,
    would_names_touch,
)
from pokerlab.workbench.style import BLUE, INK, PAPER, PROBABILITY_COLORS, RED, SMALL_SIZE, look
from pokerlab.workbench.text import capitalize
from pokerlab.workbench.views.evolution import stack_genomes

MOST_COLUMNS = 16  # if there are more columns, only the first round of betting is shown
ONE_CARD_ACTIONS = (
    "pass",
    "bet",
)  # the actions of one-card poker, which have other names in pictures
INITIALS = {"check": "x"}  # the letters of actions that are not their first letters


@dataclass(frozen=True, eq=False)
class StrategyTable:
    """The layout of a player's strategy as a table: a row for each card, and columns for situations and actions.

    A situation is the sequence of actions before an information set. If it has two actions, the table shows the second.

    Attributes
    ----------
    player : int
        The index of the player.
    rows : tuple of str
        The cards, in the order of the game's deck.
    columns : tuple of str
        The labels of the columns: the situation, and the action if columns show different actions.
    action : str
        The action that all columns show; empty if they differ.
    key : str
        The meaning of the initials in `columns`; empty if they are words.
    index : array of shape (rows, columns)
        The index of each probability in a profile; -1 if there is none.
    left_out : int
        The number of situations that are not shown.
    situations : tuple of str
        The situation and the action of each column in full words.
    """

    player: int
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    action: str
    key: str
    index: Ints
    left_out: int
    situations: tuple[str, ...] = ()

    def read(self, profile: Profile) -> Floats:
        """Return the probabilities of a profile, of shape (rows, columns); NaN where there is no information set."""
        return np.where(self.index < 0, np.nan, profile.probabilities[self.index])


def make_strategy_table(
    game: SequenceForm, player: int, situations: Sequence[str] | None = None
) -> StrategyTable:
    """Return the layout of a player's strategy.

    Parameters
    ----------
    game : SequenceForm
        The game.
    player : int
        The index of the player.
    situations : sequence of str, optional
        The situations to show, such as 'pass-bet'; by default as many as can be read.
    """
    game.check_player(player)
    places = group_infosets(game, player)
    for situation in situations or ():
        if situation not in places:
            raise UnknownNameError.from_allowed_names(
                f"situation of player {player + 1}", situation, places
            )
    chosen = list(situations) if situations is not None else choose_readable(game, places)

    present = {card for situation in chosen for card in places[situation]}
    whole = game
    while isinstance(whole.rules, LockedRules):
        whole = whole.rules.profile.game
    deck = dict.fromkeys(split_infoset_label(label)[0] for label in whole.infoset_label)
    rows = [card for card in deck if card in present]  # in the order of the information sets
    columns: list[tuple[str, str]] = []
    index = []
    for situation in chosen:
        actions = list_situation_actions(game, places[situation])
        for offset in choose_columns(actions):
            columns.append((situation, actions[offset]))
            index.append([find_position(game, places[situation].get(c), offset) for c in rows])
    names = {action for _, action in columns}
    same = names.pop() if len(names) == 1 and len(game.action_label) > game.num_players else ""
    if is_one_card(game):
        same = "bet or call"
        columns = [
            (BETWEEN_ACTIONS.join(list_poker_action_names(said)), act) for said, act in columns
        ]
    labels = write_column_labels(columns, with_action=not same)
    key = write_key(game) if are_situations_too_wide(columns) else ""
    where = np.array(index, dtype=np.int64).reshape(len(columns), len(rows)).T
    in_full = tuple(f"{situation or 'first'}: {same or action}" for situation, action in columns)
    return StrategyTable(
        player, tuple(rows), labels, same, key, where, len(places) - len(chosen), in_full
    )


def group_infosets(game: SequenceForm, player: int) -> dict[str, dict[str, int]]:
    """Return a player's information sets by situation and then by card."""
    places: dict[str, dict[str, int]] = {}
    for infoset in range(*game.infoset_start[player : player + 2]):
        card, situation = split_infoset_label(game.infoset_label[infoset])
        places.setdefault(situation, {})[card] = infoset
    return places


def choose_readable(game: SequenceForm, places: dict[str, dict[str, int]]) -> list[str]:
    """Return the situations that fit into a table: all, or those of the first round."""

    def width(situations: list[str]) -> int:
        return sum(len(choose_columns(list_situation_actions(game, places[s]))) for s in situations)

    chosen = list(places)
    if width(chosen) > MOST_COLUMNS:
        chosen = [s for s in places if BETWEEN_ROUNDS not in s] or chosen
    while width(chosen) > MOST_COLUMNS and len(chosen) > 1:
        chosen.pop()
    return chosen


def list_situation_actions(game: SequenceForm, infosets: dict[str, int]) -> tuple[str, ...]:
    """Return the actions of a situation, which are the same for all cards."""
    return game.action_label[next(iter(infosets.values()))]


def choose_columns(actions: tuple[str, ...]) -> range:
    """Return the indices of the actions that have a column: the second of two, or all of more."""
    return range(1, 2) if len(actions) == 2 else range(len(actions))


def find_position(game: SequenceForm, infoset: int | None, offset: int) -> int:
    """Return the index of an action's probability in a profile, or -1 if there is no information set."""
    if infoset is None:
        return -1
    return int(game.first_sequence[infoset]) - game.num_players + offset


def write_column_labels(columns: list[tuple[str, str]], *, with_action: bool) -> tuple[str, ...]:
    """Return the labels of the columns, with initials if the words would not fit."""
    if with_action and all(situation == "" for situation, _ in columns):
        return tuple(action for _, action in columns)
    shorten = abbreviate_situation if are_situations_too_wide(columns) else str
    texts = [shorten(situation) or "first" for situation, _ in columns]
    if not with_action:
        return tuple(texts)
    return tuple(f"{text}\n{action}" for text, (_, action) in zip(texts, columns, strict=True))


def are_situations_too_wide(columns: list[tuple[str, str]]) -> bool:
    """Return whether the situations would not fit below the table as words."""
    return would_names_touch([situation for situation, _ in columns])


def abbreviate_situation(situation: str) -> str:
    """Return the initials of a situation, such as 'xxb' for 'check-check-bet', round by round."""
    rounds = (r.split(BETWEEN_ACTIONS) for r in situation.split(BETWEEN_ROUNDS))
    return BETWEEN_ROUNDS.join("".join(map(abbreviate_word, words)) for words in rounds)


def abbreviate_word(word: str) -> str:
    """Return the letter of an action."""
    return INITIALS.get(word, word[:1])


def is_one_card(game: SequenceForm) -> bool:
    """Return whether all information sets have the actions 'pass' and 'bet'."""
    return set(game.action_label) == {ONE_CARD_ACTIONS}


def write_key(game: SequenceForm) -> str:
    """Return the meaning of the initials of a game's actions, as in 'x: check, b: bet'."""
    words = dict.fromkeys(action for actions in game.action_label for action in actions)
    if is_one_card(game):
        words = dict.fromkeys(("check", "bet", "call", "fold"))
    return ", ".join(f"{abbreviate_word(word)}: {word}" for word in words)


MOST_NUMBERS = 150  # tables with more cells than these are shaded only
MOST_WIDE_COLUMNS, MOST_TALL_ROWS = 8, 9
"""Beyond these, numbers are written without the zero before the point, and small."""
MOST_NARROW_COLUMNS, TINY_SIZE = 12, 5.5
"""Beyond these columns numbers are written in this size, so that they do not touch."""


def draw_strategy(
    table: StrategyTable, profile: Profile, key: str = "", title: str = ""
) -> HeatMap:
    """Return one player's strategy as a heat map.

    Parameters
    ----------
    table : StrategyTable
        The layout of the strategy.
    profile : Profile
        A profile of the table's game.
    key : str
        The name of its probabilities.
    title : str
        The title.
    """
    rows, columns = len(table.rows), len(table.columns)
    size = SMALL_SIZE - 1.5 if rows > MOST_TALL_ROWS else SMALL_SIZE
    names = table.situations if table.situations else table.columns
    return HeatMap(
        table.read(profile),
        Axis(write_remark(table), (0.0, max(columns, 1)), ticks=make_named_ticks(table.columns)),
        Axis("", (0.0, max(rows, 1)), ticks=make_named_ticks(table.rows)),
        ColorScale(PROBABILITY_COLORS),
        key,
        title,
        y_edges=np.arange(rows + 1.0),
        rows=table.rows,
        columns=names,
        value_word="probability",
        has_numbers=rows * columns <= MOST_NUMBERS,
        has_narrow_cells=columns > MOST_WIDE_COLUMNS,
        text_size=size,
        digit_size=min(size, TINY_SIZE) if columns > MOST_NARROW_COLUMNS else size,
        gap=1.5,
    )


def write_remark(table: StrategyTable) -> str:
    """Return the words below the columns: the key, and the number of situations that are not shown."""
    left_out = f"{table.left_out} later situations are not shown" if table.left_out else ""
    return "; ".join(filter(None, (table.key, left_out)))


@dataclass(frozen=True)
class StrategyView:
    """A player's strategy as heat maps, one for each of the state's profiles.

    Attributes
    ----------
    profiles : mapping of str to str
        The state's profiles by their attribute, with words for when they are played:
        `{"last_iterate": "now", "average": "on average"}`.
    """

    profiles: Mapping[str, str]
    name = "strategy"
    height = 2.1
    choice_label = "Strategy of"
    caption = "Each cell is a probability: rows are cards, columns what has happened."

    def find_game(self, frame: Frame) -> SequenceForm:
        """Return the game of the profiles."""
        profile: Profile = getattr(frame.state, next(iter(self.profiles)))
        return profile.game

    def list_choices(self, frame: Frame) -> Mapping[str, int]:
        """Return the players who have information sets, by their numbers counted from 1."""
        players = np.flatnonzero(self.find_game(frame).num_infosets).tolist()
        return {f"player {p + 1}": p for p in players or range(self.find_game(frame).num_players)}

    def draw(self, frame: Frame, chosen: int) -> Strip:
        """Return a heat map for each profile of the state."""
        table = lay_out_strategy(self.find_game(frame), chosen)
        what = f"chance to {table.action}" if table.action else "all actions"
        maps = tuple(
            draw_strategy(
                table,
                getattr(frame.state, name),
                key=name,
                title=f"Player {chosen + 1} {words}: {what}",
            )
            for name, words in self.profiles.items()
        )
        return Strip(self.name, self.height, (maps,))


@lru_cache(maxsize=16)
def lay_out_strategy(game: SequenceForm, player: int) -> StrategyTable:
    """Return the layout of a player's strategy. Those of the last 16 games and players are kept in memory."""
    return make_strategy_table(game, player)


CLICK_TO_START = "A click chooses the start."


@dataclass(frozen=True, eq=False)
class CardBand:
    """A situation of one-card poker, in which a player bets or calls with each card with some probability.

    Attributes
    ----------
    name : str
        The name of the situation, such as 'player 1 bets'.
    cards : tuple of str
        The cards, from the lowest to the highest.
    index : array of shape (cards,)
        The indices of the probabilities in a profile.
    """

    name: str
    cards: tuple[str, ...]
    index: Ints


@lru_cache(maxsize=16)
def list_card_bands(game: SequenceForm) -> tuple[CardBand, ...]:
    """Return the situations of one-card poker in the order in which they come up."""
    if any(len(actions) != 2 or actions[1] != "bet" for actions in game.action_label):
        raise SettingError(
            f"{game.name} has choices that are not whether to bet or call. Pass one-card poker."
        )
    situations = [
        (situation.split(BETWEEN_ACTIONS) if situation else [], player, places)
        for player in range(game.num_players)
        for situation, places in group_infosets(game, player).items()
    ]
    situations.sort(key=lambda each: (len(each[0]), "bet" not in each[0], each[1]))
    deck = {card: rank for rank, card in enumerate(situations[0][2])}
    short = [
        f"player {player + 1} {'calls' if 'bet' in said else 'bets'}"
        for said, player, _ in situations
    ]
    counts = Counter(short)
    bands = []
    for name, (said, _, places) in zip(short, situations, strict=True):
        words = BETWEEN_ACTIONS.join(list_poker_action_names(BETWEEN_ACTIONS.join(said)))
        after = f" after {words}" if counts[name] > 1 and said else ""
        cards = sorted(places, key=deck.__getitem__)
        index = np.array([find_position(game, places[card], 1) for card in cards], dtype=np.int64)
        bands.append(CardBand(name + after, tuple(cards), index))
    return tuple(bands)


MOST_CARDS_APART = 60  # of more cards no gap is drawn between two
THRESHOLD = (
    {"color": PAPER, "linewidth": 3.6},
    {"color": INK, "linewidth": 1.8, "linestyle": (0, (2, 1.2))},
)
"""A line that can be seen on light and on dark cells: dashes on white."""


def draw_card_band(
    band: CardBand,
    profile: Profile,
    thresholds: Sequence[float] = (),
    title: str = "",
    label: str = "",
) -> HeatMap:
    """Return the probabilities of betting or calling as one row of cells, from the lowest card to the highest.

    Parameters
    ----------
    band : CardBand
        The situation.
    profile : Profile
        A profile of the band's game.
    thresholds : sequence of float
        The positions of dashed lines, as shares of the deck.
    title : str
        The title; by default the share of cards that are bet or called.
    label : str
        The label of the axis of cards.
    """
    probabilities = profile.probabilities[band.index]
    num_cards = len(probabilities)
    ends = tuple(end for end in (0.0, 1.0) if all(abs(end - each) > 0.03 for each in thresholds))
    curves = tuple(
        Curve(np.array([place, place]), np.array([0.0, 1.0]), look=style)
        for place in thresholds
        for style in THRESHOLD
    )
    return HeatMap(
        probabilities[None],
        Axis(label, (0.0, 1.0), ticks=tuple((x, f"{x:.3g}") for x in sorted((*ends, *thresholds)))),
        Axis("", (0.0, 1.0), ticks=()),
        ColorScale(PROBABILITY_COLORS),
        band.name,
        title or f"{capitalize(band.name)} {probabilities.mean():.1%} of {num_cards:,} cards",
        rows=(band.name,),
        columns=tuple(f"card {card}" for card in band.cards) if num_cards <= len(RANKS) else (),
        column_word="card",
        value_word="probability",
        gap=1.5 if num_cards <= MOST_CARDS_APART else 0.0,
        curves=curves,
    )


def find_no_thresholds(game: SequenceForm) -> Mapping[str, Sequence[float]]:
    """Return an empty mapping, because no thresholds of the game are known."""
    return {}


@dataclass(frozen=True)
class CardsView:
    """Strategies in one-card poker, with a band for each situation.

    Attributes
    ----------
    profiles : mapping of str to str
        The state's profiles by their attribute, with words for when they are played. One of them is shown.
    find_thresholds : callable
        A function from the game to the positions of dashed lines, as shares of the deck, by the name of the band.
    """

    profiles: Mapping[str, str] = field(
        default_factory=lambda: {"average": "on average", "last_iterate": "now"}
    )
    find_thresholds: Callable[[SequenceForm], Mapping[str, Sequence[float]]] = find_no_thresholds
    name = "cards"
    height = 2.2
    choice_label = "Strategies"
    caption = "Each cell is a card, from the lowest to the highest; the darker, the more often it is bet or called."

    def list_choices(self, frame: Frame) -> Mapping[str, str]:
        """Return the attributes of the profiles, by the words for when they are played."""
        return {words: name for name, words in self.profiles.items()}

    def draw(self, frame: Frame, chosen: str) -> Strip:
        """Return the strip with a band for each situation in the chosen profile."""
        profile: Profile = getattr(frame.state, chosen)
        thresholds = self.find_thresholds(profile.game)
        bands = list_card_bands(profile.game)
        rows = tuple(
            (
                draw_card_band(
                    band,
                    profile,
                    thresholds.get(band.name, ()),
                    label=CARDS_AXIS if band is bands[-1] else "",
                ),
            )
            for band in bands
        )
        return Strip(self.name, BAND_HEIGHT * len(bands) + 0.3, rows)


CARDS_AXIS = "card, from the lowest (0) to the highest (1)"
BAND_HEIGHT = 0.78  # inches, with its title and its axis


@dataclass(frozen=True)
class SimplexView:
    """A triangle of mixtures of three actions, with the path of `whose`, such as 'the best genome'."""

    whose: str = "the best genome"
    name = "simplex"
    height = 2.7
    choice_label = "Mixture of"

    @property
    def caption(self) -> str:
        """A sentence on how to read the strip."""
        return (
            f"Triangle of mixtures: the line is the path of {self.whose}, the open circle the equilibrium."
            f" {CLICK_TO_START}"
        )

    def list_choices(self, frame: Frame) -> Mapping[str, int]:
        """Return the indices of the players, by their numbers counted from 1."""
        return {f"player {p + 1}": p for p in range(frame.state.game.num_players)}

    def draw(self, frame: Frame, chosen: int) -> Strip:
        """Return the strip with the path up to the present generation, and with the last mixture as bars."""
        game = frame.state.game
        names = game.action_label[int(game.infoset_start[chosen])]
        nash = find_equilibrium(game, chosen)
        own = game.player_sequences[chosen]
        mixtures = list_behaviors(frame)[:, own]
        key = f"player {chosen + 1}"

        end = {"color": RED, "marker": "o", "markersize": 4.5, "linestyle": "none"}
        paths = [
            Path(mixtures, {"color": BLUE, "linewidth": 1.2}, key, f"path of {self.whose}"),
            Path(mixtures[-1:], end, label="now"),
        ]
        if nash is not None:
            mark = look("published") | {"markersize": 11.0}
            paths.insert(0, Path(nash[None], mark, label="equilibrium"))
        words = ", ".join(f"{p:.4f}" for p in mixtures[-1])
        title = f"{key.capitalize()} plays {words}"
        triangle = Triangle(names, tuple(paths), title, can_choose_start=True)
        bars = Bars(
            mixtures[-1],
            Axis("probability"),
            names=names,
            marks=nash,
            mark_label="equilibrium",
            look={"color": BLUE},
            width=1.2,
        )
        return Strip(self.name, self.height, ((triangle, bars),))


def list_behaviors(frame: Frame) -> Floats:
    """Return the profile of each recording, or that of its best genome, as an array of shape (T, S - n)."""
    if isinstance(frame.state, DynamicsState):
        return np.array([profile for _, profile in frame.kept_values])
    return np.asarray(frame.state.encoding.compute_behaviors(stack_genomes(frame.kept_values)))


def extract_played(state: Any) -> Floats | None:
    """Return the probabilities of all actions in a state of learning dynamics, or None for other states."""
    return state.last_iterate.probabilities if isinstance(state, DynamicsState) else None


@lru_cache(maxsize=16)
def find_equilibrium(game: SequenceForm, player: int) -> Floats | None:
    """Return a player's equilibrium strategy in a two-player zero-sum or constant-sum game, and otherwise None."""
    if game.num_players != 2 or game.payoff_sum is None:
        return None
    return np.asarray(SequenceFormLP(game).solve().profile.get_behavior(player))
