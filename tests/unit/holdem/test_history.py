"""Hands as text and in the PHH format, written out by hand."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from pokerlab.core.errors import FileFormatError, SettingError
from pokerlab.holdem.betting.hand import CALL, FOLD, Hand, Rake, limit, no_limit
from pokerlab.holdem.cards.cards import parse_cards
from pokerlab.holdem.histories.history import hand_text
from pokerlab.holdem.histories.phh import phh, phhs, read_phh, read_phhs

DEAL = parse_cards("As Ad 7c 2d Ks Kd Qh Qs 2c 3d 7h 8s Jc")
NAMES = ["Ann", "Bob", "Cid", 'Dot "D"']


def test_tells_a_hand_street_by_street() -> None:
    hand = Hand.begin(no_limit(5, 10, ante=1), [31, 0, 80, 95], button=3, deal=DEAL, number=7)
    for action in (30, CALL, CALL, 20, 60):
        hand = hand.after(action if hand.can(action) else CALL)
    assert hand_text(hand, NAMES) == "\n".join(
        [
            "Hand 7: no-limit hold'em, blinds 5/10, ante 1",
            'Dot "D" has Qh Qs and 95 chips, on the button',
            "Ann has As Ad and 31 chips",
            "Cid has Ks Kd and 80 chips",
            "Preflop",
            "  Ann posts an ante of 1",
            "  Cid posts an ante of 1",
            '  Dot "D" posts an ante of 1',
            "  Ann posts 5",
            "  Cid posts 10",
            '  Dot "D" raises to 30',
            "  Ann calls 25, all-in",
            "  Cid calls 20",
            "Flop: 2c 3d 7h, 93 in the pot",
            "  Cid bets 20",
            '  Dot "D" raises to 60',
        ]
    )


def test_tells_straddles_an_ante_for_all_and_the_rake() -> None:
    structure = no_limit(
        *(5, 10),
        ante=10,
        ante_from="big blind",
        straddles=[20],
        rake=Rake(0.05, cap=4, no_flop_no_drop=True),
    )
    hand = Hand.begin(structure, [31, 90, 14, 95], button=0, deal=DEAL)
    for action in (FOLD, CALL, CALL, CALL, 70, FOLD):
        hand = hand.after(action)
    text = hand_text(hand, NAMES).splitlines()
    assert text[0] == (
        "Hand 0: no-limit hold'em, blinds 5/10, straddle 20, ante 10 from the big blind,"
        " rake 5%, at most 4, no flop no drop"
    )
    assert text[5:15] == [
        "Preflop",
        "  Bob posts 5",
        "  Cid posts 10",
        '  Dot "D" straddles 20',
        "  Cid posts an ante of 4 for all, all-in",
        "  Ann folds",
        "  Bob calls 15",
        '  Dot "D" checks',
        "Flop: 2c 3d 7h, 54 in the pot",
        "  Bob checks",
    ]
    assert text[-6:] == [
        "  Cid shows Ks Kd: pair",
        '  Dot "D" shows Qh Qs: pair',
        "  the house takes 1 in the main pot",
        "  Cid wins 33 in the main pot",
        "  the house takes 1 in side pot 1",
        '  Dot "D" wins 19 in side pot 1',
    ]


def test_tells_who_shows_what_and_wins_which_pot() -> None:
    hand = Hand.begin(limit(10), [20, 0, 80, 95], button=3, deal=DEAL)
    for action in (20, CALL, CALL, CALL, 10, 20, CALL, CALL, CALL, 20, CALL):
        hand = hand.after(action)
    assert hand_text(hand).splitlines()[6:] == [
        "  player 3 posts 10",
        "  player 4 raises to 20",
        "  player 1 calls 15, all-in",
        "  player 3 calls 10",
        "Flop: 2c 3d 7h, 60 in the pot",
        "  player 3 checks",
        "  player 4 bets 10",
        "  player 3 raises to 20",
        "  player 4 calls 10",
        "Turn: 2c 3d 7h 8s, 100 in the pot",
        "  player 3 checks",
        "  player 4 checks",
        "River: 2c 3d 7h 8s Jc, 100 in the pot",
        "  player 3 bets 20",
        "  player 4 calls 20",
        "End",
        "  player 1 shows As Ad: pair",
        "  player 3 shows Ks Kd: pair",
        "  player 4 shows Qh Qs: pair",
        "  player 1 wins 60 in the main pot",
        "  player 3 wins 80 in side pot 1",
    ]


def test_tells_a_shared_pot_and_the_rest_of_the_board() -> None:
    deal = parse_cards("As Kd Ac Kh 2c 3d 7h 8s Jc")
    hand = Hand.begin(no_limit(1, 2), [50, 60], button=1, deal=deal).after(60).after(CALL)
    assert hand_text(hand).splitlines()[-10:] == [
        "  player 2 raises to 60, all-in",
        "  player 1 calls 48, all-in",
        "Flop: 2c 3d 7h, 100 in the pot",
        "Turn: 2c 3d 7h 8s, 100 in the pot",
        "River: 2c 3d 7h 8s Jc, 100 in the pot",
        "End",
        "  10 go back to player 2",
        "  player 1 shows As Kd: high card",
        "  player 2 shows Ac Kh: high card",
        "  player 1 and player 2 share 100",
    ]


def test_tells_who_is_all_in_for_an_ante_or_a_blind() -> None:
    hand = Hand.begin(no_limit(5, 10, ante=2), [2, 9, 1, 50], button=1, deal=DEAL)
    assert hand_text(hand).splitlines()[5:] == [
        "Preflop",
        "  player 3 posts an ante of 1, all-in",
        "  player 4 posts an ante of 2",
        "  player 1 posts an ante of 2, all-in",
        "  player 2 posts an ante of 2",
        "  player 4 posts 10",
    ]


def test_writes_phh() -> None:
    hand = Hand.begin(limit(10), [20, 0, 80, 95], button=3, deal=DEAL, number=12)
    for action in (20, CALL, CALL, CALL, 10, FOLD):
        hand = hand.after(action)
    assert tomllib.loads(phh(hand, NAMES)) == {
        "variant": "FT",
        "ante_trimming_status": True,
        "antes": [0, 0, 0],
        "blinds_or_straddles": [5, 10, 0],
        "small_bet": 10,
        "big_bet": 20,
        "starting_stacks": [20, 80, 95],
        "actions": [
            "d dh p1 AsAd",
            "d dh p2 KsKd",
            "d dh p3 QhQs",
            "p3 cbr 20",
            "p1 cc",
            "p2 cc",
            "d db 2c3d7h",
            "p2 cc",
            "p3 cbr 10",
            "p2 f",
            "p1 sm AsAd",
            "p3 sm QhQs",
            "d db 8s",
            "d db Jc",
        ],
        "hand": 12,
        "seats": [1, 3, 4],
        "seat_count": 4,
        "players": ["Ann", "Cid", 'Dot "D"'],
        "finishing_stacks": [60, 60, 75],
    }


def test_writes_straddles_and_antes_from_one_seat_in_phh() -> None:
    structure = no_limit(5, 10, ante=10, ante_from="big blind", straddles=[20, 40])
    hand = Hand.begin(structure, [31, 90, 14, 95], button=0, deal=DEAL)
    fields = tomllib.loads(phh(hand))
    assert fields["ante_trimming_status"] is False
    assert fields["antes"] == [0, 4, 0, 0]
    # The button has too little for the second straddle.
    assert fields["blinds_or_straddles"] == [5, 10, 20, 0]
    own = {name: value for name, value in fields.items() if name.startswith("_")}
    assert own == {"_ante": 10, "_straddles": [20, 40]}


def test_writes_a_rake_and_a_cap_in_fields_of_its_own() -> None:
    structure = limit(10, cap=None, rake=Rake(0.05, cap=3))
    hand = Hand.begin(structure, [20, 30, 40], button=0, deal=DEAL[:11])
    fields = tomllib.loads(phh(hand))
    own = {name: value for name, value in fields.items() if name.startswith("_")}
    assert own == {"_cap": 0, "_rake": "1/20", "_rake_cap": 3}


def test_writes_the_blinds_that_are_posted() -> None:
    deal = parse_cards("As Kd Ac Kh 2c 3d 7h 8s Jc")
    for rules in (no_limit(2, 5), limit(10, small_blind=1, big_blind=4)):
        told = tomllib.loads(phh(Hand.begin(rules, [50, 60], button=1, deal=deal)))
        assert told["blinds_or_straddles"] == [rules.small_blind, rules.big_blind]


def test_writes_hands_that_go_on_and_files_of_many() -> None:
    hand = Hand.begin(
        no_limit(1, 2), [50, 60], button=1, deal=parse_cards("As Kd Ac Kh 2c 3d 7h 8s Jc")
    )
    sections = tomllib.loads(phhs([hand, hand.after(FOLD)]))
    assert list(sections) == ["1", "2"]
    assert sections["1"]["actions"] == ["d dh p1 AsKd", "d dh p2 AcKh"]
    assert "finishing_stacks" not in sections["1"]
    assert sections["2"]["finishing_stacks"] == [51, 59]
    assert sections["2"]["min_bet"] == 2


def test_refuses_another_number_of_names() -> None:
    hand = Hand.begin(limit(10), [20, 0, 80, 95], button=3, deal=DEAL)
    for write in (hand_text, phh):
        with pytest.raises(SettingError, match="3 names are given for 4 seats"):
            write(hand, NAMES[:3])


TOLD = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [50, 60, 70]
actions = [
  "d dh p1 ????",
  "d dh p2 KsKd",
  "d dh p3 QhQs",
  "p3 cbr 6 # a raise",
  "p1 f",
  "p2 cc",
  "# the flop",
  "d db 2c3d7h",
  "p2 cc",
  "p3 cc",
  "d db 8s",
  "p2 cbr 10",
  "p3 cc",
  "d db Jc",
  "p2 cc",
  "p3 cc",
  "p2 sm KsKd",
  "p3 sm",
]
"""


def test_reads_phh() -> None:
    read = read_phh(TOLD)
    assert read.names == ("player 1", "player 2", "player 3")
    assert read.known == (1, 2)
    hand = read.hand
    assert (hand.structure, hand.button) == (no_limit(1, 2), 2)
    assert hand.starting_stacks == (50, 60, 70)
    assert hand.actions == (6, FOLD, CALL, CALL, CALL, 10, CALL, CALL, CALL)
    assert parse_cards("Ks Kd Qh Qs").tolist() == list(hand.deal[2:6])
    assert parse_cards("2c 3d 7h 8s Jc").tolist() == hand.board.tolist()
    assert hand.payoffs.tolist() == [-1, 17, -16]


def test_reads_files(tmp_path: Path) -> None:
    path = tmp_path / "a hand.phh"
    path.write_text(TOLD, encoding="utf-8")
    assert read_phh(path).hand == read_phh(str(path)).hand == read_phh(TOLD).hand
    path.write_text(f"[1]\n{TOLD}\n[2]\n{TOLD}", encoding="utf-8")
    assert [read.hand for read in read_phhs(path)] == [read_phh(TOLD).hand] * 2
    with pytest.raises(FileFormatError, match="has several hands; read it with read_phhs"):
        read_phh(path)
    with pytest.raises(FileFormatError, match="has the field variant outside of a section"):
        read_phhs(TOLD)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(FileFormatError, match=r"a hand\.phh cannot be read as a text file"):
        read_phh(path)
    with pytest.raises(FileFormatError, match=r"no such\.phh cannot be read"):
        read_phh(tmp_path / "no such.phh")


def test_reads_a_hand_up_to_any_action() -> None:
    actions = tomllib.loads(TOLD)["actions"]
    head, _ = TOLD.split("actions")
    for count in range(len(actions)):
        hand = read_phh(f"{head}actions = {actions[:count]}\n").hand
        assert hand.actions == read_phh(TOLD).hand.actions[: len(hand.actions)]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"NT"', '"PO"', "variant: it is 'PO'; only Texas hold'em can be read, FT or NT"),
        ("min_bet = 2\n", "", "the field min_bet is missing"),
        ("min_bet = 2", "min_bet = 1", "bets are 1/1 with a big blind of 2"),
        ("[50, 60, 70]", "[50, 60.5, 70]", "starting_stacks: .* give whole numbers of chips"),
        ("[50, 60, 70]", "[50, 60, inf]", "starting_stacks: .* give whole numbers of chips"),
        ("[50, 60, 70]", "[50, 60, 0]", "starting_stacks: .* give 2 to 10 players with chips"),
        ("[50, 60, 70]", "[50, 60]", "antes: it has not one entry for each of 2 players"),
        ("[1, 2, 0]", "[1, 2, -2]", "blinds_or_straddles: it has -2; numbers below 0"),
        ("[1, 2, 0]", "[2, 0, 0]", "structure: blinds are 2/0"),
        ("[1, 2, 0]", "[1, 2, 2]", r"structure: straddles are \[2\]"),
        ("[1, 2, 0]", "[1]", "blinds_or_straddles: it has not one entry for each of 3 players"),
        ("[0, 0, 0]", "[3, 0, 0]", "antes: they are .3, 0, 0.; all pay the same, or the big blind"),
        ("[0, 0, 0]", "[0, 3, 0]\nante_trimming_status = true", "from one player it must be false"),
        ("[50, 60, 70]", "[50, 60, 70]\nseats = [1, 3, 2]", "seats: they are .1, 3, 2. of 3"),
        ("[50, 60, 70]", "[50, 60, 70]\nplayers = [1, 2, 3]", "players: .* give 3 names"),
        ("[50, 60, 70]", "[50, 60, 70]\n_rake = 2", "structure: the rake's share is 2"),
        ("d db 8s", "d db Ks", "cards and stacks: .*Ks"),
        ("KsKd", "KsKdAc", "action 2, .*: the player has more than two cards"),
        ("p2 sm KsKd", "p2 sm AsAd", "action 17, .*: the player shows other cards"),
        ("8s", "8x", "action 11, 'd db 8x'"),
        ("2c3d7h", "2c3d", "action 9, 'p2 cc': on the flop, the board has 2 cards"),
        ("Jc", "Jc9c", "action 14, .*: the board has more than five cards"),
        ("p1 f", "p2 f", "action 5, 'p2 f': p1 is to act"),
        ("p1 f", "p1 pb", "action 5, 'p1 pb': it has no meaning here"),
        ("p1 f", "p7 f", "action 5, 'p7 f': there are players p1 to p3"),
        ("cbr 6", "cbr 6.5", "action 4, .*: the amount must be a whole number of chips"),
        ("cbr 6", "cbr 3", "a bet or raise to 3 is below the minimum 4"),
        ('"p3 sm"', '"p3 cc"', "action 18, 'p3 cc': the hand is over"),
        ('"# the flop"', "7", "actions: .* give a list of texts"),
        (
            "actions",
            "finishing_stacks = [49, 60, 71]\nactions",
            "by the rules here they are .49, 77",
        ),
        ("antes = [", "antes = ", r"not in the PHH format \(TOML\): .* \(at line 2"),
        ("antes = [", f"antes = {'[' * 5000}", "nested too deeply"),
        ("antes", f"{'a.' * 20_000}antes", "tables within tables"),
    ],
)
def test_refuses_phh_that_cannot_be_replayed(old: str, new: str, message: str) -> None:
    assert TOLD.count(old) >= 1
    with pytest.raises(FileFormatError, match=message):
        read_phh(TOLD.replace(old, new, 1))


def test_refuses_unknown_cards_at_a_showdown_and_a_board_that_is_not_there() -> None:
    hidden = TOLD.replace("KsKd", "????")
    with pytest.raises(FileFormatError, match="the cards of p2 are unknown at the showdown"):
        read_phh(hidden)
    all_in = 'actions = ["p3 cbr 70", "p1 f", "p2 cc", "p2 sm KsKd", "p3 sm QhQs"]'
    with pytest.raises(FileFormatError, match="a showdown needs five cards; the board has 0"):
        read_phh(TOLD.split("actions")[0] + all_in)


def test_refuses_what_is_too_long_or_no_text() -> None:
    with pytest.raises(FileFormatError, match="too long; allowed are 1,000,000 characters"):
        read_phh(f"{TOLD}# {'x' * 10**6}")
    wrong: Any = 3
    with pytest.raises(SettingError, match="source is 3; give a path or the text of a file"):
        read_phh(wrong)
