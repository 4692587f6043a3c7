"""The Kuhn explorer: what it shows is what the definitions say, at once."""

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import GameError, UnknownNameError, random_stream
from pokerlab.games import Profile
from pokerlab.workbench import kuhn_character, kuhn_equilibrium, kuhn_explorer
from pokerlab.workbench.drawings.kuhn_picture import SCALES
from pokerlab.workbench.explorers.kuhn import COLUMNS, KEYS, KuhnExplorer, KuhnReading, say_profile

ROUNDING = 1e-12
CLEAR = 1e-6
"""Chips by which one action has to be better before both computations must agree on it."""


@pytest.fixture
def explorer() -> KuhnExplorer:
    return kuhn_explorer()


def show(explorer: KuhnExplorer, profile: Profile) -> None:
    explorer.show_values(explorer.values | say_profile(profile))


def drawn_profiles(count: int) -> list[Profile]:
    """Return random profiles, some of whose probabilities are exactly 0 or 1."""
    game, found = pl.games.kuhn(), []
    for k in range(count):
        bets = random_stream(1, "explored", k).random(12) * 1.4 - 0.2
        bets = bets.clip(0.0, 1.0)
        found.append(Profile(game, np.stack([1 - bets, bets], axis=1).ravel()))
    return found


@pytest.mark.parametrize("profile", drawn_profiles(12))
def test_a_reading_agrees_with_the_definitions(profile: Profile) -> None:
    rules, table = profile.game.rules, profile.to_table()
    reading = KuhnReading.compute(profile)
    assert reading.values == pytest.approx(pl.reference.compute_expected_utilities(rules, table))
    assert reading.exploitability == pytest.approx(pl.reference.nash_conv(rules, table))
    for player in range(2):
        reply = pl.reference.best_response(rules, table, player)
        assert reading.best_values[player] == pytest.approx(reply.value, abs=ROUNDING)
        for known, action in reply.actions.items():
            if abs(reading.bet_advantages[player, known]) > CLEAR:
                assert reading.find_best_action(player, known) == action


def test_how_much_better_an_action_is() -> None:
    # Against coins: player 2's jack loses one chip by a fold, two by a call, one time in six.
    reading = KuhnReading.compute(kuhn_character("uniform"))
    assert reading.bet_advantages[1, "J, bet"] == pytest.approx(-1 / 6)
    assert reading.bet_advantages[1, "Q, bet"] == pytest.approx(1 / 6)
    assert reading.bet_advantages[1, "K, pass"] == pytest.approx(1 / 12)


def test_a_slider_moves_the_numbers_and_the_picture(explorer: KuhnExplorer) -> None:
    explorer.press_button("an equilibrium")
    before = explorer.picture
    explorer.rows["2 J, pass"].value = 0.0
    expected = kuhn_equilibrium(0.2).to_table() | {(1, "J, pass"): {"pass": 1.0, "bet": 0.0}}
    known = pl.reference.nash_conv(pl.games.kuhn().rules, expected)
    assert explorer.reading.exploitability == pytest.approx(known)
    assert explorer.picture._repr_svg_() != before._repr_svg_()
    assert f"Exploitability {known:.4f} chips" in str(explorer.picture)


def test_the_picture_is_painted_from_the_sliders(explorer: KuhnExplorer) -> None:
    show(explorer, drawn_profiles(1)[0])
    said = explorer.picture._repr_svg_()
    for name, (player, known) in KEYS.items():
        slider = explorer.rows[name]
        assert f">{slider.value:.2f}<" in said
        heading = next(words for p, after, words in COLUMNS if (p, after) == (player, known[1:]))
        line = f"player {player + 1} with {known[0]}, {heading} {slider.value:.2f}, best "
        assert line in str(explorer.picture)
    for number in (*explorer.reading.values, *explorer.reading.gains):
        assert pl.workbench.signed(number, 4) in said


@pytest.mark.parametrize("name", ["uniform", "always bet", "never bet", "an equilibrium"])
def test_a_button_moves_all_sliders(explorer: KuhnExplorer, name: str) -> None:
    show(explorer, drawn_profiles(1)[0])
    explorer.buttons[name].click()
    assert explorer.profile.probabilities == pytest.approx(kuhn_character(name).probabilities)


def test_alpha_walks_along_the_equilibria(explorer: KuhnExplorer) -> None:
    for alpha in (0.0, 0.1, 1 / 3):
        explorer.rows["alpha"].value = alpha
        assert explorer.rows["1 K"].value == pytest.approx(3 * alpha)
        assert explorer.reading.exploitability < ROUNDING
        assert "An equilibrium" in str(explorer.picture)


def test_it_starts_where_it_is_told(explorer: KuhnExplorer) -> None:
    assert explorer.reading.exploitability == pytest.approx(11 / 12)
    assert kuhn_explorer("always bet").reading.exploitability == pytest.approx(2 / 3)
    own = kuhn_equilibrium(0.3)
    assert kuhn_explorer(own).profile.probabilities == pytest.approx(own.probabilities)


def test_what_it_cannot_show_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="no character 'sometimes bet'"):
        kuhn_explorer("sometimes bet")
    with pytest.raises(GameError, match="belongs to rock-paper-scissors"):
        kuhn_explorer(pl.games.rock_paper_scissors().uniform())


def lock(explorer: KuhnExplorer, *keys: str) -> None:
    for key in keys:
        explorer.rows[f"lock {key}"].value = True


def test_a_locked_bluff_is_answered_by_the_locked_games_equilibrium(explorer: KuhnExplorer) -> None:
    explorer.press_button("an equilibrium")
    assert explorer.buttons["best while locked"].disabled
    lock(explorer, "2 J, pass")
    assert explorer.rows["lock 2 J, pass"].icon == "lock"
    assert explorer.reading.locked_value == pytest.approx(-1 / 18)
    explorer.rows["2 J, pass"].value = 0.0  # player 2 never bluffs
    assert explorer.reading.locked_value == pytest.approx(1 / 18)
    assert explorer.reading.locked_equilibrium[0, "J"] == pytest.approx(1 / 3)
    assert (1, "J, pass") not in explorer.reading.locked_equilibrium
    assert "play around the locks (diamonds) player 1 wins +0.0556" in explorer.picture._repr_svg_()
    explorer.buttons["best while locked"].click()
    game = pl.games.lock_infosets(pl.games.kuhn(), explorer.profile, [(1, "J, pass")])
    free = game.uniform().to_table() | {
        key: explorer.profile.action_probabilities(*key) for key in game.infoset_index
    }
    answered = Profile.from_table(game, free)
    assert game.values(answered)[0] == pytest.approx(1 / 18)
    assert explorer.rows["2 J, pass"].value == 0.0


def test_buttons_leave_locked_sliders_alone(explorer: KuhnExplorer) -> None:
    lock(explorer, "1 J", "2 K, bet")
    explorer.rows["1 J"].value = 0.4
    for name in ("always bet", "never bet", "an equilibrium", "best while locked"):
        explorer.press_button(name)
        assert explorer.rows["1 J"].value == pytest.approx(0.4)
        assert explorer.rows["2 K, bet"].value == pytest.approx(0.5)
    explorer.rows["lock 1 J"].value = False
    explorer.press_button("always bet")
    assert explorer.rows["1 J"].value == 1.0


def test_all_twelve_may_be_locked(explorer: KuhnExplorer) -> None:
    lock(explorer, *KEYS)
    assert explorer.reading.locked_equilibrium == {}
    assert explorer.reading.locked_value == pytest.approx(explorer.reading.values[0])
    assert "12 locked" in str(explorer.picture)


def test_where_play_never_comes_there_is_no_answer(explorer: KuhnExplorer) -> None:
    lock(explorer, "1 K", "1 Q", "1 J")
    explorer.press_button("never bet")
    for key in KEYS:
        explorer.rows[key].value = 0.0  # player 1 never bets, so player 2 never faces a bet
    assert {known for player, known in explorer.reading.locked_equilibrium if player} == {
        "K, pass", "Q, pass", "J, pass",
    }  # fmt: skip


def test_no_profile_leaves_the_scale() -> None:
    # NashConv is convex in each player's plan, so that its largest value is at pure strategies.
    game = pl.games.kuhn()
    bets = np.array(np.meshgrid(*[[0.0, 1.0]] * 12, indexing="ij")).reshape(12, -1).T
    pure = np.stack([1 - bets, bets], axis=2).reshape(len(bets), 24)
    most = max(game.nash_conv(Profile.from_unchecked(game, vector.copy())) for vector in pure)
    assert most == pytest.approx(17 / 6)
    assert most < SCALES[-1]


@pytest.mark.parametrize("name", ["alpha", "1 J", "2 K, bet"])
def test_explorer_ignores_the_rounding_with_which_a_page_answers(name: str) -> None:
    explorer = kuhn_explorer("uniform")
    before = explorer.reading
    explorer.rows[name].value = np.nextafter(explorer.rows[name].value, 1.0)
    assert explorer.reading is before
    explorer.rows[name].value -= 1 / 60
    assert explorer.reading is not before
