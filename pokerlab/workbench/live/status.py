"""The words below the bench's picture: where the run stands, what has just happened, what to see."""

from dataclasses import dataclass
from html import escape

from pokerlab.runs import Column
from pokerlab.workbench.live.panel import short_number
from pokerlab.workbench.live.screen import alert
from pokerlab.workbench.live.view import Frame
from pokerlab.workbench.pictures.text import with_minus

STYLE = "font-size: 13px; line-height: 1.45; padding: 2px 4px; font-variant-numeric: tabular-nums;"
GAP = "&ensp;&middot;&ensp;"


@dataclass(frozen=True)
class Status:
    """What there is to say."""

    frame: Frame  # the run at this moment
    column: Column  # what is said of it
    speed: float  # iterations a second; 0 while paused
    finished: bool  # whether nothing is left to do
    note: str  # what has just happened, or what is wrong
    is_error: bool  # whether something is wrong
    caption: str  # what there is to see
    painted: int

    def facts(self) -> list[str]:
        """Return iteration, column, speed."""
        number = with_minus(f"{self.frame.curve(self.column)[1][-1]:,.4g}")
        value = f"{self.column.label} {number} {self.column.unit}".rstrip()
        facts = [f"t = {self.frame.iteration:,} of {self.frame.until:,}", value]
        if self.finished:
            facts.append("converged" if self.frame.iteration < self.frame.until else "finished")
        elif self.speed:
            facts.append(f"{short_number(self.speed)} iterations/s")
        return facts

    def html(self) -> str:
        """Return the words for a notebook."""
        facts = GAP.join(map(escape, self.facts()))
        done = 1.0 if self.finished else self.frame.iteration / self.frame.until
        note = f"{escape(self.note)}<br>"
        if self.is_error:
            note = f"{alert(f'⚠ {self.note}')}<br>"
        return (
            f'<div class="pokerlab-status" data-frames="{self.painted}" style="{STYLE}">'
            f"<b>{facts}</b>&ensp;"
            f'<progress max="1" value="{done:.4f}" style="width: 90px; vertical-align: middle;">'
            f"</progress><br>{note if self.note else ''}"
            f'<span style="opacity: 0.8;">What to see: {escape(self.caption)}</span></div>'
        )

    def plain(self) -> str:
        """Return the words where there is no HTML."""
        lines = [", ".join(self.facts()), self.note, f"What to see: {self.caption}"]
        return "\n".join(filter(None, lines))
