"""One hand of a game in words: every history, whose turn it is, and what everybody gets."""

from collections.abc import Iterable

from pokerlab.core import GameError, UnknownNameError
from pokerlab.games.rules import Chance, Decision, Rules, Turn


def playthrough(rules: Rules, choices: Iterable[str]) -> str:
    """Return the text of the hand in which `choices` are made.

    Parameters
    ----------
    rules : Rules
        The game.
    choices : iterable of str
        Chance's and the players' actions in their order, up to the end of the hand.

    Examples
    --------
    >>> from pokerlab.games.one_card import kuhn_rules
    >>> print(playthrough(kuhn_rules(), ["J", "K", "pass", "bet", "pass"]))
    KP(2), 2 players, utilities in chips
    <BLANKLINE>
    start
        chance: J 1/3, Q 1/3, K 1/3
    J
        chance: Q 1/2, K 1/2
    J K
        player 1 at 'J': pass, bet
    J K pass
        player 2 at 'K, pass': pass, bet
    J K pass bet
        player 1 at 'J, pass-bet': pass, bet
    J K pass bet pass
        player 1 gets -1, player 2 gets 1
    """
    lines = [f"{rules.name}, {rules.num_players} players, utilities in {rules.unit}", ""]
    history, path = rules.start(), list[str]()
    for choice in choices:
        turn = rules.turn(history)
        lines += [" ".join(path) or "start", "    " + turn_line(turn)]
        if choice not in (allowed := actions(turn)):
            where = f"history '{' '.join(path) or 'start'}' of {rules.name}"
            if not allowed:
                raise GameError(f"{where} is the end of the hand; '{choice}' is one choice more.")
            raise UnknownNameError.among(f"action at {where}", choice, allowed)
        history = rules.after(history, choice)
        path.append(choice)
    turn = rules.turn(history)
    if following := actions(turn):
        raise GameError(
            f"history '{' '.join(path) or 'start'}' of {rules.name} is not the end of the hand;"
            f" go on with one of: {', '.join(following)}."
        )
    lines += [" ".join(path) or "start", "    " + turn_line(turn)]
    return "\n".join(lines)


def actions(turn: Turn) -> tuple[str, ...]:
    """Return the actions or outcomes that may follow; none at the end."""
    if isinstance(turn, Chance):
        return tuple(turn.outcomes)
    return turn.actions if isinstance(turn, Decision) else ()


def turn_line(turn: Turn) -> str:
    """Return the line that describes whose turn it is."""
    if isinstance(turn, Chance):
        odds = ", ".join(f"{outcome} {chance}" for outcome, chance in turn.outcomes.items())
        return f"chance: {odds}"
    if isinstance(turn, Decision):
        return f"player {turn.player + 1} at '{turn.infoset}': {', '.join(turn.actions)}"
    return ", ".join(f"player {p + 1} gets {u}" for p, u in enumerate(turn.utilities))
