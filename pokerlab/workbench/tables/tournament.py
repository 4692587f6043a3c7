"""A tournament of one table in the notebook: play against networks and others, and see what they thought.

A reader sees the table, who has how many chips, who is out, and how the hand went. When a hand is over, it also says
what everybody thought: cards, chance to win, and how likely which action was.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import ipywidgets
from IPython.display import Markdown

from pokerlab.core import SettingError, checked_integer
from pokerlab.holdem import TableNetwork, features
from pokerlab.holdem.cards import STREETS, format_cards
from pokerlab.holdem.hand import (
    ACTIONS,
    CALL,
    FOLD,
    MOST_SEATS,
    NUM_ACTIONS,
    Hand,
    find_column,
    no_limit,
)
from pokerlab.holdem.hand_history import describe_action
from pokerlab.holdem.impressions import Aggressiveness
from pokerlab.holdem.network_genome import NetworkAnswer
from pokerlab.holdem.players import Player, Roster
from pokerlab.holdem.table_view import SeatView
from pokerlab.holdem.tournament_game import (
    MOST_ROUNDS,
    Schedule,
    Tournament,
    make_doubling_schedule,
    tournament,
)
from pokerlab.workbench.drawings.network_drawing import NetworkDecision
from pokerlab.workbench.drawings.svg import SvgDrawing, label, line, mark, tag
from pokerlab.workbench.drawings.table_drawing import (
    HEIGHT,
    draw_story,
    draw_table,
    fit,
    in_brief,
    story_of,
    told,
)
from pokerlab.workbench.style import GRAY, INK, SKY
from pokerlab.workbench.tables.match import READER, SitAndGo
from pokerlab.workbench.tables.play_table import PlayTable, show_ready
from pokerlab.workbench.text import either, percent, tabulate, verbatim

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


def draw_tournament(match: SitAndGo, headline: str) -> SvgDrawing:
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
    return SvgDrawing(WIDTH, HEIGHT, "".join(parts), text, f"{table.caption}{CAPTION}", news)


def blinds_in_words(match: SitAndGo) -> str:
    """Return the blinds of the present hand, and when they rise."""
    schedule, number = match.game.schedule, match.hands[-1].number
    now = schedule.find_structure(number)
    words = f"Blinds {now.small_blind:,}/{now.big_blind:,}"
    left = schedule.hands_a_level - number % schedule.hands_a_level
    if schedule.find_structure(number + left) == now:
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
            format_cards(view.hole, symbols=True),
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
                    sums[find_column(each)] += chance
                chances = tuple(sums)
        win = features(TableNetwork(), view)["win percent"]
        name = match.names[view.seat]
        said = describe_action(now, action)
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
            board = f"{STREETS[thought.street]}: {format_cards(thought.view.board, symbols=True)}"
            rows.append(f"<tr>{ACROSS}{escape(board)}</td></tr>")
            before = thought.street
        done = len(HEADS) - 1 - NUM_ACTIONS + find_column(thought.did)
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


DEMONSTRATION = 3
RAISES = {"small": 0.5, "medium": 1.0, "large": 3.0}
"""How much each button raises above the call, in pots after it."""
MOVES = {
    "fold": "Fold",
    "call": "Check",
    **{size: f"Bet {size}" for size in RAISES},
    "all-in": "All-in",
}


class TournamentTable(PlayTable):
    """Hands of a tournament with buttons; make it with `play_tournament`."""

    match: SitAndGo
    before: SitAndGo | None

    def __init__(self, game: Tournament, opponents: Roster, seed: int) -> None:
        self.game, self.opponents = game, opponents
        super().__init__(seed, {**MOVES, "amount": "Raise to"})
        self.amount = ipywidgets.IntSlider(
            description="Amount", continuous_update=False, layout={"width": "360px"},
            readout_format=",d",
        )  # fmt: skip
        self.amount.observe(lambda _: self.name_amount(), "value")
        words = "Deal on after a fold"
        self.quick = ipywidgets.Checkbox(value=True, indent=False, description=words)
        self.hand_shown = ipywidgets.Dropdown(
            description="What they thought in", style={"description_width": "initial"},
            layout={"width": "260px"},
        )  # fmt: skip
        self.hand_shown.observe(lambda _: self.show_thoughts(), "value")
        self.new_button.description = "New tournament"
        for button in (self.deal_button, *self.moves.values()):
            button.layout.width = "116px"
        self.new_button.layout.width = "140px"
        first = [self.deal_button, *(self.moves[move] for move in MOVES), self.new_button]
        second = [self.amount, self.moves["amount"], self.quick, self.hand_shown]
        rows = [ipywidgets.HBox(row, layout={"flex_flow": "row wrap"}) for row in (first, second)]
        self.controls.layout.flex_flow, self.controls.layout.align_items = "column", "stretch"
        self.controls.children = rows
        self.match = self.begun().play(folding, DEMONSTRATION)
        self.refresh()

    def begun(self) -> SitAndGo:
        """Return the next tournament, before its first hand."""
        seed = self.seed + self.matches
        return SitAndGo(game=self.game, opponents=self.opponents, seed=seed)

    def new_match(self) -> SitAndGo:
        """Return a tournament with its first hand."""
        return self.begun().deal()

    def actions(self) -> dict[str, int]:
        """Return what the reader may do, by the names of the buttons; no two raises are the same."""
        if not self.match.is_waiting:
            return {}
        hand = self.match.hands[-1]
        legal = hand.legal
        actions = {"fold": FOLD} if legal.can_fold else {}
        actions["call"] = CALL
        if legal.min_raise_to is not None and legal.max_raise_to is not None:
            unit = sum(hand.paid) + legal.to_call
            for move, share in RAISES.items():
                wanted = max(legal.min_raise_to, hand.bet + int(share * unit))
                if wanted < legal.max_raise_to and wanted not in actions.values():
                    actions[move] = wanted
            actions["all-in"] = legal.max_raise_to
            actions["amount"] = min(max(self.amount.value, legal.min_raise_to), legal.max_raise_to)
        return actions

    def move_labels(self) -> dict[str, str]:
        """Return what the reader may do, and what its button says."""
        if not self.match.is_waiting:
            return {}
        hand = self.match.hands[-1]
        owed, verb = hand.legal.to_call, "Raise to" if hand.bet else "Bet"
        labels = {move: f"{verb} {to:,}" for move, to in self.actions().items()}
        labels |= {"call": f"Call {owed:,}" if owed else "Check"}
        if "fold" in labels:
            labels["fold"] = "Fold"
        if "all-in" in labels:
            labels["all-in"] = f"All-in {hand.legal.max_raise_to:,}"
        return labels

    def act(self, move: str | int) -> None:
        """Do one of the buttons' moves for the reader, or raise to so many chips."""
        actions = self.actions()
        if isinstance(move, str) and move not in actions:
            known = ", ".join(actions) or "none: no hand is under way"
            raise SettingError(f"move is '{move}'; what can be done: {known}.")
        action = actions[move] if isinstance(move, str) else move
        match = self.match.act(action)
        if action == FOLD and self.quick.value:
            while not (match.is_waiting or match.is_out or match.is_over):
                match = match.deal()
        self.match = match
        self.refresh()

    def deal(self) -> None:
        """Deal a hand; who is out sees the tournament played to its end."""
        if not self.is_demonstration and self.match.is_out and not self.match.is_over:
            self.match = self.match.play(folding, MOST_ROUNDS)
            self.refresh()
            return
        super().deal()

    def headline(self) -> str:
        """Return what is to be done next."""
        match, hand = self.match, self.match.hands[-1]
        if self.is_demonstration:
            return f"{len(match.hands)} hands played for you, folding all the way. Press Deal to play your own"
        if match.is_waiting:
            labels = self.move_labels()
            words = [labels[move].lower() for move in ("fold", "call") if move in labels]
            words += ["raise" if hand.bet else "bet"] * ("all-in" in labels)
            before = ""
            if match.finished:
                before = f"Hand {hand.number}: {winner_of(match.finished[-1], match.names)}. "
            return f"{before}Hand {hand.number + 1}, your turn: {either(words)}?"
        ended = f"Hand {hand.number + 1}: {winner_of(hand, match.names)}"
        if match.is_over or match.is_out:
            return f"{ended}. You are number {match.ranks[READER]:g} of {len(match.names)}"
        return ended

    def draw(self) -> SvgDrawing:
        """Return the picture of the table; after the first deal the next one is for the next hand."""
        after = "Play it out" if self.match.is_out else "Next hand"
        self.deal_button.description = "Deal" if self.is_demonstration else after
        return draw_tournament(self.match, self.headline())

    def refresh(self) -> None:
        """Enable what can be pressed, draw the table, and show what was thought in the last hand."""
        super().refresh()
        if self.match.is_over and not self.is_demonstration:
            show_ready(self.deal_button, False)
        legal = self.match.hands[-1].legal if self.match.is_waiting else None
        can_raise = legal is not None and legal.min_raise_to is not None
        self.amount.disabled = not can_raise
        if can_raise:
            low, high = legal.min_raise_to, legal.max_raise_to  # type: ignore[union-attr]
            self.amount.min, self.amount.max = 0, high  # in an order that never crosses
            self.amount.min, self.amount.value = low, low
        self.name_amount()
        hands = [(f"hand {hand.number + 1}", hand.number) for hand in self.match.finished]
        self.hand_shown.options = hands[::-1]
        self.hand_shown.value = hands[-1][1] if hands else None
        self.hand_shown.layout.display = None if hands else "none"
        self.show_thoughts()

    def name_amount(self) -> None:
        """Let the button of the slider say the amount."""
        labels = self.move_labels()
        self.moves["amount"].description = labels.get("amount", "Raise to")

    def show_thoughts(self) -> None:
        """Show below the table what was thought in the hand that is chosen."""
        number: int | None = self.hand_shown.value
        if number is None or number >= len(self.match.finished):
            return
        thoughts = thoughts_of(self.match, number)
        caption = f'<p style="line-height: 1.45;">{escape(self.picture.caption)}</p>'
        shown = as_html(thoughts, number)
        self.screen.say(f"{caption}{shown}")
        # The picture that stays in the notebook has the caption already.
        saved = {"text/html": shown, "text/plain": as_markdown(thoughts)}
        self.screen.put("words", lambda: (saved, {}))

    def thoughts(self, hand: int) -> Markdown:
        """Return what everybody thought in a finished hand, by its number from 1."""
        checked_integer("hand", hand, 1, max(len(self.match.finished), 1))
        return Markdown(as_markdown(thoughts_of(self.match, hand - 1)))  # type: ignore[no-untyped-call]

    def __repr__(self) -> str:
        ranks, chips = self.match.ranks, self.match.stacks[READER]
        where = f"number {ranks[READER]:g}" if READER in ranks else f"{chips:,} chips"
        return f"<Tournament table: {len(self.match.finished)} hands, {where}>"


def folding(hand: Hand) -> int:
    """Return the action of the demonstration."""
    return FOLD if hand.legal.can_fold else CALL


def play_tournament(
    opponents: Sequence[Player],
    *,
    seed: int,
    schedule: Schedule | None = None,
    stacks: int = 1000,
) -> TournamentTable:
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
    TournamentTable
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
    company = Roster(opponents)
    checked_integer("opponents", len(company), 1, MOST_SEATS - 1)
    seats = 1 + len(company)
    blinds = (
        make_doubling_schedule(no_limit(5, 10), 10, chips=seats * stacks)
        if schedule is None
        else schedule
    )
    game = tournament(blinds, seats, seats, stacks, aggressiveness=Aggressiveness())
    return TournamentTable(game, company, seed).open()
