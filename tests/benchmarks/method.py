"""How it was measured, in words, below the tables."""

from collections.abc import Mapping, Sequence

from tests.benchmarks.random_cards import NUM_HANDS
from tests.benchmarks.rows import TARGETS
from tests.benchmarks.stopwatch import LONG_SECONDS, SAME_PATH_ITERATIONS, WAY_SECONDS
from tests.benchmarks.whole_hands import (
    BIG_BET,
    BIG_BLIND,
    NUM_CHECKED,
    SMALL_BET,
    SMALL_BLIND,
    STACK,
)


def method_lines(
    seconds: float, rounds: int, agreed_games: Mapping[str, Sequence[str]]
) -> list[str]:
    """Return the remarks on the method; libraries agreed in some games on some numbers."""
    uniform, path = (
        ", ".join(agreed_games[key]) or "no game, as none was compared"
        for key in ("uniform", "path")
    )
    return [
        f"- One thread each. Libraries take turns in chunks of about {seconds:g} s; {rounds} rounds"
        " after a first, uncounted one. Times are medians of the rounds, ratios medians of the rounds' ratios."
        f" What lasts over {LONG_SECONDS:g} s is measured once.",
        "- Goals in seconds were set for a quiet core of a server of 2023 (AMD EPYC), and met there; a slower or"
        " shared core takes longer for all of it, and the ratios remain.",
        "- The same trees: the libraries were seen to agree on the uniform profile's NashConv in"
        f" {uniform}. Leduc has its suits apart, 936 information sets. The same work: pokerlab's and"
        f" LiteEFG's CFR were seen to reach the same NashConv after {SAME_PATH_ITERATIONS} iterations in"
        f" {path}.",
        "- An iteration includes averaging. CFR is simultaneous in pokerlab and LiteEFG,"
        " alternating in OpenSpiel; CFR+ alternates everywhere.",
        "- The way to a NashConv is timed without the checks, which come whenever the iterations"
        " have grown by a tenth; each library takes the quickest of its algorithms.",
        "- The ways to an equilibrium are timed without the checks, too, and end after"
        f" {WAY_SECONDS:g} s; then the table says where they stood. The ratio is that of the times to the"
        " smallest NashConv that both reached, or, with >, of the peer's whole time to pokerlab's time to"
        f" {TARGETS[0]:g}. OpenSpiel's PSRO mixes by the meta-game's Nash equilibrium, as a Nash memory does,"
        " and gets exact payoffs; its double oracle is for matrix games only. It reads the 6-card game from"
        " the .efg file that pokerlab writes.",
        "- OpenSpiel's linear program walks the tree as it goes; pokerlab's starts from the compiled"
        " game, whose setting up is a row of its own.",
        "- Strength: all libraries get the same random hands; those that took part were seen to put them"
        " in the same order. pokerlab starts from seven card indices, or from two sums of constants over the cards,"
        " made beforehand; sval from masks made beforehand, in a loop compiled by numba; both write"
        " into an array that is there. phevaluator's C function is called in a loop of Python, which is"
        f" the only way it offers. {NUM_HANDS['in_cache']:,} hands stay in a core's cache, cards and"
        f" strengths together; {NUM_HANDS['in_memory']:,} do not. One hand in 33 is a flush, for which"
        " pokerlab reads its ranks by suit, 8 bytes more; out of the cache it waits for them, two fifths of"
        " the time. So how the ratio in memory compares with that in cache depends on the machine's memory.",
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
        "- On your machine: `pip install '.[bench]'`, then `python -m tests.benchmarks.run`.",
    ]
