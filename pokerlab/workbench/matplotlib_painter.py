"""Paint pictures with matplotlib: for saved notebooks, for files, and for figures that lessons show.

`paint_picture` returns the picture of a bench as a figure, `paint_figure` returns panels as a figure, and `paint_panel`
paints one panel into given axes.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Colormap, LinearSegmentedColormap, Normalize, PowerNorm
from matplotlib.figure import Figure, SubFigure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon, Rectangle
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import ScaledTranslation

from pokerlab.core.arrays import Floats
from pokerlab.workbench.picture import (
    BELOW,
    CORNERS,
    Arrows,
    Axis,
    Bars,
    ColorScale,
    Curve,
    Curves,
    HeatMap,
    Level,
    Mark,
    Panel,
    Picture,
    Strip,
    Triangle,
)
from pokerlab.workbench.plots import PUBLISHED_PREFIX, legend, move_to_free_corner
from pokerlab.workbench.style import (
    DENSITY,
    GRAY,
    INK,
    PAPER,
    PIXELS_PER_INCH,
    SMALL_SIZE,
    TITLE_SIZE,
    LiteralTextLayout,
    add_axes_beside,
    add_color_scale,
    choose_ink,
    figure,
    fit_text,
    iterate_titles,
    look,
    measure_extent,
    measure_height,
    measure_room_right,
    set_logarithmic,
    style_axes,
    wrap_words,
)

WIDTH = 7.6  # of the picture of a bench, in inches
LEFT, RIGHT, TOP, BOTTOM = 0.78, 0.16, 0.32, 0.46
"""The margins around the axes of a strip in inches. Labels need the left and the bottom, and titles the top."""
SCALE_WIDTH, TITLE_LINE, ROW_TITLE_HEIGHT = 0.78, 0.24, 0.3
"""Further margins in inches: on the right for a scale of colors, above for a second title, between rows for titles."""
LEGEND_ROW_HEIGHT, LEGEND_COLUMNS = 0.19, 2  # inches; of a legend below axes
LETTER_WIDTH, LINE_HEIGHT = 0.075, 0.165  # inches, at the size of labels
HATCHED: Any = {"facecolor": "none", "edgecolor": GRAY, "hatch": "////", "linewidth": 0.0}
CORNER_NAMES_AT = np.array([[-0.03, -0.02], [1.03, -0.02], [0.5, np.sqrt(3) / 2 + 0.05]])
CORNER_ALIGNMENTS = (("right", "top"), ("left", "top"), ("center", "bottom"))
CORNER_LETTERS = 14
"""The places of the names of a triangle's corners, their alignments, and the most letters in a line of them."""
POINTS_PER_INCH = 72.0
TRIANGLE_PLACE = (0.02, 0.02, 0.45, 0.86)  # left, bottom, width and height as shares of a strip
UPPER_LIMIT_LENGTH = 0.45  # of the arrow below an upper limit, as a share of the value
MOST_LABEL_LENGTH = 1.2  # as a multiple of the length of the axis
LEGEND_FRAME = {"frameon": True, "edgecolor": "none", "framealpha": 0.85}


def paint_picture(picture: Picture) -> Figure:
    """Return a picture as a figure for the Agg canvas, with the strips below each other."""
    style: Any = {"dpi": PIXELS_PER_INCH * DENSITY, "facecolor": PAPER}
    figure = Figure((WIDTH, picture.height), layout=LiteralTextLayout(), **style)
    FigureCanvasAgg(figure)
    heights = [strip.height for strip in picture.strips]
    parts = figure.subfigures(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0]
    for strip, part in zip(picture.strips, parts, strict=True):
        paint_strip(part, strip)
    figure.draw_without_rendering()
    for axes in figure.axes:
        fit_text(
            axes.yaxis.label,
            MOST_LABEL_LENGTH * axes.get_window_extent().height,
            measure_height,
            lines=2,
        )
        for title in iterate_titles(axes):
            fit_text(title, measure_room_right(axes, measure_extent(title).x0), lines=1)
        move_to_free_corner(axes)
    return figure


def paint_strip(figure: SubFigure, strip: Strip) -> None:
    """Paint a strip into its part of the figure."""
    first = strip.rows[0]
    axes = figure.subplots(
        len(strip.rows),
        len(first),
        squeeze=False,
        width_ratios=[panel.width for panel in first],
    )
    set_margins(figure, strip)
    if isinstance(first[0], Triangle):
        left, bottom, width, height = TRIANGLE_PLACE
        room = measure_legends(first[:1]) / strip.height
        axes[0, 0].set_position((left, bottom + room, width, height - room))
    for row, places in zip(strip.rows, axes, strict=True):
        for panel, place in zip(row, places, strict=True):
            paint_panel(place, panel, figure)
            if strip.title and panel.title:
                place.title.set_text("")
                place.set_title(panel.title, loc="left", fontsize=TITLE_SIZE - 1, y=1.0)
    if has_titles_below(strip):  # rows with the same ticks as the lowest one have no tick labels
        for row, places in zip(strip.rows[:-1], axes[:-1], strict=True):
            for panel, lowest, place in zip(row, strip.rows[-1], places, strict=True):
                if not has_other_ticks(panel, lowest):
                    place.tick_params(labelbottom=False)
                place.set_xlabel("")
    if strip.title:
        title = figure.suptitle(strip.title, x=0.012, y=0.985, ha="left", va="top")
        title.set(fontsize=TITLE_SIZE, color=INK)


def set_margins(figure: SubFigure, strip: Strip) -> None:
    """Set the margins around the axes of a strip, so that labels, titles and scales have room."""
    width = figure.bbox.width / figure.dpi
    height = strip.height
    first = strip.panels[0]
    last = strip.panels[-1]
    left, right, above, below = LEFT, RIGHT, TOP, BOTTOM
    if isinstance(first, HeatMap):
        left, below = measure_name_room(first)
        if first.column_groups:
            above += TITLE_LINE
        below = max(below, measure_name_room(last)[1] if isinstance(last, HeatMap) else 0.0)
    if isinstance(last, HeatMap) and last.scale_label:
        right += SCALE_WIDTH
    if strip.title:
        above += TITLE_LINE
    below += measure_legends(strip.rows[-1])
    figure.subplots_adjust(
        left=left / width,
        right=1 - right / width,
        top=1 - above / height,
        bottom=below / height,
        wspace=compute_column_space(strip),
        hspace=compute_row_space(strip, height - above - below),
    )


def measure_legends(panels: Sequence[Panel]) -> float:
    """Return the height of the highest legend below panels, in inches."""
    rows = [0]
    for panel in panels:
        if isinstance(panel, Curves | Triangle) and panel.legend == BELOW:
            shown = panel.curves if isinstance(panel, Curves) else panel.paths
            labels = {each.label for each in shown if each.label}
            rows.append(-(-len(labels) // LEGEND_COLUMNS))
    return LEGEND_ROW_HEIGHT * max(rows)


def add_legend_below(axes: Axes, inches: float) -> None:
    """Add a legend with one entry for each label, with its top `inches` below the axes."""
    handles, labels = axes.get_legend_handles_labels()
    one_each = dict(zip(labels, handles, strict=True))
    down = ScaledTranslation(0.0, -inches, axes.figure.dpi_scale_trans)
    place: Any = {"bbox_to_anchor": (0.5, 0.0), "bbox_transform": axes.transAxes + down}
    look: Any = {"ncols": LEGEND_COLUMNS, "handlelength": 1.2, "borderpad": 0}
    legend(axes, handles=one_each.values(), labels=one_each, loc="upper center", **look, **place)


def measure_name_room(panel: HeatMap) -> tuple[float, float]:
    """Return the width of the labels beside a heat map and the height of those below it, in inches."""
    rows, columns = panel.y.ticks, panel.x.ticks
    left = LEFT - 0.2 * (rows == ())
    below = BOTTOM
    if rows:
        longest = max(len(name) for _, name in rows)
        left = 0.14 + LETTER_WIDTH * longest + LINE_HEIGHT * bool(panel.y.label)
    if columns:
        lines = max(name.count("\n") for _, name in columns) + 1
        longest = max(len(name) for _, name in columns)
        names = LETTER_WIDTH * longest if panel.has_upright_names else LINE_HEIGHT * lines
        below = 0.12 + names + LINE_HEIGHT * bool(panel.x.label)
    return left, below


def has_titles_below(strip: Strip) -> bool:
    """Return whether a row below the first has a title, as rows of pinned runs do."""
    return any(panel.title for row in strip.rows[1:] for panel in row)


def has_other_ticks(panel: Panel, lowest: Panel) -> bool:
    """Return whether the named columns of a heat map differ from those of the lowest heat map below it."""
    if not (isinstance(panel, HeatMap) and isinstance(lowest, HeatMap)):
        return False
    return bool(panel.x.ticks) and panel.x.ticks != lowest.x.ticks


def compute_row_space(strip: Strip, height: float) -> float:
    """Return the space between the rows of a strip as a share of the height of a row.

    `height` is that of all rows with the space between them, in inches.
    """
    if not has_titles_below(strip):
        return 0.08
    between = len(strip.rows) - 1
    has_ticks = any(
        has_other_ticks(panel, lowest)
        for row in strip.rows[:-1]
        for panel, lowest in zip(row, strip.rows[-1], strict=True)
    )
    room = ROW_TITLE_HEIGHT + LINE_HEIGHT * has_ticks
    return room / ((height - between * room) / len(strip.rows))


def compute_column_space(strip: Strip) -> float:
    """Return the space between the axes of a row, as a share of their width."""
    first, *others = strip.rows[0]
    if any(isinstance(panel, Triangle) for panel in strip.panels):
        return 0.25
    if any(isinstance(panel, Bars) for panel in others):
        return 0.03
    if isinstance(first, Curves):
        return 0.22
    has_names = any(not isinstance(panel, HeatMap) or panel.y.ticks != () for panel in others)
    return 0.14 if has_names else 0.06


def paint_figure(
    rows: Sequence[Sequence[Panel]], width: float, height: float, title: str = ""
) -> Figure:
    """Return panels as a figure.

    Parameters
    ----------
    rows : sequence of sequences of Panel
        The rows from top to bottom, each with the same number of panels.
    width, height : float
        The size of the figure in inches.
    title : str
        The title above all panels.
    """
    made, places = figure(width, height, len(rows), len(rows[0]), squeeze=False)
    for panels, axes in zip(rows, places, strict=True):
        for panel, place in zip(panels, axes, strict=True):
            paint_panel(place, panel)
    if title:
        made.suptitle(title, x=0.01, ha="left", fontsize=TITLE_SIZE, color=INK)
    return made


def paint_panel(axes: Axes, panel: Panel, figure: SubFigure | None = None) -> Mapping[str, Any]:
    """Paint a panel into axes.

    Parameters
    ----------
    axes : Axes
        Where to paint.
    panel : Panel
        What to paint.
    figure : SubFigure, optional
        The part of the figure to which a scale of colors is added. By default the layout of the axes makes room for it.

    Returns
    -------
    mapping
        The artists of matplotlib for measurements of the run, by key.
    """
    style_axes(axes)
    painters: dict[type, Any] = {
        Curves: paint_curves,
        HeatMap: paint_heat_map,
        Triangle: paint_triangle,
        Bars: paint_bars,
    }
    drawn: Mapping[str, Any] = painters[type(panel)](axes, panel, figure)
    if panel.title:
        above = 18.0 if isinstance(panel, HeatMap) and panel.column_groups else 6.0
        is_long = isinstance(panel, Triangle) or above > 6.0
        size: Any = {"fontsize": TITLE_SIZE} if is_long else {}
        axes.set_title(panel.title, loc="left", y=1.0, pad=above, **size)
    return drawn


def paint_curves(axes: Axes, panel: Curves, figure: SubFigure | None) -> dict[str, Any]:
    """Paint curves, and return the lines of measurements by key."""
    axes.autoscale(False)
    set_axis(axes, "x", panel.x)
    set_axis(axes, "y", panel.y)
    lines = {}
    for curve in panel.curves:
        line = paint_curve(axes, curve)
        if curve.key:
            lines[curve.key] = line
    for level in panel.levels:
        paint_level(axes, level)
    for mark in panel.marks:
        paint_mark(axes, mark)
    if panel.arrows is not None:
        paint_arrows(axes, panel.arrows.places, panel.arrows.vectors, panel.arrows, zorder=3.0)
    if panel.callout is not None:
        style: Any = {"textcoords": "offset points", "fontsize": SMALL_SIZE, "color": INK}
        style["arrowprops"] = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.0}
        axes.annotate(
            panel.callout.words, (panel.callout.x, panel.callout.y), (-160.0, 18.0), **style
        )
    if panel.legend == BELOW:
        add_legend_below(axes, BOTTOM if panel.x.label else 0.5 * BOTTOM)
    elif panel.legend:
        frame = LEGEND_FRAME if panel.legend_frame else {}
        legend(axes, loc=panel.legend, ncols=panel.legend_columns, **frame)
    return lines


def paint_curve(axes: Axes, curve: Curve) -> Line2D:
    """Paint a curve, with an arrow below each upper limit, and return its line."""
    style = dict(curve.look)
    if len(curve.x) == 1 and style.get("linestyle") != "none":  # which a line cannot show
        style |= {"marker": "o", "markevery": None}
    gid = PUBLISHED_PREFIX + curve.source if curve.source else None
    (line,) = axes.plot(curve.x, curve.y, label=curve.label or "_nolegend_", gid=gid, **style)
    for point in curve.upper_limits:
        arrow: Any = {"uplims": True, "color": style["color"], "capsize": 3, "linewidth": 1.2}
        x, y = float(curve.x[point]), float(curve.y[point])
        axes.errorbar(x, y, yerr=UPPER_LIMIT_LENGTH * y, linestyle="none", **arrow)
    return line


def paint_level(axes: Axes, level: Level) -> None:
    """Paint a level as a horizontal line across axes."""
    gid = PUBLISHED_PREFIX + level.source if level.source else None
    axes.axhline(level.value, label=level.label or "_nolegend_", gid=gid, **level.look)


def paint_mark(axes: Axes, mark: Mark) -> None:
    """Paint a mark as a dashed line over the whole height of axes, with its words along the line."""
    axes.axvline(mark.x, color=GRAY, linewidth=1.0, linestyle=(0, (5, 4)))
    along: Any = {"rotation": 90, "ha": "right", "va": "top", "fontsize": SMALL_SIZE - 1}
    where = (mark.x, 0.97)
    top = axes.get_xaxis_transform()
    words = axes.annotate(mark.words, where, (-2.0, 0.0), top, "offset points", color=INK, **along)
    words.set_path_effects([withStroke(linewidth=3.0, foreground=PAPER)])


def set_axis(axes: Axes, name: Literal["x", "y"], axis: Axis, *, size: float | None = None) -> None:
    """Set the label, limits, scale and ticks of the axis 'x' or 'y'; `size` is that of its letters in points."""
    given = {"x": axes.xaxis, "y": axes.yaxis}[name]
    if axis.is_log:
        set_logarithmic(axes, name)
    elif axis.ticks is not None:
        places = [place for place, _ in axis.ticks]
        given.set_ticks(places, labels=[words for _, words in axis.ticks])
    elif axis.is_whole:
        given.set_major_locator(MaxNLocator(6, integer=True))
    axes.set(**{f"{name}lim": axis.limits, f"{name}label": axis.label})
    if size is not None:
        axes.tick_params(axis=name, labelsize=size)
        given.label.set_fontsize(size)


def choose_color_map(scale: ColorScale) -> tuple[Colormap, Normalize]:
    """Return the color map and the normalization by which matplotlib colors values."""
    colors = LinearSegmentedColormap.from_list("scale", scale.colors)
    under = {"under": scale.under} if scale.under else {}
    if scale.power == 1.0:
        norm = Normalize(scale.low, scale.high)
    else:
        norm = PowerNorm(scale.power, vmin=scale.low, vmax=scale.high)
    return colors.with_extremes(bad=scale.missing, **under), norm


def paint_heat_map(axes: Axes, panel: HeatMap, figure: SubFigure | None) -> dict[str, Any]:
    """Paint a heat map, and return its cells by key."""
    rows, columns = panel.values.shape
    colors, norm = choose_color_map(panel.scale)
    (left, right), (bottom, top) = panel.x.limits, panel.y.limits
    x = np.linspace(left, right, columns + 1) if panel.x_edges is None else panel.x_edges
    y = np.linspace(top, bottom, rows + 1) if panel.y_edges is None else panel.y_edges
    edges: Any = {"edgecolors": PAPER, "linewidth": panel.gap} if panel.gap else {}
    values = np.ma.masked_invalid(panel.values)
    cells = axes.pcolormesh(x, y, values, cmap=colors, norm=norm, **edges)
    if panel.has_numbers or panel.words is not None:
        write_in_cells(axes, panel, cells, (x[1:] + x[:-1]) / 2, (y[1:] + y[:-1]) / 2)
    if panel.hatched is not None:
        for row, column in np.argwhere(panel.hatched):
            corner = (x[column], y[row])
            width = x[column + 1] - x[column]
            height = y[row + 1] - y[row]
            axes.add_patch(Rectangle(corner, width, height, **HATCHED))
    for curve in panel.curves:
        axes.plot(curve.x, curve.y, **curve.look)

    axes.grid(False)
    named = panel.x.ticks is not None or panel.y.ticks is not None
    set_axis(axes, "x", panel.x, size=panel.text_size if named else None)
    set_axis(axes, "y", panel.y, size=SMALL_SIZE if named else None)
    if panel.gap or panel.row_groups:
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
    if panel.has_upright_names:
        axes.tick_params(axis="x", labelrotation=90)
    write_group_names(axes, panel)
    if panel.scale_label:
        place = {} if figure is None else {"cax": add_axes_beside(axes, figure)}
        bar = add_color_scale(cells, panel.scale_label, **place)
        if panel.scale_ticks:
            bar.set_ticks(
                [value for value, _ in panel.scale_ticks],
                labels=[words for _, words in panel.scale_ticks],
            )
    return {panel.key: cells} if panel.key else {}


def write_in_cells(
    axes: Axes, panel: HeatMap, cells: ScalarMappable, across: Floats, up: Floats
) -> None:
    """Write words, or values as '0.25' or in narrow cells as '.25', into cells.

    Parameters
    ----------
    axes : Axes
        The axes of the heat map.
    panel : HeatMap
        The heat map.
    cells : ScalarMappable
        The cells, whose colors decide whether letters are black or white.
    across, up : array of shape (C,) and (R,)
        The middles of the columns and rows.
    """
    values = np.round(panel.values, 2) if panel.words is None else panel.values
    colors = cells.to_rgba(values)
    for (row, column), value in np.ndenumerate(panel.values):
        written = f"{value:.2f}" if np.isfinite(value) else ""
        if panel.words is not None:
            written = str(panel.words[row, column])
        elif panel.has_narrow_cells:
            written = written.removeprefix("0")
        if written:
            axes.text(
                float(across[column]),
                float(up[row]),
                written,
                ha="center",
                va="center",
                fontsize=panel.digit_size,
                color=choose_ink(colors[row, column]),
            )


def write_group_names(axes: Axes, panel: HeatMap) -> None:
    """Write the names of groups of rows beside them, with lines between groups, and of groups of columns above them.

    Groups with at most an eighth of all rows have no room for their names.
    """
    count = panel.values.shape[0]
    style: Any = {"ha": "right", "va": "center", "rotation": 90, "fontsize": SMALL_SIZE}
    for group in panel.row_groups:
        if group.end - group.first > count / 8:
            middle = (group.first + group.end) / 2
            at = axes.get_yaxis_transform()
            axes.text(-0.013, middle, group.name, color=INK, transform=at, **style)
        if group.end < count:
            axes.plot(
                panel.x.limits, [group.end, group.end], color=INK, linewidth=1.2, clip_on=False
            )
    for group in panel.column_groups:
        axes.annotate(
            group.name,
            ((group.first + group.end) / 2, 1.0),
            xycoords=("data", "axes fraction"),
            xytext=(0, 3),
            textcoords="offset points",
            ha="center",
            fontsize=SMALL_SIZE,
            color=INK,
        )


def paint_triangle(axes: Axes, panel: Triangle, figure: SubFigure | None) -> dict[str, Any]:
    """Paint a triangle of mixtures, and return the paths of measurements by key."""
    axes.set(xlim=(-0.2, 1.2), ylim=(-0.12, 1.0), aspect="equal")
    axes.axis("off")
    axes.add_patch(Polygon(CORNERS, closed=True, facecolor="none", edgecolor=GRAY))
    for name, (x, y), (ha, va) in zip(panel.names, CORNER_NAMES_AT, CORNER_ALIGNMENTS, strict=True):
        axes.text(x, y, wrap_words(name, CORNER_LETTERS), ha=ha, va=va, fontsize=SMALL_SIZE)
    if panel.arrows is not None:
        places, vectors = panel.arrows.places @ CORNERS, panel.arrows.vectors @ CORNERS
        paint_arrows(axes, places, vectors, panel.arrows, zorder=1.5)
    drawn = {}
    for path in panel.paths:
        label = path.label or "_nolegend_"
        (line,) = axes.plot(*(path.mixtures @ CORNERS).T, label=label, **path.look)
        if path.key:
            drawn[path.key] = line
    if panel.legend == BELOW:
        add_legend_below(axes, 0.0)
    return drawn


def paint_arrows(
    axes: Axes, places: Floats, vectors: Floats, arrows: Arrows, *, zorder: float
) -> None:
    """Paint arrows.

    Parameters
    ----------
    axes : Axes
        Where to paint.
    places, vectors : array of shape (A, 2)
        The middles of the arrows, and the differences between their heads and tails, in the units of the axes.
    arrows : Arrows
        Has the strengths and the width.
    zorder : float
        The order in which matplotlib draws them.
    """
    if len(places):
        axes.quiver(
            *(places - vectors / 2).T,
            *vectors.T,
            arrows.strengths,
            angles="xy",
            scale_units="xy",
            scale=1,
            units="inches",
            width=arrows.width / POINTS_PER_INCH,
            headwidth=4.0,
            headlength=4.5,
            cmap="binary",
            clim=(-0.6, 1.0),
            zorder=zorder,
        )


def paint_bars(axes: Axes, panel: Bars, figure: SubFigure | None) -> dict[str, Any]:
    """Paint bars, and return them by key."""
    count = len(panel.values)
    if panel.is_horizontal:
        color = panel.look.get("color", INK)
        bars = axes.stairs(
            panel.values, np.arange(count + 1), orientation="horizontal", fill=True, color=color
        )
        set_axis(axes, "x", panel.value_axis, size=SMALL_SIZE - 1)
        axes.xaxis.label.set_fontsize(SMALL_SIZE)
        axes.set(ylim=(count, 0), yticks=[])
        axes.spines[["left", "bottom"]].set_visible(False)
        return {panel.key: bars} if panel.key else {}
    places = np.arange(count)
    drawn = axes.bar(places, panel.values, width=0.55, **panel.look)
    if panel.marks is not None:
        front = axes.plot(places, panel.marks, **look("published"))
        legend(axes, handles=front, labels=[panel.mark_label], loc="upper right")
    set_axis(axes, "y", panel.value_axis)
    axes.set(xlim=(-0.5, count - 0.5))
    axes.set_xticks(places, panel.names)
    return {panel.key: drawn} if panel.key else {}
