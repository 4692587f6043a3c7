"""What a reader of a tournament sees: the table, who has how many chips, who is out, how the hand went."""

from collections.abc import Sequence

from pokerlab.holdem.betting.hand import Hand
from pokerlab.holdem.cards.cards import STREETS
from pokerlab.workbench.drawings.svg import Picture, label, line, mark, tag
from pokerlab.workbench.holdem.narration import steps
from pokerlab.workbench.holdem.table_drawing import HEIGHT, draw_table, fit
from pokerlab.workbench.style import GRAY, INK, SKY
from pokerlab.workbench.tournaments.sit_and_go import READER, SitAndGo

WIDTH, AT, RIGHT = 1080.0, 818.0, 1070.0
"""Width of the picture, and where the column beside the table begins and ends."""
ROWS_TOP, ROW, BAR = 46.0, 17.5, 3.0
STORY_GAP, LINE = 14.0, 14.5
CAPTION = (
    " Beside the table: everybody's chips before the hand, or after it once it is over, who is out with the"
    " rank, and how the hand went."
)


def draw_tournament(match: SitAndGo, headline: str) -> Picture:
    """Return the picture of a tournament that has begun, the present hand in front."""
    hand = match.hands[-1]
    shown = range(hand.num_seats) if hand.is_over else [READER]
    table = draw_table(hand, shown, names=match.names, title=headline)
    level = blinds_in_words(match)
    standing = standings(match)
    story = [[STREETS[s.street], match.names[s.seat], s.words] for s in steps(hand)]
    begin = ROWS_TOP + ROW * len(standing) + STORY_GAP
    parts = [table.body, label(level, AT, 18, 12, font_weight="bold"), draw_standing(standing)]
    parts += [
        line(AT, begin - 16, RIGHT, begin - 16, stroke="#d9d9d9"),
        draw_story(story, begin, int((HEIGHT - begin) // LINE)),
    ]
    lines = [f"{name}: {words}" for _, name, _, words in standing]
    deeds = [f"{street}, {who}: {words}" for street, who, words in story]
    text = "\n".join([headline, level, table.text, *lines, *deeds])
    return Picture(WIDTH, HEIGHT, "".join(parts), text, f"{table.caption}{CAPTION}")


def blinds_in_words(match: SitAndGo) -> str:
    """Return the blinds of the present hand, and when they rise."""
    schedule, number = match.game.schedule, match.hands[-1].number
    now = schedule.at(number)
    words = f"Blinds {now.small_blind:,}/{now.big_blind:,}"
    left = schedule.hands_a_level - number % schedule.hands_a_level
    if schedule.at(number + left) == now:
        return words
    return f"{words}; they rise in {left} hand{'s' * (left > 1)}"


def standings(match: SitAndGo) -> list[tuple[int, str, int, str]]:
    """Return seat, name, chips, and chips or rank in words, the most chips first, who is out last."""
    stacks = match.stacks if not match.is_waiting else match.hands[-1].starting_stacks
    order = sorted(
        range(len(stacks)), key=lambda seat: (-stacks[seat], match.ranks.get(seat, 0.0), seat)
    )
    return [
        (
            seat,
            match.names[seat],
            stacks[seat],
            f"{stacks[seat]:,}" if stacks[seat] else out(match, seat),
        )
        for seat in order
    ]


def out(match: SitAndGo, seat: int) -> str:
    """Return the rank of who is out, in words."""
    return f"out, rank {match.ranks[seat]:g}"


def draw_standing(standing: Sequence[tuple[int, str, int, str]]) -> str:
    """Return everybody's chips as numbers and bars."""
    most = max(chips for _, _, chips, _ in standing)
    parts = []
    for row, (seat, name, chips, words) in enumerate(standing):
        y = ROWS_TOP + ROW * row
        color = INK if chips else GRAY
        look = {"font_weight": "bold"} if seat == READER else {}
        parts.append(
            tag("g", mark(seat, 0, 0), transform=f"translate({AT + 7:g} {y - 4:g}) scale(0.7)")
        )
        parts.append(label(fit(name, 11.5, RIGHT - AT - 100), AT + 20, y, 11.5, color, **look))
        parts.append(label(words, RIGHT, y, 11.5, color, text_anchor="end", **look))
        length = (RIGHT - AT - 20) * chips / most
        parts.append(tag("rect", x=AT + 20, y=y + 2.5, width=length, height=BAR, fill=SKY))
    return "".join(parts)


def draw_story(story: Sequence[Sequence[str]], top: float, room: int) -> str:
    """Return the last lines of how the hand went; a street is named where it begins."""
    parts = []
    shown = story[-room:]
    for k, (street, who, words) in enumerate(shown):
        y = top + LINE * k
        if not k or shown[k - 1][0] != street:
            parts.append(label(street, AT, y, 10.5, GRAY))
        parts.append(label(fit(who, 10.5, 74), AT + 46, y, 10.5))
        parts.append(label(fit(words, 10.5, 128), AT + 124, y, 10.5))
    return "".join(parts)


def winner_of(hand: Hand, names: Sequence[str]) -> str:
    """Return who has won chips in a hand, in words."""
    won = [(int(chips), seat) for seat, chips in enumerate(hand.payoffs) if chips > 0]
    return " and ".join(
        f"{names[seat]} win{'s' * (seat != READER)} {chips:,}" for chips, seat in won
    )
