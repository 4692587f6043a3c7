"""A round of a tournament as a drawing: every table with its stacks, who is out, and who changes tables."""

import math
from collections.abc import Collection, Sequence

import numpy as np

from pokerlab.holdem.betting.seating import blind_seats
from pokerlab.holdem.tournaments.results import AtTable, Round
from pokerlab.workbench.pictures.svg import Picture, label, line, tag
from pokerlab.workbench.style import GRAY, INK, PAPER

WIDTH, TOP, GAP = 1240.0, 34.0, 8.0
MOST_TABLES, MOST_COLUMNS = 100, 10
"""More would be too small to read."""
WIDEST, CARD_HEIGHT = 300.0, 84.0
HEAD, BAR_HEIGHT, FOOT = 15.0, 50.0, 16.0
ROOM_FOR_NUMBERS = 22.0
"""Pixels that a stack's number needs."""
CHIPS, CARD = "#c5d3da", "#f7f7f5"


def draw_round_of_tables(
    played: Round, follow: Collection[int] = (), *, names: Sequence[str] | None = None
) -> Picture:
    """Draw a round of a tournament, with the stacks after its hands.

    Examples
    --------
    >>> from pokerlab.holdem import ALWAYS_CALL, doubling, no_limit, play_tournaments
    >>> schedule = doubling(no_limit(5, 10), 20, chips=400)
    >>> placed = play_tournaments(
    ...     schedule, [ALWAYS_CALL], [[0] * 4], seed=1, stacks=100, seats=2, record=True
    ... )
    >>> draw_round_of_tables(next(placed.rounds_of(0)))
    round 1, blinds 5/10: 4 players at 2 tables, 0 out, 0 change tables
    table 1: entrant 0 90, entrant 1 110
    table 2: entrant 2 90, entrant 3 110
    """
    drawn = played.tables[:MOST_TABLES]
    columns = columns_for(len(drawn))
    width = min((WIDTH - GAP) / columns - GAP, WIDEST)
    largest = max(max(table.stacks_after) for table in played.tables)
    chips = sum(sum(table.stacks) for table in played.tables)
    mean = chips / num_players(played.tables)
    movers = {entrant for entrant, _ in played.moves}
    parts = [label(headline(played), GAP, 20, 14, font_weight="bold")]
    for place, table in enumerate(drawn):
        x = GAP + (place % columns) * (width + GAP)
        y = TOP + (place // columns) * (CARD_HEIGHT + GAP)
        parts.append(draw_card(table, x, y, width, largest, mean, movers, follow))
    height = TOP + -(-len(drawn) // columns) * (CARD_HEIGHT + GAP)
    others = played.tables[MOST_TABLES:]
    if others:
        words = f"and {len(others):,} more tables with {num_players(others):,} players"
        parts.append(label(words, GAP, height + 12, 12))
        height += 20
    return Picture(WIDTH, height, "".join(parts), as_text(played, names), caption(played, follow))


def columns_for(num_tables: int) -> int:
    """Return in how many columns tables stand: wide ones while they are few."""
    return min(MOST_COLUMNS, max(4, math.ceil(math.sqrt(num_tables))))


def num_players(tables: Sequence[AtTable]) -> int:
    """Return how many players sit at tables."""
    return sum(sum(stack > 0 for stack in table.stacks) for table in tables)


def draw_card(
    table: AtTable,
    x: float,
    y: float,
    width: float,
    largest: int,
    mean: float,
    movers: Collection[int],
    follow: Collection[int],
) -> str:
    """Return one table: a bar for each seat, its height the root of the stack."""
    frame = tag(
        "rect", x=x, y=y, width=width, height=CARD_HEIGHT, rx=5, fill=CARD, stroke="#9a9a9a"
    )
    left = sum(stack > 0 for stack in table.stacks_after)
    parts = [frame, label(f"table {table.number + 1}", x + 5, y + 12, 10.5, font_weight="bold")]
    parts.append(label(str(left), x + width - 5, y + 12, 10.5, "#444444", text_anchor="end"))
    pitch, base = (width - 8) / len(table.stacks), y + CARD_HEIGHT - FOOT
    level = base - height_of(mean, largest)
    dashes = {"stroke": GRAY, "stroke_width": 0.8, "stroke_dasharray": "3 2"}
    parts.append(line(x + 3, level, x + width - 3, level, **dashes))
    for seat, (entrant, before, after) in enumerate(
        zip(table.entrants, table.stacks, table.stacks_after, strict=True)
    ):
        if before:
            middle, high = x + 4 + pitch * (seat + 0.5), height_of(after or before, largest)
            fill = PAPER if not after else INK if entrant in follow else CHIPS
            parts.append(tag("rect", x=middle - 0.38 * pitch, y=base - high, width=0.76 * pitch, height=high,
                             fill=fill, stroke=INK, stroke_width=1.6 if entrant in follow else 0.6))  # fmt: skip
            sign = "×" if not after else "↗" if entrant in movers else ""
            number = short(after) if after and pitch >= ROOM_FOR_NUMBERS else ""
            said = " ".join(filter(None, [number, sign]))
            parts.append(label(said, middle, base - high - 2, 10, text_anchor="middle"))
            role = role_of(table, seat)
            parts.append(label(role, middle, base + 11, 9.5, text_anchor="middle", font_weight="bold"))  # fmt: skip
    return "".join(parts)


def height_of(chips: float, largest: int) -> float:
    """Return how high the bar of a stack is, in pixels; at least one."""
    return max(1.0, (BAR_HEIGHT - 10.0) * math.sqrt(chips / largest))


def role_of(table: AtTable, seat: int) -> str:
    """Return 'D' for the button, 'B' for the big blind, or nothing; heads-up the button is not the latter."""
    if table.hand is None:
        return ""
    _, big_blind = blind_seats(table.stacks, table.hand.button)
    return "B" if seat == big_blind else "D" if seat == table.hand.button else ""


def short(chips: int) -> str:
    """Return chips in four letters at most.

    Examples
    --------
    >>> [short(chips) for chips in (950, 1000, 1250, 15_499, 999_999, 2_340_000)]
    ['950', '1k', '1.2k', '15k', '1M', '2.3M']
    """
    for unit, word in ((1e6, "M"), (1e3, "k")):
        if chips >= unit * 0.9995:
            return (
                f"{chips / unit:.2g}{word}" if chips < 9.95 * unit else f"{chips / unit:.0f}{word}"
            )
    return str(chips)


def headline(played: Round) -> str:
    """Return the round in one line."""
    blinds = f"{played.structure.small_blind:,}/{played.structure.big_blind:,}"
    tables, moves = len(played.tables), len(played.moves)
    return (
        f"round {played.number + 1:,}, blinds {blinds}: {num_players(played.tables):,} players at {tables:,}"
        f" table{'s' * (tables != 1)}, {len(played.out):,} out, {moves:,} change{'s' * (moves == 1)} tables"
    )


def as_text(played: Round, names: Sequence[str] | None) -> str:
    """Return the round as lines of text, one a table."""
    lines = [headline(played)]
    for table in played.tables:
        seats = zip(table.entrants, table.stacks_after, strict=True)
        said = [
            f"{f'entrant {entrant}' if names is None else names[entrant]} {f'{chips:,}' if chips else 'out'}"
            for entrant, chips in seats
            if entrant >= 0
        ]
        lines.append(f"table {table.number + 1}: {', '.join(said)}")
    return "\n".join(lines)


def caption(played: Round, follow: Collection[int]) -> str:
    """Return what to see."""
    largest = int(np.max([table.stacks_after for table in played.tables]))
    black = " Black: the players followed." if follow else ""
    return (
        "A bar is a player's chips after the hand; its height grows with their root, the dashed line is the"
        f" mean stack, the highest bar has {largest:,}. The number in a corner says how many are left at the"
        f" table. D: button, B: big blind, ×: out, ↗: changes tables.{black}"
    )
