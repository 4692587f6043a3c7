"""How audits decide: verdicts on numbers and claims, of which none is forgotten, and the first screen."""

import pytest

from pokerlab.core import PokerlabError, UnknownNameError
from pokerlab.papers import read_published_numbers
from pokerlab.papers.experiment import SETTING
from studies.audit import (
    ANSWERED,
    CONDITION,
    FIRST_SCREEN,
    MET,
    NOT_MET,
    READING,
    UNDECIDED,
    Audit,
    judged,
    weakest,
)


def test_an_audit_forgets_no_number() -> None:
    audit = Audit("oliehoek-2006")
    settings = [key for key, row in audit.printed.items() if row.kind == SETTING]
    first, *others = (key for key in audit.printed if key not in settings)
    audit.number(first, "0", MET)
    for key in settings:
        audit.setting(key, audit.printed[key].value)
    with pytest.raises(PokerlabError, match=f"no verdict on .*{others[-1]}"):
        audit.numbers()
    with pytest.raises(PokerlabError, match=f"{first} has a verdict already: met"):
        audit.number(first, "1", NOT_MET)
    for key in others:
        audit.number(key, "1", NOT_MET, "ours differs")
    assert [one.printed.key for one in audit.numbers()] == [first, *others]
    assert [one.verdict for one in audit.numbers()] == [MET] + [NOT_MET] * len(others)


def test_settings_are_no_results() -> None:
    audit = Audit("oliehoek-2006")
    assert audit.setting("8-card-cards", 8).verdict == "as printed"
    assert audit.setting("8-card-coins", 3).verdict == "ours differs"
    with pytest.raises(UnknownNameError, match="no printed result '8-card-ante'"):
        audit.number("8-card-ante", "1", MET)
    with pytest.raises(UnknownNameError, match="no printed setting '8-card-pool'"):
        audit.setting("8-card-pool", 12)
    assert [row[0] for row in audit.settings_table()[1]] == ["8-card-cards", "8-card-coins"]


def test_what_stands_on_substitutes_is_never_not_met() -> None:
    audit = Audit("oliehoek-2006")
    with pytest.raises(PokerlabError, match="not met on our groups, which the paper did not have"):
        audit.claim("It wins.", "results", NOT_MET, "It loses.", substitutes="our groups")
    with pytest.raises(PokerlabError, match="not met on our deck"):
        audit.number("6-card-worst-case", "-0.5", NOT_MET, substitutes="our deck")
    line = audit.claim("It wins.", "results", UNDECIDED, "+5 ± 9.", substitutes="our groups")
    assert line.endswith("**cannot be decided**. On our groups: +5 ± 9.")


def test_a_claim_on_several_groups_is_as_strong_as_its_weakest_part() -> None:
    assert weakest(MET, UNDECIDED) == UNDECIDED
    assert weakest(MET, CONDITION, READING) == READING
    assert weakest(NOT_MET, UNDECIDED, MET) == NOT_MET
    assert weakest(MET, MET) == MET


def test_a_result_is_judged_by_the_runs_of_every_reading() -> None:
    printed = read_published_numbers("oliehoek-2006")[3]
    assert printed.value == -0.027
    runs = {"ours": [-0.5, -0.1], "ties evenly": [-0.2, -0.0268, 0.1]}
    assert judged(printed, 0.0005, runs) == (
        READING,
        "ties evenly: 1 of 3 runs give it, from -0.2 to 0.1",
    )
    assert judged(printed, 0.0005, {"ours": [-0.04, -0.01]})[0] == MET
    assert judged(printed, 0.0005, {"ours": [-0.5], "other": [0.1]}) == (
        NOT_MET,
        "outside all of 2 readings",
    )


def test_the_first_screen_says_briefly_why_and_leads_to_the_evidence() -> None:
    audit = Audit("oliehoek-2006")
    audit.claim("It wins.", "section 5", MET, "It loses.")
    audit.under("What wins (section 5)")
    long = "In 7.5 of 9 runs it does. The others |lose|. " + "More about it. " * 20
    audit.claim("Always.", "ours", UNDECIDED, long, substitutes="our deck")
    heads, (first, second) = audit.first_screen()
    assert heads == ["claim", "verdict", "why", "link"]
    assert first == ["It wins. (section 5)", "**met**", "It loses.", ""]
    assert second[2].startswith(r"On our deck: In 7.5 of 9 runs it does. The others \|lose\|. More")
    assert 100 < len(str(second[2])) <= FIRST_SCREEN
    assert second[3] == "[What wins (section 5)](<#What-wins-(section-5)>)"


def test_verdicts_are_words_that_an_audit_knows() -> None:
    audit = Audit("oliehoek-2006")
    line = audit.claim("The sums go to zero.", "section 5", UNDECIDED, "Not run.")
    assert "(section 5): **cannot be decided**. Not run." in line
    assert audit.claims[0].evidence == "Not run."
    audit.claim("Do averages converge?", "section 5", ANSWERED, "Here they do.")
    with pytest.raises(UnknownNameError, match="answered"):
        audit.number("8-card-pool", "1", ANSWERED)
    with pytest.raises(UnknownNameError, match="nearly met"):
        audit.claim("The sums go to zero.", "section 5", "nearly met", "")
    with pytest.raises(UnknownNameError, match="no-such-key"):
        audit.number("no-such-key", "1", MET)
