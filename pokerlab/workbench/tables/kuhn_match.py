"""A match of Kuhn poker between a reader and an opponent: pure, and decided by the seed and the reader."""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property

from pokerlab.core import SettingError, UnknownNameError, stream
from pokerlab.games import Chance, Decision, Profile, Terminal
from pokerlab.games.small_poker import BETWEEN_ACTIONS, OneCardHand, table_words

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
        return story(BETWEEN_ACTIONS.join(self.history.actions), self.seat)

    def __str__(self) -> str:
        cards = ["JQK"[card] for card in self.history.cards]
        parts = [f"hand {self.number}: you are player {self.seat + 1} with {cards[self.seat]}"]
        parts += [", ".join(self.story)] if self.story else []
        if self.won is not None:
            result = "win" if self.won > 0 else "lose"
            parts.append(f"you {result} {abs(self.won)} (they had {cards[1 - self.seat]})")
        return "; ".join(parts)


def story(situation: str, seat: int) -> list[str]:
    """Return what has happened in a situation such as 'pass-bet', for who sits in `seat`."""
    who = ("you", "they") if seat == 0 else ("they", "you")
    return [f"{who[k % 2]} {word}" for k, word in enumerate(table_words(situation))]


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
            card = stream(self.seed, "deal", number, k).choice(list(turn.outcomes), p=chances)
            history = rules.after(history, str(card))
        hand = PlayedHand(number, (number - 1) % 2, history)
        return replace(self, hands=(*self.hands, self.played_on(hand)))

    def act(self, action: str) -> "Match":
        """Return the match after the reader's 'bet' or 'pass' and the opponent's answer."""
        if not self.is_waiting:
            raise SettingError("no hand is under way; deal one first.")
        hand, rules = self.hands[-1], self.opponent.game.rules
        turn = rules.turn(hand.history)
        assert isinstance(turn, Decision)
        if action not in turn.actions:
            raise UnknownNameError.among("action", action, turn.actions)
        history = rules.after(hand.history, action)
        choices = (*hand.choices, (turn.infoset, action))
        acted = replace(hand, history=history, choices=choices)
        return replace(self, hands=(*self.hands[:-1], self.played_on(acted)))

    def played_on(self, hand: PlayedHand) -> PlayedHand:
        """Return the hand after the opponent's choices, up to the reader's turn or the end."""
        rules = self.opponent.game.rules
        while isinstance(turn := rules.turn(hand.history), Decision) and turn.player != hand.seat:
            chances = self.opponent.at(turn.player, turn.infoset)
            draw = stream(self.seed, "opponent", hand.number, len(hand.history.actions))
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
                chances = reader.at(turn.player, turn.infoset)
                draw = stream(self.seed, "reader", hand.number, len(hand.history.actions))
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

    def worth(self, reader: Profile, seat: int) -> float:
        """Return what `reader` wins a hand in `seat` against this opponent, on average."""
        return float(self.opponent.game.values(self.opponent.replace(seat, reader))[seat])

    def expected(self, reader: Profile) -> float:
        """Return what `reader` should have won in these hands, in the same seats."""
        return sum(self.worth(reader, hand.seat) for hand in self.finished)

    @cached_property
    def best_response(self) -> Profile:
        """The best response to the opponent, in both seats."""
        best = self.opponent
        for seat in range(2):
            reply = self.opponent.game.best_response(self.opponent, seat)
            best = best.replace(seat, reply.behavior)
        return best
