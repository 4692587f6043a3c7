"""What a reader of a tournament sees: the table, who has how many chips, who is out, how the hand went.

When a hand is over, it also says what everybody thought: cards, chance to win, and how likely which action was.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from pokerlab.holdem import TableNetwork, features
from pokerlab.holdem.cards import STREETS, card_symbols
from pokerlab.holdem.hand import ACTIONS, NUM_ACTIONS, Hand, column_of, words
from pokerlab.holdem.network_genome import NetworkAnswer
from pokerlab.holdem.table_view import SeatView
from pokerlab.workbench.drawings.network_drawing import NetworkDecision
from pokerlab.workbench.drawings.svg import Picture, label, line, mark, tag
from pokerlab.workbench.drawings.table_drawing import (
    HEIGHT,
    draw_story,
    draw_table,
    fit,
    in_brief,
    story_of,
    told,
)
from pokerlab.workbench.pictures.text import percent, tabulate, verbatim
from pokerlab.workbench.style import GRAY, INK, SKY
from pokerlab.workbench.tables.match import READER, SitAndGo

WIDTH, AT, RIGHT = 1110.0, 818.0, 1100.0
"""Width of the picture, and where the column beside the table begins and ends."""
ACTION_ROOM = 164.0  # pixels for what a player has done
ROWS_TOP, ROW, BAR = 46.0, 17.5, 3.0
STORY_GAP, LINE = 14.0, 14.5
CAPTION = (
    " Beside the table: everybody's chips before the hand, or after it once it is over, who is out with the"
    " rank, and how the hand went."
)
HEADS = ("street", "who", "cards", "wins", "pot", "to call", "sees you as", *ACTIONS, "did")
ACROSS = (
    f'<td colspan="{len(HEADS) - 1}" style="text-align: left; border-top: 1px solid currentColor;">'
)
ABOUT = (
    "All decisions of hand {number}: the cards, how often they win or tie against one random hand, chips in the pot"
    " and to call, how aggressive you have looked to the seat, over all and lately (1 is who always calls), how"
    " likely a network was to fold, to check or call, and to bet or raise, and what was done."
)


def draw_tournament(match: SitAndGo, headline: str) -> Picture:
    """Return the picture of a tournament that has begun, the present hand in front."""
    hand = match.hands[-1]
    shown = range(hand.num_seats) if hand.is_over else [READER]
    table = draw_table(hand, shown, names=match.names, title=headline)
    level = blinds_in_words(match)
    standing = standings(match)
    begin = ROWS_TOP + ROW * len(standing) + STORY_GAP
    parts = [table.body, label(level, AT, 18, 12, bold=True), draw_standing(standing)]
    parts.append(line(AT, begin - 16, RIGHT, begin - 16, stroke="#d9d9d9"))
    story = story_of(hand, match.names)
    last = [[*each] for each in story[-int((HEIGHT - begin) // LINE) :]]
    streets = [street for street, _, _ in last]
    for k, each in enumerate(last):  # a street is named where it begins
        each[0] = each[0] if k == 0 or streets[k - 1] != each[0] else ""
        each[2] = fit(each[2], 10.5, ACTION_ROOM)
    parts.append(draw_story(last, AT, begin, LINE, 10.5, (46, 118)))
    lines = [f"{name}: {words}" for _, name, _, words in standing]
    text = "\n".join([headline, level, table.text, *lines, *map(told, story)])
    news = in_brief(headline, table.text, story)
    return Picture(WIDTH, HEIGHT, "".join(parts), text, f"{table.caption}{CAPTION}", news)


def blinds_in_words(match: SitAndGo) -> str:
    """Return the blinds of the present hand, and when they rise."""
    schedule, number = match.game.schedule, match.hands[-1].number
    now = schedule.at(number)
    words = f"Blinds {now.small_blind:,}/{now.big_blind:,}"
    left = schedule.hands_a_level - number % schedule.hands_a_level
    if schedule.at(number + left) == now:
        return words
    return f"{words}; they rise in {left} hand{'s' * (left > 1)}"


def standings(match: SitAndGo) -> list[tuple[int, str, int, str]]:
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
        parts.append(tag("g", mark(seat, 0, 0), transform=place))
        parts.append(label(fit(name, 11.5, RIGHT - AT - 100), AT + 20, y, 11.5, color, bold=bold))
        parts.append(label(text, RIGHT, y, 11.5, color, anchor="end", bold=bold))
        length = (RIGHT - AT - 20) * chips / most
        parts.append(tag("rect", x=AT + 20, y=y + 2.5, width=length, height=BAR, fill=SKY))
    return "".join(parts)


def winner_of(hand: Hand, names: Sequence[str]) -> str:
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
        chances = [percent(chance) for chance in self.chances] or [""] * NUM_ACTIONS
        looks = f"{view.overall[READER]:.1f} / {view.recent[READER]:.1f}"
        return [
            STREETS[self.street],
            self.name,
            card_symbols(view.hole),
            percent(self.win),
            f"{view.pot:,}",
            f"{view.legal.to_call:,}",
            looks if self.seat != READER else "",
            *chances,
            self.said,
        ]


def thoughts_of(match: SitAndGo, number: int) -> list[TableThought]:
    """Return all decisions of a finished hand, by its number from 0."""
    thoughts = []
    for now, view, action in match.decisions(number):
        chances: tuple[float, ...] = ()
        if view.seat != READER:
            player = match.opponents.players[view.seat - 1]
            if isinstance(getattr(player, "answer", None), NetworkAnswer):
                sums = [0.0] * NUM_ACTIONS
                for each, chance in NetworkDecision.of(player, view).likely.items():  # type: ignore[arg-type]
                    sums[column_of(each)] += chance
                chances = tuple(sums)
        win = features(TableNetwork(), view)["win percent"]
        name = match.names[view.seat]
        said = words(now, action)
        thoughts.append(TableThought(view.seat, now.street, name, view, win, chances, action, said))
    return thoughts


def as_html(thoughts: Sequence[TableThought], number: int) -> str:
    """Return thoughts as a table; what was done is bold, a line parts the streets."""
    head = "".join(cell("th", at, words) for at, words in enumerate(HEADS[1:], 1))
    rows = [f"<tr>{head}</tr>"]
    before = 0
    for thought in thoughts:
        cells = thought.cells
        if thought.street != before:
            board = f"{STREETS[thought.street]}: {card_symbols(thought.view.board)}"
            rows.append(f"<tr>{ACROSS}{escape(board)}</td></tr>")
            before = thought.street
        done = len(HEADS) - 1 - NUM_ACTIONS + column_of(thought.did)
        drawn = [cell("td", at, words, bold=at == done) for at, words in enumerate(cells)]
        rows.append(f"<tr>{''.join(drawn[1:])}</tr>")
    about = escape(ABOUT.format(number=number + 1))
    return f'<p style="line-height: 1.45;">{about}</p><table style="line-height: 1.35;">{"".join(rows)}</table>'


def cell(kind: str, column: int, words: str, *, bold: bool = False) -> str:
    """Return a cell; words stand left, numbers right."""
    side = "left" if HEADS[column] in ("who", "cards", "did") else "right"
    inner = f"<b>{escape(words)}</b>" if bold else escape(words)
    return f'<{kind} style="text-align: {side}; padding: 1px 8px;">{inner}</{kind}>'


def as_markdown(thoughts: Sequence[TableThought]) -> str:
    """Return thoughts as a table in Markdown."""
    rows = [
        [street, verbatim(who), *others]
        for street, who, *others in (thought.cells for thought in thoughts)
    ]
    return tabulate(HEADS, rows)
