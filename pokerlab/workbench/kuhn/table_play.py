"""A table of Kuhn poker in the notebook: play some hands, then see what your play was worth."""

import ipywidgets
from IPython.display import Markdown

from pokerlab.games import Profile, kuhn
from pokerlab.games.one_card import card_and_situation, table_word
from pokerlab.metrics import exploitability
from pokerlab.workbench.drawings.svg import Picture
from pokerlab.workbench.kuhn.kuhn_match import Match, story
from pokerlab.workbench.kuhn.kuhn_profiles import CHARACTERS, EQUILIBRIUM_RANGES, kuhn_character
from pokerlab.workbench.kuhn.table_picture import draw_table
from pokerlab.workbench.live.play_table import PlayTable
from pokerlab.workbench.text import signed, tabulate

DEMONSTRATION = 6
DEMONSTRATOR = "kings only"


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
        name = self.opponents.value
        own = self.own_profile
        profile = own if own is not None and name == "your profile" else kuhn_character(name)
        return Match(profile, self.seed + self.matches)

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
            hands, won = len(self.before.finished), signed(self.before.won)
            return f"A new match; the last one ended after {hands} hand{'s' * (hands != 1)} at {won} chips. Press Deal"
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
        """Return what the reader's play was worth, and how far it could be exploited.

        Until a hand of a new match is over, the match before is reported.
        """
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
        'an equilibrium', 'uniform', 'always bet', 'never bet', 'kings only', or any profile of
        two-player Kuhn poker.
    seed : int
        Decides cards and the opponent's choices.

    Returns
    -------
    KuhnTable
        What is shown; `match` is what has been played, `report()` what it was worth.

    Raises
    ------
    UnknownNameError
        If no opponent has this name.
    GameError
        If the profile belongs to another game.

    Examples
    --------
    >>> table = play_kuhn("always bet", seed=1)
    >>> print(table.match.hands[0])
    hand 1: you are player 1 with K; you bet, they call; you win 2 (they had J)
    """
    return KuhnTable(opponent, seed).open()
