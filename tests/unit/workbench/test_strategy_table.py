"""A strategy's table reads each probability from its place."""

from itertools import pairwise

import numpy as np
import pytest

from pokerlab import games
from pokerlab.core import SettingError, UnknownNameError
from pokerlab.games.small_poker import list_poker_action_names, split_infoset_label
from pokerlab.workbench.picture import LONGEST_LABELS, would_names_touch
from pokerlab.workbench.views.strategies import (
    MOST_COLUMNS,
    abbreviate_situation,
    make_strategy_table,
)


@pytest.mark.parametrize("player", [0, 1, 2])
def test_every_cell_reads_the_probability_of_its_card_and_situation(player: int) -> None:
    game = games.kuhn(3)
    rng = np.random.default_rng(3)
    profile = games.Profile(game, [p for k in game.num_actions for p in rng.dirichlet(np.ones(k))])
    table = make_strategy_table(game, player)
    shown = table.read(profile)
    assert table.rows == ("J", "Q", "K", "A")
    for label in game.infoset_label[game.infoset_start[player] : game.infoset_start[player + 1]]:
        card, situation = split_infoset_label(label)
        said = "-".join(list_poker_action_names(situation))
        column = table.columns.index((abbreviate_situation(said) if table.key else said) or "first")
        assert (
            shown[table.rows.index(card), column]
            == profile.action_probabilities(player, label)["bet"]
        )


def test_a_situation_with_three_actions_has_a_column_for_each() -> None:
    table = make_strategy_table(games.leduc(isomorphic=True), 0)
    assert table.columns[:4] == (
        "first\nbet",
        "check-bet\nfold",
        "check-bet\ncall",
        "check-bet\nraise",
    )
    assert table.action == ""


def test_of_a_large_game_the_first_round_is_shown_and_the_rest_counted() -> None:
    game = games.leduc()
    table = make_strategy_table(game, 0)
    situations = {label.partition(", ")[2] for label in game.infoset_label[: game.num_infosets[0]]}
    first_round = {situation for situation in situations if "|" not in situation}
    assert len(table.columns) <= MOST_COLUMNS
    assert table.left_out == len(situations) - len(first_round)


def test_a_cell_in_which_the_player_cannot_be_is_empty() -> None:
    table = make_strategy_table(games.leduc(), 0, ["check-check | Qs"])
    shown = table.read(games.leduc().uniform())
    assert "Qs" not in table.rows
    assert np.array_equal(shown, np.full((5, 1), 0.5))
    both = make_strategy_table(games.leduc(), 0, ["", "check-check | Qs"])
    assert np.isnan(both.read(games.leduc().uniform())[both.rows.index("Qs"), 1])


@pytest.mark.parametrize("letters", [(2, 20, 2), (2, 20, 14), (20, 2, 20), (9, 30), (1, 6, 6, 13)])
def test_labels_meet_where_their_letters_overlap(letters: tuple[int, ...]) -> None:
    """Each stands in the middle of its column, and columns share the room evenly."""
    room = LONGEST_LABELS / len(letters)
    ends = [((k + 0.5) * room - n / 2, (k + 0.5) * room + n / 2) for k, n in enumerate(letters)]
    overlap = any(one[1] > other[0] for one, other in pairwise(ends))
    assert sum(letters) <= LONGEST_LABELS
    assert would_names_touch(["x" * n for n in letters]) == overlap


def test_long_situations_are_written_in_initials_with_a_key() -> None:
    table = make_strategy_table(games.kuhn(4), 0)
    assert table.columns[:3] == ("first", "xxxb", "xxbf")
    assert table.key == "x: check, b: bet, c: call, f: fold"


def test_a_matrix_game_has_its_actions_as_columns() -> None:
    table = make_strategy_table(games.biased_rps(), 1)
    assert table.columns == ("rock", "paper", "scissors")
    assert table.rows == ("column",)


def test_a_player_or_a_situation_that_is_not_there_is_refused() -> None:
    with pytest.raises(SettingError, match="an integer from 0 to 1"):
        make_strategy_table(games.kuhn(), 2)
    with pytest.raises(UnknownNameError, match="Did you mean 'pass-bet'"):
        make_strategy_table(games.kuhn(), 0, ["passbet"])
