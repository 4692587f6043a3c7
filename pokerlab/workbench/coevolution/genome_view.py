"""The bench's picture of the best genome: its values against evaluations, as lines or as shades."""

from collections.abc import Mapping
from typing import Any

from matplotlib.artist import Artist
from matplotlib.figure import SubFigure

from pokerlab.workbench.coevolution.evolved import evaluations_of, genomes_of
from pokerlab.workbench.coevolution.genome_picture import (
    MOST_LINES,
    GenomeImage,
    GenomeLines,
    genome_picture,
)
from pokerlab.workbench.live.frame import Frame
from pokerlab.workbench.live.view import Painted, leave_margins
from pokerlab.workbench.style import dress

MANY = 120
"""More lines than these are a thicket, and take longer to draw than there is between two pictures."""


class GenomeView:
    """Values of the best genome's genes, a line or a row of shades each."""

    name = "genome"
    height = 1.85
    choice = "Genome as"
    caption = "The genome: a line or a row for each gene of the best, which jumps where a better one is found."

    def choices(self, frame: Frame) -> Mapping[str, str]:
        """Return lines and shades, first what can be read."""
        count = frame.state.encoding.num_genes
        if count > MANY:
            return {"shades": "shades"}
        few = count <= MOST_LINES
        return {name: name for name in (("lines", "shades") if few else ("shades", "lines"))}

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: str) -> list[Artist]:
        """Make the axes; an image has its scale beside it."""
        axes = figure.subplots()
        shades = chosen == "shades"
        leave_margins(
            figure, self.height, left=0.8, right=0.9 if shades else 0.22, top=0.3, bottom=0.46
        )
        dress(axes)
        labels = frame.state.encoding.gene_labels
        self.picture: GenomeLines | GenomeImage = genome_picture(axes, labels, chosen)
        axes.set_xlabel("fitness evaluations")
        if isinstance(self.picture, GenomeImage):
            box = axes.get_position()
            self.picture.add_scale(cax=figure.add_axes((box.x1 + 0.012, box.y0, 0.012, box.height)))
        self.title = axes.set_title(" ", loc="left", y=1.0)
        return [*self.picture.artists, self.title]

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Show the genomes up to the present generation."""
        genomes = genomes_of(frame.kept)
        moved = self.picture.paint(evaluations_of(frame.kept), genomes)
        steps = " and ".join(dict.fromkeys(f"{size:.2g}" for size in step_sizes(frame.state)))
        self.title.set_text(f"The {genomes.shape[1]} genes of the best; step size {steps}")
        return {"best": genomes}, moved


def step_sizes(state: Any) -> list[float]:
    """Return the step size of a coevolution, or of each of its evolutions."""
    evolving = state.evolution if isinstance(state.evolution, tuple) else (state.evolution,)
    return [each.step_size for each in evolving]
