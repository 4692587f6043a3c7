"""A recorded tournament in the notebook: a slider over its rounds, all tables of one drawn at once."""

import math
from collections.abc import Collection, Sequence
from functools import partial

import numpy as np
from ipywidgets import IntSlider

from pokerlab.core.settings import check_kind, validate_integer
from pokerlab.holdem.betting_structure import find_blind_seats
from pokerlab.holdem.tournament_game import Round, TableRound, TournamentResult
from pokerlab.workbench.drawings.svg import (
    EDGE,
    SvgDrawing,
    draw_line,
    draw_paragraph,
    draw_text,
    write_element,
)
from pokerlab.workbench.drawings.table_drawing import NARROW
from pokerlab.workbench.live.explorer import Button, Control, Explorer, Values
from pokerlab.workbench.style import GRAY, INK, PAPER

WIDTH, TOP, GAP = 1240.0, 34.0, 8.0
MOST_TABLES, MOST_COLUMNS, NARROW_COLUMNS = 100, 10, 2  # more would be too small to read
WIDEST, CARD_HEIGHT = 300.0, 84.0
HEAD, BAR_HEIGHT, FOOT = 15.0, 50.0, 16.0
LETTERS, NARROW_LETTERS = (
    9.5,
    11.0,
)  # pixels of the smallest letters of the picture and of its piece
ROOM_FOR_NUMBERS = 22.0  # pixels that a stack's number needs
CHIPS, CARD = "#c5d3da", "#f7f7f5"


def draw_round_of_tables(
    played: Round, follow: Collection[int] = (), *, names: Sequence[str] | None = None
) -> SvgDrawing:
    """Draw a round of a tournament, with the stacks after its hands.

    Examples
    --------
    >>> from pokerlab.holdem import ALWAYS_CALL, make_doubling_schedule, no_limit, tournament
    >>> schedule = make_doubling_schedule(no_limit(5, 10), 20, chips=400)
    >>> game = tournament(schedule, entrants=4, seats=2, stacks=100)
    >>> placed = game.play([ALWAYS_CALL], [[0] * 4], seed=1, record=True)
    >>> draw_round_of_tables(next(placed.replay_rounds(0)))
    round 1, blinds 5/10: 4 players at 2 tables, 0 out, 0 change tables
    table 1: entrant 0 90, entrant 1 110
    table 2: entrant 2 90, entrant 3 110
    """
    columns = min(MOST_COLUMNS, max(4, math.ceil(math.sqrt(min(len(played.tables), MOST_TABLES)))))
    text, about = write_round(played, names), caption_round(played, follow)
    headline = draw_text(write_headline(played), GAP, 20, 14, bold=True)
    body, height = draw_cards(played, follow, WIDTH, columns, TOP)  # wide while they are few
    in_lines, top = draw_paragraph(write_headline(played), GAP, 20, 14, NARROW - GAP, bold=True)
    narrow, narrow_height = draw_cards(
        played, follow, NARROW, NARROW_COLUMNS, top - 8, NARROW_LETTERS
    )
    pieces = (SvgDrawing(NARROW, narrow_height, in_lines + narrow, text),)
    return SvgDrawing(WIDTH, height, headline + body, text, about, write_headline(played), pieces)


def draw_cards(
    played: Round,
    follow: Collection[int],
    room: float,
    columns: int,
    top: float,
    letters: float = LETTERS,
) -> tuple[str, float]:
    """Return the tables in `columns` of a picture `room` pixels wide, from `top` on, and where they end.

    The smallest `letters` are so many pixels high.
    """
    drawn = played.tables[:MOST_TABLES]
    width = min((room - GAP) / columns - GAP, WIDEST)
    largest = max(max(table.stacks_after) for table in played.tables)
    chips = sum(sum(table.stacks) for table in played.tables)
    mean = chips / count_seated_players(played.tables)
    movers = {entrant for entrant, _ in played.moves}
    parts = []
    for place, table in enumerate(drawn):
        x = GAP + (place % columns) * (width + GAP)
        y = top + (place // columns) * (CARD_HEIGHT + GAP)
        parts.append(draw_table_round(table, x, y, width, largest, mean, movers, follow, letters))
    height = top + -(-len(drawn) // columns) * (CARD_HEIGHT + GAP)
    others = played.tables[MOST_TABLES:]
    if others:
        words = f"and {len(others):,} more tables with {count_seated_players(others):,} players"
        parts.append(draw_text(words, GAP, height + 12, 12))
        height += 20
    return "".join(parts), height


def count_seated_players(tables: Sequence[TableRound]) -> int:
    """Return how many players sit at tables."""
    return sum(sum(stack > 0 for stack in table.stacks) for table in tables)


def draw_table_round(
    table: TableRound,
    x: float,
    y: float,
    width: float,
    largest: int,
    mean: float,
    movers: Collection[int],
    follow: Collection[int],
    letters: float,
) -> str:
    """Return one table: a bar for each seat, its height the root of the stack."""
    size = {"width": width, "height": CARD_HEIGHT}
    frame = write_element("rect", x=x, y=y, **size, rx=5, fill=CARD, stroke=EDGE)
    left = sum(stack > 0 for stack in table.stacks_after)
    parts = [frame, draw_text(f"table {table.number + 1}", x + 5, y + 12, 10.5, bold=True)]
    parts.append(draw_text(str(left), x + width - 5, y + 12, 10.5, "#444444", anchor="end"))
    pitch = (width - 8) / len(table.stacks)
    base = y + CARD_HEIGHT - FOOT
    level = base - measure_bar(mean, largest)
    dashes = {"stroke": GRAY, "stroke_width": 0.8, "stroke_dasharray": "3 2"}
    parts.append(draw_line(x + 3, level, x + width - 3, level, **dashes))
    for seat, (entrant, before, after) in enumerate(
        zip(table.entrants, table.stacks, table.stacks_after, strict=True)
    ):
        if before:
            middle = x + 4 + pitch * (seat + 0.5)
            high = measure_bar(after or before, largest)
            fill = PAPER if not after else INK if entrant in follow else CHIPS
            parts.append(write_element("rect", x=middle - 0.38 * pitch, y=base - high, width=0.76 * pitch, height=high,
                             fill=fill, stroke=INK, stroke_width=1.6 if entrant in follow else 0.6))  # fmt: skip
            sign = "×" if not after else "↗" if entrant in movers else ""
            number = shorten_chips(after) if after and pitch >= ROOM_FOR_NUMBERS else ""
            said = " ".join(filter(None, [number, sign]))
            parts.append(draw_text(said, middle, base - high - 2, letters + 0.5, anchor="middle"))
            role = find_role(table, seat)
            parts.append(draw_text(role, middle, base + 11, letters, anchor="middle", bold=True))  # fmt: skip
    return "".join(parts)


def measure_bar(chips: float, largest: int) -> float:
    """Return how high the bar of a stack is, in pixels; at least one."""
    return max(1.0, (BAR_HEIGHT - 10.0) * math.sqrt(chips / largest))


def find_role(table: TableRound, seat: int) -> str:
    """Return 'D' for the button, 'B' for the big blind, or nothing; heads-up the button is not the latter."""
    if table.hand is None:
        return ""
    _, big_blind = find_blind_seats(table.stacks, table.hand.button)
    return "B" if seat == big_blind else "D" if seat == table.hand.button else ""


def shorten_chips(chips: int) -> str:
    """Return chips in four letters at most.

    Examples
    --------
    >>> [shorten_chips(chips) for chips in (950, 1000, 1250, 15_499, 999_999, 2_340_000)]
    ['950', '1k', '1.2k', '15k', '1M', '2.3M']
    """
    for unit, word in ((1e6, "M"), (1e3, "k")):
        if chips >= unit * 0.9995:
            return f"{chips / unit:{'.2g' if chips < 9.95 * unit else '.0f'}}{word}"
    return str(chips)


def write_headline(played: Round) -> str:
    """Return the round in one line."""
    blinds = f"{played.structure.small_blind:,}/{played.structure.big_blind:,}"
    tables, moves = len(played.tables), len(played.moves)
    return (
        f"round {played.number + 1:,}, blinds {blinds}: {count_seated_players(played.tables):,} players at {tables:,}"
        f" table{'s' * (tables != 1)}, {len(played.out):,} out, {moves:,} change{'s' * (moves == 1)} tables"
    )


def write_round(played: Round, names: Sequence[str] | None) -> str:
    """Return the round as lines of text, one a table."""
    lines = [write_headline(played)]
    for table in played.tables:
        seats = zip(table.entrants, table.stacks_after, strict=True)
        taken = [
            (entrant, f"{chips:,}" if chips else "out") for entrant, chips in seats if entrant >= 0
        ]
        said = (f"{names[e] if names else f'entrant {e}'} {chips}" for e, chips in taken)
        lines.append(f"table {table.number + 1}: {', '.join(said)}")
    return "\n".join(lines)


def caption_round(played: Round, follow: Collection[int]) -> str:
    """Return what to see."""
    largest = int(np.max([table.stacks_after for table in played.tables]))
    black = " Black: the players followed." if follow else ""
    return (
        "A bar is a player's chips after the hand; its height grows with their root, the dashed line is the"
        f" mean stack, the highest bar has {largest:,}. The number in a corner says how many are left at the"
        f" table. D: button, B: big blind, ×: out, ↗: changes tables.{black}"
    )


def step(by: int, values: Values, played: Round) -> Values:
    """Return the values some rounds later, or earlier."""
    return values | {"round": values["round"] + by}


def watch_tournament(
    placed: TournamentResult, tournament: int = 0, *, follow: Collection[int] = ()
) -> Explorer[Round]:
    """Show a recorded tournament round by round.

    Its hands are played again first, which takes about a millisecond for each.

    Parameters
    ----------
    placed : TournamentResult
        From tournaments played with `record=True`.
    tournament : int
        Which of them.
    follow : collection of int
        Entrants, by their places in the line-up, whose bars are black.

    Returns
    -------
    Explorer
        What is shown; `move_controls(round=2)` shows another round, the `reading`.

    Examples
    --------
    >>> from pokerlab.holdem import RANDOM, make_doubling_schedule, no_limit, tournament
    >>> game = tournament(make_doubling_schedule(no_limit(5, 10), 20, chips=30_000), entrants=30, seats=6)
    >>> shown = watch_tournament(game.play([RANDOM] * 30, seed=1, record=True), follow=[3])
    >>> shown.move_controls(round=2)
    >>> shown
    <Tournament: round 2, blinds 5/10: 27 players at 5 tables, 6 out, 5 change tables>
    """
    check_kind(
        "placed", placed, TournamentResult, "what tournament(...).play(..., record=True) returns"
    )
    validate_integer("tournament", tournament, 0, len(placed.lineups) - 1)
    check_kind("follow", follow, Collection, "the numbers of some entrants, such as [3]")
    places = len(placed.stacks)
    for entrant in follow:
        validate_integer("an entrant to follow", entrant, 0, places - 1)
    rounds = tuple(placed.replay_rounds(tournament))
    names = tuple(placed.names[player] for player in placed.lineups[tournament])
    look = {"min": 1, "max": len(rounds), "layout": {"width": "620px"}}
    slider = Control("round", 1, IntSlider, "round", widget_arguments=look)
    return Explorer(
        "Tournament", [slider], lambda values: rounds[values["round"] - 1],
        partial(draw_round_of_tables, follow=tuple(follow), names=names),
        buttons=[
            Button("Back", partial(step, -1), lambda played: played.number > 0),
            Button("On", partial(step, 1), lambda played: played.number < len(rounds) - 1),
        ],
        write_summary=write_headline,
    ).open()  # fmt: skip
