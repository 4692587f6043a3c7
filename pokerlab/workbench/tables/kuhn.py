"""A table of Kuhn poker in the notebook: play some hands, then see what your play was worth.

A match is decided by the seed and the actions of the reader, and each method returns a new one. The table shows the
cards, the pot, the actions, and the chips won beside the expected chips.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

import ipywidgets
from IPython.display import Markdown

from pokerlab.core import SettingError, UnknownNameError, random_stream
from pokerlab.core.old_names import explain_renamed_attributes
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
    draw_mark,
    draw_paragraph,
    draw_text,
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
    choices: tuple[tuple[str, str], ...] = ()  # the information sets and actions of the reader
    won: int | None = None  # the reader's chips; None while the hand is under way

    @property
    def story(self) -> list[str]:
        """The actions so far in words: 'you check', 'they bet'."""
        return describe_actions(BETWEEN_ACTIONS.join(self.history.actions), self.seat)

    def __str__(self) -> str:
        cards = ["JQK"[card] for card in self.history.cards]
        parts = [f"hand {self.number}: you are player {self.seat + 1} with {cards[self.seat]}"]
        parts += [", ".join(self.story)] if self.story else []
        if self.won is not None:
            result = "win" if self.won > 0 else "lose"
            parts.append(f"you {result} {abs(self.won)} (they had {cards[1 - self.seat]})")
        return "; ".join(parts)


def describe_actions(actions: str, seat: int) -> list[str]:
    """Return actions such as 'pass-bet' in words for the reader in `seat`: ['you check', 'they bet']."""
    players = ("you", "they") if seat == 0 else ("they", "you")
    return [f"{players[k % 2]} {word}" for k, word in enumerate(list_poker_action_names(actions))]


@explain_renamed_attributes
@dataclass(frozen=True, eq=False)
class Match:
    """Hands of two-player Kuhn poker. The reader and the opponent exchange seats after each."""

    opponent: Profile  # the opponent plays the strategy for its present seat
    # Decides the cards of each hand and the opponent's random choices. They do not depend on the hands before.
    seed: int
    hands: tuple[PlayedHand, ...] = ()  # the last one may be under way

    @property
    def is_waiting(self) -> bool:
        """Whether it is the reader's turn."""
        return bool(self.hands) and self.hands[-1].won is None

    @property
    def finished(self) -> tuple[PlayedHand, ...]:
        """The hands that are over, in order."""
        return tuple(hand for hand in self.hands if hand.won is not None)

    def deal(self) -> "Match":
        """Return the match with a new hand, played up to the reader's turn or its end.

        Raises
        ------
        SettingError
            If a hand is under way.
        """
        if self.is_waiting:
            raise SettingError("the hand is not over; act by 'bet' or 'pass' first.")
        number = len(self.hands) + 1
        rules = self.opponent.game.rules
        history = rules.start()
        for k in range(NUM_CARDS):
            turn = rules.turn(history)
            assert isinstance(turn, Chance)
            probabilities = [float(p) for p in turn.outcomes.values()]
            stream = random_stream(self.seed, "deal", number, k)
            card = stream.choice(list(turn.outcomes), p=probabilities)
            history = rules.after(history, str(card))
        hand = PlayedHand(number, (number - 1) % 2, history)
        return replace(self, hands=(*self.hands, self.play_opponent(hand)))

    def act(self, action: str) -> "Match":
        """Return the match after an action of the reader, 'bet' or 'pass', and the actions of the opponent that follow.

        Raises
        ------
        SettingError
            If no hand is under way.
        UnknownNameError
            If it is another action.
        """
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
        return replace(self, hands=(*self.hands[:-1], self.play_opponent(acted)))

    def play_opponent(self, hand: PlayedHand) -> PlayedHand:
        """Return the hand in which the opponent has acted up to the reader's turn or the end."""
        rules = self.opponent.game.rules
        while isinstance(turn := rules.turn(hand.history), Decision) and turn.player != hand.seat:
            probabilities = self.opponent.action_probabilities(turn.player, turn.infoset)
            stream = random_stream(self.seed, "opponent", hand.number, len(hand.history.actions))
            action = str(stream.choice(list(probabilities), p=list(probabilities.values())))
            hand = replace(hand, history=rules.after(hand.history, action))
        if isinstance(turn, Terminal):
            hand = replace(hand, won=int(turn.utilities[hand.seat]))
        return hand

    def play(self, reader_profile: Profile, num_hands: int) -> "Match":
        """Return the match after `num_hands` more hands in which the reader plays a profile."""
        match = self
        for _ in range(num_hands):
            match = match.deal()
            while match.is_waiting:
                hand = match.hands[-1]
                turn = match.opponent.game.rules.turn(hand.history)
                assert isinstance(turn, Decision)
                probabilities = reader_profile.action_probabilities(turn.player, turn.infoset)
                stream = random_stream(self.seed, "reader", hand.number, len(hand.history.actions))
                action = stream.choice(list(probabilities), p=list(probabilities.values()))
                match = match.act(str(action))
        return match

    @cached_property
    def action_counts(self) -> Counter[tuple[int, str, str]]:
        """How often the reader has chosen each action, by player index, information set and action."""
        return Counter(
            (hand.seat, infoset, action)
            for hand in self.finished
            for infoset, action in hand.choices
        )

    @cached_property
    def observed_profile(self) -> Profile:
        """The frequencies of the reader's actions as a profile, uniform at information sets without actions."""
        counts: dict[tuple[int, str], dict[str, float]] = {}
        for (seat, infoset, action), count in self.action_counts.items():
            counts.setdefault((seat, infoset), {})[action] = float(count)
        table = {
            key: {action: count / sum(actions.values()) for action, count in actions.items()}
            for key, actions in counts.items()
        }
        return Profile.from_table(self.opponent.game, table)

    @property
    def num_visited_infosets(self) -> int:
        """The number of information sets, of both seats, at which the reader has acted."""
        return len({key[:2] for key in self.action_counts})

    @property
    def won(self) -> int:
        """The chips that the reader has won in all finished hands."""
        return sum(hand.won or 0 for hand in self.finished)

    def compute_value(self, reader_profile: Profile, seat: int) -> float:
        """Return the expected winnings of a profile against this opponent in a seat, in chips a hand."""
        return float(self.opponent.game.values(self.opponent.replace(seat, reader_profile))[seat])

    def compute_expected_winnings(self, reader_profile: Profile) -> float:
        """Return the expected winnings of a profile in as many hands as are finished, in the same seats, in chips."""
        return sum(self.compute_value(reader_profile, hand.seat) for hand in self.finished)

    @cached_property
    def best_response(self) -> Profile:
        """The best response to the opponent, in both seats."""
        best = self.opponent
        for seat in range(2):
            response = self.opponent.game.best_response(self.opponent, seat)
            best = best.replace(seat, response.behavior)
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
    """Return the picture of a match: its last hand, the results of the hands before, and the chips won."""
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
    """Return two drawings for narrow places: the last hand above the results of the hands before, and the chips won."""
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
    """Return the cards, the pot and the actions of a hand as SVG.

    Parameters
    ----------
    hand : PlayedHand
        The hand. The opponent's card is face down until the hand is over.
    cards_at : tuple of two floats
        The left edges of the reader's card and of the opponent's, in pixels.
    story_at : float
        The left edge of the pot and the actions, in pixels.
    """
    over = hand.won is not None
    faces = ["JQK"[c] + "s" for c in hand.history.cards]
    parts = []
    places = ((cards_at[0], hand.seat, "you"), (cards_at[1], 1 - hand.seat, "opponent"))
    for x, player, words in places:
        parts.append(draw_card(faces[player] if over or words == "you" else FACE_DOWN, x, CARD_TOP))
        parts.append(draw_mark(player, x + 10, CARD_TOP + 104))
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
    """Return three curves over the hands as SVG.

    They are the chips won, and the chips expected from the reader's frequencies and from best responses.
    """
    seats = [hand.seat for hand in match.finished]
    curves = (
        ("won", [float(hand.won or 0) for hand in match.finished], INK, "none"),
        (
            "your play expects",
            [match.compute_value(match.observed_profile, s) for s in seats],
            BLUE,
            "6 3",
        ),
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
    step = CHART_WIDTH / max(len(seats), 1)
    bottom = CHART_TOP + CHART_HEIGHT

    def find_height(chips: float) -> float:
        return bottom - CHART_HEIGHT * (chips - low) / (high - low)

    parts = [draw_text(f"chips after {len(seats)} hands", CHART_AT, 20, 12, bold=True)]
    for chips in sorted({0, round(low), round(high)}):
        height = find_height(chips)
        parts.append(draw_line(CHART_AT, height, CHART_AT + CHART_WIDTH, height, stroke="#d9d9d9"))
        parts.append(draw_text(signed(chips), CHART_AT - 5, height + 4, 10, GRAY, anchor="end"))
    for row, ((words, _, color, dashes), heights) in enumerate(zip(curves, sums, strict=True)):
        points = " ".join(
            f"{CHART_AT + step * k:.1f},{find_height(chips):.1f}" for k, chips in enumerate(heights)
        )
        line_style = {"stroke": color, "stroke_width": 2, "stroke_dasharray": dashes}
        parts.append(write_element("polyline", points=points, fill="none", **line_style))
        height = bottom + 26 + 18 * row
        parts.append(draw_line(CHART_AT, height - 4, CHART_AT + 28, height - 4, **line_style))
        parts.append(draw_text(words, CHART_AT + 36, height, 11.5))
        number = signed(heights[-1], 1)
        parts.append(draw_text(number, CHART_AT + 210, height, 11.5, anchor="end", bold=True))
    return "".join(parts)


class KuhnTable(PlayTable):
    """Hands of Kuhn poker with buttons. `play_kuhn` makes such tables."""

    match: Match
    before: Match | None

    def __init__(self, opponent: str | Profile, seed: int) -> None:
        self.own_profile = opponent if isinstance(opponent, Profile) else None
        names, chosen = [*CHARACTERS], opponent
        if isinstance(opponent, Profile):
            kuhn().validate_probabilities(opponent)
            names.append(chosen := "your profile")
        else:
            kuhn_character(opponent)  # raises an error if there is no such character
        self.opponents = ipywidgets.Dropdown(
            options=names, value=chosen, description="opponent", tooltip="starts a new match"
        )
        super().__init__(seed, {"pass": "Check", "bet": "Bet"}, self.opponents)
        self.opponents.observe(lambda _: self.run_action(self.begin_match), "value")
        self.match = self.make_match().play(kuhn_character(DEMONSTRATOR), DEMONSTRATION)
        self.refresh_table()

    def make_match(self) -> Match:
        """Return a match against the chosen opponent before its first hand."""
        own = self.own_profile if self.opponents.value == "your profile" else None
        return Match(own or kuhn_character(self.opponents.value), self.seed + self.num_own_matches)

    def list_move_labels(self) -> dict[str, str]:
        """Return 'Check' and 'Bet', or 'Fold' and 'Call' after a bet, by the moves 'pass' and 'bet'."""
        actions = self.match.hands[-1].history.actions if self.match.is_waiting else ()
        return {
            move: get_poker_action_name(move, actions).capitalize() for move in self.move_buttons
        }

    def write_headline(self) -> str:
        """Return a line on what the reader can do next, or how the last hand ended."""
        match = self.match
        if self.is_demonstration:
            return "Six hands played for you, with kings only. Press Deal to play your own"
        if not match.hands:
            if self.previous_match is None:
                return "A new match. Press Deal"
            hands = count_in_words(len(self.previous_match.finished), "hand")
            won = signed(self.previous_match.won)
            return f"A new match; the last one ended after {hands} at {won} chips. Press Deal"
        hand = match.hands[-1]
        if match.is_waiting:
            words = [
                get_poker_action_name(action, hand.history.actions) for action in ("pass", "bet")
            ]
            return f"Hand {hand.number}, your turn: {' or '.join(words)}?"
        assert hand.won is not None
        return f"Hand {hand.number}: you {'win' if hand.won > 0 else 'lose'} {abs(hand.won)}"

    def draw_picture(self) -> SvgDrawing:
        """Return the picture of the table."""
        return draw_kuhn_match(self.match, self.write_headline())

    def report(self) -> Markdown:
        """Return what the reader's play was worth and how exploitable it was, as `report_kuhn_match` writes it.

        The report is of the previous match until a hand of the present one is over.
        """
        return Markdown(report_kuhn_match(self.reported_match))  # type: ignore[no-untyped-call]

    def __repr__(self) -> str:
        return f"<Kuhn table: {len(self.match.finished)} hands, {signed(self.match.won)} chips>"


def report_kuhn_match(match: Match) -> str:
    """Return in Markdown what the reader's play in a match was worth.

    It has the chips won, the expected chips of the reader's frequencies and of best responses, the exploitability in
    100 hands, and for each information set how often the reader bet or called beside the range over all equilibria.
    """
    hands = len(match.finished)
    game = match.opponent.game
    if not hands:
        return "No hand has been played yet."
    total = exploitability(game, match.observed_profile)
    own_winnings, best_winnings = (
        signed(match.compute_expected_winnings(profile), 2)
        for profile in (match.observed_profile, match.best_response)
    )
    summary = (
        f"**{hands} hands, {signed(match.won)} chips.**\n\n"
        f"- Your choices win {own_winnings} chips on average in these hands against this opponent.\n"
        f"- The best possible play against it wins {best_winnings} chips on average in these hands.\n"
        f"- A player who knew your habits would win **{50 * total:.0f} chips** from you in 100 hands, 50 in each"
        " seat.\n\n"
        f"You have been in {match.num_visited_infosets} of 12 situations; the others count as tossing a coin."
    )
    rows = []
    for (seat, infoset), (low, high) in EQUILIBRIUM_RANGES.items():
        bets, passes = (match.action_counts[seat, infoset, action] for action in ("bet", "pass"))
        share = f"{bets / (bets + passes):.2f}" if bets + passes else "–"
        equilibrium_range = f"{low:.2f}" if low == high else f"{low:.2f} to {high:.2f}"
        card, actions = split_infoset_label(infoset)
        before = ", ".join(describe_actions(actions, seat)) or "you act first"
        rows.append([f"player {seat + 1}", card, before, bets + passes, share, equilibrium_range])
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
        Decides the cards and the random choices of the opponent.

    Returns
    -------
    KuhnTable
        The table. `match` has the hands so far, and `report()` returns what the reader's play was worth.

    Examples
    --------
    >>> table = play_kuhn("always bet", seed=1)
    >>> print(table.match.hands[0])
    hand 1: you are player 1 with K; you bet, they call; you win 2 (they had J)
    """
    return KuhnTable(opponent, seed).open()
