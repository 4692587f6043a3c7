"""A tournament of one table in the notebook: play against networks and others, and see their decisions.

A reader sees the table, the chips of each player, the players who are out, and the actions of the hand. When a hand
is over, all decisions are listed with the cards, the chance to win, and the probabilities of the actions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from pokerlab.core import validate_integer
from pokerlab.core.settings import LARGEST_COUNT, check_kind
from pokerlab.holdem import TableNetwork
from pokerlab.holdem.aggressiveness import Aggressiveness
from pokerlab.holdem.betting_structure import MOST_SEATS, no_limit
from pokerlab.holdem.cards import STREETS, format_cards
from pokerlab.holdem.hand import ACTIONS, CALL, FOLD, NUM_ACTIONS, Hand, find_action_column
from pokerlab.holdem.hand_history import describe_action
from pokerlab.holdem.network_genome import NetworkDecisionFunction
from pokerlab.holdem.network_habits import describe_inputs
from pokerlab.holdem.players import Player, Roster
from pokerlab.holdem.table_view import SeatView
from pokerlab.holdem.tournament_game import (
    Schedule,
    make_doubling_schedule,
    tournament,
)
from pokerlab.workbench.drawings.network_drawing import NetworkDecision
from pokerlab.workbench.drawings.svg import draw_line, draw_mark, draw_text, write_element
from pokerlab.workbench.drawings.table_drawing import (
    HEIGHT,
    cut_words,
    draw_story,
    format_story_row,
    list_story_rows,
)
from pokerlab.workbench.style import GRAY, INK, SKY
from pokerlab.workbench.tables.holdem import (
    ALL_IN,
    AMOUNT,
    HoldemTable,
    SideColumn,
    SidePart,
    Variant,
)
from pokerlab.workbench.tables.match import READER, SitAndGo
from pokerlab.workbench.text import count_in_words, escape_markdown, format_percent, tabulate

WIDTH, COLUMN_LEFT, COLUMN_RIGHT = 1110.0, 818.0, 1100.0
"""The width of the picture, and where the column beside the table begins and ends, in pixels."""
ACTION_ROOM = 164.0  # pixels for the words of an action
ROWS_TOP, ROW_HEIGHT, BAR_HEIGHT = 46.0, 17.5, 3.0  # of the rows of chips
STORY_GAP, LINE_HEIGHT = 14.0, 14.5  # of the lines of actions below them
CAPTION = (
    " Beside the table: everybody's chips before the hand, or after it once it is over, who is out with the"
    " rank, and how the hand went."
)
HEADS = ("street", "who", "cards", "win chance", "pot", "to call", "sees you as", *ACTIONS, "did")
BOARD_CELL = (
    f'<td colspan="{len(HEADS) - 1}" style="text-align: left; border-top: 1px solid currentColor;">'
)
TABLE_CAPTION = (
    "All decisions of hand {number}: the cards, how often they win or tie against one random hand, chips in the pot"
    " and to call, how aggressive you have looked to the seat, over all and lately (1 means always calling), how"
    " likely a network was to fold, to check or call, and to bet or raise, and what was done."
)


def draw_tournament_column(match: SitAndGo) -> SideColumn:
    """Return the column beside the seats: the blinds, the chips or rank of each player, and the actions of the hand."""
    hand = match.hands[-1]
    blinds = describe_blinds(match)
    standings = list_standings(match)
    story_top = ROWS_TOP + ROW_HEIGHT * len(standings) + STORY_GAP
    parts = [draw_text(blinds, COLUMN_LEFT, 18, 12, bold=True), draw_standings(standings)]
    parts.append(
        draw_line(COLUMN_LEFT, story_top - 16, COLUMN_RIGHT, story_top - 16, stroke="#d9d9d9")
    )
    story = list_story_rows(hand, match.seat_names)
    last_rows = [[*row] for row in story[-int((HEIGHT - story_top) // LINE_HEIGHT) :]]
    streets = [street for street, _, _ in last_rows]
    for k, row in enumerate(last_rows):  # a street is named where it begins
        row[0] = row[0] if k == 0 or streets[k - 1] != row[0] else ""
        row[2] = cut_words(row[2], 10.5, ACTION_ROOM)
    parts.append(draw_story(last_rows, COLUMN_LEFT, story_top, LINE_HEIGHT, 10.5, (46, 118)))
    lines = [f"{name}: {chips_or_rank}" for _, name, _, chips_or_rank in standings]
    text_below = [*lines, *map(format_story_row, story)]
    bottom = story_top + LINE_HEIGHT * len(last_rows)
    part = SidePart(COLUMN_LEFT - 8, 0, WIDTH - COLUMN_LEFT + 8, bottom, "".join(parts))
    return SideColumn(WIDTH, HEIGHT, [part], [blinds], text_below, CAPTION)


def describe_blinds(match: SitAndGo) -> str:
    """Return the blinds of the last hand, and how many hands are left before they rise, if they will."""
    schedule = match.game.schedule
    number = match.hands[-1].number
    now = schedule.find_structure(number)
    words = f"Blinds {now.small_blind:,}/{now.big_blind:,}"
    left = schedule.hands_a_level - number % schedule.hands_a_level
    if schedule.find_structure(number + left) == now:
        return words
    return f"{words}; they rise in {left} hand{'s' * (left > 1)}"


def list_standings(match: SitAndGo) -> list[tuple[int, str, int, str]]:
    """Return a row for each player: seat, name, chips, and the chips or the rank in words.

    Players are sorted by chips, the most first. Those who are out follow by rank, the last one at the end.
    """
    stacks = match.stacks if not match.is_waiting else match.hands[-1].starting_stacks
    rows = []
    for seat, (name, chips) in enumerate(zip(match.seat_names, stacks, strict=True)):
        chips_or_rank = f"{chips:,}" if chips else f"out, rank {match.ranks[seat]:g}"
        rows.append((seat, name, chips, chips_or_rank))
    return sorted(rows, key=lambda row: (-row[2], match.ranks.get(row[0], 0.0)))


def draw_standings(standings: Sequence[tuple[int, str, int, str]]) -> str:
    """Return the rows of `list_standings` as SVG: names, chips or ranks, and bars as long as the chips are many."""
    most_chips = max(chips for _, _, chips, _ in standings)
    parts = []
    for row, (seat, name, chips, chips_or_rank) in enumerate(standings):
        y = ROWS_TOP + ROW_HEIGHT * row
        color = INK if chips else GRAY
        bold = seat == READER
        place = f"translate({COLUMN_LEFT + 7:g} {y - 4:g}) scale(0.7)"
        parts.append(write_element("g", draw_mark(seat, 0, 0), transform=place))
        short_name = cut_words(name, 11.5, COLUMN_RIGHT - COLUMN_LEFT - 100)
        parts.append(draw_text(short_name, COLUMN_LEFT + 20, y, 11.5, color, bold=bold))
        words = draw_text(chips_or_rank, COLUMN_RIGHT, y, 11.5, color, anchor="end", bold=bold)
        parts.append(words)
        length = (COLUMN_RIGHT - COLUMN_LEFT - 20) * chips / most_chips
        parts.append(
            write_element(
                "rect", x=COLUMN_LEFT + 20, y=y + 2.5, width=length, height=BAR_HEIGHT, fill=SKY
            )
        )
    return "".join(parts)


def name_winners(hand: Hand, names: Sequence[str]) -> str:
    """Return the winners of chips in a finished hand in words: 'you win 30 and Ann wins 5'."""
    winnings = [(seat, int(chips)) for seat, chips in enumerate(hand.payoffs) if chips > 0]
    words = (f"{names[seat]} win{'s' * (seat != READER)} {chips:,}" for seat, chips in winnings)
    return " and ".join(words)


@dataclass(frozen=True, eq=False)
class TableThought:
    """A decision in a finished hand, as its seat saw it."""

    seat: int
    street: int
    name: str  # of the seat
    view: SeatView  # what the seat saw
    win_probability: float  # how often its cards win or tie against one random hand
    # The probabilities to fold, to check or call, and to bet or raise; empty if the player is not a network.
    probabilities: tuple[float, ...]
    action: int  # FOLD, CALL, or the chips that the seat raised to
    action_words: str  # such as "raises to 60"

    @property
    def cells(self) -> list[str]:
        """The texts of a row of the table, in the order of `HEADS`."""
        view = self.view
        percents = [format_percent(p) for p in self.probabilities] or [""] * NUM_ACTIONS
        aggressiveness = (
            f"{view.overall_aggressiveness[READER]:.1f} / {view.recent_aggressiveness[READER]:.1f}"
        )
        return [
            STREETS[self.street],
            self.name,
            format_cards(view.hole_cards, symbols=True),
            format_percent(self.win_probability),
            f"{view.pot:,}",
            f"{view.legal_actions.to_call:,}",
            aggressiveness if self.seat != READER else "",
            *percents,
            self.action_words,
        ]


def list_thoughts(match: SitAndGo, hand_index: int) -> list[TableThought]:
    """Return all decisions of a finished hand in order, by the index of the hand from 0."""
    thoughts = []
    for hand, view, action in match.iterate_decisions(hand_index):
        probabilities: tuple[float, ...] = ()
        if view.seat != READER:
            player = match.opponents.players[view.seat - 1]
            if isinstance(getattr(player, "decision_function", None), NetworkDecisionFunction):
                sums = [0.0] * NUM_ACTIONS
                decision = NetworkDecision.compute(player, view)  # type: ignore[arg-type]
                for possible_action, probability in decision.action_probabilities.items():
                    sums[find_action_column(possible_action)] += probability
                probabilities = tuple(sums)
        thought = TableThought(
            seat=view.seat,
            street=hand.street,
            name=match.seat_names[view.seat],
            view=view,
            win_probability=describe_inputs(TableNetwork(), view)["win percent"],
            probabilities=probabilities,
            action=action,
            action_words=describe_action(hand, action),
        )
        thoughts.append(thought)
    return thoughts


def write_html(thoughts: Sequence[TableThought], hand_index: int) -> str:
    """Return the decisions of a hand as an HTML table with a sentence above.

    The probability of the action that was taken is bold. A row with the board begins each street after the first.
    """
    head = "".join(write_cell("th", column, words) for column, words in enumerate(HEADS[1:], 1))
    rows = [f"<tr>{head}</tr>"]
    last_street = 0
    for thought in thoughts:
        cells = thought.cells
        if thought.street != last_street:
            board = f"{STREETS[thought.street]}: {format_cards(thought.view.board, symbols=True)}"
            rows.append(f"<tr>{BOARD_CELL}{escape(board)}</td></tr>")
            last_street = thought.street
        # The probabilities are in the columns before the last.
        taken = len(HEADS) - 1 - NUM_ACTIONS + find_action_column(thought.action)
        html_cells = [
            write_cell("td", column, words, bold=column == taken)
            for column, words in enumerate(cells)
        ]
        rows.append(f"<tr>{''.join(html_cells[1:])}</tr>")  # rows of boards name the streets
    caption = escape(TABLE_CAPTION.format(number=hand_index + 1))
    return f'<p style="line-height: 1.45;">{caption}</p><table style="line-height: 1.35;">{"".join(rows)}</table>'


def write_cell(tag: str, column: int, words: str, *, bold: bool = False) -> str:
    """Return a cell of a column as HTML, 'th' or 'td'. Words are aligned left, numbers right."""
    side = "left" if HEADS[column] in ("who", "cards", "did") else "right"
    inner = f"<b>{escape(words)}</b>" if bold else escape(words)
    return f'<{tag} style="text-align: {side}; padding: 1px 8px;">{inner}</{tag}>'


def write_markdown(thoughts: Sequence[TableThought]) -> str:
    """Return the decisions of a hand as a Markdown table."""
    rows = [
        [street, escape_markdown(name), *others]
        for street, name, *others in (thought.cells for thought in thoughts)
    ]
    return tabulate(HEADS, rows)


DEMONSTRATION_HANDS = 3  # played for the reader before the first deal
RAISE_SIZES = {"small": 0.5, "medium": 1.0, "large": 3.0}
"""How much each button raises above the call, as a multiple of the pot after the call."""
RAISE_LABELS = {
    **{size: f"Bet {size}" for size in RAISE_SIZES},
    ALL_IN: "All-in",
    AMOUNT: "Raise to",
}


def find_no_limit_raises(hand: Hand, amount: int) -> dict[str, int]:
    """Return the chips to which each button raises; empty if no raise is allowed.

    Parameters
    ----------
    hand : Hand
        The hand, at the reader's turn.
    amount : int
        The chips on the slider. The button of the slider raises to the nearest legal amount.

    Returns
    -------
    dict of str to int
        A small, medium or large raise is left out if it would be all chips of the reader or equal to another one.
    """
    legal = hand.legal_actions
    raises = dict[str, int]()
    if legal.min_raise_to is None or legal.max_raise_to is None:
        return raises
    pot_after_call = sum(hand.paid) + legal.to_call
    for move, pot_multiple in RAISE_SIZES.items():
        raise_to = max(legal.min_raise_to, hand.bet + int(pot_multiple * pot_after_call))
        if raise_to < legal.max_raise_to and raise_to not in raises.values():
            raises[move] = raise_to
    raises[ALL_IN] = legal.max_raise_to
    return raises | {AMOUNT: min(max(amount, legal.min_raise_to), legal.max_raise_to)}


def describe_outcome(match: SitAndGo) -> str:
    """Return the winners of the last hand in words, and the reader's rank if the reader is out or has won all chips."""
    winners = name_winners(match.hands[-1], match.seat_names)
    if match.is_over or match.is_reader_out:
        return f"{winners}. You are number {match.ranks[READER]:g} of {len(match.seat_names)}"
    return winners


def describe_last_hand(match: SitAndGo, previous_match: SitAndGo | None) -> str:
    """Return the winners of the last finished hand as a sentence, empty if there is none.

    The previous match, which the table passes for other games, is not used.
    """
    if not match.finished:
        return ""
    return f"Hand {len(match.finished)}: {name_winners(match.finished[-1], match.seat_names)}. "


def explain_hand(match: SitAndGo, hand_index: int) -> tuple[str, str]:
    """Return the decisions of a finished hand as HTML and as Markdown, by the index of the hand from 0."""
    thoughts = list_thoughts(match, hand_index)
    return write_html(thoughts, hand_index), write_markdown(thoughts)


def describe_reader_standing(match: SitAndGo) -> str:
    """Return the finished hands and the reader's chips or rank: '3 hands, 990 chips' or '9 hands, number 2'."""
    ranks = match.ranks
    chips = match.stacks[READER]
    standing = f"number {ranks[READER]:g}" if READER in ranks else f"{chips:,} chips"
    return f"{count_in_words(len(match.finished), 'hand')}, {standing}"


def choose_fold(hand: Hand) -> int:
    """Return FOLD, or CALL where folding is not allowed: the reader's strategy in the demonstration."""
    return FOLD if hand.legal_actions.can_fold else CALL


def play_tournament(
    opponents: Sequence[Player],
    *,
    seed: int,
    schedule: Schedule | None = None,
    stacks: int = 1000,
) -> HoldemTable:
    """Show a no-limit tournament of one table to play at, and after each hand the decisions of all players.

    A few hands have been played already, so that there is something to see where nobody can press
    a button; the reader's own tournament begins with the first deal. The reader sits below, in seat 0. Cards,
    random numbers and blinds are those of `Tournament.play` with the same seed.

    Parameters
    ----------
    opponents : sequence of Player
        1 to 9 players: networks from `TableNetwork.make_players`, fixed players such as `ALWAYS_CALL`, or functions
        from a `SeatView` to an action.
    seed : int
        Decides the cards and the random choices of the players.
    schedule : Schedule, optional
        The blinds. By default they are 5/10 and double every ten hands.
    stacks : int
        The chips of each player at the start.

    Returns
    -------
    HoldemTable
        The table. `match` has the hands so far, and `list_thoughts(hand)` returns the decisions of a finished hand.

    Raises
    ------
    SettingError
        If there are too few or too many opponents, or the blinds would never end the tournament.

    Examples
    --------
    >>> from pokerlab.holdem import ALWAYS_CALL, ALWAYS_FOLD
    >>> table = play_tournament([ALWAYS_CALL, ALWAYS_FOLD], seed=1)
    >>> table.deal()
    >>> table.act("all-in")
    >>> table.match.hands[0].actions[:2]
    (-1, 1000)
    """
    check_kind("opponents", opponents, Sequence, "a list of players, such as [ALWAYS_CALL, RANDOM]")
    validate_integer("stacks", stacks, 1, LARGEST_COUNT)
    roster = Roster(opponents)
    validate_integer("opponents", len(roster), 1, MOST_SEATS - 1)
    seats = 1 + len(roster)
    blinds = (
        make_doubling_schedule(no_limit(5, 10), 10, chips=seats * stacks)
        if schedule is None
        else schedule
    )
    game = tournament(blinds, seats, seats, stacks, aggressiveness=Aggressiveness())
    variant = Variant(
        name="tournament", begin_match=lambda seed: SitAndGo(game=game, opponents=roster, seed=seed),
        choose_action=choose_fold, num_demonstration_hands=DEMONSTRATION_HANDS,
        demonstration_style="folding all the way", raise_labels=RAISE_LABELS, find_raises=find_no_limit_raises,
        draw_column=draw_tournament_column, describe_outcome=describe_outcome, describe_previous=describe_last_hand,
        summarize_match=describe_reader_standing, write_report=describe_reader_standing, explain_hand=explain_hand,
    )  # fmt: skip
    return HoldemTable(variant, seed).open()
