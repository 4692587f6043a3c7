"""What everybody thought in a hand that is over: cards, chance to win, and how likely which action was."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from pokerlab.holdem.betting.actions import ACTIONS, NUM_ACTIONS, column_of
from pokerlab.holdem.cards.cards import STREETS, card_symbols
from pokerlab.holdem.histories.history import words
from pokerlab.holdem.table.view import SeatView
from pokerlab.strategies import TableNetwork, features
from pokerlab.strategies.players.network_decision import WIN, NetworkAnswer
from pokerlab.workbench.networks.one_decision import NetworkDecision
from pokerlab.workbench.text import percent, tabulate
from pokerlab.workbench.tournaments.sit_and_go import READER, SitAndGo

HEADS = ("street", "who", "cards", "wins", "pot", "to call", "sees you as", *ACTIONS, "did")
ABOUT = (
    "All decisions of hand {number}: the cards, how often they win or tie against one random hand, chips in the pot"
    " and to call, how aggressive you have looked to the seat, over all and lately (1 is who always calls), how"
    " likely a network was to fold, to check or call, and to bet or raise, and what was done."
)


@dataclass(frozen=True, eq=False)
class TableThought:
    """A decision as its seat saw it.

    Attributes
    ----------
    seat, street : int
        Whose, and when.
    name : str
        What the seat is called.
    view : SeatView
        What it saw.
    win : float
        How often its hand wins or ties against one random hand.
    chances : tuple of 3 float
        How likely it was to fold, to check or call, to bet or raise; empty if it is not a network.
    did : int
        The action.
    said : str
        The same in words.
    """

    seat: int
    street: int
    name: str
    view: SeatView
    win: float
    chances: tuple[float, ...]
    did: int
    said: str

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
        win = features(TableNetwork(), view)[WIN].value
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
            rows.append(
                f'<tr><td colspan="{len(HEADS) - 1}" style="text-align: left; border-top: 1px solid'
                f' currentColor;">{escape(board)}</td></tr>'
            )
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
    return tabulate(HEADS, [thought.cells for thought in thoughts])
