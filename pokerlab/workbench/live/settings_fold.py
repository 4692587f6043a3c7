"""The settings that are folded away, of which a few are open at a time. A field finds settings by words.

It is a part of the bench's column of controls, which `panel` puts together.
"""

from collections.abc import Sequence
from html import escape
from typing import Any, Protocol

import ipywidgets as widgets

from pokerlab.core.settings import Setting
from pokerlab.workbench.live.screen import FOUND_CLASS, Fold, make_button

MOST_ROWS = 8  # the number of rows that are open in the fold at a time
ROW = {"width": "100%", "height": "28px", "margin": "1px 0"}
ROW_LABEL = {"description_width": "124px"}
SIGNLESS_LABEL = {"description_width": "138px"}
"""Labels of rows that are not settings are wider by the width of the sign before a setting."""


class Rows(Protocol):
    """The attributes of the panel of all settings that the fold uses."""

    rows: dict[str, widgets.Widget]
    settings: dict[str, Setting]
    hidden_names: frozenset[str]
    departures: tuple[str, ...]

    @property
    def visible_names(self) -> tuple[str, ...]:
        """The names of the settings that have an effect beside the values of the others."""


class SettingsFold(Fold):
    """The rows of some settings behind a button, at most `MOST_ROWS` at a time.

    If there are more, arrows lead to the next ones, and a field takes words: then the rows whose label, name, unit or
    tooltip contains all words are open. Settings that differ from the paper's come first.

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
        self.search_field = widgets.Text(
            description="Find a setting", placeholder="part of its name",
            tooltip="Shows the settings whose name, unit or description has these words.",
            style=SIGNLESS_LABEL, layout=ROW,
        )  # fmt: skip
        self.search_field.observe(lambda change: self.show_first_rows(), names="value")
        arrow_layout = {"width": "32px", "margin": "0 0 0 2px", "flex": "none"}
        self.back_button = make_button(
            "",
            lambda: self.turn_page(-1),
            icon="chevron-left",
            tooltip="Previous settings",
            layout=arrow_layout,
        )
        self.forward_button = make_button(
            "",
            lambda: self.turn_page(1),
            icon="chevron-right",
            tooltip="Next settings",
            layout=arrow_layout,
        )
        self.match_words = widgets.HTML(layout={"flex": "1 1 auto", "margin": "0 0 0 14px"})
        self.match_words.add_class(FOUND_CLASS)
        self.page_row = widgets.HBox([self.match_words, self.back_button, self.forward_button])
        self.first_index = 0
        self.ordered_names = self.names
        self.known_departures: frozenset[str] = frozenset()
        self.last_arrangement: Any = None
        super().__init__(
            "",
            [self.search_field, self.page_row, *(panel.rows[name] for name in self.names)],
            overflow="hidden",
        )
        self.show_first_rows()

    def show_or_hide_rows(self) -> None:
        """Show the rows, from the first one on, or hide them."""
        super().show_or_hide_rows()
        if self.switch.value:
            self.show_first_rows()

    def show_first_rows(self) -> None:
        """Show the first rows that match, with those that differ from the paper's before the others."""
        self.first_index = 0
        self.known_departures = self.find_departures()
        self.ordered_names = tuple(
            sorted(self.names, key=lambda name: name not in self.known_departures)
        )
        self.arrange_rows()

    def turn_page(self, step: int) -> None:
        """Show the next rows if `step` is 1, or the previous ones if it is -1."""
        self.first_index = max(self.first_index + step * MOST_ROWS, 0)
        self.arrange_rows()

    def update_rows(self, visible_names: tuple[str, ...]) -> None:
        """Arrange the rows after a change of settings, from the first one on if a hidden setting differs now.

        Parameters
        ----------
        visible_names : tuple of str
            The settings that have an effect.
        """
        if (visible_names, self.panel.departures) == self.last_arrangement:
            return
        departures = self.find_departures()
        if departures - self.known_departures - self.find_open_names():
            self.show_first_rows()
        else:
            self.arrange_rows()

    def find_departures(self) -> frozenset[str]:
        """Return the names of the folded settings that differ from the paper's."""
        return frozenset(self.panel.departures).intersection(self.names)

    def find_open_names(self) -> frozenset[str]:
        """Return the names of the folded settings whose rows are open if the fold is."""
        return frozenset(self.names) - self.panel.hidden_names

    def find_matches(self) -> list[str]:
        """Return the names of the folded settings that have an effect and match the search, in their order."""
        visible_names = self.panel.visible_names
        return [
            name
            for name in self.ordered_names
            if name in visible_names and self.has_search_words(name)
        ]

    def has_search_words(self, name: str) -> bool:
        """Return whether the label, name, unit and tooltip of a setting together contain all words of the field."""
        setting = self.panel.settings[name]
        text = f"{setting.label} {name} {setting.unit} {self.panel.rows[name].tooltip}".casefold()
        return all(word in text for word in self.search_field.value.casefold().split())

    def explain_no_match(self) -> str:
        """Return a sentence on why no folded setting matches the search."""
        search_text = self.search_field.value.strip()
        labels = {
            name: setting.label
            for name, setting in self.panel.settings.items()
            if self.has_search_words(name)
        }
        if not labels:
            return f"No setting has '{search_text}' in its name or description."
        name = min(labels, key=lambda name: search_text.casefold() not in labels[name].casefold())
        if name in self.panel.visible_names:
            return f"'{labels[name]}' is already shown above."
        return f"'{labels[name]}' has no effect with the current settings."

    def arrange_rows(self) -> None:
        """Show the rows of the present page, hide all others, and write how many settings match."""
        self.last_arrangement = self.panel.visible_names, self.panel.departures
        matches = self.find_matches()
        if self.first_index >= len(matches):
            self.first_index = 0
        open_names = matches[self.first_index : self.first_index + MOST_ROWS]
        self.panel.hidden_names = frozenset(self.names).difference(open_names)
        for name in self.names:
            self.panel.rows[name].layout.display = None if name in open_names else "none"
        is_long = len(matches) > MOST_ROWS
        has_search_field = is_long or bool(self.search_field.value)
        self.search_field.layout.display = self.page_row.layout.display = (
            None if has_search_field else "none"
        )
        for arrow in (self.back_button, self.forward_button):
            arrow.layout.display = None if is_long else "none"
        self.back_button.disabled = self.first_index == 0
        self.forward_button.disabled = self.first_index + MOST_ROWS >= len(matches)
        search_text = self.search_field.value.strip()
        words = describe_matches(len(matches), self.first_index, len(open_names), search_text)
        self.match_words.value = (
            f'<span class="pokerlab-small">{escape(words or self.explain_no_match())}</span>'
        )


def describe_matches(num_matches: int, first_index: int, num_open: int, search_text: str) -> str:
    """Return how many settings match a search and which of them are open, in words; empty if none matches.

    Parameters
    ----------
    num_matches : int
        The number of settings that match.
    first_index : int
        The index among them of the first one that is open.
    num_open : int
        The number of settings that are open.
    search_text : str
        The words of the search; empty if there is none.

    Examples
    --------
    >>> describe_matches(37, 10, 10, "")
    '11 to 20 of 37 settings'
    >>> describe_matches(1, 0, 1, "hall")
    "1 setting with 'hall'"
    """
    if not num_matches:
        return ""
    with_words = f" with '{search_text}'" if search_text else ""
    number = f"{num_matches}"
    if num_matches > num_open:
        number = f"{first_index + 1} to {first_index + num_open} of {num_matches}"
    return f"{number} setting{'s' * (num_matches > 1)}{with_words}"
