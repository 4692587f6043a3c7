"""A tournament of one table in the notebook: play against networks and others, and see what they thought.

A reader sees the table, who has how many chips, who is out, and how the hand went. When a hand is over, it also says
what everybody thought: cards, chance to win, and how likely which action was.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from pokerlab.core import validate_integer
from pokerlab.core.settings import LARGEST_COUNT, check_kind
from pokerlab.holdem import TableNetwork, describe_inputs
from pokerlab.holdem.aggressiveness import Aggressiveness
from pokerlab.holdem.betting_structure import MOST_SEATS, no_limit
from pokerlab.holdem.cards import STREETS, format_cards
from pokerlab.holdem.hand import ACTIONS, CALL, FOLD, NUM_ACTIONS, Hand, find_action_column
from pokerlab.holdem.hand_history import describe_action
from pokerlab.holdem.network_genome import NetworkDecisionFunction
from pokerlab.holdem.players import Player, Roster
from pokerlab.holdem.table_view import SeatView
from pokerlab.holdem.tournament_game import (
    Schedule,
    make_doubling_schedule,
    tournament,
)
from pokerlab.workbench.drawings.network_drawing import NetworkDecision
from pokerlab.workbench.drawings.svg import draw_line, draw_text, mark, write_element
from pokerlab.workbench.drawings.table_drawing import (
    HEIGHT,
    cut_words,
    draw_story,
    list_story_rows,
    tell_step,
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

WIDTH, AT, RIGHT = 1110.0, 818.0, 1100.0
"""Width of the picture, and where the column beside the table begins and ends."""
ACTION_ROOM = 164.0  # pixels for what a player has done
ROWS_TOP, ROW, BAR = 46.0, 17.5, 3.0
STORY_GAP, LINE = 14.0, 14.5
CAPTION = (
    " Beside the table: everybody's chips before the hand, or after it once it is over, who is out with the"
    " rank, and how the hand went."
)
HEADS = ("street", "who", "cards", "win chance", "pot", "to call", "sees you as", *ACTIONS, "did")
ACROSS = (
    f'<td colspan="{len(HEADS) - 1}" style="text-align: left; border-top: 1px solid currentColor;">'
)
ABOUT = (
    "All decisions of hand {number}: the cards, how often they win or tie against one random hand, chips in the pot"
    " and to call, how aggressive you have looked to the seat, over all and lately (1 means always calling), how"
    " likely a network was to fold, to check or call, and to bet or raise, and what was done."
)


def draw_tournament_column(match: SitAndGo) -> SideColumn:
    """Return what stands beside the seats: blinds, everybody's chips, and how the hand went."""
    hand = match.hands[-1]
    level = describe_blinds(match)
    standing = list_standings(match)
    begin = ROWS_TOP + ROW * len(standing) + STORY_GAP
    parts = [draw_text(level, AT, 18, 12, bold=True), draw_standing(standing)]
    parts.append(draw_line(AT, begin - 16, RIGHT, begin - 16, stroke="#d9d9d9"))
    story = list_story_rows(hand, match.names)
    last = [[*each] for each in story[-int((HEIGHT - begin) // LINE) :]]
    streets = [street for street, _, _ in last]
    for k, each in enumerate(last):  # a street is named where it begins
        each[0] = each[0] if k == 0 or streets[k - 1] != each[0] else ""
        each[2] = cut_words(each[2], 10.5, ACTION_ROOM)
    parts.append(draw_story(last, AT, begin, LINE, 10.5, (46, 118)))
    lines = [f"{name}: {words}" for _, name, _, words in standing]
    below = [*lines, *map(tell_step, story)]
    bottom = begin + LINE * len(last)
    part = SidePart(AT - 8, 0, WIDTH - AT + 8, bottom, "".join(parts))
    return SideColumn(WIDTH, HEIGHT, [part], [level], below, CAPTION)


def describe_blinds(match: SitAndGo) -> str:
    """Return the blinds of the present hand, and when they rise."""
    schedule = match.game.schedule
    number = match.hands[-1].number
    now = schedule.find_structure(number)
    words = f"Blinds {now.small_blind:,}/{now.big_blind:,}"
    left = schedule.hands_a_level - number % schedule.hands_a_level
    if schedule.find_structure(number + left) == now:
        return words
    return f"{words}; they rise in {left} hand{'s' * (left > 1)}"


def list_standings(match: SitAndGo) -> list[tuple[int, str, int, str]]:
    """Return seat, name, chips, and chips or rank in words, the most chips first, who is out last."""
    stacks = match.stacks if not match.is_waiting else match.hands[-1].starting_stacks
    rows = []
    for seat, (name, chips) in enumerate(zip(match.names, stacks, strict=True)):
        words = f"{chips:,}" if chips else f"out, rank {match.ranks[seat]:g}"
        rows.append((seat, name, chips, words))
    return sorted(rows, key=lambda row: (-row[2], match.ranks.get(row[0], 0.0)))


def draw_standing(standing: Sequence[tuple[int, str, int, str]]) -> str:
    """Return everybody's chips as numbers and bars."""
    most = max(chips for _, _, chips, _ in standing)
    parts = []
    for row, (seat, name, chips, text) in enumerate(standing):
        y = ROWS_TOP + ROW * row
        color = INK if chips else GRAY
        bold = seat == READER
        place = f"translate({AT + 7:g} {y - 4:g}) scale(0.7)"
        parts.append(write_element("g", mark(seat, 0, 0), transform=place))
        parts.append(
            draw_text(cut_words(name, 11.5, RIGHT - AT - 100), AT + 20, y, 11.5, color, bold=bold)
        )
        parts.append(draw_text(text, RIGHT, y, 11.5, color, anchor="end", bold=bold))
        length = (RIGHT - AT - 20) * chips / most
        parts.append(
            write_element("rect", x=AT + 20, y=y + 2.5, width=length, height=BAR, fill=SKY)
        )
    return "".join(parts)


def name_winners(hand: Hand, names: Sequence[str]) -> str:
    """Return who has won chips in a hand, in words."""
    won = [(seat, int(chips)) for seat, chips in enumerate(hand.payoffs) if chips > 0]
    said = (f"{names[seat]} win{'s' * (seat != READER)} {chips:,}" for seat, chips in won)
    return " and ".join(said)


@dataclass(frozen=True, eq=False)
class TableThought:
    """A decision as its seat saw it."""

    seat: int  # whose, and when
    street: int
    name: str  # what the seat is called
    view: SeatView  # what it saw
    win: float  # how often its hand wins or ties against one random hand
    # how likely it was to fold, to check or call, to bet or raise; empty if it is not a network
    chances: tuple[float, ...]
    did: int  # the action
    said: str  # the same in words

    @property
    def cells(self) -> list[str]:
        """The row of a table, in the order of `HEADS`."""
        view = self.view
        chances = [format_percent(chance) for chance in self.chances] or [""] * NUM_ACTIONS
        looks = (
            f"{view.overall_aggressiveness[READER]:.1f} / {view.recent_aggressiveness[READER]:.1f}"
        )
        return [
            STREETS[self.street],
            self.name,
            format_cards(view.hole_cards, symbols=True),
            format_percent(self.win),
            f"{view.pot:,}",
            f"{view.legal_actions.to_call:,}",
            looks if self.seat != READER else "",
            *chances,
            self.said,
        ]


def list_thoughts(match: SitAndGo, number: int) -> list[TableThought]:
    """Return all decisions of a finished hand, by its number from 0."""
    thoughts = []
    for now, view, action in match.list_decisions(number):
        chances: tuple[float, ...] = ()
        if view.seat != READER:
            player = match.opponents.players[view.seat - 1]
            if isinstance(getattr(player, "decision_function", None), NetworkDecisionFunction):
                sums = [0.0] * NUM_ACTIONS
                for each, chance in NetworkDecision.compute(player, view).likely.items():  # type: ignore[arg-type]
                    sums[find_action_column(each)] += chance
                chances = tuple(sums)
        win = describe_inputs(TableNetwork(), view)["win percent"]
        name = match.names[view.seat]
        said = describe_action(now, action)
        thoughts.append(TableThought(view.seat, now.street, name, view, win, chances, action, said))
    return thoughts


def write_html(thoughts: Sequence[TableThought], number: int) -> str:
    """Return thoughts as a table; what was done is bold, a line parts the streets."""
    head = "".join(write_cell("th", at, words) for at, words in enumerate(HEADS[1:], 1))
    rows = [f"<tr>{head}</tr>"]
    before = 0
    for thought in thoughts:
        cells = thought.cells
        if thought.street != before:
            board = f"{STREETS[thought.street]}: {format_cards(thought.view.board, symbols=True)}"
            rows.append(f"<tr>{ACROSS}{escape(board)}</td></tr>")
            before = thought.street
        done = len(HEADS) - 1 - NUM_ACTIONS + find_action_column(thought.did)
        drawn = [write_cell("td", at, words, bold=at == done) for at, words in enumerate(cells)]
        rows.append(f"<tr>{''.join(drawn[1:])}</tr>")
    about = escape(ABOUT.format(number=number + 1))
    return f'<p style="line-height: 1.45;">{about}</p><table style="line-height: 1.35;">{"".join(rows)}</table>'


def write_cell(kind: str, column: int, words: str, *, bold: bool = False) -> str:
    """Return a cell; words stand left, numbers right."""
    side = "left" if HEADS[column] in ("who", "cards", "did") else "right"
    inner = f"<b>{escape(words)}</b>" if bold else escape(words)
    return f'<{kind} style="text-align: {side}; padding: 1px 8px;">{inner}</{kind}>'


def write_markdown(thoughts: Sequence[TableThought]) -> str:
    """Return thoughts as a table in Markdown."""
    rows = [
        [street, escape_markdown(who), *others]
        for street, who, *others in (thought.cells for thought in thoughts)
    ]
    return tabulate(HEADS, rows)


DEMONSTRATION = 3
SIZES = {"small": 0.5, "medium": 1.0, "large": 3.0}
"""How much each button raises above the call, in pots after it."""
RAISES = {**{size: f"Bet {size}" for size in SIZES}, ALL_IN: "All-in", AMOUNT: "Raise to"}


def find_no_limit_raises(hand: Hand, amount: int) -> dict[str, int]:
    """Return to how many chips the buttons raise, `amount` where that is possible; no two are the same."""
    legal = hand.legal_actions
    raises = dict[str, int]()
    if legal.min_raise_to is None or legal.max_raise_to is None:
        return raises
    unit = sum(hand.paid) + legal.to_call
    for move, share in SIZES.items():
        wanted = max(legal.min_raise_to, hand.bet + int(share * unit))
        if wanted < legal.max_raise_to and wanted not in raises.values():
            raises[move] = wanted
    raises[ALL_IN] = legal.max_raise_to
    return raises | {AMOUNT: min(max(amount, legal.min_raise_to), legal.max_raise_to)}


def describe_outcome(match: SitAndGo) -> str:
    """Return who has won the last hand, and the reader's rank if there is one."""
    ended = name_winners(match.hands[-1], match.names)
    if match.is_over or match.is_out:
        return f"{ended}. You are number {match.ranks[READER]:g} of {len(match.names)}"
    return ended


def describe_last_hand(match: SitAndGo, before: SitAndGo | None) -> str:
    """Return who has won the hand before this one."""
    if not match.finished:
        return ""
    return f"Hand {len(match.finished)}: {name_winners(match.finished[-1], match.names)}. "


def explain(match: SitAndGo, number: int) -> tuple[str, str]:
    """Return what everybody thought in a finished hand, by its number from 0, as HTML and Markdown."""
    thoughts = list_thoughts(match, number)
    return write_html(thoughts, number), write_markdown(thoughts)


def describe_standing(match: SitAndGo) -> str:
    """Return how far the reader has come: '3 hands, 990 chips'."""
    ranks = match.ranks
    chips = match.stacks[READER]
    where = f"number {ranks[READER]:g}" if READER in ranks else f"{chips:,} chips"
    return f"{count_in_words(len(match.finished), 'hand')}, {where}"


def choose_fold(hand: Hand) -> int:
    """Return the action of the demonstration."""
    return FOLD if hand.legal_actions.can_fold else CALL


def play_tournament(
    opponents: Sequence[Player],
    *,
    seed: int,
    schedule: Schedule | None = None,
    stacks: int = 1000,
) -> HoldemTable:
    """Show a no-limit tournament of one table to play at, and after each hand what the others thought.

    A few hands have been played already, so that there is something to see where nobody can press
    a button; the reader's own tournament begins with the first deal. The reader sits below, in seat 0; cards,
    luck and blinds are those of `Tournament.play` with the same seed.

    Parameters
    ----------
    opponents : sequence of Player
        1 to 9 players: networks from `TableNetwork.make_players`, players by rote, functions of a `SeatView`.
    seed : int
        Decides cards and the players' luck.
    schedule : Schedule, optional
        Blinds; if not given, 5/10, doubled every ten hands.
    stacks : int
        Chips of each at the start.

    Returns
    -------
    HoldemTable
        What is shown; `match` is what has been played, `thoughts(hand)` what was thought in a hand.

    Raises
    ------
    SettingError
        If there are too few or too many opponents, or blinds that never end a tournament.

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
    company = Roster(opponents)
    validate_integer("opponents", len(company), 1, MOST_SEATS - 1)
    seats = 1 + len(company)
    blinds = (
        make_doubling_schedule(no_limit(5, 10), 10, chips=seats * stacks)
        if schedule is None
        else schedule
    )
    game = tournament(blinds, seats, seats, stacks, aggressiveness=Aggressiveness())
    variant = Variant(
        name="tournament", begin=lambda seed: SitAndGo(game=game, opponents=company, seed=seed),
        choose=choose_fold, demonstration=DEMONSTRATION, how="folding all the way", raises=RAISES,
        find_raises=find_no_limit_raises, draw_column=draw_tournament_column, say_outcome=describe_outcome,
        say_before=describe_last_hand, brief=describe_standing, report=describe_standing, explain=explain,
    )  # fmt: skip
    return HoldemTable(variant, seed).open()
