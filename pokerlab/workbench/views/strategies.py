"""What a player does: as heat maps whose rows are cards, as bands across all cards, or in a triangle of mixtures."""

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
from pokerlab.solvers import DynamicsState, SequenceFormLP
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
    name_places,
    would_touch,
)
from pokerlab.workbench.style import BLUE, INK, PAPER, PROBABILITY_COLORS, RED, SMALL_SIZE, look
from pokerlab.workbench.text import capitalize
from pokerlab.workbench.views.evolution import stack_genomes

MOST_COLUMNS = 16  # more than these cannot be read; then only the first round of betting is shown
ONE_CARD = ("pass", "bet")  # the actions of one-card poker, which have other names at the table
INITIALS = {"check": "x"}  # where not the first letter: a call has c


@dataclass(frozen=True, eq=False)
class StrategyTable:
    """A player's information sets as rows, and as columns situations: of two actions the second, or each."""

    player: int  # whose strategy it is, 0-based
    rows: tuple[str, ...]  # the cards, in the order in which the game's deck lists them
    columns: tuple[str, ...]  # what has happened, and the action where columns differ in it
    action: str  # the action that all columns show; empty if they differ
    key: str  # what the initials in `columns` stand for; empty where they are words
    index: Ints  # (rows, columns), where the probability stands in a profile; -1 if nowhere
    left_out: int  # situations that are not shown
    situations: tuple[
        str, ...
    ] = ()  # what has happened in each column and the action, in full words

    def read(self, profile: Profile) -> Floats:
        """Return the table's probabilities, (rows, columns); NaN where the player cannot be."""
        return np.where(self.index < 0, np.nan, profile.probabilities[self.index])


def make_strategy_table(
    game: SequenceForm, player: int, situations: Sequence[str] | None = None
) -> StrategyTable:
    """Return how a player's strategy is laid out, in all situations such as 'pass-bet' that can be read."""
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
    """Return a player's information sets by what has happened and then by card."""
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
    """Return which actions have a column: of two the second says all."""
    return range(1, 2) if len(actions) == 2 else range(len(actions))


def find_position(game: SequenceForm, infoset: int | None, offset: int) -> int:
    """Return where an action's probability stands in a profile, or -1."""
    if infoset is None:
        return -1
    return int(game.first_sequence[infoset]) - game.num_players + offset


def write_column_labels(columns: list[tuple[str, str]], *, with_action: bool) -> tuple[str, ...]:
    """Return what stands below the columns; initials where the words would not fit."""
    if with_action and all(situation == "" for situation, _ in columns):
        return tuple(action for _, action in columns)
    shorten = abbreviate_situation if are_situations_too_wide(columns) else str
    texts = [shorten(situation) or "first" for situation, _ in columns]
    if not with_action:
        return tuple(texts)
    return tuple(f"{text}\n{action}" for text, (_, action) in zip(texts, columns, strict=True))


def are_situations_too_wide(columns: list[tuple[str, str]]) -> bool:
    """Return whether the situations would not fit below the table as words."""
    return would_touch([situation for situation, _ in columns])


def abbreviate_situation(situation: str) -> str:
    """Return 'xxb' for 'check-check-bet', round by round."""
    rounds = (r.split(BETWEEN_ACTIONS) for r in situation.split(BETWEEN_ROUNDS))
    return BETWEEN_ROUNDS.join("".join(map(abbreviate_word, words)) for words in rounds)


def abbreviate_word(word: str) -> str:
    """Return the letter that stands for an action."""
    return INITIALS.get(word, word[:1])


def is_one_card(game: SequenceForm) -> bool:
    """Return whether everybody always chooses between 'pass' and 'bet'."""
    return set(game.action_label) == {ONE_CARD}


def write_key(game: SequenceForm) -> str:
    """Return what the initials of a game's actions stand for, as in 'x: check, b: bet'."""
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
        How it is laid out.
    profile : Profile
        Of the table's game.
    key : str
        The name of its probabilities.
    title : str
        The finding.
    """
    rows, columns = len(table.rows), len(table.columns)
    size = SMALL_SIZE - 1.5 if rows > MOST_TALL_ROWS else SMALL_SIZE
    names = table.situations if table.situations else table.columns
    return HeatMap(
        table.read(profile),
        Axis(write_remark(table), (0.0, max(columns, 1)), ticks=name_places(table.columns)),
        Axis("", (0.0, max(rows, 1)), ticks=name_places(table.rows)),
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
    """Return what must be said below the columns."""
    left_out = f"{table.left_out} later situations are not shown" if table.left_out else ""
    return "; ".join(filter(None, (table.key, left_out)))


@dataclass(frozen=True)
class StrategyView:
    """A player's strategy as heat maps, one for each of the state's profiles.

    These are named by their attribute, with when they are played: `{"last_iterate": "now", "average": "on average"}`.
    """

    profiles: Mapping[str, str]
    name = "strategy"
    height = 2.1
    choice = "Strategy of"
    caption = "Each cell is a probability: rows are cards, columns what has happened."

    def find_game(self, frame: Frame) -> SequenceForm:
        """Return the game that the profiles belong to."""
        profile: Profile = getattr(frame.state, next(iter(self.profiles)))
        return profile.game

    def list_choices(self, frame: Frame) -> Mapping[str, int]:
        """Return the players, by the number that people use; without those who have nothing to choose."""
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
    """Return where a player's probabilities stand, made once for each game."""
    return make_strategy_table(game, player)


CLICK_TO_START = "A click chooses the start."


@dataclass(frozen=True, eq=False)
class CardBand:
    """A situation of one-card poker, in which a player bets or calls with each card or does not.

    Attributes
    ----------
    name : str
        What is done there, such as 'player 1 bets'.
    cards : tuple of str
        From the lowest to the highest.
    index : array of shape (cards,)
        Where the probabilities stand in a profile.
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
    """Return how often each card is bet or called, as one row of cells from the lowest card to the highest.

    Parameters
    ----------
    band : CardBand
        The situation.
    profile : Profile
        Of the band's game.
    thresholds : sequence of float
        Where a dashed line is drawn, as shares of the deck.
    title : str
        The finding; if not given, how many cards are bet or called.
    label : str
        Of the axis of cards.
    """
    chances = profile.probabilities[band.index]
    count = len(chances)
    ends = tuple(end for end in (0.0, 1.0) if all(abs(end - each) > 0.03 for each in thresholds))
    curves = tuple(
        Curve(np.array([place, place]), np.array([0.0, 1.0]), look=style)
        for place in thresholds
        for style in THRESHOLD
    )
    return HeatMap(
        chances[None],
        Axis(label, (0.0, 1.0), ticks=tuple((x, f"{x:.3g}") for x in sorted((*ends, *thresholds)))),
        Axis("", (0.0, 1.0), ticks=()),
        ColorScale(PROBABILITY_COLORS),
        band.name,
        title or f"{capitalize(band.name)} {chances.mean():.1%} of {count:,} cards",
        rows=(band.name,),
        columns=tuple(f"card {card}" for card in band.cards) if count <= len(RANKS) else (),
        column_word="card",
        value_word="probability",
        gap=1.5 if count <= MOST_CARDS_APART else 0.0,
        curves=curves,
    )


def find_no_thresholds(game: SequenceForm) -> Mapping[str, Sequence[float]]:
    """Return that nothing is known of a game."""
    return {}


@dataclass(frozen=True)
class CardsView:
    """What players of one-card poker do with each card, a band for each situation.

    Attributes
    ----------
    profiles : mapping of str to str
        The state's profiles by their attribute, with when they are played; one of them is shown.
    find_thresholds : callable
        From the game to the shares of the deck at which a dashed line is drawn, by the name of the band.
    """

    profiles: Mapping[str, str] = field(
        default_factory=lambda: {"average": "on average", "last_iterate": "now"}
    )
    find_thresholds: Callable[[SequenceForm], Mapping[str, Sequence[float]]] = find_no_thresholds
    name = "cards"
    height = 2.2
    choice = "Strategies"
    caption = "Each cell is a card, from the lowest to the highest; the darker, the more often it is bet or called."

    def list_choices(self, frame: Frame) -> Mapping[str, str]:
        """Return the profiles, by the words for when they are played."""
        return {words: name for name, words in self.profiles.items()}

    def draw(self, frame: Frame, chosen: str) -> Strip:
        """Return a band for each situation of the profile `chosen`."""
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
    """A triangle: each corner an action, each point a mixture, and the path of `whose`, such as 'the best genome'."""

    whose: str = "the best genome"
    name = "simplex"
    height = 2.7
    choice = "Mixture of"

    @property
    def caption(self) -> str:
        """How to read it."""
        return (
            f"Triangle of mixtures: the line is the path of {self.whose}, the open circle the equilibrium."
            f" {CLICK_TO_START}"
        )

    def list_choices(self, frame: Frame) -> Mapping[str, int]:
        """Return the players."""
        return {f"player {p + 1}": p for p in range(frame.state.game.num_players)}

    def draw(self, frame: Frame, chosen: int) -> Strip:
        """Return the path up to the present generation, and the last mixture as bars."""
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
        triangle = Triangle(names, tuple(paths), title, is_start_chosen=True)
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
    """Return what all players have played at each recording, (T, S - n): profiles, or those of the best genomes."""
    if isinstance(frame.state, DynamicsState):
        return np.array([profile for _, profile in frame.kept])
    return np.asarray(frame.state.encoding.compute_behaviors(stack_genomes(frame.kept)))


def keep_played(state: Any) -> Floats | None:
    """Return what is kept of a dynamic's state: the probabilities of all actions; of other states nothing."""
    return state.last_iterate.probabilities if isinstance(state, DynamicsState) else None


@lru_cache(maxsize=16)
def find_equilibrium(game: SequenceForm, player: int) -> Floats | None:
    """Return a player's equilibrium mix in a zero-sum or constant-sum game for two, otherwise nothing."""
    if game.num_players != 2 or game.payoff_sum is None:
        return None
    return np.asarray(SequenceFormLP(game).solve().profile.get_behavior(player))
