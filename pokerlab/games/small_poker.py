"""The rules of small poker games: n-player Kuhn poker, one-card poker, two-round poker and Leduc.

In Kuhn poker and one-card poker each player has one card, and there is one bet. Von Neumann's and Borel's poker are
settings of one-card poker. The other two are limit poker with a private card, a public card and two betting rounds.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from pokerlab.core import CHIPS, Unit, UnknownNameError
from pokerlab.core.settings import validate_bool, validate_integer, validate_number
from pokerlab.games.factored_games import BettingPosition, Deals, Factors
from pokerlab.games.rules import Chance, Decision, Number, Terminal, Turn

RANKS = "23456789TJQKA"
MOST_RANKS = 2000
"""The largest number of ranks of one-card poker."""
BET_RANGE = 0.001, 1000
"""The smallest and the largest bet of one-card poker, in antes."""
AFTER_CARD, BETWEEN_ACTIONS, BETWEEN_ROUNDS = ", ", "-", " | "
"""The separators in the label of an information set, such as 'K, pass-bet'."""


class OneCardHand(NamedTuple):
    """A history of one-card poker.

    Attributes
    ----------
    cards : tuple of int
        The cards dealt so far, one for each player, where 0 is the lowest rank.
    actions : tuple of str
        All actions so far, in their order.
    """

    cards: tuple[int, ...]
    actions: tuple[str, ...]


class OneCardPoker:
    """The rules of a game in which each player antes one chip, gets one card, and may bet once.

    Players act in turn and choose 'pass' or 'bet'. Before the first bet a pass is a check. After it each other player
    acts once more, and calls by 'bet' or folds by 'pass'. The highest card among the players who have not folded wins
    the pot. With `num_players + 1` ranks this is KP(n) of Lanctot (2014), section 4.1. With two players and 3, 8 or
    13 ranks it is Kuhn poker, 8-card poker, and Gordon's one-card poker.

    Parameters
    ----------
    num_players : int
        The number of players.
    ranks : int
        The number of cards, which is larger than the number of players.
    name : str
        The game's name.
    bet : int or Fraction
        The size of the bet in chips, which are antes.
    second_can_bet : bool
        Whether the players after the first one may bet. If not, the hands are compared when the first player has
        checked, as in von Neumann's poker.
    first_can_check : bool
        Whether the first player may check. If not, the first player chooses 'fold' or 'bet', as in Borel's poker, and
        no one else may bet.
    """

    unit: Unit = CHIPS
    zero_sum = True

    def __init__(
        self,
        num_players: int,
        ranks: int,
        name: str,
        *,
        bet: Number = 1,
        second_can_bet: bool = True,
        first_can_check: bool = True,
    ) -> None:
        self.num_players = num_players
        self.name = name
        self.ranks = ranks
        self.bet = bet
        self.first_can_check = first_can_check
        self.second_can_bet = second_can_bet and first_can_check
        if ranks == 3:
            self.rank_names = ["J", "Q", "K"]
        elif ranks <= len(RANKS):
            self.rank_names = list(RANKS[-ranks:])
        else:
            self.rank_names = [str(rank) for rank in range(1, ranks + 1)]

        self.card_by_name = {rank_name: card for card, rank_name in enumerate(self.rank_names)}

    def get_card_name(self, card: int) -> str:
        """Return the name of a card.

        With three ranks the names are 'J', 'Q' and 'K'. With up to 13 ranks the highest is 'A', and with more ranks the
        names are numbers from 1.

        Parameters
        ----------
        card : int
            The card, where 0 is the lowest rank.

        Returns
        -------
        str
            The name.
        """
        return self.rank_names[card]

    def start(self) -> OneCardHand:
        """Return the empty history, before the first card is dealt."""
        return OneCardHand((), ())

    def turn(self, history: OneCardHand) -> Turn:
        """Return the node at a history: the deal of a card, a player's decision, or the end of the hand.

        Parameters
        ----------
        history : OneCardHand
            The cards and the actions so far.

        Returns
        -------
        Chance, Decision or Terminal
            The node.
        """
        cards, actions = history
        if len(cards) < self.num_players:
            cards_left = [card for card in range(self.ranks) if card not in cards]
            probability = Fraction(1, len(cards_left))
            return Chance({self.get_card_name(card): probability for card in cards_left})

        player = find_player_to_act(self.num_players, actions, self.second_can_bet)
        if player is not None:
            label = format_label(self.get_card_name(cards[player]), actions)
            return Decision(player, label, self.list_legal_actions(actions))

        paid, showdown = find_paid_chips_and_showdown(self.num_players, actions, self.bet)
        winner = max(showdown, key=cards.__getitem__)
        return Terminal(compute_pot_utilities((winner,), paid))

    def list_legal_actions(self, earlier_actions: tuple[str, ...]) -> tuple[str, str]:
        """Return the two actions from which the next player chooses.

        Parameters
        ----------
        earlier_actions : tuple of str
            All actions so far.

        Returns
        -------
        tuple of (str, str)
            'pass' and 'bet', or 'fold' and 'bet' if the player is the first one and may not check.
        """
        return ("pass", "bet") if earlier_actions or self.first_can_check else ("fold", "bet")

    def after(self, history: OneCardHand, action: str) -> OneCardHand:
        """Return the history that follows the deal of a card or a player's action.

        Parameters
        ----------
        history : OneCardHand
            The cards and the actions so far.
        action : str
            The name of a card, or a player's action.

        Returns
        -------
        OneCardHand
            The next history.
        """
        cards, actions = history
        if len(cards) < self.num_players:
            return OneCardHand((*cards, self.card_by_name[action]), ())
        return OneCardHand(cards, (*actions, action))


@cache
def find_player_to_act(
    num_players: int, actions: tuple[str, ...], second_can_bet: bool
) -> int | None:
    """Return the player who acts after some actions in one-card poker, or None when the betting is over.

    Parameters
    ----------
    num_players : int
        The number of players.
    actions : tuple of str
        All actions so far.
    second_can_bet : bool
        Whether the players after the first one may bet. If not, the betting is over when the first player has checked.

    Returns
    -------
    int or None
        The player, counted from 0, or None.
    """
    num_actions = len(actions)
    if "bet" in actions:
        end_of_betting = actions.index("bet") + num_players  # each other player acts once more
    else:
        end_of_betting = num_players if second_can_bet else 1
    if num_actions >= end_of_betting:
        return None
    return num_actions % num_players


@cache
def find_paid_chips_and_showdown(
    num_players: int, actions: tuple[str, ...], bet: Number
) -> tuple[tuple[Number, ...], tuple[int, ...]]:
    """Return how many chips each player has paid into the pot of one-card poker, and who is at the showdown.

    Parameters
    ----------
    num_players : int
        The number of players.
    actions : tuple of str
        All actions of the hand, whose betting is over.
    bet : int or Fraction
        The size of the bet in chips.

    Returns
    -------
    paid : tuple of int or Fraction
        The chips that each player has paid, including the ante of 1.
    showdown : tuple of int
        The players who have not folded, in ascending order.
    """
    players = range(num_players)
    bettors = {
        action_index % num_players for action_index, action in enumerate(actions) if action == "bet"
    }
    paid = tuple(1 + bet if player in bettors else 1 for player in players)
    if bettors:  # those who have bet or called
        return paid, tuple(sorted(bettors))
    # Nobody has bet. Only a first player who may not check can have folded, and all others are at the showdown.
    num_folded = actions.count("fold")
    return paid, tuple(players[num_folded:])


def make_kuhn_rules(num_players: int = 2) -> OneCardPoker:
    """Make the rules of Kuhn poker for n players with n + 1 cards, which is also called KP(n).

    Parameters
    ----------
    num_players : int
        The number of players n, 2 to 7.

    Returns
    -------
    OneCardPoker
        The rules.

    Raises
    ------
    SettingError
        If the number of players is not an integer from 2 to 7.
    """
    num_players = validate_integer("num_players", num_players, 2, 7)
    return OneCardPoker(num_players, ranks=num_players + 1, name=f"KP({num_players})")


def make_one_card_rules(
    ranks: int,
    *,
    bet: Fraction | float = 1,
    second_can_bet: bool = True,
    first_can_check: bool = True,
) -> OneCardPoker:
    """Make the rules of two-player one-card poker with 3 to 2000 ranks, and of von Neumann's and Borel's poker.

    Parameters
    ----------
    ranks : int
        The number of cards, 3 to 2000.
    bet : int, float or Fraction
        The size of the bet in antes, 0.001 to 1000. A decimal number such as 0.1 counts as the fraction that is
        written, 1/10.
    second_can_bet : bool
        Whether the second player may bet after a check. If not, it is von Neumann's poker.
    first_can_check : bool
        Whether the first player may check. If not, it is Borel's poker.

    Returns
    -------
    OneCardPoker
        The rules.

    Raises
    ------
    SettingError
        If an argument is not in its range, or is not a bool where one is needed.
    """
    ranks = validate_integer("ranks", ranks, 3, MOST_RANKS)
    validate_number("bet", bet, *BET_RANGE)
    second_can_bet = validate_bool("second_can_bet", second_can_bet)
    first_can_check = validate_bool("first_can_check", first_can_check)
    exact_bet: Number = Fraction(str(bet))
    if exact_bet.denominator == 1:
        exact_bet = int(exact_bet)

    if not first_can_check:
        game = "Borel poker"
    elif not second_can_bet:
        game = "von Neumann poker"
    else:
        game = "poker"
    name = f"{ranks}-card {game}" + (f", bet {exact_bet}" if exact_bet != 1 else "")
    return OneCardPoker(
        num_players=2,
        ranks=ranks,
        name=name,
        bet=exact_bet,
        second_can_bet=second_can_bet,
        first_can_check=first_can_check,
    )


def format_label(card: str, actions: Sequence[str]) -> str:
    """Return the label of an information set, which consists of a card and the actions so far.

    It is 'K' before the first action, and for example 'K, pass-bet' after two actions.

    Parameters
    ----------
    card : str
        The name of the player's card, such as 'K'.
    actions : sequence of str
        The actions so far, such as 'pass' and 'bet'.

    Returns
    -------
    str
        The label.
    """
    if not actions:
        return card
    return card + AFTER_CARD + BETWEEN_ACTIONS.join(actions)


def split_infoset_label(label: str) -> tuple[str, str]:
    """Return the two parts of an information set's label: the player's card, and the betting after it.

    Parameters
    ----------
    label : str
        The label of an information set in a poker game, such as 'K, pass-bet'.

    Returns
    -------
    card : str
        The card, such as 'K'. If the label is from a game of another kind, it is the whole label.
    betting : str
        Everything after the card. It is '' before the first action, and 'check-bet | Qh, check' in the label 'Ks,
        check-bet | Qh, check' of a game with two rounds.
    """
    card, _, betting = label.partition(AFTER_CARD)
    return card, betting


def get_poker_action_name(action: str, earlier_actions: Sequence[str]) -> str:
    """Return the usual poker name of an action, which depends on the earlier actions of its round.

    In one-card poker a 'pass' is called check before a bet and fold after it, and a 'bet' after a bet is called call.
    All other actions already have their usual name.

    Parameters
    ----------
    action : str
        The action, such as 'pass'.
    earlier_actions : sequence of str
        The earlier actions of the same round.

    Returns
    -------
    str
        The name, such as 'check'.
    """
    if "bet" in earlier_actions:
        names = {"pass": "fold", "bet": "call"}
    else:
        names = {"pass": "check"}
    return names.get(action, action)


def list_poker_action_names(betting: str) -> list[str]:
    """Return the usual poker names of all actions so far in a hand of one-card poker.

    Parameters
    ----------
    betting : str
        The actions as they appear in the label of an information set, such as 'pass-bet', or '' before the first
        action.

    Returns
    -------
    list of str
        The names, such as ['check', 'bet'].
    """
    actions = betting.split(BETWEEN_ACTIONS) if betting else []
    return [get_poker_action_name(action, actions[:index]) for index, action in enumerate(actions)]


SUITS = "schd"


class TwoRoundHand(NamedTuple):
    """A history of two-round poker.

    Attributes
    ----------
    cards : tuple of str
        The private cards dealt so far, one for each player.
    board : str or None
        The public card; None before it is dealt.
    rounds : tuple of tuple of str
        The actions of each round that has begun.
    """

    cards: tuple[str, ...]
    board: str | None
    rounds: tuple[tuple[str, ...], ...]


class TwoRoundBetting(NamedTuple):
    """The state of the betting in two-round poker.

    Attributes
    ----------
    player : int or None
        The player who acts; None if the round or the hand is over.
    paid : tuple of int
        The chips that each player has put into the pot, including the ante.
    has_folded : tuple of bool
        Whether each player has folded.
    actions : tuple of str
        The legal actions; empty if no player acts.
    """

    player: int | None
    paid: tuple[int, ...]
    has_folded: tuple[bool, ...]
    actions: tuple[str, ...]


class TwoRoundPoker:
    """The rules of poker with one private card, a betting round, a public card, and another betting round.

    In each round a player may check or bet a fixed amount. After a bet a player may fold, call, or raise by the same
    amount, until `max_bets` bets and raises have been made. At the showdown a pair with the public card beats every
    other hand, and otherwise the higher card wins. Equal hands split the pot.

    Parameters
    ----------
    name : str
        The game's name.
    num_players : int
        The number of players.
    deck : dict of str to int
        The number of cards of each rank, in the order of ranks from the lowest.
    bet_sizes : tuple of int
        The size of a bet or raise in chips, in the first and in the second round.
    max_bets : int
        The largest number of bets and raises in a round.
    isomorphic : bool
        Whether ranks are dealt instead of cards, which makes the game smaller. Its value is the same, because suits do
        not matter.
    """

    unit: Unit = CHIPS
    zero_sum = True

    def __init__(
        self,
        name: str,
        num_players: int,
        deck: dict[str, int],
        bet_sizes: tuple[int, int],
        max_bets: int,
        *,
        isomorphic: bool,
    ) -> None:
        self.name = name
        self.num_players = num_players
        self.bet_sizes = bet_sizes
        self.max_bets = max_bets
        self.rank_order = {rank: order for order, rank in enumerate(deck)}
        if isomorphic or max(deck.values()) == 1:
            self.deck = deck
        else:
            self.deck = {rank + suit: 1 for rank, copies in deck.items() for suit in SUITS[:copies]}

    def start(self) -> TwoRoundHand:
        """Return the empty history, before the first card is dealt."""
        return TwoRoundHand((), None, ((),))

    def turn(self, history: TwoRoundHand) -> Turn:
        """Return the node at a history: the deal of a card, a player's decision, or the end of the hand.

        Parameters
        ----------
        history : TwoRoundHand
            The cards and the actions so far.

        Returns
        -------
        Chance, Decision or Terminal
            The node.
        """
        cards, board, rounds = history
        if len(cards) < self.num_players:
            return self.make_deal(cards)

        player, paid, has_folded, actions = self.compute_betting_state(rounds)
        if player is not None:
            label = format_two_round_label(cards[player], board, rounds)
            return Decision(player, label, actions)
        if sum(has_folded) == self.num_players - 1:
            last_player = has_folded.index(False)
            return Terminal(compute_pot_utilities((last_player,), paid))
        if board is None:
            return self.make_deal(cards)
        return Terminal(compute_pot_utilities(self.find_winners(cards, board, has_folded), paid))

    def after(self, history: TwoRoundHand, action: str) -> TwoRoundHand:
        """Return the history that follows the deal of a card or a player's action.

        Parameters
        ----------
        history : TwoRoundHand
            The cards and the actions so far.
        action : str
            The card that is dealt, or a player's action.

        Returns
        -------
        TwoRoundHand
            The next history.
        """
        cards, board, rounds = history
        if len(cards) < self.num_players:
            return TwoRoundHand((*cards, action), board, rounds)
        if board is None and self.compute_betting_state(rounds).player is None:
            return TwoRoundHand(cards, action, (*rounds, ()))
        this_round = (*rounds[-1], action)
        return TwoRoundHand(cards, board, (*rounds[:-1], this_round))

    def compute_betting_state(self, rounds: tuple[tuple[str, ...], ...]) -> TwoRoundBetting:
        """Return who acts next, and what each player has paid, after the actions of all rounds.

        Parameters
        ----------
        rounds : tuple of tuple of str
            The actions of each round that has begun.

        Returns
        -------
        TwoRoundBetting
            The state of the betting.
        """
        return replay_betting(self.num_players, rounds, self.bet_sizes, self.max_bets)

    def make_deal(self, dealt_cards: tuple[str, ...]) -> Chance:
        """Return the chance node at which the next card is dealt.

        Parameters
        ----------
        dealt_cards : tuple of str
            The cards that are no longer in the deck.

        Returns
        -------
        Chance
            The probability of each other card.
        """
        copies_left = {card: copies - dealt_cards.count(card) for card, copies in self.deck.items()}
        total = sum(copies_left.values())
        return Chance(
            {card: Fraction(copies, total) for card, copies in copies_left.items() if copies}
        )

    def find_winners(
        self, cards: tuple[str, ...], board: str, has_folded: tuple[bool, ...]
    ) -> tuple[int, ...]:
        """Return the players with the best hand at the showdown, who share the pot.

        Parameters
        ----------
        cards : tuple of str
            The private card of each player.
        board : str
            The public card.
        has_folded : tuple of bool
            Whether each player has folded.

        Returns
        -------
        tuple of int
            The players, in ascending order.
        """
        strengths = self.compute_hand_strengths(cards, board)
        contenders = [player for player in range(self.num_players) if not has_folded[player]]
        best_strength = max(strengths[player] for player in contenders)
        return tuple(player for player in contenders if strengths[player] == best_strength)

    def compute_hand_strengths(self, cards: tuple[str, ...], board: str) -> tuple[int, ...]:
        """Return a number for the strength of each player's hand, which is larger for a better hand.

        Parameters
        ----------
        cards : tuple of str
            The private card of each player: the letter of its rank, which a suit may follow.
        board : str
            The public card.

        Returns
        -------
        tuple of int
            The strength of each player's hand.
        """
        pair_bonus = len(self.rank_order)  # a pair beats every other hand
        strengths = []
        for card in cards:
            is_pair = card[0] == board[0]
            strengths.append(self.rank_order[card[0]] + (pair_bonus if is_pair else 0))
        return tuple(strengths)

    def list_factors(self) -> Factors:
        """Return the betting tree and the deals of cards, whose combinations are the histories of the game.

        `compile_rules` needs both to compile the game without visiting its histories one by one.

        Returns
        -------
        Factors
            The betting tree, the deals of both rounds, and functions for payoffs and labels.
        """
        private_deals = self.list_private_deals()
        # Each player sees its own card, and no public card yet.
        first_round = Deals(
            probabilities=[float(chance) for _, chance in private_deals],
            earlier_deals=[],
            views=[tuple((card, None) for card in cards) for cards, _ in private_deals],
        )

        # In the second round each public card follows each deal of private cards.
        chances, private_deal_indices, views, strengths = [], [], [], []
        for index, (cards, chance) in enumerate(private_deals):
            for board, probability in self.make_deal(cards).outcomes.items():
                chances.append(float(chance * probability))
                private_deal_indices.append(index)
                views.append(tuple((card, board) for card in cards))
                strengths.append(self.compute_hand_strengths(cards, board))
        second_round = Deals(chances, private_deal_indices, views)

        return Factors(
            betting=self.list_betting_positions(),
            deals=(first_round, second_round),
            strengths=strengths,
            compute_utilities=lambda winners, rounds: compute_pot_utilities(
                winners, self.compute_betting_state(rounds).paid
            ),
            format_label=lambda view, rounds: format_two_round_label(*view, rounds),
        )

    def list_private_deals(self) -> list[tuple[tuple[str, ...], Fraction]]:
        """Return all deals of private cards to all players, with their probabilities.

        Returns
        -------
        list of (tuple of str, Fraction)
            The private card of each player, and the probability of the deal, in the order in which chance lists the
            deals.
        """
        deals: list[tuple[tuple[str, ...], Fraction]] = [((), Fraction(1))]
        for _ in range(self.num_players):
            longer_deals = []
            for cards, chance in deals:
                for card, probability in self.make_deal(cards).outcomes.items():
                    longer_deals.append(((*cards, card), chance * probability))
            deals = longer_deals
        return deals

    def list_betting_positions(self) -> list[BettingPosition]:
        """Return the nodes of the betting tree in preorder.

        Returns
        -------
        list of BettingPosition
            The nodes, where each one is directly followed by all nodes below it.
        """
        nodes: list[BettingPosition] = []

        def add_nodes_after(rounds: tuple[tuple[str, ...], ...], parent: int, action: int) -> None:
            """Append a node and all nodes below it, in preorder, to the list `nodes`.

            Parameters
            ----------
            rounds : tuple of tuple of str
                The actions of each round that lead to the node.
            parent, action : int
                The index of the node before, and of the action there that leads to this node; both -1 at the root.
            """
            player, _, has_folded, actions = self.compute_betting_state(rounds)
            contenders = tuple(seat for seat in range(self.num_players) if not has_folded[seat])
            second_round_begins = player is None and len(contenders) > 1 and len(rounds) == 1
            if second_round_begins:
                # The end of the first round is no node of its own.
                add_nodes_after((*rounds, ()), parent, action)
                return

            index = len(nodes)
            nodes.append(
                BettingPosition(
                    round=len(rounds) - 1,
                    parent=parent,
                    action=action,
                    player=-1 if player is None else player,
                    actions=actions,
                    contenders=contenders,
                    history=rounds,
                )
            )
            *earlier_rounds, this_round = rounds
            for choice, name in enumerate(actions):
                add_nodes_after((*earlier_rounds, (*this_round, name)), index, choice)

        add_nodes_after(((),), -1, -1)
        return nodes


@cache
def replay_betting(
    num_players: int, rounds: tuple[tuple[str, ...], ...], bet_sizes: tuple[int, int], max_bets: int
) -> TwoRoundBetting:
    """Return the state of the betting in two-round poker, after all actions have been played from the beginning.

    Parameters
    ----------
    num_players : int
        The number of players.
    rounds : tuple of tuple of str
        The actions of each round that has begun.
    bet_sizes : tuple of int
        The size of a bet or raise in each round.
    max_bets : int
        The largest number of bets and raises in a round.

    Returns
    -------
    TwoRoundBetting
        Who acts next, what each player has paid, who has folded, and the legal actions.
    """
    ante = 1
    paid = [ante] * num_players
    has_folded = [False] * num_players
    players_to_act: list[int] = []  # the players who must still act in this round, in their order
    num_bets = 0  # in this round
    for actions, bet_size in zip(
        rounds, bet_sizes, strict=False
    ):  # the second round may not have begun
        players_to_act = [player for player in range(num_players) if not has_folded[player]]
        num_bets = 0
        for action in actions:
            player = players_to_act.pop(0)
            if action == "fold":
                has_folded[player] = True
            elif action in ("call", "check"):
                paid[player] = max(paid)
            else:  # a bet or a raise: each other player who has not folded acts again
                num_bets += 1
                paid[player] = max(paid) + bet_size
                next_players = [(player + step) % num_players for step in range(1, num_players)]
                players_to_act = [
                    next_player for next_player in next_players if not has_folded[next_player]
                ]

    if not players_to_act or sum(has_folded) == num_players - 1:
        return TwoRoundBetting(None, tuple(paid), tuple(has_folded), ())

    player = players_to_act[0]
    owes_chips = paid[player] < max(paid)
    legal_actions = ["fold", "call", "raise"] if owes_chips else ["check", "bet"]
    if num_bets == max_bets:
        legal_actions.pop()  # the last one, which is to bet or raise
    return TwoRoundBetting(player, tuple(paid), tuple(has_folded), tuple(legal_actions))


@cache
def format_two_round_label(
    card: str, board: str | None, rounds: tuple[tuple[str, ...], ...]
) -> str:
    """Return the label of an information set in two-round poker, such as 'Ks, check-bet | Qh, check'.

    Parameters
    ----------
    card : str
        The player's private card.
    board : str or None
        The public card; None in the first round.
    rounds : tuple of tuple of str
        The actions of each round that has begun.

    Returns
    -------
    str
        The label.
    """
    public_card = "" if board is None else board
    card_of_round = (card, public_card)
    labels = [
        format_label(card_name, actions)
        for card_name, actions in zip(card_of_round, rounds, strict=False)
    ]
    return BETWEEN_ROUNDS.join(labels)


@cache
def compute_pot_utilities(
    winners: tuple[int, ...], paid_chips: tuple[Number, ...]
) -> tuple[Number, ...]:
    """Return the utility of each player when one or several winners divide the pot equally.

    Parameters
    ----------
    winners : tuple of int
        The players who share the pot.
    paid_chips : tuple of int or Fraction
        The chips that each player has put into the pot.

    Returns
    -------
    tuple of int or Fraction
        Each player's share of the pot minus the chips that the player has paid, as an int if it is integral.
    """
    share = Fraction(sum(paid_chips), len(winners))
    utilities: list[Number] = []
    for player, chips in enumerate(paid_chips):
        utility = share - chips if player in winners else Fraction(-chips)
        utilities.append(int(utility) if utility.denominator == 1 else utility)
    return tuple(utilities)


def make_leduc_rules(num_players: int = 2, *, isomorphic: bool = False) -> TwoRoundPoker:
    """Make the rules of Leduc hold'em for two or three players.

    The deck has two suits, and one rank more than there are players. In each round two bets or raises are allowed, of 2
    chips in the first round and of 4 in the second.

    Parameters
    ----------
    num_players : int
        The number of players, 2 or 3.
    isomorphic : bool
        Whether ranks are dealt instead of cards, which makes the game smaller and does not change its value.

    Returns
    -------
    TwoRoundPoker
        The rules.

    Raises
    ------
    SettingError
        If there are not 2 or 3 players, or if `isomorphic` is not a bool.
    """
    num_players = validate_integer("num_players", num_players, 2, 3)
    isomorphic = validate_bool("isomorphic", isomorphic)
    ranks = "JQK" if num_players == 2 else "TJQK"
    name = "Leduc" if num_players == 2 else f"Leduc for {num_players}"
    return TwoRoundPoker(
        name=name,
        num_players=num_players,
        deck=dict.fromkeys(ranks, 2),
        bet_sizes=(2, 4),
        max_bets=2,
        isomorphic=isomorphic,
    )


SIX_CARD_DECKS = {"ranks": dict.fromkeys(RANKS[-6:], 1), "paired": dict.fromkeys("JQK", 2)}


def make_two_round_rules(
    deck: str = "ranks", bets_per_round: int = 3, *, isomorphic: bool = False
) -> TwoRoundPoker:
    """Make the rules of the 6-card game of Oliehoek et al. (2006), section 6, with bets of 1 in both rounds.

    The paper does not say how the public card affects the game, so there are two versions.

    Parameters
    ----------
    deck : str
        The deck. 'ranks' has six ranks of one suit, so that the public card only removes a card from the deck, as in
        the paper's Figure 3. 'paired' has three ranks in two suits, and a pair with the public card wins.
    bets_per_round : int
        The largest number of bets and raises in a round, 1 to 6.
    isomorphic : bool
        Whether ranks are dealt instead of cards, which makes the game smaller and does not change its value.

    Returns
    -------
    TwoRoundPoker
        The rules.

    Raises
    ------
    UnknownNameError
        If there is no such deck.
    SettingError
        If `bets_per_round` is not an integer from 1 to 6, or if `isomorphic` is not a bool.
    """
    bets_per_round = validate_integer("bets_per_round", bets_per_round, 1, 6)
    isomorphic = validate_bool("isomorphic", isomorphic)
    UnknownNameError.check("deck", deck, SIX_CARD_DECKS)
    name = f"two-round poker, {deck}"
    return TwoRoundPoker(
        name=name,
        num_players=2,
        deck=SIX_CARD_DECKS[deck],
        bet_sizes=(1, 1),
        max_bets=bets_per_round,
        isomorphic=isomorphic,
    )
