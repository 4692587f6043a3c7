"""Every lesson keeps the form of the series, and every audit its six sections."""

import re
from collections.abc import Callable
from functools import reduce
from pathlib import Path

import nbformat
import pytest

import pokerlab as pl

MOST_LINES_OF_AN_ALGORITHM = 15
EXERCISES = range(2, 6)  # how many a lesson has

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
LESSONS = sorted(NOTEBOOKS.glob("[0-9]*.ipynb"))
AUDITS = sorted((NOTEBOOKS / "audits").glob("*.ipynb"))

NAVIGATION = ("Home: ", "Next: ")
OBJECTIVE = re.compile(r"^\d\. .*\((\d+) minutes\)[;.]$", re.MULTILINE)
PREDICTION = re.compile(r"\*(?:Predict|Guess|Before you)")
EXERCISE = re.compile(r"^\*\*Exercise (\d)\.", re.MULTILINE)
SOLUTION = "<details><summary>Solution</summary>"
BOX = re.compile(
    r"^> \*\*(Definition|Theorem|Corollary|Proposition|Principle) (\d\d?[b-z]?)\.(\d+)",
    re.MULTILINE,
)
REFERENCE = re.compile(
    r"\b(Definition|Theorem|Corollary|Proposition|Principle)s? (\d\d?[b-z]?\.\d+)"
    r"(?:(?:,|,? and|,? or) (\d\d?[b-z]?\.\d+))?",
    re.IGNORECASE,
)
NEAR = 2000  # letters from the beginning of a box within which its proof begins, or its source is named
PROVED = re.compile(r"[Pp]roof|The reason|references\.md#")
TERM = re.compile(r'^<a id="([\w-]+)"></a>\*\*(.+?)\*\* \(\[(\d\d[b-z]?)\]\((.+?)\)\): .+$')
WORDLESS = re.compile(r"\s*(?:\$[^$]+\$)?\s*")
MINUTES = re.compile(r"^\|.*?(\d\d[b-z]?) .*\| (\d+) \|$", re.MULTILINE)

Notebook = nbformat.NotebookNode


def read(path: Path) -> Notebook:
    return nbformat.read(path, as_version=4)


def markdown(notebook: Notebook) -> str:
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def tags(cell: Notebook) -> set[str]:
    return set(cell.metadata.get("tags", []))


def is_folded(cell: Notebook) -> bool:
    return bool(cell.metadata.get("jupyter", {}).get("source_hidden"))


def is_asserting(cell: Notebook) -> bool:
    return re.search(r"^ *assert ", cell.source, re.MULTILINE) is not None


def faults_of_code(code: list[Notebook]) -> list[str]:
    """What is wrong with the code cells of a lesson."""
    shown = [place for place, cell in enumerate(code) if "algorithm" in tags(cell)]
    asserting = [cell.source for cell in code if is_asserting(cell) and not is_folded(cell)]
    checks = {
        "no algorithm is on the page": shown,
        "an algorithm is folded": not any(is_folded(code[place]) for place in shown),
        "an algorithm is long": all(
            len(code[place].source.splitlines()) <= MOST_LINES_OF_AN_ALGORITHM for place in shown
        ),
        "no check follows an algorithm": all(
            "check" in tags(cell) and is_asserting(cell)
            for cell in (code[place + 1] for place in shown)
        ),
        f"asserts are in sight: {asserting}": not asserting,
    }
    for cell in code:
        if "exercise" in tags(cell):
            checks[f"nothing is left open: {cell.source}"] = "..." in cell.source
    return [fault for fault, fine in checks.items() if not fine]


def navigation(name: str) -> list[str]:
    """What the lines at both ends of a lesson lead to: home, back and next."""
    names = [path.name for path in LESSONS]
    place = names.index(name)
    home = [f"Home: [00]({names[0]})"] if place else []
    back = [f"]({names[place - 1]})"] if place else []
    return [*home, *back, *(f"]({each})" for each in names[place + 1 : place + 2])]


def faults_of_boxes(name: str, text: str) -> list[str]:
    """What is wrong with the numbered definitions and theorems of a lesson."""
    boxes = [
        (each[1], each[2], int(each[3]), text[each.start() : each.start() + NEAR])
        for each in BOX.finditer(text)
    ]
    numbers = [number for _, _, number, _ in boxes]
    found = [] if numbers == list(range(1, len(numbers) + 1)) else [f"numbers are {numbers}"]
    for kind, lesson, number, words in boxes:
        if lesson != name.partition("_")[0].removeprefix("0"):
            found.append(f"{lesson}.{number} has another lesson's number")
        if kind != "Definition" and not PROVED.search(words):
            found.append(f"{lesson}.{number} has neither a proof nor a source")
    return found


def faults(name: str, notebook: Notebook) -> list[str]:
    """What a lesson lacks or has where it should not be."""
    cells, text = notebook.cells, markdown(notebook)
    code = [cell for cell in cells if cell.cell_type == "code"]
    ends = [
        line
        for cell in (cells[0], cells[-1])
        for line in cell.source.splitlines()
        if line.startswith(NAVIGATION) and all(link in line for link in navigation(name))
    ]
    exercises = [
        (number, *cells[place + 1 : place + 3])
        for place, cell in enumerate(cells)
        for number in EXERCISE.findall(cell.source)
    ]
    numbers = [int(number) for number, *_ in exercises]
    checks = {
        "imports are not folded": is_folded(code[0]),
        "navigation is not at both ends": len(ends) == 2,
        "there are not three objectives with minutes": len(OBJECTIVE.findall(cells[0].source)) == 3,
        "there is nothing to predict": PREDICTION.search(text),
        f"exercises are {numbers}": sorted(numbers) == list(range(1, len(numbers) + 1))
        and len(numbers) in EXERCISES,
        **{f"box {fault}": False for fault in faults_of_boxes(name, text)},
        "it does not say what one has seen": "\n## What you have seen\n" in f"\n{text}",
    }
    for number, answer, solution in exercises:
        asked = answer.cell_type == "code" and answer.source.startswith("# Your answer")
        alone = solution.source.rstrip().endswith("</details>")
        checks[f"exercise {number} has no scaffold"] = asked and "exercise" in tags(answer)
        checks[f"exercise {number} has no solution"] = solution.source.startswith(SOLUTION)
        checks[f"text follows the solution of exercise {number}"] = alone
    return faults_of_code(code) + [fault for fault, fine in checks.items() if not fine]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_keeps_the_form_of_the_series(path: Path) -> None:
    assert faults(path.name, read(path)) == []


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_minutes_of_the_objectives_are_those_of_the_list_of_lessons(path: Path) -> None:
    listed = dict(MINUTES.findall(markdown(read(LESSONS[0]))))
    minutes = [int(each) for each in OBJECTIVE.findall(read(path).cells[0].source)]
    assert sum(minutes) == int(listed[path.name.partition("_")[0]])


def replaced(old: str, new: str) -> Callable[[Notebook], None]:
    """A change of one text wherever it stands in a notebook."""

    def change(notebook: Notebook) -> None:
        assert any(old in cell.source for cell in notebook.cells)
        for cell in notebook.cells:
            cell.source = cell.source.replace(old, new)

    return change


def unfolded(notebook: Notebook) -> None:
    for cell in notebook.cells:
        cell.metadata.pop("jupyter", None)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (unfolded, "imports are not folded"),
        (replaced("Home: [00]", "Home [00]"), "navigation"),
        (replaced("04c_solving_a_game_tree", "solving_a_game_tree"), "navigation"),
        (replaced(" minutes);", ");"), "three objectives"),
        (replaced("*Predict", "Predict"), "nothing to predict"),
        (replaced("**Exercise 2.", "**Exercise two."), "exercises are [1, 3]"),
        (replaced("**Exercise", "Exercise"), "exercises are []"),
        (
            replaced("# Your answer: replace each", "total = 2  # each"),
            "exercise 1 has no scaffold",
        ),
        (replaced("<summary>Solution", "<summary>Hint"), "exercise 3 has no solution"),
        (replaced("## What you have seen", "## The end"), "what one has seen"),
        (replaced("</details>", "</details>\n\nMore."), "text follows the solution"),
        (replaced("def breed(", "assert True\n\n\ndef breed("), "asserts are in sight"),
        (replaced("def breed(", "# line\n" * 15 + "def breed("), "an algorithm is long"),
        (replaced("...", "0"), "nothing is left open"),
    ],
)
def test_a_lesson_without_the_form_is_found(change: Callable[[Notebook], None], found: str) -> None:
    name = "05_replicator_in_trees.ipynb"
    notebook = read(NOTEBOOKS / name)
    change(notebook)
    assert found in "; ".join(faults(name, notebook))


def name_boxes(text: str) -> set[str]:
    """Return the names of all numbered boxes in a text, for example "Theorem 6.3"."""
    return {f"{kind} {lesson}.{number}" for kind, lesson, number in BOX.findall(text)}


def find_references_without_box(text: str, boxes: set[str]) -> list[str]:
    """Return the references of a text to numbered definitions and theorems that are not among `boxes`."""
    named = [
        f"{kind.capitalize()} {number}"
        for kind, *numbers in REFERENCE.findall(text)
        for number in numbers
        if number
    ]
    return [each for each in named if each not in boxes]


def test_each_numbered_reference_has_its_box() -> None:
    boxes = set().union(*(name_boxes(markdown(read(path))) for path in LESSONS))
    texts = {
        path.name: "\n\n".join(cell.source for cell in read(path).cells)
        for path in (*LESSONS, *AUDITS)
    }
    texts |= {path.name: path.read_text(encoding="utf-8") for path in NOTEBOOKS.glob("*.md")}
    wrong = {name: find_references_without_box(text, boxes) for name, text in texts.items()}
    assert {name: found for name, found in wrong.items() if found} == {}


def test_numbered_reference_without_box_is_found() -> None:
    boxes = name_boxes(
        "> **Theorem 6.3 (regret).** It is small.\n\n> **Definition 13b.3.** A word."
    )
    assert boxes == {"Theorem 6.3", "Definition 13b.3"}
    assert find_references_without_box("By Theorem 6.3 and definition 13b.3", boxes) == []
    assert find_references_without_box("Theorems 6.3 and 6.4", boxes) == ["Theorem 6.4"]
    assert find_references_without_box("Holm (Proposition 13b.3)", boxes) == ["Proposition 13b.3"]


def find_wordless_heads(text: str) -> list[str]:
    """Return the first lines of Markdown tables with a column whose head is empty or a formula alone.

    Tools that check accessibility call such heads empty.
    """
    heads = re.findall(r"^\|(.*)\|\n\|[-|: ]+\|$", text, re.MULTILINE)
    return [line for line in heads if any(WORDLESS.fullmatch(each) for each in line.split("|"))]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_each_column_of_a_lesson_has_a_head_in_words(path: Path) -> None:
    notebook = read(path)
    outputs = [out for cell in notebook.cells for out in cell.get("outputs", [])]
    shown = [out["data"].get("text/markdown", "") for out in outputs if "data" in out]
    assert find_wordless_heads("\n\n".join([markdown(notebook), *shown])) == []


@pytest.mark.parametrize("path", [*LESSONS, *AUDITS], ids=lambda path: path.stem)
def test_titles_of_folds_have_no_marks_of_markdown(path: Path) -> None:
    """Within HTML they would be shown as they are written."""
    titles = re.findall(r"<summary>(.*?)</summary>", markdown(read(path)))
    assert [title for title in titles if "`" in title or "*" in title] == []


def test_head_without_words_is_found() -> None:
    assert find_wordless_heads("| | left |\n|---|---|\n| up | 3 |") == [" | left "]
    assert find_wordless_heads("| up | $v$ |\n|---|---|\n| 1 | 3 |") == [" up | $v$ "]
    assert find_wordless_heads("| payoff | left $v$ |\n|---|---|\n| | 3 |") == []


@pytest.mark.parametrize("path", AUDITS, ids=lambda path: path.stem)
def test_an_audit_says_what_is_wrong_in_the_text_and_what_it_leaves_open(path: Path) -> None:
    titles = re.findall(r"^## (.*)$", markdown(read(path)), re.MULTILINE)
    assert 5 <= len(titles) <= 9
    assert sum("slips" in title.lower() for title in titles) == 1
    assert sum("could not know" in title or "leaves open" in title for title in titles) == 1


def test_the_page_for_newcomers_names_what_there_is(root: Path) -> None:
    text = (root / "notebooks/coming_from.md").read_text(encoding="utf-8")
    without_old_names = re.sub(r"^\| `pl\..*?\|", "|", text, flags=re.MULTILINE)
    names = set(re.findall(r"\bpl((?:\.\w+)+)", without_old_names))
    assert len(names) > 20
    for name in names:
        assert reduce(getattr, name.split(".")[1:], pl), name


def read_glossary() -> dict[str, tuple[str, str]]:
    """Return the term of each entry of the glossary and the number of its lesson, by anchor."""
    text = (NOTEBOOKS / "glossary.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("<a id=")]
    matches = [TERM.match(line) for line in lines]
    assert [line for line, match in zip(lines, matches, strict=True) if not match] == []
    return {match[1]: (match[2], match[3]) for match in matches if match}


def sort_key(term: str) -> str:
    """Return what the glossary is sorted by: the letters of a term."""
    return re.sub(r"[^a-z0-9 ]", "", term.replace("ε", "epsilon").lower())


def test_glossary_is_alphabetical() -> None:
    terms = [term for term, _ in read_glossary().values()]
    assert terms == sorted(terms, key=sort_key)


def test_glossary_names_the_lesson_that_first_links_each_term() -> None:
    first: dict[str, str] = {}
    for path in LESSONS:
        for anchor in re.findall(r"glossary\.md#([\w-]+)", markdown(read(path))):
            first.setdefault(anchor, path.name.partition("_")[0])
    named = {anchor: lesson for anchor, (_, lesson) in read_glossary().items()}
    assert {
        a: (named.get(a), lesson) for a, lesson in first.items() if named.get(a) != lesson
    } == {}


def test_every_reference_is_cited() -> None:
    anchors = re.findall(
        r'<a id="([\w-]+)"></a>', (NOTEBOOKS / "references.md").read_text(encoding="utf-8")
    )
    pages = [*NOTEBOOKS.rglob("*.ipynb"), NOTEBOOKS / "glossary.md"]
    cited = {
        anchor
        for path in pages
        for anchor in re.findall(r"references\.md#([\w-]+)", path.read_text(encoding="utf-8"))
    }
    assert len(anchors) == len(set(anchors))
    assert sorted(set(anchors) - cited) == []
