"""The bench's picture of mixes: which strategies have weight, round after round."""

from collections.abc import Mapping, Sequence

from matplotlib.artist import Artist
from matplotlib.figure import SubFigure

from pokerlab.workbench.live.frame import Frame
from pokerlab.workbench.live.view import Painted, leave_margins
from pokerlab.workbench.memory.mix_image import MixImage, finding, in_short
from pokerlab.workbench.memory.mixes import mix_table, mixes_of
from pokerlab.workbench.style import dress

MOST_SIDE_BY_SIDE = 3


class MixesView:
    """Mixes as shades: strategies across in the order met, rounds down."""

    name = "mixes"
    height = 1.8
    choice = "Mixes of"
    caption = (
        "Mixes: each column is a strategy, each row a round; white is not yet met, grey is kept without"
        " weight, blue is in the mix, darker where likelier."
    )

    def choices(self, frame: Frame) -> Mapping[str, Sequence[int]]:
        """Return everybody, and the players one by one."""
        players = range(len(mixes_of(frame.state)))
        each: dict[str, Sequence[int]] = {f"player {p + 1}": [p] for p in players}
        if len(players) == 1:
            return {"the memory": [0]}
        return {"all players": list(players), **each} if len(players) <= MOST_SIDE_BY_SIDE else each

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: Sequence[int]) -> list[Artist]:
        """Make axes for each of the players `chosen`."""
        self.players = list(chosen)
        self.alone = len(mixes_of(frame.state)) == 1
        axes = figure.subplots(1, len(self.players), squeeze=False)[0]
        leave_margins(figure, self.height, left=0.66, right=0.7, top=0.3, bottom=0.42)
        self.images = []
        for each in axes:
            dress(each)
            self.images.append(MixImage(each))
        for each in axes[1:]:
            each.set_ylabel("")
        box = axes[-1].get_position()
        self.images[-1].add_scale(cax=figure.add_axes((box.x1 + 0.012, box.y0, 0.012, box.height)))
        self.titles = [each.set_title(" ", loc="left", y=1.0) for each in axes]
        return [*(artist for image in self.images for artist in image.artists), *self.titles]

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Show the mixes up to the present round."""
        painted, moved = {}, False
        for player, image, title in zip(self.players, self.images, self.titles, strict=True):
            table = mix_table(frame.kept, player)
            moved |= image.paint(table, first=frame.kept[0][0])
            name = "the memory" if self.alone else f"player {player + 1}"
            crowded = len(self.players) > 2
            said = f": {in_short(table)}" if crowded else f" {finding(table)}"
            title.set_text(name.capitalize() + said)
            painted[name] = table
        return painted, moved
