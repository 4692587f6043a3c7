"""A table of Kuhn poker in the notebook: play some hands, then see what your play was worth.

It shows cards, pot, what was said, and the score beside the expected one.
"""

from itertools import accumulate

import ipywidgets
from IPython.display import Markdown

from pokerlab.games import Profile, kuhn
from pokerlab.games.small_poker import card_and_situation, table_word
from pokerlab.metrics import exploitability
from pokerlab.workbench.drawings import svg
from pokerlab.workbench.drawings.kuhn_picture import CHARACTERS, EQUILIBRIUM_RANGES, kuhn_character
from pokerlab.workbench.drawings.svg import FACE_DOWN, Picture, card, label, line, mark, tag
from pokerlab.workbench.pictures.text import counted, signed, tabulate
from pokerlab.workbench.style import BLUE, GRAY, GREEN, INK, ORANGE
from pokerlab.workbench.tables.kuhn_match import Match, PlayedHand, story
from pokerlab.workbench.tables.play_table import PlayTable

WIDTH, HEIGHT = 900.0, 262.0
CARD_AT, CARD_TOP = (16.0, 126.0), 46.0
STORY_AT, LOG_TOP, LOG_LINES = 236.0, 182.0, 4
CHART_AT, CHART_TOP, CHART_WIDTH, CHART_HEIGHT = 580.0, 34.0, 300.0, 116.0
CAPTION = (
    "Black: the chips you have won. Blue, dashed: what your choices so far are worth against this"
    " opponent on average. Green, dotted: what the best response to it would expect. Black minus"
    " blue is luck. Green minus blue is what better play would have added."
)
DEMONSTRATION = 6
DEMONSTRATOR = "kings only"


def draw_table(match: Match, headline: str) -> Picture:
    """Return the picture of a match, the present hand in front."""
    parts = [svg.headline(headline, 16, 20, 14, CHART_AT - 40)]
    if match.hands:
        parts.append(draw_hand(match.hands[-1]))
    log = [str(hand) for hand in match.finished]
    for k, words in enumerate(log[-LOG_LINES:]):
        parts.append(label(words, 16, LOG_TOP + 18 * k, 11.5, "#444444"))
    parts.append(draw_score(match))
    now = [headline, *map(str, match.hands[-1:])]
    text = "\n".join([*now, *log[-LOG_LINES:]])
    return Picture(WIDTH, HEIGHT, "".join(parts), text, CAPTION, news="\n".join(now))


def draw_hand(hand: PlayedHand) -> str:
    """Return both cards, the pot and what was said."""
    over = hand.won is not None
    faces, parts = ["JQK"[c] + "s" for c in hand.history.cards], []
    places = ((CARD_AT[0], hand.seat, "you"), (CARD_AT[1], 1 - hand.seat, "opponent"))
    for x, player, words in places:
        parts.append(card(faces[player] if over or words == "you" else FACE_DOWN, x, CARD_TOP))
        parts.append(mark(player, x + 10, CARD_TOP + 104))
        parts.append(label(words, x + 23, CARD_TOP + 108, 11))
    paid = 2 + hand.history.actions.count("bet")
    parts.append(label(f"pot: {paid} chips", STORY_AT, CARD_TOP + 12, 12))
    for k in range(paid):
        parts.append(tag("circle", cx=STORY_AT + 90 + 16 * k, cy=CARD_TOP + 8, r=7, fill=ORANGE,
                         stroke=INK, stroke_dasharray="3 2"))  # fmt: skip
    for k, words in enumerate(hand.story):
        parts.append(label(words, STORY_AT, CARD_TOP + 36 + 18 * k, 12.5))
    return "".join(parts)


def draw_score(match: Match) -> str:
    """Return the chips won so far, and two lines of what could be expected."""
    seats = [hand.seat for hand in match.finished]
    curves = (
        ("won", [float(hand.won or 0) for hand in match.finished], INK, "none"),
        ("your play expects", [match.worth(match.observed, s) for s in seats], BLUE, "6 3"),
        ("best response", [match.worth(match.best_response, s) for s in seats], GREEN, "1.5 3"),
    )
    sums = [list(accumulate(steps, initial=0.0)) for _, steps, _, _ in curves]
    low, high = min(-2.0, *map(min, sums)), max(2.0, *map(max, sums))
    across = CHART_WIDTH / max(len(seats), 1)
    bottom = CHART_TOP + CHART_HEIGHT

    def y(chips: float) -> float:
        return bottom - CHART_HEIGHT * (chips - low) / (high - low)

    parts = [label(f"chips after {len(seats)} hands", CHART_AT, 20, 12, bold=True)]
    for chips in sorted({0, round(low), round(high)}):
        at = y(chips)
        parts.append(line(CHART_AT, at, CHART_AT + CHART_WIDTH, at, stroke="#d9d9d9"))
        parts.append(label(signed(chips), CHART_AT - 5, at + 4, 10, GRAY, anchor="end"))
    for row, ((words, _, color, dashes), heights) in enumerate(zip(curves, sums, strict=True)):
        points = " ".join(f"{CHART_AT + across * k:.1f},{y(h):.1f}" for k, h in enumerate(heights))
        look = {"stroke": color, "stroke_width": 2, "stroke_dasharray": dashes}
        parts.append(tag("polyline", points=points, fill="none", **look))
        at = bottom + 26 + 18 * row
        parts.append(line(CHART_AT, at - 4, CHART_AT + 28, at - 4, **look))
        parts.append(label(words, CHART_AT + 36, at, 11.5))
        number = signed(heights[-1], 1)
        parts.append(label(number, CHART_AT + 210, at, 11.5, anchor="end", bold=True))
    return "".join(parts)


class KuhnTable(PlayTable):
    """Hands of Kuhn poker with buttons; make it with `play_kuhn`."""

    match: Match
    before: Match | None

    def __init__(self, opponent: str | Profile, seed: int) -> None:
        self.own_profile = opponent if isinstance(opponent, Profile) else None
        if self.own_profile is not None:
            kuhn().owned(self.own_profile)
        names = [*CHARACTERS, "your profile"] if self.own_profile else [*CHARACTERS]
        if isinstance(opponent, str):
            kuhn_character(opponent)  # refuses a name that nobody has
        chosen = opponent if isinstance(opponent, str) else "your profile"
        self.opponents = ipywidgets.Dropdown(
            options=names, value=chosen, description="opponent", tooltip="starts a new match"
        )
        super().__init__(seed, {"pass": "Check", "bet": "Bet"}, self.opponents)
        self.opponents.observe(lambda _: self.begin(), "value")
        self.match = self.new_match().play(kuhn_character(DEMONSTRATOR), DEMONSTRATION)
        self.refresh()

    def new_match(self) -> Match:
        """Return a match against the chosen opponent in which nothing has been played."""
        own = self.own_profile if self.opponents.value == "your profile" else None
        return Match(own or kuhn_character(self.opponents.value), self.seed + self.matches)

    def move_labels(self) -> dict[str, str]:
        """Return 'Check' and 'Bet', or 'Fold' and 'Call' after a bet."""
        said = self.match.hands[-1].history.actions if self.match.is_waiting else ()
        return {move: table_word(move, said).capitalize() for move in self.moves}

    def headline(self) -> str:
        """Return what is to be done next."""
        match = self.match
        if self.is_demonstration:
            return "Six hands played for you, with kings only. Press Deal to play your own"
        if not match.hands:
            if self.before is None:
                return "A new match. Press Deal"
            hands, won = counted(len(self.before.finished), "hand"), signed(self.before.won)
            return f"A new match; the last one ended after {hands} at {won} chips. Press Deal"
        hand = match.hands[-1]
        if match.is_waiting:
            words = [table_word(action, hand.history.actions) for action in ("pass", "bet")]
            return f"Hand {hand.number}, your turn: {' or '.join(words)}?"
        assert hand.won is not None
        return f"Hand {hand.number}: you {'win' if hand.won > 0 else 'lose'} {abs(hand.won)}"

    def draw(self) -> Picture:
        """Return the picture of the table."""
        return draw_table(self.match, self.headline())

    def report(self) -> Markdown:
        """Return what the reader's play was worth, here or in the match before, and how exploitable it was."""
        return Markdown(report(self.reported))  # type: ignore[no-untyped-call]

    def __repr__(self) -> str:
        return f"<Kuhn table: {len(self.match.finished)} hands, {signed(self.match.won)} chips>"


def report(match: Match) -> str:
    """Return in Markdown what the reader of a match did at each information set, and what it was worth."""
    hands, game = len(match.finished), match.opponent.game
    if not hands:
        return "No hand has been played yet."
    total = exploitability(game, match.observed)
    summary = (
        f"**{hands} hands, {signed(match.won)} chips.** On average your choices win"
        f" {signed(match.expected(match.observed), 2)} chips in these hands against this opponent;"
        f" the best possible play against it wins {signed(match.expected(match.best_response), 2)}."
        f" Somebody who knew your habits would win **{50 * total:.0f} chips** from you in 100 hands, 50"
        f" in each seat. You have been in {match.met} of 12 situations; the others count as tossing a coin."
    )
    rows = []
    for (seat, known), (low, high) in EQUILIBRIUM_RANGES.items():
        bet, passed = (match.counts[seat, known, action] for action in ("bet", "pass"))
        share = f"{bet / (bet + passed):.2f}" if bet + passed else "–"
        fits = f"{low:.2f}" if low == high else f"{low:.2f} to {high:.2f}"
        card, situation = card_and_situation(known)
        before = ", ".join(story(situation, seat)) or "you act first"
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
