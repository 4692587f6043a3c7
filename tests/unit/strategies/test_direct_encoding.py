"""Eq. 5: what becomes of genes, what of zeros, and who shares them."""

import math
from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import GameError, ShapeError, UnknownNameError
from pokerlab.strategies import DirectEncoding
from tests.refusals import refused

KUHN = pl.games.kuhn()
RPS = pl.games.biased_rps()
EXACT = 1e-15
SIGMOID = [1 / (1 + math.exp(-g)) for g in (-1.0, 2.0, 0.5)]
EXPONENTIAL = [math.exp(g) for g in (-1.0, 2.0, 0.5)]


@pytest.mark.parametrize(
    ("positive", "parts"),
    [
        ("absolute", [1.0, 2.0, 0.5]),
        ("clipped", [0.0, 2.0, 0.5]),
        ("square", [1.0, 4.0, 0.25]),
        ("sigmoid", SIGMOID),
        ("softmax", EXPONENTIAL),
    ],
)
def test_behaviors_normalize_genes(positive: str, parts: list[float]) -> None:
    profile = DirectEncoding(RPS, positive=positive, seats="shared").make_profile([-1.0, 2.0, 0.5])
    wanted = np.array(parts) / sum(parts)
    for player in range(2):
        assert profile.get_behavior(player) == pytest.approx(wanted, abs=EXACT)


@pytest.mark.parametrize("positive", ["absolute", "clipped", "square"])
def test_profile_of_zeros_is_uniform(positive: str) -> None:
    encoding = DirectEncoding(KUHN, positive=positive)
    assert (encoding.make_profile(np.zeros(24)).probabilities == 0.5).all()
    assert (
        DirectEncoding(KUHN, positive="clipped").make_profile(-np.ones(24)).probabilities == 0.5
    ).all()


@pytest.mark.parametrize("positive", ["absolute", "clipped", "square"])
@pytest.mark.parametrize("seats", ["own", "shared"])
def test_rescale_keeps_the_strategy(positive: str, seats: str) -> None:
    encoding = DirectEncoding(RPS, positive=positive, seats=seats)
    genome = np.random.default_rng(3).normal(size=encoding.num_genes)
    scaled = encoding.rescale_genome(1e6 * genome)
    same = encoding.make_profile(genome).probabilities
    assert encoding.make_profile(scaled).probabilities == pytest.approx(same, abs=EXACT)
    assert np.abs(scaled).max() == 1.0


@pytest.mark.parametrize("size", [1e-320, 1e-200, 1e200, 1e308])
def test_behaviors_of_tiny_and_huge_genes_keep_ratios(size: float) -> None:
    for positive, share in (("absolute", 2 / 3), ("clipped", 2 / 3), ("square", 0.8)):
        encoding = DirectEncoding(KUHN, positive=positive)
        profile = encoding.make_profile(np.tile([size / 2, size], 12))
        assert profile.get_behavior(0)[1::2] == pytest.approx(
            [share] * 6, abs=1e-3 if size < 1e-300 else EXACT
        )


def test_behaviors_of_saturated_genes_differ() -> None:
    genome = np.tile([-800.0, -801.0], 12)
    for positive in ("sigmoid", "softmax"):
        shares = DirectEncoding(KUHN, positive=positive).make_profile(genome).get_behavior(1)
        assert shares[0] == pytest.approx(1 / (1 + math.exp(-1)), abs=EXACT)
    join = [
        DirectEncoding(KUHN, positive="sigmoid")
        .make_profile(np.tile([g, -60.0], 12))
        .get_behavior(0)[1]
        for g in (-40.0 - 1e-9, -40.0 + 1e-9)
    ]
    assert join[0] == pytest.approx(join[1], rel=1e-8)


def test_direct_encoding_gives_each_seat_its_genes() -> None:
    encoding = DirectEncoding(KUHN)
    assert encoding.num_genes == len(encoding.gene_labels) == len(set(encoding.gene_labels)) == 24
    genome = np.arange(1.0, 25.0)
    profile = encoding.make_profile(genome)
    for label, gene in zip(encoding.gene_labels, genome, strict=True):
        infoset, action = label.split(": ")
        player = next(p for p, name in KUHN.infoset_index if name == infoset)
        first = genome[encoding.gene_labels.index(f"{infoset}: pass")]
        share = gene / (first + genome[encoding.gene_labels.index(f"{infoset}: bet")])
        assert profile.action_probabilities(player, infoset)[action] == pytest.approx(
            share, abs=EXACT
        )


def test_shared_genes_in_asymmetric_game_raise() -> None:
    assert DirectEncoding(RPS, seats="shared").gene_labels == ("rock", "paper", "scissors")
    assert DirectEncoding(RPS).gene_labels[:2] == ("row: rock", "row: paper")


def given(genome: object) -> Any:
    """Return what reads a genome of Kuhn poker."""
    return lambda: DirectEncoding(KUHN).make_profile(genome)  # type: ignore[arg-type]


test_what_does_not_fit_is_refused = refused(
    (
        lambda: DirectEncoding(KUHN, seats="shared"),
        GameError,
        "because it is not symmetric: players 1 and 2 do not have the same choices",
    ),
    (
        lambda: DirectEncoding(
            pl.games.bimatrix([[3, 0], [1, 2]], [[-3, 0], [-1, -2]]), seats="shared"
        ),
        GameError,
        "player 1 wins 3; with the strategies of players 1 and 2 exchanged, player 2 wins -3. Use seats='own'",
    ),
    (lambda: DirectEncoding(RPS, seats="share"), UnknownNameError, "shared"),
    (
        lambda: DirectEncoding(RPS, positive="absolute value"),
        UnknownNameError,
        "you mean 'absolute'",
    ),
    (lambda: DirectEncoding(KUHN.rules), GameError, "give a compiled one"),  # type: ignore[arg-type]
    (given(np.ones(23)), ShapeError, "the genomes have shape (23,); DirectEncoding"),
    (given([1.0, 1.0, 1.0, math.nan] + [1.0] * 20), "gene 3 ('Q: bet') of genome 0 is nan; give a"),
    (given([math.inf] + [1.0] * 23), "inf"),
    (given("abc"), "a genome is"),
    (given(np.ones((2, 24))), ShapeError, "2 genomes are given"),
)


def test_old_method_names_are_answered() -> None:
    with pytest.raises(AttributeError, match=r"DirectEncoding\.profile is DirectEncoding\.make_pr"):
        DirectEncoding(KUHN).profile(np.zeros(24))  # type: ignore[attr-defined]
    assert not hasattr(DirectEncoding(KUHN), "behaviors")
