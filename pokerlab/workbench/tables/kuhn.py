"""A table of Kuhn poker in the notebook: play some hands, then see what your play was worth.

The match is pure, and decided by the seed and the reader. The table shows cards, pot, what was said, and the score
beside the expected one.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

import ipywidgets
from IPython.display import Markdown

from pokerlab.core import SettingError, UnknownNameError, random_stream
from pokerlab.games import Chance, Decision, Profile, Terminal, kuhn
from pokerlab.games.small_poker import (
    BETWEEN_ACTIONS,
    OneCardHand,
    get_poker_action_name,
    list_poker_action_names,
    split_infoset_label,
)
from pokerlab.metrics import exploitability
from pokerlab.workbench.drawings import svg
from pokerlab.workbench.drawings.kuhn_picture import CHARACTERS, EQUILIBRIUM_RANGES, kuhn_character
from pokerlab.workbench.drawings.svg import (
    FACE_DOWN,
    SvgDrawing,
    draw_card,
    draw_line,
    draw_paragraph,
    draw_text,
    mark,
    write_element,
)
from pokerlab.workbench.drawings.table_drawing import NARROW
from pokerlab.workbench.style import BLUE, GRAY, GREEN, INK, ORANGE
from pokerlab.workbench.tables.play_table import PlayTable
from pokerlab.workbench.text import count_in_words, signed, tabulate

NUM_CARDS = 2


@dataclass(frozen=True)
class PlayedHand:
    """A hand of the match, over or under way."""

    number: int  # which of the match, from 1
    seat: int  # the reader's player index: 0 acts first
    history: OneCardHand  # cards and actions so far
    choices: tuple[tuple[str, str], ...] = ()  # what the reader knew and did, each time
    won: int | None = None  # the reader's chips; None while the hand is under way

    @property
    def story(self) -> list[str]:
        """What was said, in the table's words: 'you check', 'they bet'."""
        return describe_situation(BETWEEN_ACTIONS.join(self.history.actions), self.seat)

    def __str__(self) -> str:
        cards = ["JQK"[card] for card in self.history.cards]
        parts = [f"hand {self.number}: you are player {self.seat + 1} with {cards[self.seat]}"]
        parts += [", ".join(self.story)] if self.story else []
        if self.won is not None:
            result = "win" if self.won > 0 else "lose"
            parts.append(f"you {result} {abs(self.won)} (they had {cards[1 - self.seat]})")
        return "; ".join(parts)


def describe_situation(situation: str, seat: int) -> list[str]:
    """Return what has happened in a situation such as 'pass-bet', for who sits in `seat`."""
    who = ("you", "they") if seat == 0 else ("they", "you")
    return [f"{who[k % 2]} {word}" for k, word in enumerate(list_poker_action_names(situation))]


@dataclass(frozen=True, eq=False)
class Match:
    """Hands of two-player Kuhn poker; the seats change after each."""

    opponent: Profile  # how the opponent plays; only the part for its present seat is used
    seed: int  # decides the deal and the opponent's choices in hand k, whatever was played before
    hands: tuple[PlayedHand, ...] = ()  # the last one may be under way

    @property
    def is_waiting(self) -> bool:
        """Whether the reader has to act."""
        return bool(self.hands) and self.hands[-1].won is None

    @property
    def finished(self) -> tuple[PlayedHand, ...]:
        """The hands that are over."""
        return tuple(hand for hand in self.hands if hand.won is not None)

    def deal(self) -> "Match":
        """Return the match with a new hand, dealt and played up to the reader's turn."""
        if self.is_waiting:
            raise SettingError("the hand is not over; act by 'bet' or 'pass' first.")
        number = len(self.hands) + 1
        rules = self.opponent.game.rules
        history = rules.start()
        for k in range(NUM_CARDS):
            turn = rules.turn(history)
            assert isinstance(turn, Chance)
            chances = [float(p) for p in turn.outcomes.values()]
            card = random_stream(self.seed, "deal", number, k).choice(
                list(turn.outcomes), p=chances
            )
            history = rules.after(history, str(card))
        hand = PlayedHand(number, (number - 1) % 2, history)
        return replace(self, hands=(*self.hands, self.play_on(hand)))

    def act(self, action: str) -> "Match":
        """Return the match after the reader's 'bet' or 'pass' and the opponent's answer."""
        if not self.is_waiting:
            raise SettingError("no hand is under way; deal one first.")
        hand = self.hands[-1]
        rules = self.opponent.game.rules
        turn = rules.turn(hand.history)
        assert isinstance(turn, Decision)
        if action not in turn.actions:
            raise UnknownNameError.from_allowed_names("action", action, turn.actions)
        history = rules.after(hand.history, action)
        choices = (*hand.choices, (turn.infoset, action))
        acted = replace(hand, history=history, choices=choices)
        return replace(self, hands=(*self.hands[:-1], self.play_on(acted)))

    def play_on(self, hand: PlayedHand) -> PlayedHand:
        """Return the hand after the opponent's choices, up to the reader's turn or the end."""
        rules = self.opponent.game.rules
        while isinstance(turn := rules.turn(hand.history), Decision) and turn.player != hand.seat:
            chances = self.opponent.action_probabilities(turn.player, turn.infoset)
            draw = random_stream(self.seed, "opponent", hand.number, len(hand.history.actions))
            action = str(draw.choice(list(chances), p=list(chances.values())))
            hand = replace(hand, history=rules.after(hand.history, action))
        if isinstance(turn, Terminal):
            hand = replace(hand, won=int(turn.utilities[hand.seat]))
        return hand

    def play(self, reader: Profile, hands: int) -> "Match":
        """Return the match after `hands` more hands in which `reader` chooses for the reader."""
        match = self
        for _ in range(hands):
            match = match.deal()
            while match.is_waiting:
                hand = match.hands[-1]
                turn = match.opponent.game.rules.turn(hand.history)
                assert isinstance(turn, Decision)
                chances = reader.action_probabilities(turn.player, turn.infoset)
                draw = random_stream(self.seed, "reader", hand.number, len(hand.history.actions))
                match = match.act(str(draw.choice(list(chances), p=list(chances.values()))))
        return match

    @cached_property
    def counts(self) -> Counter[tuple[int, str, str]]:
        """How often the reader did what, by player index, information set and action."""
        return Counter(
            (hand.seat, known, action) for hand in self.finished for known, action in hand.choices
        )

    @cached_property
    def observed(self) -> Profile:
        """The reader's frequencies as a profile; uniform where the reader has never been."""
        met: dict[tuple[int, str], dict[str, float]] = {}
        for (seat, known, action), count in self.counts.items():
            met.setdefault((seat, known), {})[action] = float(count)
        table = {
            key: {action: count / sum(done.values()) for action, count in done.items()}
            for key, done in met.items()
        }
        return Profile.from_table(self.opponent.game, table)

    @property
    def met(self) -> int:
        """How many of the game's information sets the reader has been at."""
        return len({key[:2] for key in self.counts})

    @property
    def won(self) -> int:
        """Chips the reader has won so far."""
        return sum(hand.won or 0 for hand in self.finished)

    def compute_value(self, reader: Profile, seat: int) -> float:
        """Return what `reader` wins a hand in `seat` against this opponent, on average."""
        return float(self.opponent.game.values(self.opponent.replace(seat, reader))[seat])

    def compute_expected_winnings(self, reader: Profile) -> float:
        """Return what `reader` should have won in these hands, in the same seats."""
        return sum(self.compute_value(reader, hand.seat) for hand in self.finished)

    @cached_property
    def best_response(self) -> Profile:
        """The best response to the opponent, in both seats."""
        best = self.opponent
        for seat in range(2):
            reply = self.opponent.game.best_response(self.opponent, seat)
            best = best.replace(seat, reply.behavior)
        return best


WIDTH, HEIGHT = 900.0, 262.0
CARD_AT = (16.0, 126.0)
CARD_TOP = 46.0
STORY_AT, LOG_TOP, LOG_LINES = 236.0, 182.0, 4
NARROW_CARDS, NARROW_STORY, STORY_TOP = (4.0, 94.0), 172.0, 174.0
CHART_AT, CHART_TOP, CHART_WIDTH, CHART_HEIGHT = 580.0, 34.0, 300.0, 116.0
CAPTION = (
    "Black: the chips you have won. Blue, dashed: what your choices so far are worth against this"
    " opponent on average. Green, dotted: what the best response to it would expect. Black minus"
    " blue is luck. Green minus blue is what better play would have added."
)
DEMONSTRATION = 6
DEMONSTRATOR = "kings only"


def draw_kuhn_match(match: Match, headline: str) -> SvgDrawing:
    """Return the picture of a match, the present hand in front."""
    parts = [svg.draw_headline(headline, 16, 20, 14, CHART_AT - 40)]
    if match.hands:
        parts.append(draw_kuhn_hand(match.hands[-1]))
    log = [str(hand) for hand in match.finished]
    for k, words in enumerate(log[-LOG_LINES:]):
        parts.append(draw_text(words, 16, LOG_TOP + 18 * k, 11.5, "#444444"))
    parts.append(draw_score(match))
    now = [headline, *map(str, match.hands[-1:])]
    text = "\n".join([*now, *log[-LOG_LINES:]])
    pieces = draw_kuhn_match_in_pieces(match, headline, log[-LOG_LINES:])
    return SvgDrawing(WIDTH, HEIGHT, "".join(parts), text, CAPTION, "\n".join(now), pieces)


def draw_kuhn_match_in_pieces(
    match: Match, headline: str, log: Sequence[str]
) -> tuple[SvgDrawing, ...]:
    """Return the picture for narrow places: the present hand above the last ones, and the score."""
    written, y = draw_paragraph(headline, 4, 18, 14, NARROW - 8, bold=True)
    y -= 8
    parts = [written]
    if match.hands:
        hand = draw_kuhn_hand(match.hands[-1], NARROW_CARDS, NARROW_STORY)
        parts.append(svg.shift_elements(hand, 0, y - CARD_TOP))
        y += STORY_TOP - CARD_TOP
    for words in log:
        drawn, y = draw_paragraph(words, 4, y + 4, 12, NARROW - 8, fill="#444444")
        parts.append(drawn)
    score = svg.shift_elements(draw_score(match), NARROW - WIDTH, 0)
    return (
        SvgDrawing(NARROW, y, "".join(parts), ""),
        SvgDrawing(NARROW, CHART_TOP + CHART_HEIGHT + 72, score, ""),
    )


def draw_kuhn_hand(
    hand: PlayedHand, cards_at: tuple[float, float] = CARD_AT, story_at: float = STORY_AT
) -> str:
    """Return both cards, the pot and what was said, which begin at these places from the left."""
    over = hand.won is not None
    faces = ["JQK"[c] + "s" for c in hand.history.cards]
    parts = []
    places = ((cards_at[0], hand.seat, "you"), (cards_at[1], 1 - hand.seat, "opponent"))
    for x, player, words in places:
        parts.append(draw_card(faces[player] if over or words == "you" else FACE_DOWN, x, CARD_TOP))
        parts.append(mark(player, x + 10, CARD_TOP + 104))
        parts.append(draw_text(words, x + 23, CARD_TOP + 108, 11))
    paid = 2 + hand.history.actions.count("bet")
    parts.append(draw_text(f"pot: {paid} chips", story_at, CARD_TOP + 12, 12))
    for k in range(paid):
        parts.append(write_element("circle", cx=story_at + 90 + 16 * k, cy=CARD_TOP + 8, r=7, fill=ORANGE,
                         stroke=INK, stroke_dasharray="3 2"))  # fmt: skip
    for k, words in enumerate(hand.story):
        parts.append(draw_text(words, story_at, CARD_TOP + 36 + 18 * k, 12.5))
    return "".join(parts)


def draw_score(match: Match) -> str:
    """Return the chips won so far, and two lines of what could be expected."""
    seats = [hand.seat for hand in match.finished]
    curves = (
        ("won", [float(hand.won or 0) for hand in match.finished], INK, "none"),
        ("your play expects", [match.compute_value(match.observed, s) for s in seats], BLUE, "6 3"),
        (
            "best response",
            [match.compute_value(match.best_response, s) for s in seats],
            GREEN,
            "1.5 3",
        ),
    )
    sums = [list(accumulate(steps, initial=0.0)) for _, steps, _, _ in curves]
    low = min(-2.0, *map(min, sums))
    high = max(2.0, *map(max, sums))
    across = CHART_WIDTH / max(len(seats), 1)
    bottom = CHART_TOP + CHART_HEIGHT

    def y(chips: float) -> float:
        return bottom - CHART_HEIGHT * (chips - low) / (high - low)

    parts = [draw_text(f"chips after {len(seats)} hands", CHART_AT, 20, 12, bold=True)]
    for chips in sorted({0, round(low), round(high)}):
        at = y(chips)
        parts.append(draw_line(CHART_AT, at, CHART_AT + CHART_WIDTH, at, stroke="#d9d9d9"))
        parts.append(draw_text(signed(chips), CHART_AT - 5, at + 4, 10, GRAY, anchor="end"))
    for row, ((words, _, color, dashes), heights) in enumerate(zip(curves, sums, strict=True)):
        points = " ".join(f"{CHART_AT + across * k:.1f},{y(h):.1f}" for k, h in enumerate(heights))
        look = {"stroke": color, "stroke_width": 2, "stroke_dasharray": dashes}
        parts.append(write_element("polyline", points=points, fill="none", **look))
        at = bottom + 26 + 18 * row
        parts.append(draw_line(CHART_AT, at - 4, CHART_AT + 28, at - 4, **look))
        parts.append(draw_text(words, CHART_AT + 36, at, 11.5))
        number = signed(heights[-1], 1)
        parts.append(draw_text(number, CHART_AT + 210, at, 11.5, anchor="end", bold=True))
    return "".join(parts)


class KuhnTable(PlayTable):
    """Hands of Kuhn poker with buttons; make it with `play_kuhn`."""

    match: Match
    before: Match | None

    def __init__(self, opponent: str | Profile, seed: int) -> None:
        self.own_profile = opponent if isinstance(opponent, Profile) else None
        names, chosen = [*CHARACTERS], opponent
        if isinstance(opponent, Profile):
            kuhn().validate_probabilities(opponent)
            names.append(chosen := "your profile")
        else:
            kuhn_character(opponent)  # refuses a name that nobody has
        self.opponents = ipywidgets.Dropdown(
            options=names, value=chosen, description="opponent", tooltip="starts a new match"
        )
        super().__init__(seed, {"pass": "Check", "bet": "Bet"}, self.opponents)
        self.opponents.observe(lambda _: self.answer(self.begin), "value")
        self.match = self.make_match().play(kuhn_character(DEMONSTRATOR), DEMONSTRATION)
        self.refresh()

    def make_match(self) -> Match:
        """Return a match against the chosen opponent in which nothing has been played."""
        own = self.own_profile if self.opponents.value == "your profile" else None
        return Match(own or kuhn_character(self.opponents.value), self.seed + self.matches)

    def move_labels(self) -> dict[str, str]:
        """Return 'Check' and 'Bet', or 'Fold' and 'Call' after a bet."""
        said = self.match.hands[-1].history.actions if self.match.is_waiting else ()
        return {move: get_poker_action_name(move, said).capitalize() for move in self.moves}

    def write_headline(self) -> str:
        """Return what is to be done next."""
        match = self.match
        if self.is_demonstration:
            return "Six hands played for you, with kings only. Press Deal to play your own"
        if not match.hands:
            if self.before is None:
                return "A new match. Press Deal"
            hands = count_in_words(len(self.before.finished), "hand")
            won = signed(self.before.won)
            return f"A new match; the last one ended after {hands} at {won} chips. Press Deal"
        hand = match.hands[-1]
        if match.is_waiting:
            words = [
                get_poker_action_name(action, hand.history.actions) for action in ("pass", "bet")
            ]
            return f"Hand {hand.number}, your turn: {' or '.join(words)}?"
        assert hand.won is not None
        return f"Hand {hand.number}: you {'win' if hand.won > 0 else 'lose'} {abs(hand.won)}"

    def draw(self) -> SvgDrawing:
        """Return the picture of the table."""
        return draw_kuhn_match(self.match, self.write_headline())

    def report(self) -> Markdown:
        """Return what the reader's play was worth, here or in the match before, and how exploitable it was."""
        return Markdown(report_kuhn_match(self.reported))  # type: ignore[no-untyped-call]

    def __repr__(self) -> str:
        return f"<Kuhn table: {len(self.match.finished)} hands, {signed(self.match.won)} chips>"


def report_kuhn_match(match: Match) -> str:
    """Return in Markdown what the reader of a match did at each information set, and what it was worth."""
    hands = len(match.finished)
    game = match.opponent.game
    if not hands:
        return "No hand has been played yet."
    total = exploitability(game, match.observed)
    won, most = (
        signed(match.compute_expected_winnings(profile), 2)
        for profile in (match.observed, match.best_response)
    )
    summary = (
        f"**{hands} hands, {signed(match.won)} chips.**\n\n"
        f"- Your choices win {won} chips on average in these hands against this opponent.\n"
        f"- The best possible play against it wins {most} chips on average in these hands.\n"
        f"- A player who knew your habits would win **{50 * total:.0f} chips** from you in 100 hands, 50 in each"
        " seat.\n\n"
        f"You have been in {match.met} of 12 situations; the others count as tossing a coin."
    )
    rows = []
    for (seat, known), (low, high) in EQUILIBRIUM_RANGES.items():
        bet, passed = (match.counts[seat, known, action] for action in ("bet", "pass"))
        share = f"{bet / (bet + passed):.2f}" if bet + passed else "–"
        fits = f"{low:.2f}" if low == high else f"{low:.2f} to {high:.2f}"
        card, situation = split_infoset_label(known)
        before = ", ".join(describe_situation(situation, seat)) or "you act first"
        rows.append([f"player {seat + 1}", card, before, bet + passed, share, fits])
    heads = ["you are", "you hold", "before", "times", "you bet or call", "perfect play"]
    return f"{summary}\n\n{tabulate(heads, rows)}"


def play_kuhn(opponent: str | Profile = "an equilibrium", *, seed: int) -> KuhnTable:
    """Show a table of Kuhn poker to play at.

    A few hands have been played already, so that there is something to see where nobody can press
    a button; the reader's own match begins with the first deal.

    Parameters
    ----------
    opponent : str or Profile
        'an equilibrium', 'uniform', 'always bet', 'never bet', 'kings only', or any profile of two-player Kuhn poker.
    seed : int
        Decides cards and the opponent's choices.

    Returns
    -------
    KuhnTable
        What is shown; `match` is what has been played, `report()` what it was worth.

    Examples
    --------
    >>> table = play_kuhn("always bet", seed=1)
    >>> print(table.match.hands[0])
    hand 1: you are player 1 with K; you bet, they call; you win 2 (they had J)
    """
    return KuhnTable(opponent, seed).open()
