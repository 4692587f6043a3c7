"""*Disturb*: the controls for what a reader can do to a running population, such as mix in mutants.

An offer (`live.view.Offer`) has choices, from whose values it makes a change: a function from a state to a state
(`pokerlab.solvers.disturbances`), and words for it. Each bench declares the offers of its solver.
"""

from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as widgets

from pokerlab.workbench.live.screen import Fold, close_widget, make_button
from pokerlab.workbench.live.view import Offer

ROW = {"width": "98%"}
LABEL = {"description_width": "110px"}
NOW = "Apply now"
EXPLAINED = (
    "Change the run from outside and watch what follows. A dashed line marks the change. From then on, published"
    " numbers are hidden."
)


class DisturbFold(Fold):
    """The controls for disturbances, folded: a menu of offers, the choices of one, and a button.

    `on_change` gets the change and its words. Rows are made when the fold is opened first, since some games have a
    thousand situations. The fold is hidden where nothing is offered.
    """

    def __init__(self, on_change: Callable[[Callable[[Any], Any], str], None]) -> None:
        self.on_change = on_change
        self.offers: dict[str, Offer] = {}
        self.menus: dict[str, Any] = {}
        self.is_filling = False
        self.kind = widgets.Dropdown(description="Change", style=LABEL, layout=ROW)
        self.kind.observe(lambda change: self.fill(), names="value")
        self.menu_box = widgets.VBox()
        self.now = make_button(NOW, self.press, icon="bolt", layout={"width": "60%"})
        words = widgets.HTML(f'<div style="font-size: 11px; line-height: 1.35;">{EXPLAINED}</div>')
        super().__init__("Disturb", [words, self.kind, self.menu_box, self.now])

    def offer(self, offers: Sequence[Offer]) -> None:
        """Show what a run offers; hide the fold if that is nothing."""
        self.offers = {offer.name: offer for offer in offers}
        self.layout.display = None if offers else "none"
        self.fill()

    def turn(self) -> None:
        """Show the rows, or hide them."""
        super().turn()
        if self.switch.value:
            self.fill()

    def fill(self) -> None:
        """Show the menus of the chosen offer; keep choices that are still offered."""
        if self.is_filling or not self.switch.value or not self.offers:
            return
        self.is_filling = True
        try:
            self.fill_menus()
        finally:
            self.is_filling = False

    def fill_menus(self) -> None:
        """Set all menus; those that follow from others do not answer meanwhile."""
        if tuple(self.kind.options) != tuple(self.offers):
            self.kind.options = tuple(self.offers)
            self.kind.index = 0
        offer = self.offers[self.kind.value]
        values: dict[str, Any] = {}
        before = self.menus
        self.menus = {}
        for choice in offer.choices:
            options = choice.list_options(values)
            menu = before.pop(choice.name, None)
            if menu is None:
                menu = widgets.Dropdown(style=LABEL, layout=ROW)
                menu.observe(lambda change: self.fill(), names="value")
            usual = choice.usual if choice.usual in options else next(iter(options))
            chosen = menu.label if menu.label in options else usual
            menu.description = choice.label
            if tuple(label for label, _ in menu.options) != tuple(options):
                menu.options = tuple(options.items())
            menu.label = chosen
            menu.layout.display = None if len(options) > 1 else "none"
            self.menus[choice.name] = menu
            values[choice.name] = options[chosen]
        self.menu_box.children = tuple(self.menus.values())
        for gone in before.values():
            close_widget(gone)

    def press(self) -> None:
        """Make the selected change."""
        offer = self.offers[self.kind.value]
        self.on_change(*offer.make_change({name: menu.value for name, menu in self.menus.items()}))
