"""The network explorer shows what a network would do at a table, from the same numbers."""

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from pokerlab import holdem
from pokerlab.core import SettingError, ShapeError, UnknownNameError
from pokerlab.holdem import (
    ALWAYS_CALL,
    SeatView,
    TableNetwork,
    decision,
    no_limit,
    parse_cards,
    win_probability,
)
from pokerlab.holdem import table_view as table_view
from pokerlab.holdem.hand_history import describe_action, replay_actions
from pokerlab.holdem.network_genome import INPUTS, OPPONENTS, TO_BUTTON, WIN_CHANCE
from pokerlab.papers import nicolai2009
from pokerlab.workbench import network_explorer
from pokerlab.workbench.drawings import network_drawing
from pokerlab.workbench.drawings.svg import SvgDrawing
from pokerlab.workbench.explorers.network import SEAT_SLIDERS, SLIDERS, NetworkExplorer
from tests.at_tables import cash
from tests.oracles.players import network_inputs

LUCKS = 20_000
ENCODINGS = (
    TableNetwork(),
    TableNetwork(read_out="largest", scale="as they are", large_raise=0.9),
    TableNetwork(against="all hands", hidden=7),
)


def networks(encoding: TableNetwork, count: int = 1) -> Any:
    return encoding.draw_genomes(np.random.default_rng(5), count)


@pytest.fixture
def explorer() -> NetworkExplorer:
    return network_explorer(networks(TableNetwork()))


def test_choice_of_networks_is_shown_where_there_are_several(explorer: NetworkExplorer) -> None:
    several = network_explorer(networks(TableNetwork(), 2))
    assert [each.rows["network"].layout.display for each in (explorer, several)] == ["none", None]


def sliders_of(explorer: NetworkExplorer) -> dict[str, Any]:
    seats = [part for parts in SEAT_SLIDERS.values() for part in parts]
    return {name: explorer.rows[name] for name in (*SLIDERS, *seats)}


def random_spots(count: int) -> Iterator[network_drawing.Spot]:
    draw = np.random.default_rng(2)
    for _ in range(count):
        seats = int(draw.integers(2, 11))
        yield network_drawing.Spot(
            win=float(draw.random()),
            pot=int(draw.integers(0, 500)),
            price=int(draw.integers(0, 400) * draw.integers(0, 2)),
            opponents=int(draw.integers(1, seats)),
            own=int(draw.integers(1, 1500)),
            others=tuple(draw.integers(1, 1500, seats - 1).tolist()),
            overall=tuple((draw.random(seats) * 12).tolist()),
            recent=tuple((draw.random(seats) * 12).tolist()),
            to_button=int(draw.integers(0, seats)),
            big_blind=int(draw.integers(2, 200)),
            seats=seats,
            free_folds=False,
        )


@pytest.mark.parametrize("encoding", ENCODINGS, ids=("default", "largest", "small"))
def test_a_decision_is_what_the_player_does_at_a_table(encoding: TableNetwork) -> None:
    (player,) = encoding.make_players(networks(encoding))
    luck = (np.arange(LUCKS) + 0.5) / LUCKS
    for spot in random_spots(30):
        words = spot.view.words.copy()
        words[table_view.HOLE : table_view.HOLE + 2] = parse_cards("9h 8h")
        decided = network_drawing.NetworkDecision.compute(player, SeatView(words, 0.0))
        done, views = np.empty(LUCKS), np.tile(words, (LUCKS, 1))
        player.decision_function(views, np.arange(LUCKS), player.parameters[None], luck, done)
        actions, counts = np.unique(done.astype(int), return_counts=True)
        shares = dict(zip(actions.tolist(), (counts / LUCKS).tolist(), strict=True))
        for action, chance in decided.action_probabilities.items():
            assert shares.get(action, 0.0) == pytest.approx(chance, abs=2 / LUCKS)
            assert chance < 2 / LUCKS or decided.view.legal_actions.allows(action)
        assert sum(decided.action_probabilities.values()) == pytest.approx(1.0)


def test_a_spot_is_a_situation_as_the_reference_sees_it() -> None:
    for spot in random_spots(20):
        words = spot.view.words.copy()
        words[table_view.HOLE : table_view.HOLE + 2] = parse_cards("9h 8h")
        view = SeatView(words, 0.0)
        (player,) = TableNetwork().make_players(networks(TableNetwork()))
        wanted = network_inputs(view)
        assert np.allclose(decision(player, view).inputs, wanted, atol=1e-5)
        wanted[WIN_CHANCE] = spot.win
        assert np.allclose(decision(player, spot.view, spot.win).inputs, wanted, atol=1e-5)
        assert wanted[TO_BUTTON] == pytest.approx(spot.to_button / 9)
        assert wanted[OPPONENTS] == pytest.approx(spot.opponents / 9)
        assert view.pot == spot.pot + spot.price
        assert view.stacks == (spot.own, *spot.others)
        assert view.overall_aggressiveness == pytest.approx(spot.overall, abs=1e-6)
        assert view.recent_aggressiveness == pytest.approx(spot.recent, abs=1e-6)


def test_actions_are_named_as_everywhere() -> None:
    seen: list[tuple[SeatView, int]] = []
    (player,) = TableNetwork().make_players(networks(TableNetwork()))

    def watch(tables: Any, asked: Any) -> None:
        for row in asked:
            seen.append((SeatView(tables.views[row].copy(), 0.0), int(tables.actions[row])))

    played = cash(
        no_limit(5, 10), [player, holdem.RANDOM, ALWAYS_CALL], 60, seed=1, stacks=[300, 200, 400],
        watchers=[watch], record=True,
    )  # fmt: skip
    said = {
        network_drawing.NetworkDecision.compute(player, view).describe_action(action)
        for view, action in seen
    }
    in_hands = {
        describe_action(hand_before, action)
        for deal in range(60)
        for hand_before, action in replay_actions(played.replay_hand(deal))
    }
    for words in said:
        assert words.replace(",", "").replace(" all-in", ", all-in") in in_hands
    assert any("all-in" in words for words in said)
    assert len(said) > 20


def test_cards_move_the_slider_and_the_slider_forgets_the_cards(explorer: NetworkExplorer) -> None:
    hole, board = parse_cards("Td 9d"), parse_cards("8d 7c 2s")
    explorer.deal("Td 9d", "8d 7c 2s")
    assert explorer.reading.spot.win == pytest.approx(win_probability(hole, board, "win"))
    assert "Td 9d on 8d 7c 2s" in explorer.picture.text
    explorer.rows["win"].value = 0.25
    assert explorer.rows["cards"].value == explorer.rows["board"].value == ""
    assert explorer.decision.units.inputs[WIN_CHANCE] == np.float32(0.25)
    shown = explorer.picture
    explorer.rows["cards"].value = "Td Td"
    assert 'role="alert"' in explorer.message.value
    assert explorer.picture is shown
    explorer.rows["cards"].value = ""
    assert explorer.message.value == ""


def test_against_all_hands_opponents_lower_the_chance() -> None:
    encoding = TableNetwork(against="all hands")
    explorer = network_explorer(networks(encoding), encoding)
    explorer.move_controls(win=0.8, opponents=3)
    assert explorer.decision.units.inputs[WIN_CHANCE] == np.float32(0.8**3)


def test_no_place_of_a_slider_is_an_error(explorer: NetworkExplorer) -> None:
    for slider in sliders_of(explorer).values():
        for value in (slider.min, slider.max):
            slider.value = value
            chances = explorer.decision.action_probabilities
            assert all(explorer.decision.view.legal_actions.allows(action) for action in chances)
    assert repr(explorer) == f"<Network explorer: network {explorer.decision}>"


def test_each_input_has_its_slider() -> None:
    encoding = TableNetwork(scale="as they are")
    explorer = network_explorer(networks(encoding), encoding)
    moved = {}
    for name, slider in sliders_of(explorer).items():
        value, before = slider.value, explorer.decision.units.inputs
        slider.value = slider.max
        changed = np.flatnonzero(explorer.decision.units.inputs != before).tolist()
        moved[name] = [INPUTS[place] for place in changed]
        slider.value = value
    alone = {inputs[0] for inputs in moved.values() if len(inputs) == 1}
    assert alone == set(INPUTS) - {"call"}
    assert moved["price"] == ["pot", "call"]
    for name, count in (("others", 9), ("overall", 10), ("recent", 10)):
        seats = list(SEAT_SLIDERS[name])
        assert moved[name] == [explorer.rows[seat].description for seat in seats]
        assert moved[name] == [words for seat in seats for words in moved[seat]]
        assert len(seats) == count


def test_what_is_said_is_what_is_drawn(explorer: NetworkExplorer) -> None:
    explorer.move_controls(price=100, own=80)
    assert set(explorer.decision.action_probabilities) == {holdem.FOLD, holdem.CALL}
    assert "calls 80, all-in" in str(explorer.decision)
    assert "; 80 to call, pot" in explorer.picture.text
    explorer.move_controls(price=0)
    assert "checks" in explorer.picture.text
    assert explorer.decision.action_probabilities.get(holdem.FOLD) is None
    assert explorer.picture.text.splitlines()[0].lower() == str(explorer.decision).lower()


def test_lines_are_weights_times_values() -> None:
    encoding = TableNetwork(hidden=9)
    (genome,) = networks(encoding)
    biases = genome[35 * 9 : 36 * 9], genome[-5:]
    (player,) = encoding.make_players(genome)
    units = decision(player, next(random_spots(1)).view, 0.5)
    weights = network_drawing.Matrices.read_genome(encoding, genome)
    hidden = 1 / (1 + np.exp(-(units.inputs @ weights.to_hidden + biases[0])))
    assert np.allclose(hidden, units.hidden, atol=1e-6)
    outputs = 1 / (1 + np.exp(-(hidden @ weights.to_outputs + biases[1])))
    assert np.allclose(outputs, units.outputs, atol=1e-6)


def test_champions_of_a_state_are_shown_by_name() -> None:
    config = nicolai2009.Config(agents=12, populations=2, tournaments=1, hands_a_level=2, seed=1)
    coevolution = nicolai2009.make_solver(config)
    state = coevolution.step(coevolution.init())
    explorer = network_explorer(state)
    assert list(explorer.rows["network"].options) == ["champion 1", "champion 2"]
    first = explorer.decision.units.outputs
    explorer.rows["network"].value = "champion 2"
    assert not np.array_equal(first, explorer.decision.units.outputs)
    wanted = state.encoding.make_players(state.champions[1])[0]  # type: ignore[attr-defined]
    outputs = decision(wanted, explorer.reading.spot.view, explorer.reading.spot.win).outputs
    assert np.array_equal(explorer.decision.units.outputs, outputs)


def test_what_is_wrong_is_said() -> None:
    rows = networks(TableNetwork())
    with pytest.raises(ShapeError, match="825 genes"):
        network_explorer(rows[:, :-1])
    with pytest.raises(SettingError, match="no network is given"):
        network_explorer({})
    with pytest.raises(SettingError, match="give the TableNetwork"):
        network_explorer(rows, "default")  # type: ignore[arg-type]
    explorer = network_explorer(rows)
    with pytest.raises(UnknownNameError, match="control"):
        explorer.move_controls(call=3)
    with pytest.raises(SettingError, match="price"):
        explorer.move_controls(price=-1)
    with pytest.raises(SettingError, match="give that of a network"):
        decision(ALWAYS_CALL, next(random_spots(1)).view)


PHONE = 250.0
"""Pixels that JupyterLab has at least for a picture in a window of 400."""


def find_texts(drawing: SvgDrawing) -> list[Any]:
    root = ElementTree.fromstring(drawing._repr_svg_())
    return [text for text in root.iter("{http://www.w3.org/2000/svg}text") if text.text]


def find_sizes(drawing: SvgDrawing) -> list[float]:
    return [float(text.attrib["font-size"]) for text in find_texts(drawing)]


def find_words(drawing: SvgDrawing) -> list[str]:
    """Return what is written in the picture, without its headline."""
    texts = (text for text in find_texts(drawing) if float(text.attrib["x"]) != 8.0)
    return [text.text for text in texts]


def list_circles(drawing: SvgDrawing) -> list[tuple[float, float]]:
    """Return the center and the radius of each circle, from the left edge of the drawing."""
    svg = "{http://www.w3.org/2000/svg}"
    root = ElementTree.fromstring(drawing._repr_svg_())
    circles = []
    for group in [root, *root.iter(f"{svg}g")]:
        moved = float(group.attrib.get("transform", "translate(0 ").split("(")[1].split()[0])
        circles += [
            (float(circle.attrib["cx"]) + moved, float(circle.attrib["r"]))
            for circle in group.findall(f"{svg}circle")
        ]
    return circles


def test_pieces_of_a_network_show_all_units_in_letters_that_a_phone_can_show(
    explorer: NetworkExplorer,
) -> None:
    """Hidden units are in both pieces; no circle is cut at an edge."""
    whole = network_drawing.draw_network(
        explorer.reading.weights, explorer.reading.decision, explorer.reading.title
    )
    seen = []
    names = [text for text in find_words(whole) if not text.endswith("hidden units")]
    assert {*names} <= {text for piece in whole.pieces for text in find_words(piece)}
    for piece in whole.pieces:
        circles = list_circles(piece)
        inside = [x - r >= 0 and x + r <= piece.width for x, r in circles]
        outside = [x + r <= 0 or x - r >= piece.width for x, r in circles]
        assert all(a or b for a, b in zip(inside, outside, strict=True))
        seen.append(sum(inside))
        assert min(find_sizes(piece)) * PHONE / piece.width >= 8.0
    hidden = TableNetwork().hidden
    assert seen == [len(INPUTS) + hidden, hidden + 5]
