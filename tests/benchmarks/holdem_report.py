"""The tables of hold'em: how many times faster than whom, and what only pokerlab was asked."""

from collections.abc import Iterable, Sequence
from statistics import median

from tests.benchmarks.random_cards import NUM_HANDS
from tests.benchmarks.result import Result, duration, line, rule, three_digits
from tests.benchmarks.rows import OPENSPIEL, POKERKIT, POKERLAB, RLCARD
from tests.benchmarks.whole_hands import (
    BIG_BET,
    BIG_BLIND,
    NUM_CHECKED,
    SMALL_BET,
    SMALL_BLIND,
    STACK,
)

HOLDEM_METHOD = (
    "- Strength: all libraries get the same random hands; those that took part were seen to put them"
    " in the same order. pokerlab starts from seven card indices, or from two sums of constants over the cards,"
    " made beforehand; sval from masks made beforehand, in a loop compiled by numba; both write"
    " into an array that is there. phevaluator's C function is called in a loop of Python, which is"
    f" the only way it offers. {NUM_HANDS['in_cache']:,} hands stay in a core's cache, cards and"
    f" strengths together; {NUM_HANDS['in_memory']:,} do not. From keys and masks, 8 bytes are read"
    " and 2 written a hand. One hand in 33 is a flush, for which pokerlab reads 8 bytes more, its"
    " ranks by suit. Out of the cache nobody has fetched those beforehand, and it waits: that takes"
    " two fifths of the time. To read them for all hands, or to keep them beside the keys, takes as"
    " long; and keys of 32 bits, which are possible, wait for them, too. So how the ratio in memory"
    " compares with that in cache hangs on the machine's memory.",
    f"- Whole hands: blinds {SMALL_BLIND}/{BIG_BLIND}, stacks {STACK}, limit bets"
    f" {SMALL_BET}/{BIG_BET}. Who is to act folds (if anything is owed), calls and raises with"
    " equal chance, to any amount with equal chance. OpenSpiel's universal_poker plays with all"
    " amounts, on cards sampled at once; pokerkit with everything automated; rlcard knows three"
    " sizes of raises at no-limit, and at limit no stacks and one more bet before the flop. pokerlab"
    " plays in one kernel, and at a table with players who could be of any kind. In the kernel cards"
    " are dealt when they are looked at: at the showdown, to which one hand in ten comes heads-up, and"
    " three in four with six seats.",
    "- Hands of rule genomes: all engines play by one decision rule, strategies of 42 genes written by hand."
    " pokerlab has it compiled, and as a function in Python; the others call that function, with what"
    " their tables offer in the place of its view. pokerlab, OpenSpiel and pokerkit were seen to have"
    f" the same losers lose the same chips in {NUM_CHECKED} deals. rlcard deals by itself, and its limit"
    " game is for two: at larger tables a round does not end once somebody has folded. OpenSpiel's"
    " limit game seats four; its ten play no-limit and raise by a limit's amounts.",
    "- Hands of networks: all engines play by the same six networks, 35-20-5 with weights drawn at random."
    " pokerlab has them compiled, and as a function in Python with numpy's float32; the others call that"
    " function. Its inputs come from their tables, but for the chance to win, which pokerlab's tables"
    f" tell. pokerlab and pokerkit were seen to have the same losers lose the same chips in {NUM_CHECKED}"
    " deals. rlcard has raises by half the pot, the pot and all-in; OpenSpiel lets a seat raise again"
    " after a short all-in.",
    "- Decisions of networks: where all are watched, everybody sees everybody's aggressiveness, overall and"
    " recent; where nobody is, as in hands of networks, these 20 of the 35 inputs are 0.",
    "- Tables of equity are made from nothing, without a file or a table in memory, and written to"
    " a folder that is thrown away; flops include turns.",
)

DECISIONS = ("decisions a hand", "decisions a second")


def holdem_headline(results: Iterable[Result]) -> str:
    """Return the finding in one sentence, from the whole hands."""
    parts = [
        f"{three_digits(faster)} times faster than {peer}"
        for result in results
        if result.row.task == "hands" and result.row.game == "six_seats"
        for peer in (OPENSPIEL, RLCARD, POKERKIT)
        if (faster := result.times_faster(peer))
    ]
    return f"Six-seat no-limit hold'em is {listed(parts)}." if parts else ""


def listed(parts: Sequence[str]) -> str:
    """Return parts of a sentence as one."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def holdem_ratios(results: Sequence[Result]) -> list[str]:
    """Return the table of ratios: a line for each row and peer."""
    lines = [
        "\n## Hold'em: how many times faster\n",
        line("what", "which", "than", "times faster", "goal"),
        rule(3, 2),
    ]
    for result in results:
        for peer in result.row.peers:
            faster, goal = result.times_faster(peer), result.row.faster.get(peer)
            cell = f"**{three_digits(faster)}**" if faster else result.note(peer)
            lines.append(
                line(result.row.what, result.row.where, peer, cell, f"{goal:,g}" if goal else "")
            )
    return lines


def holdem_times(results: Sequence[Result]) -> list[str]:
    """Return the table of times: a line for each row and contestant."""
    lines = [
        "\n## Hold'em: times\n",
        line("what", "which", "library", "time", "a second", "goal", *DECISIONS),
        rule(3, 3 + len(DECISIONS)),
    ]
    for result in results:
        for name in (POKERLAB, *result.row.peers):
            times = result.seconds(name)
            goal = result.row.within if name == POKERLAB else None
            told = result.told(name, "decisions")
            decisions = told if isinstance(told, float) else None
            lines.append(
                line(
                    result.row.what,
                    result.row.where,
                    name,
                    duration(times) or result.note(name),
                    pace(times),
                    pace([goal]) if goal else "",
                    three_digits(decisions) if decisions else "",
                    pace([seconds / decisions for seconds in times]) if decisions else "",
                )
            )
    return lines


def pace(seconds: Sequence[float]) -> str:
    """Return how many a second."""
    if not seconds:
        return ""
    each = 1 / median(seconds)
    return f"{three_digits(each / 1e6)} million" if each >= 1e6 else three_digits(each)
