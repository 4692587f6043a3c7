"""Solvers refuse settings for which their equations mean nothing."""

import re
from collections.abc import Callable
from typing import Any

import pytest

import pokerlab as pl
from pokerlab.core import GameError, PokerlabError, SettingError, UnknownNameError
from pokerlab.solvers import (
    CFR,
    ContinuousReplicator,
    NormalFormReplicator,
    PolynomialWeights,
    ReplicatorDynamics,
    SequenceFormLP,
)

KUHN = pl.games.kuhn()
NEVER_BETS = KUHN.uniform().replace(0, [1.0, 0.0] * 6)

CASES: list[tuple[Callable[[], Any], type[PokerlabError], str]] = [
    (
        lambda: ReplicatorDynamics(KUHN, payoff_shift=1.0),
        SettingError,
        "leaves utilities of -1 in KP(2)",
    ),
    (lambda: ReplicatorDynamics(KUHN, payoff_shift=-3.0), SettingError, "Use at least 2."),
    (lambda: ReplicatorDynamics(KUHN, payoff_shift=float("nan")), SettingError, "Use at least 2."),
    (
        lambda: ReplicatorDynamics(KUHN, payoff_shift=3.0, floor=0.5),
        SettingError,
        "allowed are 0 to 0.001",
    ),
    (
        lambda: ReplicatorDynamics(KUHN, payoff_shift=3.0, start=NEVER_BETS),
        SettingError,
        "would never play it",
    ),
    (
        lambda: ReplicatorDynamics(KUHN, payoff_shift=3.0, order="alternately"),
        UnknownNameError,
        "Did you mean 'alternating'?",
    ),
    (
        lambda: PolynomialWeights(KUHN, payoff_shift=3.0, eta=0.6),
        SettingError,
        "need 0 < eta <= 1/2",
    ),
    (lambda: PolynomialWeights(KUHN, payoff_shift=0.0), SettingError, "Use at least 2."),
    (lambda: ContinuousReplicator(KUHN, time_step=0.0), SettingError, "must be positive"),
    (lambda: ContinuousReplicator(KUHN, time_step=1.0, method="RK44"), UnknownNameError, "RK45"),
    (lambda: NormalFormReplicator(KUHN), SettingError, "either payoff_shift"),
    (
        lambda: NormalFormReplicator(pl.games.leduc(), payoff_shift=13.0).init(),
        SettingError,
        "small games",
    ),
    (lambda: CFR(KUHN).step(CFR(KUHN).init(), -1), SettingError, "give 0 or more"),
    (lambda: CFR(KUHN, start=pl.games.kuhn(3).uniform()).init(), GameError, "belongs to KP(3)"),
    (
        lambda: SequenceFormLP(pl.games.kuhn(3)),
        GameError,
        "a zero-sum game for 3. Try solvers.CFRPlus",
    ),
    (lambda: SequenceFormLP(pl.games.identical_payoffs([[1, 2]])), GameError, "a general-sum game"),
    (lambda: pl.games.kuhn(0), SettingError, "Kuhn poker for 0 players"),
    (
        lambda: pl.metrics.exploitability(pl.games.kuhn(3), pl.games.kuhn(3).uniform()),
        GameError,
        "nash_conv",
    ),
    (lambda: pl.metrics.nash_conv(KUHN, pl.games.kuhn(3).uniform()), GameError, "not to KP(2)"),
]


@pytest.mark.parametrize(("attempt", "kind", "words"), CASES)
def test_bad_settings_are_refused(
    attempt: Callable[[], Any], kind: type[PokerlabError], words: str
) -> None:
    with pytest.raises(kind, match=re.escape(words)):
        attempt()
