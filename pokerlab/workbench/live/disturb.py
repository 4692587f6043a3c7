"""*Disturb*: the controls by which a reader changes a running population, such as by mixing in mutants.

An offer (`live.view.Offer`) has choices. From their values it makes a change: a function from a state to a state
(`pokerlab.solvers.disturbances`), and words for it. Each bench declares the offers of its solver.
"""

from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as widgets

from pokerlab.workbench.live.screen import Fold, close_widget, make_button
from pokerlab.workbench.live.view import Offer

ROW = {"width": "98%"}
MENU_LABEL = {"description_width": "110px"}
APPLY_LABEL = "Apply now"
EXPLANATION = (
    "Change the run from outside and watch what follows. A dashed line marks the change. From then on, published"
    " numbers are hidden."
)


class DisturbFold(Fold):
    """The controls for disturbances, folded: a menu of offers, a menu for each choice of an offer, and a button.

    The menus are made when the fold is first opened, because some games have a thousand situations. The fold is hidden
    if there are no offers.

    Parameters
    ----------
    on_change : callable
        It is called with the change that the reader applies, and with its words.
    """

    def __init__(self, on_change: Callable[[Callable[[Any], Any], str], None]) -> None:
        self.on_change = on_change
        self.offers: dict[str, Offer] = {}
        self.choice_menus: dict[str, Any] = {}
        self.is_filling = False
        self.offer_menu = widgets.Dropdown(description="Change", style=MENU_LABEL, layout=ROW)
        self.offer_menu.observe(lambda change: self.update_menus(), names="value")
        self.menu_box = widgets.VBox()
        self.apply_button = make_button(
            APPLY_LABEL, self.apply_selected_change, icon="bolt", layout={"width": "60%"}
        )
        explanation = widgets.HTML(
            f'<div style="font-size: 11px; line-height: 1.35;">{EXPLANATION}</div>'
        )
        super().__init__(
            "Disturb", [explanation, self.offer_menu, self.menu_box, self.apply_button]
        )

    def show_offers(self, offers: Sequence[Offer]) -> None:
        """Show the offers of a run, or hide the fold if there are none."""
        self.offers = {offer.name: offer for offer in offers}
        self.layout.display = None if offers else "none"
        self.update_menus()

    def show_or_hide_rows(self) -> None:
        """Show the rows if the fold is open, and hide them otherwise."""
        super().show_or_hide_rows()
        if self.switch.value:
            self.update_menus()

    def update_menus(self) -> None:
        """Show the menus of the chosen offer, in which the present choices stay as far as they are still offered."""
        if self.is_filling or not self.switch.value or not self.offers:
            return
        self.is_filling = True
        try:
            self.fill_menus()
        finally:
            self.is_filling = False

    def fill_menus(self) -> None:
        """Set the options of all menus. A menu that changes meanwhile causes no further update."""
        if tuple(self.offer_menu.options) != tuple(self.offers):
            self.offer_menu.options = tuple(self.offers)
            self.offer_menu.index = 0
        offer = self.offers[self.offer_menu.value]
        values: dict[str, Any] = {}
        old_menus = self.choice_menus
        self.choice_menus = {}
        for choice in offer.choices:
            options = choice.list_options(values)
            menu = old_menus.pop(choice.name, None)
            if menu is None:
                menu = widgets.Dropdown(style=MENU_LABEL, layout=ROW)
                menu.observe(lambda change: self.update_menus(), names="value")
            default_label = choice.default_label
            if default_label not in options:
                default_label = next(iter(options))
            chosen_label = menu.label if menu.label in options else default_label
            menu.description = choice.label
            if tuple(label for label, _ in menu.options) != tuple(options):
                menu.options = tuple(options.items())
            menu.label = chosen_label
            menu.layout.display = None if len(options) > 1 else "none"
            self.choice_menus[choice.name] = menu
            values[choice.name] = options[chosen_label]
        self.menu_box.children = tuple(self.choice_menus.values())
        for unused_menu in old_menus.values():
            close_widget(unused_menu)

    def apply_selected_change(self) -> None:
        """Call `on_change` with the change that is selected, and with its words."""
        offer = self.offers[self.offer_menu.value]
        self.on_change(
            *offer.make_change({name: menu.value for name, menu in self.choice_menus.items()})
        )
