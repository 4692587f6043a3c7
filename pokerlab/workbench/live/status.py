"""What is said below a bench's picture: how far the run is, how fast, what has happened, what there is to see."""

import math
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
    by_decades: bool  # whether each factor of ten takes the same time

    def facts(self) -> list[str]:
        """Return iteration, column, speed."""
        number = with_minus(f"{self.frame.curve(self.column)[1][-1]:,.4g}")
        value = f"{self.column.label} {number} {self.column.unit}".rstrip()
        if not getattr(self.frame.state, "hands_played", True):
            value = "nothing has been played yet"
        facts = [f"t = {self.frame.iteration:,} of {self.frame.until:,}", value]
        if self.finished:
            facts.append("converged" if self.frame.iteration < self.frame.until else "finished")
        elif self.speed:
            facts.append(f"{short_number(self.speed)} iterations/s")
        return facts

    def html(self) -> str:
        """Return the words for a notebook."""
        facts = GAP.join(map(escape, self.facts()))
        done, until = self.frame.iteration, self.frame.until
        share = math.log1p(done) / math.log1p(until) if self.by_decades else done / until
        share = 1.0 if self.finished else share
        note = alert(f"⚠ {self.note}") if self.is_error else escape(self.note)
        return (
            f'<div class="pokerlab-status" data-frames="{self.painted}" style="{STYLE}">'
            f"<b>{facts}</b>&ensp;"
            f'<progress max="1" value="{share:.4f}" style="width: 90px; vertical-align: middle;">'
            f"</progress><br>{f'{note}<br>' if self.note else ''}"
            f'<span style="opacity: 0.8;">What to see: {escape(self.caption)}</span></div>'
        )

    def news(self) -> str:
        """Return what a screen reader reads out."""
        return "\n".join(filter(None, [", ".join(self.facts()), self.note]))

    def picture(self) -> str:
        """Return what the picture shows, in words."""
        last = zip(self.frame.columns, self.frame.rows[-1, 1:].tolist(), strict=True)
        ends = ", ".join(f"{each.label} {value:,.4g} {each.unit}".rstrip() for each, value in last)
        return f"{self.caption} At t = {self.frame.iteration:,}: {ends}."

    def plain(self) -> str:
        """Return the words where there is no HTML."""
        return f"{self.news()}\nWhat to see: {self.caption}"
