"""The settings that are folded away, of which a few stand open at a time; a field finds one by a word.

It is a part of the bench's column of controls, which `panel` puts together.
"""

from collections.abc import Sequence
from html import escape
from typing import Any, Protocol

import ipywidgets as widgets

from pokerlab.core import Setting
from pokerlab.workbench.live.screen import FOUND_CLASS, Fold, make_button

MOST_ROWS = 8  # that stand open in the fold at a time
ROW = {"width": "100%", "height": "28px", "margin": "1px 0"}
LABEL = {"description_width": "124px"}
WITHOUT_SIGN = {"description_width": "138px"}
"""Labels of rows that are not settings are wider by the width of the sign before a setting."""


class Rows(Protocol):
    """What the fold asks of the panel of all settings."""

    rows: dict[str, widgets.Widget]
    about: dict[str, Setting]
    aside: frozenset[str]
    departures: tuple[str, ...]

    @property
    def visible(self) -> tuple[str, ...]:
        """The settings that have an effect beside the others."""


class SettingsFold(Fold):
    """The rows of some settings behind a button, at most `MOST_ROWS` at a time.

    Where there are more, arrows go on to the next ones, and a field takes words: the rows whose label, name, unit or
    tooltip has them all stand open then. Settings that differ from the paper's come first.

    Parameters
    ----------
    panel : Panel
        The rows of all settings.
    names : sequence of str
        The settings that are folded away.
    """

    def __init__(self, panel: Rows, names: Sequence[str]) -> None:
        self.panel = panel
        self.names = tuple(names)
        self.field = widgets.Text(
            description="Find a setting", placeholder="part of its name",
            tooltip="Shows the settings whose name, unit or description has these words.",
            style=WITHOUT_SIGN, layout=ROW,
        )  # fmt: skip
        self.field.observe(lambda change: self.begin(), names="value")
        look = {"width": "32px", "margin": "0 0 0 2px", "flex": "none"}
        self.back = make_button(
            "",
            lambda: self.turn_page(-1),
            icon="chevron-left",
            tooltip="Previous settings",
            layout=look,
        )
        self.on = make_button(
            "",
            lambda: self.turn_page(1),
            icon="chevron-right",
            tooltip="Next settings",
            layout=look,
        )
        self.found = widgets.HTML(layout={"flex": "1 1 auto", "margin": "0 0 0 14px"})
        self.found.add_class(FOUND_CLASS)
        self.pages = widgets.HBox([self.found, self.back, self.on])
        self.first = 0
        self.order = self.names
        self.known: frozenset[str] = frozenset()
        self.seen: Any = None
        super().__init__(
            "",
            [self.field, self.pages, *(panel.rows[name] for name in self.names)],
            overflow="hidden",
        )
        self.begin()

    def turn(self) -> None:
        """Show the rows, from the first one, or hide them."""
        super().turn()
        if self.switch.value:
            self.begin()

    def begin(self) -> None:
        """Show the first rows that are asked for, with those that differ from the paper's before the others."""
        self.first = 0
        self.known = self.find_departures()
        self.order = tuple(sorted(self.names, key=lambda name: name not in self.known))
        self.arrange()

    def turn_page(self, step: int) -> None:
        """Show the rows after these, or before these."""
        self.first = max(self.first + step * MOST_ROWS, 0)
        self.arrange()

    def update(self, visible: tuple[str, ...]) -> None:
        """Show what there is to see after a change of settings; what departs now comes first, unless it is on show.

        `visible` are the settings that have an effect.
        """
        if (visible, self.panel.departures) == self.seen:
            return
        departures = self.find_departures()
        if departures - self.known - self.find_shown():
            self.begin()
        else:
            self.arrange()

    def find_departures(self) -> frozenset[str]:
        """Return the folded settings that differ from the paper's."""
        return frozenset(self.panel.departures).intersection(self.names)

    def find_shown(self) -> frozenset[str]:
        """Return the folded settings that stand open if the fold does."""
        return frozenset(self.names) - self.panel.aside

    def find_matches(self) -> list[str]:
        """Return the folded settings that have an effect and all words of the field, in their order."""
        visible = self.panel.visible
        return [name for name in self.order if name in visible and self.has_words(name)]

    def has_words(self, name: str) -> bool:
        """Return whether the label, name, unit or tooltip of a setting has all words of the field."""
        about = self.panel.about[name]
        text = f"{about.label} {name} {about.unit} {self.panel.rows[name].tooltip}".casefold()
        return all(word in text for word in self.field.value.casefold().split())

    def explain_nothing(self) -> str:
        """Return why no folded setting matches the search."""
        sought = self.field.value.strip()
        labels = {
            name: about.label for name, about in self.panel.about.items() if self.has_words(name)
        }
        if not labels:
            return f"No setting has '{sought}' in its name or description."
        name = min(labels, key=lambda each: sought.casefold() not in labels[each].casefold())
        if name in self.panel.visible:
            return f"'{labels[name]}' is already shown above."
        return f"'{labels[name]}' has no effect with the current settings."

    def arrange(self) -> None:
        """Put the rows out of sight that are not asked for, and say how many there are."""
        self.seen = self.panel.visible, self.panel.departures
        matches = self.find_matches()
        if self.first >= len(matches):
            self.first = 0
        shown = matches[self.first : self.first + MOST_ROWS]
        self.panel.aside = frozenset(self.names).difference(shown)
        for name in self.names:
            self.panel.rows[name].layout.display = None if name in shown else "none"
        is_long = len(matches) > MOST_ROWS
        searches = is_long or bool(self.field.value)
        self.field.layout.display = self.pages.layout.display = None if searches else "none"
        for arrow in (self.back, self.on):
            arrow.layout.display = None if is_long else "none"
        self.back.disabled = self.first == 0
        self.on.disabled = self.first + MOST_ROWS >= len(matches)
        sought = self.field.value.strip()
        words = describe_found(len(matches), self.first, len(shown), sought)
        self.found.value = (
            f'<span class="pokerlab-small">{escape(words or self.explain_nothing())}</span>'
        )


def describe_found(count: int, first: int, shown: int, sought: str) -> str:
    """Return how many settings have the words that are sought, and which of them stand open; nothing if none has.

    Examples
    --------
    >>> describe_found(37, 10, 10, "")
    '11 to 20 of 37 settings'
    >>> describe_found(1, 0, 1, "hall")
    "1 setting with 'hall'"
    """
    if not count:
        return ""
    with_words = f" with '{sought}'" if sought else ""
    number = f"{first + 1} to {first + shown} of {count}" if count > shown else f"{count}"
    return f"{number} setting{'s' * (count > 1)}{with_words}"
