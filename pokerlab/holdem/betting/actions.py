"""Actions: whole numbers at the table, columns in the tables of strategies, and which are legal.

At the table FOLD is -1 and CALL is 0 (a check when nothing is owed); any number above is a bet or raise
*to* that many chips, counted over the betting round, the blind included. A strategy that leaves the
chips to the rules has three columns, in the same order: see `column_of`.
"""

from dataclasses import dataclass

FOLD, CALL = -1, 0
ACTIONS = ("fold", "call", "raise")
"""What the columns mean. Calling nothing is a check, and raising nothing a bet."""
NUM_ACTIONS = len(ACTIONS)
FOLDING, CALLING, RAISING = range(NUM_ACTIONS)


def column_of(action: int) -> int:
    """Return the column of an action at the table, where any number of chips is a raise."""
    return min(action - FOLD, RAISING)


@dataclass(frozen=True, slots=True)
class Legal:
    """What the seat to act may do."""

    can_fold: bool  # who owes nothing may fold only if the structure allows free folds
    to_call: int  # chips that a call adds: all that is owed, or the rest of the stack; 0 is a check
    min_raise_to: int | None = None  # smallest raise, as the seat's total of the round
    max_raise_to: int | None = None  # and the largest

    @property
    def can_raise(self) -> bool:
        """Whether any bet or raise is allowed."""
        return self.min_raise_to is not None

    def allows(self, action: int) -> bool:
        """Return whether `action` is legal."""
        if action == FOLD:
            return self.can_fold
        if self.min_raise_to is None or self.max_raise_to is None:
            return action == CALL
        return action == CALL or self.min_raise_to <= action <= self.max_raise_to

    def objection(self, action: int) -> str:
        """Return what is wrong with an `action` that is not allowed."""
        if action == FOLD:
            return "nothing is owed, so there is no fold"
        if action < FOLD:
            return f"{action} is not an action"
        if self.min_raise_to is None or self.max_raise_to is None:
            return f"no bet or raise is allowed, so none to {action}"
        if action < self.min_raise_to:
            return f"a bet or raise to {action} is below the minimum {self.min_raise_to}"
        return f"a bet or raise to {action} is above the maximum {self.max_raise_to}"

    def __str__(self) -> str:
        """List the legal actions in words, each with its number."""
        words = ["fold (-1)"] if self.can_fold else []
        words.append(f"call {self.to_call} (0)" if self.to_call else "check (0)")
        if self.min_raise_to is None:
            return ", ".join(words)
        verb = "raise" if self.to_call else "bet or raise"
        most = "" if self.min_raise_to == self.max_raise_to else f" to {self.max_raise_to}"
        return ", ".join([*words, f"{verb} to {self.min_raise_to}{most}"])
