"""The folded solutions of all notebooks' exercises run and are right, by their own asserts and by their checks.

Wrong ones are made from them: what a student may write in their place must be called wrong, with a hint that fits.
"""

import re
from contextlib import suppress
from functools import cache
from pathlib import Path

import nbformat
import pytest

import pokerlab as pl
from pokerlab.classroom.checks import Note
from pokerlab.classroom.exercises import CHECKS, check

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
BLOCK = re.compile(r"<summary>Solution</summary>.*?```python\n(.*?)```", re.DOTALL)
CHECKED = re.compile(r'pl\.check\("\d\d[b-z]?\.(\d)"')
TAG = "solutions"
"""On the cells of a notebook whose names its solutions use."""


@cache
def cells(name: str) -> tuple[nbformat.NotebookNode, ...]:
    return tuple(nbformat.read(NOTEBOOKS / name, as_version=4).cells)


def solutions(name: str) -> list[str]:
    """The solutions of a lesson, by the number of the exercise; where an exercise stands is free."""
    texts = [cell.source for cell in cells(name) if cell.cell_type == "markdown"]
    found = [code for text in texts for code in BLOCK.findall(text)]
    return sorted(found, key=lambda code: int(CHECKED.findall(code)[-1]))


NAMES = sorted(path.name for path in NOTEBOOKS.glob("[0-9]*.ipynb"))
EVERY = [(name, number) for name in NAMES for number in range(len(solutions(name)))]


MISTAKES = {  # what a solution says, what in its place, and a part of the hint (the cells of 15 take long)
    "00.1": ('in "KQ"', 'in "K"', "kings only"),
    "00.2": ("0.99 * call + 0.01 * 0.5", "call", "Mix each number"),
    "01.1": ("heads_of_1 = 1 / 3", "heads_of_1 = 2 / 3", "shows tails"),
    "01.2": ("[2 / 7, 0, 5 / 7]", "[1 / 7, 0, 6 / 7]", "Cross out the middle"),
    "01b.1": ("max((1 - 2) / 2, (-1 - 1) / 2)", "(-1 - 1) / 2", "if queens fold"),
    "01b.2": ("game.values(profile)[player]", "game.values(profile)[0]", "less what the player wins"),
    "02.1": ("(2 - cost) / 2", "2 - cost", "gets half"),
    "02.2": ("0.9 * shares + 0.1 *", "0.1 * shares + 0.9 *", "exchanged"),
    "02.3": ("payoff[:, i] - payoff[i, i]", "payoff[i] - payoff[i, i]", "take its column"),
    "02.4": ("wins - wins.T", "wins + wins.T", "mind the sign"),
    "02b.1": ("against_residents == 0 and against_mutants > 0", "against_mutants > 0", "only if the two tie"),
    "02b.2": ("(1 - 3 * queen_calls) / 2", "1 - 3 * queen_calls", "counts half"),
    "02c.1": ("p @ earns", "earns.min()", "none may earn more"),
    "02c.2": ("[False, False, True]", "[False, True, True]", "as much is not enough"),
    "02c.3": ("return (d - b)", "return (a - c)", "share of the second"),
    "03.1": ("3 * average", "average", "Three times the average"),
    "03.2": ("rounds=10 * shift", "rounds=100", "twice as many rounds"),
    "03.3": ("return shift * time", "return time", "This is the time"),
    "03.4": ("1 / (t + 1)", "1 / t", "start is forgotten"),
    "03b.1": ("np.cumprod(ratios)", "np.array(ratios)", "the ratios alone"),
    "03b.2": ("terms[:start]", "terms[: start + 1]", "one difference too many"),
    "03b.3": ("[0, 4]]", "[4, 0]]", "columns must"),
    "04.1": ("[paper, 0, -scissors]", "[-paper, 0, scissors]", "changes its sign"),
    "04.2": ("(x @ payoff).min()", "x @ payoff @ y", "would gain by a best response"),
    "04.3": ("fingers = show + other_show", "fingers = 1", "as many points as"),
    "04b.1": ("weights[2] / weights[0]", "share * first[1] + (1 - share) * second[1]", "Average the plans"),
    "04b.2": ("/ 6\n", "\n", "six times too large"),
    "04c.1": ("[-1, 0, 1, 1]]", "[0, 0, 1, 1]]", "has -1 in its column"),
    "04c.2": ("/ 6 + 1 / 18", "/ 6", "half"),
    "04c.3": ('spy == "tells"', 'spy != "tells"', "lies when"),
    "04c.4": ("bet = 2", "bet = 1", "bet of one chip"),
    "05.1": ("-A.T @ plan(one", "A.T @ plan(one", "what player 1 loses"),
    "05.2": ("-A.T @ plan(one", "A.T @ plan(one", "-A.T"),
    "05.3": ("3 / 4 + 30", "3 / 4 + 3", "number of shift 3"),
    "05b.1": ("odds / (1 + odds)", "odds", "odds over one plus"),
    "05b.2": ("(1 - mutants) * come", "come", "(1 - mutants) of the old"),
    "05c.1": ("(1 / 5 + second) / 2", "second", "on the second day"),
    "05c.2": ("bend / 2 * mean_square", "bend * mean_square", "half of the second"),
    "05c.3": ("(x - y / 2, y + x / 2)", "(x - y / 2, y + (x - y / 2) / 2)", "area in turns"),
    "05c.4": ("N = 184 * 176", "N = 308 * 100", "exactly a tenth"),
    "06.1": ("(0, 1), (1, 1), (1, 1)", "(0, 1), (0, 1), (1, 1)", "all earlier actions"),
    "06.2": ("[3, 0, 0]", "[2, -1, -1]", "take off what you did win"),
    "06.3": ("/ 4) / 2", "/ 4) / 1", "divide by the two rounds"),
    "06.4": ("max(regrets_2)) / 3", "max(regrets_2)) / 2", "three rounds now"),
    "06.5": ("largest_q = 5 / 7", "largest_q = 2 / 3", "earns at most 0"),
    "06b.1": ("value_of_check = 2 * 1 / 6", "value_of_check = 1 / 6", "Weight 1/3"),
    "06b.2": ("regret_bet = 1 / 8", "regret_bet = 1 / 8 + 1 / 12", "does not come to I2"),
    "06b.3": ("(checks * calls).sum() / checks.sum()", "calls.mean()", "is the plain mean"),
    "06c.1": ("return t", "return 1", "count t times"),
    "06c.2": ("by_pcfr_plus = 2 / (2 + 3 + 3)", "by_cfr_plus, by_pcfr_plus = 2 / 3, 1 / 3", "B has 0"),
    "06d.1": ("a**2 + 2 * (1 - b) ** 2", "a**2 + (1 - b) ** 2", "second triangle"),
    "06d.2": ("(1 - calls_from) * calls_from", "0", "hand that folds"),
    "07.1": ("[30, 35, 40]", "[30, 35, 55]", "Not all have got worse"),
    "07.2": ("== 1", ">= 0.5", "is a draw"),
    "07.3": ('"plateau", "arms race", "one side ahead"]', '"plateau", "one side ahead", "arms race"]', "is dark above"),
    "07.4": ('"population 2", "nothing", "nothing"', '"population 2", "nothing", "population 1"', "two shares"),
    "07.5": ("nearer(pairs[:, None], all_pairs)", "nearer(pairs[:, None], pairs)", "against each other"),
    "07b.1": ("[75, 40]", "[85, 50]", "smaller than that of B"),
    "07b.2": ("size=(20, 1)", "size=(1, 1)", "one for each"),
    "07b.3": ("rng.integers(len(past), size=60)", "[-1] * 60", "from the present"),
    "07b.4": ('"arms race", "cycling"', '"cycling", "arms race"', "are exchanged"),
    "07b.5": ('["number", ', '["old opponents", ', "nothing else was needed"),
    "08.1": ("if used[place]]", "if used[place]][:0]", "what has weight"),
    "08.2": ("rounds += 1", "rounds += 2", "the first less the second"),
    "08.3": ("10 if column == row - 1 else 1", "row - column", "more than all others"),
    "08.4": ("np.full(len(stored), 1 / len(stored))", "np.eye(len(stored))[-1]", "the same weight"),
    "09.1": ("[0, 0, 1]", "[0, 0, 16]", "leave out the 16"),
    "09.2": ("border = 3 / 4", "border = 1 / 2", "also saves the half chip"),
    "09.3": ("= 5 * p", "= 10 * p", "of both"),
    "09b.1": ("1 / 1024 - 1023 / 1024", "1 / 2 - 1 / 2", "1 / 2**n"),
    "09b.2": ("mixtures @ A", "mixtures @ B", "by A"),
    "09b.4": ("0.6 * 25 / 3 + 0.4 * 20 / 3", "25 / 3", "what rock wins"),
    "09b.3": ("np.sqrt(np.log(n) / tries)", "np.log(n) / tries", "root"),
    "10.2": ("equity * pot - cost", "equity * (pot + cost) - cost", "do not add the call"),
    "10.3": ("(beats_first & beats_second)", "(beats_first | beats_second)", "both must be"),
    "10b.1": ("measure(shares)", "np.mean(shares), np.std(shares)", "single boards"),
    "10b.2": ("(2 * error / gap) ** 2", "(2 * error / gap)", "grows with the square"),
    "11.1": ("reach / reach.sum()", "reach", "divide it by its sum"),
    "11.2": ("np.array([bluff, 1])", "np.array([1, bluff])", "weak, strong"),
    "11.3": ("each @ weights[tree.street[node]]", "each.sum(axis=1)", "how often they come"),
    "11b.1": ("first + bad + (visits - 2)", "bad + (visits - 1)", "acts at random"),
    "11b.2": ("(1 - reported) * true", "(1 - reported) * fresh", "not of the report"),
    "11b.3": ("slopes[1], slopes[0]", "slopes[0], slopes[1]", "exchanged the seats"),
    "12.1": ("= [1, 0, 0]", "= [0, 1, 0]", "fold for certain"),
    "12.2": (") / 2 for x", ") for x", "Each pot comes half"),
    "12.3": ("[True, False, False, True, ", "[True, True, False, True, ", "says something about the next"),
    "12b.1": ("if its != mine", "if its != 0", "both are the same"),
    "12b.2": ("(1 - bet) * 2", "2", "only if the agent checks"),
    "12b.3": ("2 * (1 - win)", "2", "only if you do not win"),
    "12c.1": ("[[1], [2], [3], [4]]", "[[1, 2], [3], [4]]", "through three buckets"),
    "12c.2": ('"false", "true", "open", "open"', '"true", "true", "open", "open"', "in both columns"),
    "12c.3": ("(1 - bets[its]) * 4", "4", "after a check only"),
    "13.1": ("== margin.min()", "== margin.max()", "smallest"),
    "13.2": ("(~dominated).sum()", "dominated.sum()", "the dominated ones"),
    "13b.1": ("len(values) // 2", "len(values) // 4", "in the middle"),
    "13b.2": (" / (len(p_values) - clear.sum())", "", "more is asked of each"),
    "14.1": ("(ranks == 1).mean", "(ranks == 1).sum", "means over"),
    "14.2": (".mean(axis=0)", ".sum(axis=0)", "take means"),
    "14b.1": ('* 50', "* 0", "drawn, too"),
    "14b.2": ("np.concatenate([genomes, hall])", "genomes", "does not play"),
    "14b.3": ("value * first[k]", "first[k]", "value times"),
    "15.1": ("[b, c, a]", "[a, b, c]", "wins of A, B and C themselves"),
    "15.3": ("[20, 20, 60]", "[60, 20, 20]", "in which the player does not play"),
    "15b.1": ("table @ draw", "draw @ table", "not the columns"),
}  # fmt: skip
OTHER_MISTAKES = [  # one for each other property that these answers must have, and one that falls short of a bound
    ("01.1", "heads_of_1, heads_of_2, earned_by_1, earned_by_2])", "1 / 2, 1 / 3, 0, 1 / 3])", "exchanged the two"),
    ("01.1", "heads_of_1, heads_of_2, earned_by_1, earned_by_2])", "1 / 2, 1 / 2, 0, 1 / 4])", "tossed coins"),
    ("02.3", "payoff[:, i] - payoff[i, i]", "payoff[:, i]", "what newcomers earn"),
    ("02.3", "- payoff[i, i]", "- payoff[i].mean()", "not the mean of a row"),
    ("02b.2", "(1 - k) / 3", "k / 3", "never call with a queen"),
    ("02b.2", "(1 - 3 * queen_calls) / 2", "(1 - 3 * queen_calls) / 2 - 1", "bet itself earns"),
    ("02c.1", "earns.max()", "earns[p > 0].max()", "finds rest points"),
    ("02c.2", "[False, False, True]", "[True, False, True]", "what does a hawk earn"),
    ("02c.2", "[False, False, True]", "[False, False, False]", "what does a retaliator earn"),
    ("03.1", "earned.sum() - 3 * average", "earned.mean() - average", "the lead of the middle"),
    ("03.3", "shift * time", "time / shift", "divided by the shift"),
    ("03b.1", "1 + products", "products", "first term of the sum"),
    ("03b.2", "terms[:start].sum()", "start * terms[0]", "the first is rho"),
    ("04.2", "return bound - sure", "return (x @ payoff).max() - (payoff @ y).min()", "exchange them"),
    ("04.3", "call == other_show and other_call != show", "call == other_show", "both are right"),
    ("04b.1", "weights[2] / weights[0]", "weights[2]", "sequence before it"),
    ("04b.1", "weights = share *", "first, second = second, first\n    weights = share *", "exchanged"),
    ("04b.2", "[0, 0, 1, -2]", "[0, 0, 1, -1]", "wins 1 only if"),
    ("04b.2", "adds = x_jack", "rows = np.maximum(rows, -1)\nadds = x_jack", "costs the loser two"),
    ("04c.1", "pl.check(", "brings[0] += w_king_second\npl.check(", "at which player 2 checks"),
    ("04c.1", "w_king_second = max(", "brings = np.array(brings) / 36\nw_king_second = max(", "dealer's 1/6"),
    ("04c.3", 'hidden if spy == "tells" else opposite', '"nothing"', "learns nothing"),
    ("04c.3", 'hidden if spy == "tells" else opposite', "hidden", "always knows"),
    ("04c.4", "(four_times_A) / 4", "(four_times_A)", "four times too large"),
    ("06.3", "regrets_1 = [1 / 4, 7 / 4]", "regrets_1 = [0, 2]", "Round 1 leaves"),
    ("06.4", "1 / 8, 7 / 8], [-3 / 2, 2], [-15 / 8", "0, 1], [-7 / 4, 7 / 4], [-5 / 4", "fictitious play does"),
    ("06.4", "[-3 / 2, 2], [-15 / 8, 1 / 4]", "[-7 / 4, 1 / 4], [11 / 8, 0]", "round 3 alone"),
    ("06.5", "largest_q = 5 / 7", "largest_q = 3 / 4", "only the days on which both"),
    ("06b.2", "-1 / 8 - 1 / 12", "-1 / 8 + 1 / 12", "other sign"),
    ("06b.3", "(checks * calls).sum() / checks.sum()", "(checks * calls).mean()", "divide it"),
    ("06c.2", "2 / (2 + 1)", "1 / 3", "CFR matches 2 and 1"),
    ("06d.1", "c = 5 / 9", "c = 2 / 5", "A call is better by 4"),
    ("06d.2", "bluffs = 2 / 9", "bluffs = 1 / 9", "share of hands that fold"),
    ("06d.2", "bluffs = 2 / 9", "bluffs = 2 / 3", "hands below c"),
    ("06b.1", "value_of_bet = 2 * 1 / 6", "value_of_bet = 2 * 1 / 3", "Weight 1/3"),
    ("06b.1", "(1 / 2 * -1 + 1 / 2 * -3 / 2)", "(-3 / 2)", "checks, too"),
    ("06b.1", "coins = (value_of_check + value_of_bet) / 2", "coins = 0", "Weight 1/3"),
    ("06b.1", "coins, value_of_bet - coins", "coins, coins - value_of_bet", "Weight 1/3"),
    ("07.1", "[80, 90, 95]", "[55, 65, 75]", "wins too much"),
    ("07.1", "[10, 15, 36]", "[30, 35, 40]", "wins too little"),
    ("07.2", "given_up.append(points)", "given_up.append(points - bool(given_up))", "a loss by 1"),
    ("07.4", '"population 2", "nothing", "nothing"', '"population 2", "population 1", "nothing"', "been weaker"),
    ("07.4", '"nothing", "nothing", "nothing"]', '"nothing", "nothing", "population 1"]', "nearer is intransitive"),
    ("07.4", '["population 1", "population 2"', '["population 2", "population 1"', "are exchanged"),
    ("07.5", "nearer(pairs[:, None], all_pairs)", "1 - nearer(pairs[:, None], all_pairs)", "of the opponents"),
    ("07b.1", "[75, 40]", "[60, 39]", "larger than that of A"),
    ("07b.2", "past[-1][other]", "past[-1][1 - other]", "population other"),
    ("07b.3", "past[generation][other]", "past[generation][1 - other]", "wrong population"),
    ("08.3", "worst[row, column], worst[column, row] = win, -win", "worst[row, column] = win", "must lose"),
    ("08.3", "10 if column == row - 1 else 1", "10 if column == row - 1 else 0", "beat all before"),
    ("10.2", "probability * all", "1 / len(beliefs) * all", "not equally likely"),
    ("10.2", "equity * pot - cost", "equity * pot", "take off what it costs"),
    ("10.3", "== 1 for each", "> 0 for each", "A tie is no win"),
    ("10b.3", "chance > 0.6", "chance > 2", "loses to choosy"),
    ("10b.3", "chance > 0.6", "chance > 0.9", "not by 30 big blinds"),
    ("10b.2", "ahead.std(ddof=1)", "np.hypot(first.std(), second.std())", "players' results were independent"),
    ("10b.2", "(2 * error / gap)", "(error / gap)", "must be two"),
    ("12.2", "pot, x)) / 2 for x in shares", "pot, y)) / 2 for x, y in [shares[::-1]]", "One share serves"),
    ("11.1", "0, 0, 0, 0, 1]", "0, 0, 0, 0, 0.5]", "bucket 6"),
    ("11b.1", "first + bad + (visits - 2)", "first + (visits - 1)", "tries the bad"),
    ("11b.2", "(1 - reported) * true", "(1 - reported) * (true - lowest)", "not of the difference"),
    ("13b.2", " - clear.sum()", "", "The number of tests shrinks"),
    ("14.2", "[250, 150, 100, 0]", "[250, 0, 0, 0]", "second gets 150"),
    ("14b.1", "[-size:]", "[-1000:]", "only, the latest"),
    ("14b.2", "[after[:1], hall[:-1]]", "[hall[1:], after[:1]]", "lose its last"),
    ("14b.2", "mean_rank[: len(genomes)]", "mean_rank[-len(genomes) :]", "not the elites"),
    ("15.1", "[b, c, a]", "[c, a, b]", "the other way round"),
    ("15.3", "[(60 - 20) / 2, (-60 + 20) / 2, (20 - 20) / 2]", "[40, -40, 0]", "halve them"),
    ("07b.5", '"diversity", ', '"old opponents", ', "not with the hall"),
    ("07b.5", '"old opponents", "none"', '"diversity", "none"', "only with old opponents"),
    ("07b.5", '"open"', '"intransitivity"', "because nobody tests it"),
    ("07b.5", '"open"', '"focusing"', "also because a smaller one pays"),
    ("12.3", "[True, False, False, True, ", "[True, False, True, True, ", "bucket of the other player"),
    ("12.3", "True, False, False]", "True, True, False]", "depends on earlier buckets"),
    ("12.3", "True, False, False]", "True, False, True]", "belongs to it"),
    ("12.3", "[True, False, False, True, ", "[False, False, False, True, ", "are independent"),
    ("12.3", "[True, False, False, True, ", "[True, False, False, False, ", "use its form"),
    ("12c.1", "pl.check(", "best_s, loss_at_s, best_c, loss_at_c = 1, 36, 1 / 2, 38\npl.check(", "agent's own buckets"),
    ("12c.2", '["false", "true"', '["false", "open"', "whether there is such a game"),
    ("12c.2", '"true", "open", "open"', '"true", "true", "open"', "need not occur"),
    ("12c.2", '"open", "open", "false"', '"open", "true", "false"', "cut only once"),
    ("12c.2", '"open", "false", "true"]', '"open", "true", "true"]', "always call"),
    ("12c.2", '"open", "false", "true"]', '"open", "false", "open"]', "before and after the split"),
    ("12c.3", "pl.check(", "from_two, from_three = 36 + 2 / 3, 37\npl.check(", "each card call or fold alone"),
    ("15b.1", "(table @ draw).max()", "(table @ draw)[draw > 0].max()", "whom the draw never sends"),
]  # fmt: skip


@cache
def needed(name: str) -> dict[str, object]:
    """What the cells define that the solutions of a notebook need."""
    known: dict[str, object] = {}
    for cell in cells(name):
        if TAG in cell.metadata.get("tags", []):
            exec(compile(cell.source, name, "exec"), known)
    return known


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[str, Note]:
    """What checks say, by exercise."""
    said: dict[str, Note] = {}
    monkeypatch.setattr(pl, "check", lambda key, answer: said.update({key: check(key, answer)}))
    return said


@pytest.mark.parametrize(("name", "number"), EVERY)
def test_solution(name: str, number: int, told: dict[str, Note]) -> None:
    code = solutions(name)[number]
    assert "assert" in code
    known = needed(name)  # functions above look there for what a solution defines
    before = dict(known)
    exec(compile(code, f"{name}, solution {number + 1}", "exec"), known)
    known.clear()
    known.update(before)
    assert list(told) == [f"{name.partition('_')[0]}.{number + 1}"]
    assert all(told.values()), told


@pytest.mark.parametrize(
    "exercise", [name for name in CHECKS if name.partition(".")[0] not in ("15", "15b")]
)
def test_an_exercise_as_it_stands_is_no_answer(exercise: str, told: dict[str, Note]) -> None:
    name = next(name for name in NAMES if name.startswith(f"{exercise[:-2]}_"))
    (code,) = (c.source for c in cells(name) if f'# pl.check("{exercise}"' in c.source)
    with suppress(NameError, TypeError):  # what is computed from dots has no value, or no name
        exec(compile(code.replace("# pl.check", "pl.check"), exercise, "exec"), dict(needed(name)))
    assert not any(told.values()), told


@pytest.mark.parametrize(
    ("exercise", "right", "wrong", "hint"),
    [*((exercise, *mistake) for exercise, mistake in MISTAKES.items()), *OTHER_MISTAKES],
)
def test_mistakes_are_called_wrong_with_fitting_hints(
    exercise: str, right: str, wrong: str, hint: str, told: dict[str, Note]
) -> None:
    name = next(name for name in NAMES if name.startswith(f"{exercise[:-2]}_"))
    solution = solutions(name)[int(exercise[-1]) - 1]
    assert right in solution
    code = solution.replace(right, wrong, 1)
    without = re.sub(r"^( *)assert .*?$", r"\1pass", code, flags=re.MULTILINE)
    exec(compile(without, exercise, "exec"), dict(needed(name)))
    assert not told[exercise]
    assert hint in told[exercise].text


@pytest.mark.parametrize("name", NAMES)
def test_every_solution_in_code_is_found(name: str) -> None:
    texts = [cell.source for cell in cells(name) if cell.cell_type == "markdown"]
    folded = sum(text.partition("<summary>Solution")[2].count("```python") for text in texts)
    assert len(solutions(name)) == folded >= 2
