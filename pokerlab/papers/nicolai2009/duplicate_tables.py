"""Duplicate tables: nine agents meet, every one in every seat, with the same cards; as long as it takes.

Beside a champion sit five agents that play by rote, and three of the paper before. The paper has Random and Folder
fold "at each decision point", and does not say by how much Random, Raiser and CallOrRaise raise. By G. Nicolai's
thesis (5.1.1) Folder checks where that is free, and raises are small, medium and large alike, as networks make them.

OldBest, OldScratch and OldStart, the agents of Beattie et al. (2007), were evolved anew, once, and are kept. All
three are matrices over hand strength and cost. OldStart is an expert's head start as it stands;
OldBest is the best evolved from it, OldScratch the best evolved from uniform weights.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import UnknownNameError, check_settings, setting, stream
from pokerlab.core.arrays import Ints
from pokerlab.core.settings import same_as, seed_setting
from pokerlab.holdem import Aggressiveness, CompiledPlayer, Placed, tournament
from pokerlab.holdem.table.players import (
    AMOUNTS,
    CALLS,
    CALLS_OR_RAISES,
    DRAWN,
    DRAWS,
    FOLDS,
    RAISES,
    rote,
)
from pokerlab.papers.experiment import RUNS
from pokerlab.papers.nicolai2009.config import EARLIER, Config, blinds_of
from pokerlab.runs.kept import Kept
from pokerlab.strategies import MatrixEncoding
from pokerlab.strategies.players.matrix_decision import Weights

NUM_SEATS = 9
HALVES = 2
"""Ranks are whole or, where an even number share a place, end in a half: they are counted in halves."""
MOST_DUPLICATES = 10**7
SEATINGS = ("drawn", "as given")
WATCHED = ("score", "raised", "recent", "window")
"""What decides how aggressive players seem to each other."""

OLD_BEST, OLD_SCRATCH, OLD_START = "OldBest", "OldScratch", "OldStart"
OLD_AGENTS, GENOMES_FORMAT = "nicolai-2009-opponents", "pokerlab genomes 1"
RANDOM, RAISER, FOLDER, CALLER, CALL_OR_RAISE = (
    "Random",
    "Raiser",
    "Folder",
    "Caller",
    "CallOrRaise",
)
SCRIPTS = {
    RANDOM: DRAWS,
    RAISER: RAISES,
    FOLDER: FOLDS,
    CALLER: CALLS,
    CALL_OR_RAISE: CALLS_OR_RAISES,
}
OLD = (OLD_BEST, OLD_SCRATCH, OLD_START)
PANEL = (*SCRIPTS, *OLD)
"""The eight other agents of an evaluation, by name."""


def static_agents(raises: str = AMOUNTS[DRAWN]) -> dict[str, CompiledPlayer]:
    """Return the five agents that look at nothing but what is legal, by name.

    `raises` says by how much Random, Raiser and CallOrRaise raise: 'a drawn bet', as networks make them, small, medium
    and large with equal chance, as G. Nicolai's thesis has it (5.1.1); or that bet by a continuous law; 'any amount'
    from the least to all-in, each as likely; 'the least'; 'up to three times the least'; 'all-in'. The paper says "some
    random value".

    Raises
    ------
    UnknownNameError
        If there is no such amount.

    Examples
    --------
    >>> list(static_agents())
    ['Random', 'Raiser', 'Folder', 'Caller', 'CallOrRaise']
    """
    UnknownNameError.check("amount to raise by", raises, AMOUNTS)
    amount = AMOUNTS.index(raises)
    return {name: rote(script, amount, name=name) for name, script in SCRIPTS.items()}


def old_agents(genomes: Mapping[str, Weights] | None = None) -> dict[str, CompiledPlayer]:
    """Return OldBest, OldScratch and OldStart, by name, from their genomes: those that are kept if not given."""
    kept = (
        Kept.load(RUNS / f"{OLD_AGENTS}.npz", GENOMES_FORMAT).arrays if genomes is None else genomes
    )
    players = MatrixEncoding().players([kept[name] for name in OLD], OLD)
    return dict(zip(OLD, players, strict=True))


def panel(raises: str = AMOUNTS[DRAWN]) -> Mapping[str, CompiledPlayer]:
    """Return the eight other agents of an evaluation, by name: `static_agents` and `old_agents`."""
    return static_agents(raises) | old_agents()


@dataclass(frozen=True, kw_only=True)
class DuplicateTables:
    """What champions are evaluated by; what the paper leaves out, G. Nicolai's thesis tells (see `Config`)."""

    duplicates: int = setting(
        100_000,
        label="Duplicate tables",
        help="Each is nine tournaments with the same cards, one for each seat.",
        source="section IV.A",
        log=(2, MOST_DUPLICATES),
    )
    stacks: int = same_as(Config, "stacks")
    blinds: str = same_as(Config, "blinds")
    small_blind: int = same_as(Config, "small_blind")
    hands_a_level: int = same_as(Config, "hands_a_level")
    free_folds: bool = setting(
        False,
        label="Folds for free",
        help="Whether a player may fold where it could check.",
        source="thesis 5.1.1.2: Folder checks; that Random does is our reading",
    )
    raises: str = setting(
        AMOUNTS[DRAWN],
        label="Raises of agents by rote",
        help="By how much Random, Raiser and CallOrRaise raise; amounts of a range are equally likely.",
        source="thesis 5.1.1: small, medium and large alike, as networks do; Random's are our reading",
        choices=AMOUNTS,
        silent=True,
    )
    seating: str = setting(
        SEATINGS[0],
        label="Order of the seats",
        help="Drawn for each duplicate table, or always as the agents are given.",
        source="ours",
        choices=SEATINGS,
        silent=True,
    )
    score: str = same_as(Config, "score")
    raised: str = same_as(Config, "raised")
    recent: str = same_as(Config, "recent")
    window: int = same_as(Config, "window")
    seed: int = seed_setting("Decides cards, luck and seats.")

    def __post_init__(self) -> None:
        check_settings(self)

    def lineups(self, first: int, count: int) -> Ints:
        """Return who has which seat in the first rotation, (count, 9), from duplicate `first` on."""
        if self.seating == SEATINGS[1]:
            return np.tile(np.arange(NUM_SEATS), (count, 1))
        numbers = range(first, first + count)
        return np.array([stream(self.seed, "seats", k).permutation(NUM_SEATS) for k in numbers])

    def play(self, players: Sequence[CompiledPlayer], lineups: ArrayLike, **how: Any) -> Placed:
        """Play a tournament for each line-up, (T, n), or n; `how` is `duplicates`, and as for `Tournament.play`."""
        entrants, duplicates = np.shape(lineups)[1], how.pop("duplicates", False)
        blinds = blinds_of(self, entrants, free_folds=self.free_folds)
        known = Aggressiveness(**{name: getattr(self, name) for name in WATCHED})
        given: dict[str, Any] = {"stacks": self.stacks, "aggressiveness": known}
        game = tournament(blinds, entrants, duplicates=duplicates, **given)
        return game.play(players, lineups, seed=self.seed, **how)

    def evaluate(
        self,
        champion: CompiledPlayer,
        others: Mapping[str, CompiledPlayer] | None = None,
        **how: Any,
    ) -> Placed:
        """Play all duplicate tables of a champion, who comes first, and eight others, `panel` if not given."""
        met = panel(self.raises) if others is None else others
        lineups = self.lineups(0, self.duplicates)
        return self.play([champion, *met.values()], lineups, duplicates=True, **how)


EARLIER_TABLES: Mapping[str, Any] = {
    **{name: EARLIER[name] for name in ("blinds", "hands_a_level", "raised")},
    "free_folds": True,
    "raises": AMOUNTS[0],
}
"""The evaluation by the reading 'earlier defaults'."""
