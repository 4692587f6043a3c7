// Paint pictures on a page: as `matplotlib_painter` does, but many times a second, and so that they can be pointed at.
//
// A picture arrives as JSON (see `browser_painter.py`); where it says {"a": i}, the numbers are the i-th of its arrays.
// Below the picture stand the controls: a slider over the looks that have been kept, Play, Large and what can be saved.

const WIDTH = 760; // pixels at which letters have their own size
const NARROW = 560; // a picture that has less shows panels of a row one below the other
const MOST_WIDE = 1000; // pixels, unless it is shown large
const INCH = 94; // pixels of a strip: with the controls below, a bench fits into a window 900 pixels high
const LEAST_SIZE = 0.92; // of letters on a phone
const TITLE = 14, TEXT = 12, SMALL = 11;
const TRIANGLE_STEP = 0.05; // of a probability, by an arrow key
const NEAR = 40; // pixels from the pointer within which a point is named
const ON_POINT = 8; // the same of a marked point of a triangle
const SHARE = 0.85; // of the width of a panel with its margins
const LEAST_TALL = 58, MOST_TALL = 80; // pixels that upright names have
const BELOW = 'below'; // where a legend may stand: in no corner
const LEGEND_ROW = 20; // pixels, more than the largest marker
const MOST_IN_CORNER = 2; // entries of a legend in a narrow place, where each has a row of its own

// ---------------------------------------------------------------- numbers that arrived

function decode(message) {
  const arrays = message.arrays.map((array) => {
    const view = array.data ?? array; // a DataView, or base64 on a page without a kernel
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    if (array.kind === 'u1') return spread(bytes, array);
    return new Float32Array(bytes.slice().buffer);
  });
  return { ...message.picture, arrays };
}

// Large tables arrive as one byte a cell: 0 is below the scale, 255 is no number.
function spread(bytes, { low, high, power }) {
  const values = new Float32Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) {
    const code = bytes[i];
    values[i] = code === 255 ? NaN : code === 0 ? -Infinity : low + (high - low) * ((code - 1) / 253) ** (1 / power);
  }
  return values;
}

const oneLine = (text) => text.replace('-\n', '-').replace('\n', ' ');
const numbersOf = (picture, place) => (place === null || place === undefined ? null : picture.arrays[place.a]);

// ---------------------------------------------------------------- colors

function parse(hex) {
  const value = parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function luminance([r, g, b]) {
  const linear = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

function themeOf(element) {
  const style = getComputedStyle(element);
  const paper = style.getPropertyValue('--jp-layout-color0').trim();
  const probe = document.createElement('span');
  probe.style.color = paper || '#ffffff';
  element.append(probe);
  const channels = getComputedStyle(probe).color.match(/[\d.]+/g).slice(0, 3).map(Number);
  probe.remove();
  const isDark = luminance(channels) < 0.18;
  return isDark
    ? { paper: `rgb(${channels})`, ink: '#e8e8e8', grid: '#4a4a4a', axis: '#9a9a9a', isDark }
    : { paper: '#ffffff', ink: '#222222', grid: '#d9d9d9', axis: '#888888', isDark };
}

// Black and white lines and letters follow the page's theme; dark colors become lighter on a dark page.
function colorOn(theme, color) {
  if (color === '#000000' || color === '#222222') return theme.ink;
  if (color === '#ffffff') return theme.paper;
  if (!theme.isDark) return color;
  const lighter = { '#0072b2': '#4ba3dd', '#d55e00': '#f08a4b', '#009e73': '#35c79c', '#767676': '#b0b0b0' };
  return lighter[color] ?? color;
}

function colorScale(scale, theme) {
  const stops = scale.colors.map(parse);
  const { low, high, power } = scale;
  return (value) => {
    if (Number.isNaN(value)) return scale.missing === 'none' ? null : colorOn(theme, scale.missing);
    if (value < low && scale.under) return scale.under;
    const share = Math.min(1, Math.max(0, (value - low) / (high - low || 1))) ** power;
    const at = share * (stops.length - 1);
    const first = Math.min(stops.length - 2, Math.floor(at));
    const part = at - first;
    const mixed = stops[first].map((c, i) => Math.round(c + part * (stops[first + 1][i] - c)));
    return `rgb(${mixed})`;
  };
}

const inkOn = (css) => (luminance(css.match(/\d+/g).map(Number)) < 0.179 ? '#ffffff' : '#000000');

// ---------------------------------------------------------------- axes

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const raised = (power) => (power < 0 ? '⁻' : '') + [...String(Math.abs(power))].map((d) => SUPERSCRIPTS[d]).join('');

function ticksOf(axis, most) {
  if (axis.ticks) return axis.ticks.map(([at, text]) => ({ at, text }));
  const [a, b] = axis.limits;
  const low = Math.min(a, b), high = Math.max(a, b);
  return axis.log ? logTicks(low, high, most) : linearTicks(low, high, most, axis.whole);
}

function logTicks(low, high, most) {
  const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
  const ticks = [];
  if (high / low < 100) {
    for (let power = first - 1; power <= last; power++) {
      for (const step of [1, 2, 5]) {
        const at = step * 10 ** power;
        if (at >= low * (1 - 1e-9) && at <= high * (1 + 1e-9)) ticks.push({ at, text: String(+at.toPrecision(12)) });
      }
    }
    return ticks;
  }
  const every = Math.ceil((last - first + 1) / Math.max(2, most));
  for (let power = first; power <= last; power += every) ticks.push({ at: 10 ** power, text: `10${raised(power)}` });
  return ticks;
}

function linearTicks(low, high, most, whole) {
  const rough = (high - low) / Math.max(1, most);
  const unit = 10 ** Math.floor(Math.log10(rough));
  let step = unit * [1, 2, 2.5, 5, 10].find((s) => s * unit >= rough * (1 - 1e-9));
  if (whole) step = Math.max(1, Math.round(step));
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9), step / unit === 2.5 ? 1 - Math.floor(Math.log10(unit)) : 0);
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) {
    ticks.push({ at: i * step, text: (i * step).toFixed(digits).replace(/^-(?=0(\.0*)?$)/, '').replace('-', '−') });
  }
  return ticks;
}

function scaleOf(axis, from, to) {
  const change = axis.log ? Math.log10 : (v) => v;
  const first = change(axis.limits[0]), last = change(axis.limits[1]);
  return (value) => from + ((change(value) - first) / (last - first || 1)) * (to - from);
}

// ---------------------------------------------------------------- painting

class Painter {
  constructor(canvas, picture, theme, width, isLarge) {
    this.picture = picture;
    this.theme = theme;
    this.width = width;
    this.k = isLarge ? Math.max(1, width / WIDTH) : Math.min(1, Math.max(LEAST_SIZE, width / WIDTH));
    this.isNarrow = width < NARROW;
    this.regions = []; // what can be pointed at
    this.c = canvas.getContext('2d');
    const heights = picture.strips.map((strip) => this.heightOf(strip));
    this.height = heights.reduce((sum, height) => sum + height, 0);
    const density = Math.max(1, window.devicePixelRatio || 1);
    const [w, h] = [Math.round(width * density), Math.round(this.height * density)];
    if (canvas.width !== w || canvas.height !== h) {
      canvas.width = w;
      canvas.height = h;
      canvas.style.height = `${this.height}px`;
    }
    this.c.setTransform(density, 0, 0, density, 0, 0);
    this.c.fillStyle = theme.paper;
    this.c.fillRect(0, 0, width, this.height);
    let top = 0;
    picture.strips.forEach((strip, i) => {
      this.strip(strip, top, heights[i]);
      top += heights[i];
    });
  }

  font(size) {
    this.c.font = `${size * this.k}px "DejaVu Sans", system-ui, sans-serif`;
  }

  rowsOf(strip) {
    if (!this.isNarrow || strip.rows.some((row) => row.some((panel) => panel.kind === 'bars' && panel.horizontal))) {
      return strip.rows;
    }
    return strip.rows.flatMap((row) => row.map((panel) => [panel]));
  }

  heightOf(strip) {
    const rows = this.rowsOf(strip);
    const stacked = rows.length > strip.rows.length;
    const height = strip.height * INCH * this.k * (stacked ? 0.9 * (rows.length / strip.rows.length) : 1);
    if (!this.isNarrow) return height;
    const room = (panel) => Math.max(0, this.marginsOf(panel, SHARE * this.width).more);
    return height + rows.reduce((sum, row) => sum + (row.length > 1 ? 0 : room(row[0])), 0);
  }

  strip(strip, top, height) {
    const { c, k } = this;
    let above = top + 6 * k;
    if (strip.title) {
      for (const line of this.wrap(strip.title, this.width - 16 * k)) {
        this.words(line, 8 * k, above + 12 * k, { size: TITLE });
        above += 18 * k;
      }
      above += 4 * k;
    }
    const rows = this.rowsOf(strip);
    const each = (top + height - above) / rows.length;
    rows.forEach((row, r) => {
      const isLast = r === rows.length - 1;
      const total = row.reduce((sum, panel) => sum + panel.width, 0);
      const margins = row.map((panel) => this.marginsOf(panel, (SHARE * this.width * panel.width) / total));
      const heat = row.findIndex((panel) => panel.kind === 'heat');
      row.forEach((panel, i) => { // bars stand beside the rows of the heat map
        if (panel.kind === 'bars' && panel.horizontal && heat >= 0) Object.assign(margins[i], { top: margins[heat].top, bottom: margins[heat].bottom });
      });
      const inner = this.width - margins.reduce((sum, m) => sum + m.left + m.right, 0);
      let left = 0;
      row.forEach((panel, i) => {
        const m = margins[i];
        const width = (inner * panel.width) / total;
        const box = {
          x: left + m.left, y: above + r * each + m.top, w: width, h: each - m.top - m.bottom,
        };
        if (isLast || m.bottom) this.panel(panel, box, m);
        left += m.left + width + m.right;
      });
    });
  }

  // Room around a panel that will be about `width` pixels wide.
  marginsOf(panel, width) {
    const k = this.k;
    const whole = width / SHARE; // with its margins
    const titleBeside = (left) => (panel.title ? 22 + (this.wrap(panel.title, whole - left).length - 1) * 16 : 6);
    panel.below = this.standsBelow(panel, width) ? this.rowsBelow(panel, width) : [];
    const below = panel.below.length * LEGEND_ROW;
    if (panel.kind === 'triangle') return { left: 40 * k, right: 40 * k, top: (18 + titleBeside(8 * k)) * k, bottom: (28 + below) * k, more: (below + titleBeside(8 * k) - 22) * k };
    if (panel.kind === 'bars' && panel.horizontal) return { left: 6 * k, right: 14 * k, top: 40 * k, bottom: 40 * k };
    this.font(SMALL);
    const y = panel.kind === 'bars' ? panel.axis : panel.y;
    const labels = ticksOf(y, 5).map((tick) => this.c.measureText(tick.text).width);
    const names = Math.max(0, ...labels);
    let left = names + 8 * k + (y.label ? (22 + 13 * (y.label.split('\n').length - 1)) * k : 2 * k);
    if (panel.kind !== 'heat' || !y.ticks) left = Math.max(left, y.ticks ? 12 * k : 62 * k);
    if (panel.row_groups && panel.row_groups.length) left = Math.max(left, 24 * k);
    let bottom = 8;
    const x = panel.x ?? { label: '', ticks: panel.names?.map((name, i) => [i, name]) };
    const step = width / (x.ticks?.length || 1);
    panel.upright ||= this.isNarrow && (x.ticks ?? []).some(([, text]) => text.split('\n').some((line) => this.c.measureText(line).width > step));
    if (panel.upright) {
      const longest = Math.max(...x.ticks.map(([, text]) => this.c.measureText(oneLine(text)).width));
      panel.tall = Math.min(MOST_TALL, Math.max(LEAST_TALL, longest / k + 4));
    }
    if (!x.ticks || x.ticks.length) bottom += 16 + (panel.upright ? panel.tall - 12 : 0);
    if (!panel.upright && x.ticks && x.ticks.some(([, text]) => text.includes('\n'))) bottom += 13;
    const right = (panel.scale_label ? 76 : 14) * k;
    if (x.label) bottom += 16 + 15 * (this.linesBelow(x.label, whole - left - right).length - 1);
    bottom += below;
    const top = titleBeside(left) + (panel.column_groups && panel.column_groups.length ? 16 : 0);
    const more = (titleBeside(left) - 22 + (panel.legend === BELOW ? 0 : below)) * k; // than in wide places
    return { left, right, more, top: top * k, bottom: bottom * k };
  }

  // Words of at most `width` pixels; what has no room is left out in the middle.
  words(text, x, y, { size = SMALL, align = 'left', color, width, angle = 0, baseline = 'alphabetic', halo = false } = {}) {
    const { c } = this;
    this.font(size);
    const shown = text.split('\n').map((line) => this.shorten(line, width)).join('\n');
    c.save();
    c.fillStyle = color ?? this.theme.ink;
    c.textAlign = align;
    c.textBaseline = baseline;
    c.translate(x, y);
    if (angle) c.rotate(angle);
    c.strokeStyle = this.theme.paper;
    c.lineWidth = 4 * this.k;
    shown.split('\n').forEach((line, i) => {
      if (halo) c.strokeText(line, 0, i * size * 1.15 * this.k);
      c.fillText(line, 0, i * size * 1.15 * this.k);
    });
    c.restore();
  }

  // A line of at most `width` pixels in the present font.
  shorten(line, width) {
    let shown = line;
    while (width && shown.length > 3 && this.c.measureText(shown).width > width) {
      const kept = shown.replace('…', '').length - 1;
      shown = `${line.slice(0, Math.ceil(kept / 2))}…${line.slice(line.length - Math.floor(kept / 2))}`;
    }
    return shown;
  }

  // A title in one line, or in two where there is no room for one; narrow places have up to four.
  wrap(title, width, most = this.isNarrow ? 4 : 2, size = TITLE) {
    this.font(size);
    if (most === 1 || this.c.measureText(title).width <= width) return [this.shorten(title, width)];
    const parts = title.split(' ');
    let first = parts.length;
    while (first > 1 && this.c.measureText(parts.slice(0, first).join(' ')).width > width) first -= 1;
    const rest = parts.slice(first).join(' ');
    return [parts.slice(0, first).join(' '), ...(rest ? this.wrap(rest, width, most - 1, size) : [])];
  }

  // The label below a panel `width` pixels wide, which may stand out a little; in narrow places in up to three lines.
  linesBelow(label, width) {
    return this.wrap(label, width + 40 * this.k, this.isNarrow ? 3 : 1, TEXT);
  }

  panel(panel, box, margins) {
    if (panel.title) {
      const above = panel.column_groups && panel.column_groups.length ? 22 : 7;
      const left = panel.kind === 'triangle' ? box.x - margins.left + 8 * this.k : box.x;
      const width = box.x + box.w + margins.right - left;
      const lines = this.wrap(panel.title, width);
      const further = (lines.length - 1) * TITLE * 1.15 * this.k;
      const rise = panel.kind === 'triangle' ? margins.top - 16 * this.k : above * this.k + further;
      lines.forEach((line, i) => this.words(line, left, box.y - rise + i * TITLE * 1.15 * this.k, { size: TITLE, width }));
    }
    this[panel.kind](panel, box, margins);
  }

  axes(panel, box, { grid = true, spines = true } = {}) {
    const { c, k, theme } = this;
    const across = scaleOf(panel.x, box.x, box.x + box.w);
    const up = scaleOf(panel.y, box.y + box.h, box.y);
    const xs = ticksOf(panel.x, Math.max(2, box.w / (90 * k)));
    const ys = ticksOf(panel.y, Math.max(2, box.h / (36 * k)));
    const inside = (v, axis) => v >= Math.min(...axis.limits) - 1e-12 && v <= Math.max(...axis.limits) * (1 + 1e-12) + 1e-12;
    c.lineWidth = Math.max(0.6, 0.8 * k);
    c.strokeStyle = theme.grid;
    c.beginPath();
    if (grid) {
      for (const { at } of xs) if (inside(at, panel.x)) { c.moveTo(across(at), box.y); c.lineTo(across(at), box.y + box.h); }
      for (const { at } of ys) if (inside(at, panel.y)) { c.moveTo(box.x, up(at)); c.lineTo(box.x + box.w, up(at)); }
    }
    c.stroke();
    c.strokeStyle = theme.axis;
    c.beginPath();
    if (spines) { c.moveTo(box.x, box.y); c.lineTo(box.x, box.y + box.h); c.lineTo(box.x + box.w, box.y + box.h); }
    c.stroke();
    let lines = 1;
    const step = xs.length > 1 ? Math.abs(across(xs[1].at) - across(xs[0].at)) : box.w;
    for (const { at, text } of xs) {
      if (!inside(at, panel.x)) continue;
      lines = Math.max(lines, text.split('\n').length);
      if (panel.upright) {
        this.words(oneLine(text), across(at), box.y + box.h + 5 * k, { align: 'right', width: panel.tall * k, angle: -Math.PI / 2, baseline: 'middle', size: panel.size ?? SMALL });
      } else {
        this.words(text, across(at), box.y + box.h + 14 * k, { align: 'center', size: panel.size ?? SMALL, width: panel.x.ticks ? step : undefined });
      }
    }
    for (const { at, text } of ys) {
      if (inside(at, panel.y)) this.words(text, box.x - 5 * k, up(at), { align: 'right', baseline: 'middle', size: panel.size ?? SMALL });
    }
    if (panel.x.label) {
      const ticks = xs.length ? 14 * lines + (panel.upright ? panel.tall - 12 : 0) : 2;
      this.linesBelow(panel.x.label, box.w).forEach((line, i) => this.words(line, box.x + box.w / 2, box.y + box.h + (ticks + 15 * (i + 1)) * k, { align: 'center', size: TEXT, width: box.w + 40 * k }));
    }
    if (panel.y.label) {
      const parts = panel.y.label.split('\n');
      this.font(SMALL);
      const names = Math.max(0, ...ys.map((tick) => c.measureText(tick.text).width));
      parts.forEach((part, i) => this.words(part, box.x - names - (14 + 13 * (parts.length - 1 - i)) * k, box.y + box.h / 2, { align: 'center', angle: -Math.PI / 2, size: TEXT, width: box.h * 1.2 }));
    }
    return { across, up };
  }

  line(xs, ys, look, across, up) {
    const { c, k, theme } = this;
    const color = colorOn(theme, look.c);
    c.strokeStyle = c.fillStyle = color;
    c.lineWidth = look.w * 1.35 * k;
    c.setLineDash(look.d.map((d) => d * look.w * 1.35 * k));
    c.lineJoin = 'round';
    const alone = xs.length === 1;
    if (look.l && !alone) {
      c.beginPath();
      let isDown = false;
      for (let i = 0; i < xs.length; i++) {
        const x = across(xs[i]), y = up(ys[i]);
        if (!Number.isFinite(x) || Number.isNaN(y)) { isDown = false; continue; }
        const shown = Number.isFinite(y) ? y : 1e5;
        isDown ? c.lineTo(x, shown) : c.moveTo(x, shown);
        isDown = true;
      }
      c.stroke();
    }
    c.setLineDash([]);
    if (look.m || (alone && look.l)) for (let i = 0; i < xs.length; i++) this.marker(look.m || 'o', across(xs[i]), up(ys[i]), look);
  }

  marker(kind, x, y, look) {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    const { c, k, theme } = this;
    const r = (look.s * 1.35 * k) / 2;
    c.beginPath();
    if (kind === 's') c.rect(x - r, y - r, 2 * r, 2 * r);
    else if (kind === '^') { c.moveTo(x, y - r); c.lineTo(x + r, y + r); c.lineTo(x - r, y + r); c.closePath(); }
    else if (kind === 'v') { c.moveTo(x, y + r); c.lineTo(x + r, y - r); c.lineTo(x - r, y - r); c.closePath(); }
    else if (kind === 'D') { c.moveTo(x, y - r); c.lineTo(x + r, y); c.lineTo(x, y + r); c.lineTo(x - r, y); c.closePath(); }
    else if (kind === 'P' || kind === 'X' || kind === 'x') {
      const [turn, thick] = [kind === 'P' ? 0 : Math.PI / 4, kind === 'x' ? 0 : r / 3];
      for (let i = 0; i < 4; i++) {
        const [cos, sin] = [Math.cos(turn + (i * Math.PI) / 2), Math.sin(turn + (i * Math.PI) / 2)];
        for (const [along, aside] of [[thick, -thick], [r, -thick], [r, thick]]) c.lineTo(x + along * cos - aside * sin, y + along * sin + aside * cos);
      }
      c.closePath();
    } else c.arc(x, y, r, 0, 2 * Math.PI);
    c.fillStyle = colorOn(theme, look.h && look.h !== 'none' ? look.h : look.c);
    c.strokeStyle = colorOn(theme, look.c);
    c.lineWidth = (look.h ? 1.8 : 1) * k;
    if (look.h !== 'none') c.fill();
    c.stroke();
  }

  curves(panel, box, margins) {
    const { c, k } = this;
    const { across, up } = this.axes(panel, box);
    const drawn = panel.curves.map((curve) => ({
      ...curve, xs: numbersOf(this.picture, curve.x), ys: numbersOf(this.picture, curve.y),
    }));
    c.save();
    c.beginPath();
    c.rect(box.x, box.y - 2, box.w + 2, box.h + 4);
    c.clip();
    for (const level of panel.levels) {
      this.line([panel.x.limits[0], panel.x.limits[1]], [level.value, level.value], level.look, across, up);
    }
    for (const curve of drawn) if (!curve.look.o) this.line(curve.xs, curve.ys, curve.look, across, up);
    c.restore();
    for (const curve of drawn) if (curve.look.o) this.line(curve.xs, curve.ys, curve.look, across, up);
    for (const mark of panel.marks) this.mark(mark, box, across(mark.x));
    for (const curve of drawn.filter((each) => each.upper)) {
      for (const i of curve.upper) this.arrow(across(curve.xs[i]), up(curve.ys[i]) + 5 * k, across(curve.xs[i]), up(0.55 * curve.ys[i]), curve.look);
    }
    if (panel.arrows) this.arrows(panel.arrows, 2, ([x, y]) => [across(x), up(y)]);
    if (panel.callout) {
      const [x, y] = [across(panel.callout.x), up(panel.callout.y)];
      const from = [Math.max(box.x + 70 * k, x - 100 * k), Math.max(box.y + 24 * k, y - 26 * k)];
      this.arrow(...from, x, y, { c: '#222222' });
      this.words(panel.callout.words, from[0], from[1] - 4 * k, { align: 'right' });
    }
    if (panel.below.length) this.legendBelow(panel, box, margins);
    else if (panel.legend) this.legend(panel, box, drawn, across, up);
    this.regions.push({ box, kind: 'curves', panel, curves: drawn, across, up });
  }

  // Whether the legend of a panel stands below it: where it belongs, or where a corner has no room for it. What the
  // curves do has no part in this, as the picture would change its height during a run.
  standsBelow(panel, width) {
    if (!panel.legend || panel.legend === BELOW) return panel.legend === BELOW;
    const entries = this.entriesOf(panel);
    if (this.isNarrow && entries.length > MOST_IN_CORNER) return true;
    this.font(SMALL);
    const longest = Math.max(0, ...entries.map(({ label }) => this.c.measureText(label).width));
    return longest + 66 * this.k > width;
  }

  // What a legend explains, each label once.
  entriesOf(panel) {
    const entries = [...(panel.curves ?? panel.paths), ...(panel.levels ?? [])].filter(({ label }) => label);
    return [...new Map(entries.map((entry) => [entry.label, entry])).values()];
  }

  // The entries of a legend below a panel that is `width` pixels wide, in rows.
  rowsBelow(panel, width) {
    const { c, k } = this;
    this.font(SMALL);
    const rows = [];
    let room = 0;
    for (const each of this.entriesOf(panel)) {
      const wide = Math.min(c.measureText(each.label).width + 42 * k, width);
      if (!rows.length || wide > room) { rows.push([]); room = width; }
      rows[rows.length - 1].push({ ...each, wide });
      room -= wide;
    }
    return rows;
  }

  legendBelow(panel, box, margins) {
    const { k } = this;
    const rows = panel.below;
    const plain = (v) => v;
    rows.forEach((row, i) => {
      let x = box.x + (box.w - row.reduce((sum, { wide }) => sum + wide, 0)) / 2;
      const y = box.y + box.h + margins.bottom - (rows.length - i - 0.5) * LEGEND_ROW * k;
      for (const { label, look, wide } of row) {
        if (look.l) this.line([x, x + 24 * k], [y, y], { ...look, m: null }, plain, plain);
        if (look.m) this.marker(look.m, x + 12 * k, y, look);
        this.words(label, x + 30 * k, y, { baseline: 'middle', width: wide - 30 * k });
        x += wide;
      }
    });
  }

  // A moment at which something was done to the run: a dashed line, with words along it.
  mark({ words }, box, x) {
    const { c, k, theme } = this;
    c.strokeStyle = colorOn(theme, '#767676');
    c.lineWidth = 1.2 * k;
    c.setLineDash([5 * k, 4 * k]);
    c.beginPath();
    c.moveTo(x, box.y);
    c.lineTo(x, box.y + box.h);
    c.stroke();
    c.setLineDash([]);
    this.font(SMALL);
    const room = Math.min(box.h - 6 * k, c.measureText(words).width);
    const side = x - box.x > 16 * k ? x - 5 * k : x + 13 * k;
    this.words(words, side, box.y + 4 * k + room / 2, { align: 'center', angle: -Math.PI / 2, size: SMALL, width: box.h - 6 * k, halo: true });
  }

  arrow(x1, y1, x2, y2, look) {
    const { c, k, theme } = this;
    const angle = Math.atan2(y2 - y1, x2 - x1);
    c.strokeStyle = c.fillStyle = colorOn(theme, look.c);
    c.lineWidth = 1.3 * k;
    c.beginPath();
    c.moveTo(x1, y1);
    c.lineTo(x2, y2);
    c.stroke();
    c.beginPath();
    c.moveTo(x2, y2);
    for (const turn of [-0.4, 0.4]) c.lineTo(x2 - 8 * k * Math.cos(angle + turn), y2 - 8 * k * Math.sin(angle + turn));
    c.fill();
  }

  // Arrows whose places have `size` coordinates, which `place` brings onto the page; weak ones are pale.
  arrows({ places, ways, strengths, w }, size, place) {
    const { c, k, theme } = this;
    const [middles, steps, shares] = [places, ways, strengths].map((array) => numbersOf(this.picture, array));
    const [strong, pale] = [theme.ink, theme.grid].map((css) => (css.startsWith('#') ? parse(css) : css.match(/\d+/g).map(Number)));
    shares.forEach((share, i) => {
      const at = (sign) => place(Array.from({ length: size }, (_, j) => middles[i * size + j] + (sign * steps[i * size + j]) / 2));
      const [[x1, y1], [x2, y2]] = [at(-1), at(1)];
      const angle = Math.atan2(y2 - y1, x2 - x1), head = Math.min(4.5 * w * 1.35 * k, Math.hypot(x2 - x1, y2 - y1));
      c.strokeStyle = c.fillStyle = `rgb(${strong.map((s, j) => Math.round(s * (0.4 + 0.6 * share) + pale[j] * 0.6 * (1 - share)))})`;
      c.lineWidth = w * 1.35 * k;
      c.beginPath();
      c.moveTo(x1, y1);
      c.lineTo(x2 - 0.8 * head * Math.cos(angle), y2 - 0.8 * head * Math.sin(angle));
      c.stroke();
      c.beginPath();
      c.moveTo(x2, y2);
      for (const turn of [-0.42, 0.42]) c.lineTo(x2 - head * Math.cos(angle + turn), y2 - head * Math.sin(angle + turn));
      c.fill();
    });
  }

  legend(panel, box, drawn, across, up) {
    const { c, k } = this;
    const entries = [...drawn, ...panel.levels].filter((each) => each.label);
    if (!entries.length) return;
    this.font(SMALL);
    const columns = Math.min(panel.columns, this.isNarrow ? 1 : panel.columns, entries.length);
    const rows = Math.ceil(entries.length / columns);
    const longest = Math.max(...entries.map((each) => c.measureText(each.label).width));
    const [w, h] = [columns * (longest + 50 * k), rows * 17 * k];
    const points = drawn.flatMap((curve) => Array.from(curve.xs, (x, i) => [across(x), up(curve.ys[i])]));
    for (const level of panel.levels) for (let i = 0; i <= 20; i++) points.push([box.x + (i / 20) * box.w, up(level.value)]);
    const corners = { 'upper right': [1, 0], 'upper left': [0, 0], 'lower left': [0, 1], 'lower right': [1, 1], 'center right': [1, 0.5], 'center left': [0, 0.5], 'upper center': [0.5, 0], 'lower center': [0.5, 1] };
    const placed = ([x, y]) => [box.x + 8 * k + x * (box.w - w - 16 * k), box.y + 5 * k + y * (box.h - h - 10 * k)];
    const covered = ([x, y]) => points.filter(([px, py]) => px > x - 4 && px < x + w + 4 && py > y - 3 && py < y + h + 3).length;
    const order = [panel.legend, ...Object.keys(corners)].filter((name) => corners[name]);
    let best = null;
    for (const name of order) {
      const at = placed(corners[name]);
      const count = covered(at);
      if (best === null || count < best.count) best = { at, count };
      if (count === 0) break;
    }
    const [left, top] = best.at;
    if (best.count) {
      c.globalAlpha = 0.85;
      c.fillStyle = this.theme.paper;
      c.fillRect(left - 3 * k, top - 2 * k, w, h + 4 * k);
      c.globalAlpha = 1;
    }
    entries.forEach((each, i) => {
      const x = left + Math.floor(i / rows) * (longest + 50 * k), y = top + (i % rows) * 17 * k + 9 * k;
      const plain = (v) => v;
      if (each.look.l) this.line([x, x + 30 * k], [y, y], { ...each.look, m: null }, plain, plain);
      if (each.look.m) this.marker(each.look.m, x + 15 * k, y, each.look);
      this.words(each.label, x + 38 * k, y, { baseline: 'middle' });
    });
  }

  heat(panel, box, margins) {
    const { c, k, theme } = this;
    const values = numbersOf(this.picture, panel.values);
    const [rows, columns] = panel.shape;
    const evenly = (limits, count) => Array.from({ length: count + 1 }, (_, i) => limits[0] + ((limits[1] - limits[0]) * i) / count);
    const xe = numbersOf(this.picture, panel.x_edges) ?? evenly(panel.x.limits, columns);
    const ye = numbersOf(this.picture, panel.y_edges) ?? evenly([panel.y.limits[1], panel.y.limits[0]], rows);
    const isBare = panel.gap > 0 || panel.row_groups.length > 0;
    const { across, up } = this.axes(panel, box, { grid: false, spines: !isBare });
    const px = Array.from(xe, across), py = Array.from(ye, up);
    const color = colorScale(panel.scale, theme);
    const gap = panel.gap * 1.2 * k;
    c.save();
    c.beginPath();
    c.rect(box.x - 1, box.y - 1, box.w + 2, box.h + 2);
    c.clip();
    const hatched = new Set(panel.hatched ?? []);
    for (let row = 0; row < rows; row++) {
      const [top, bottom] = [Math.min(py[row], py[row + 1]), Math.max(py[row], py[row + 1])];
      for (let column = 0; column < columns; column++) {
        const i = row * columns + column;
        const css = color(values[i]);
        const [x, w] = [px[column] + gap / 2, px[column + 1] - px[column] - gap];
        const [y, h] = [top + gap / 2, bottom - top - gap];
        if (hatched.has(i)) this.hatch(x, y, w, h);
        if (css === null || (Number.isNaN(values[i]) && css === theme.paper)) continue;
        c.fillStyle = css;
        if (gap) c.fillRect(x, y, w, h);
        else this.pixels(x, y, x + w, y + h);
        const number = panel.numbers && Number.isFinite(values[i]) ? values[i].toFixed(2) : '';
        const text = panel.words ? panel.words[i] : panel.narrow ? number.replace(/^0/, '') : number;
        if (text) {
          const size = Math.max(8, panel.digits * 1.3), lines = text.split('\n').length;
          this.words(text, x + w / 2, y + h / 2 - ((lines - 1) * size * 1.15 * k) / 2, {
            align: 'center', baseline: 'middle', size, color: inkOn(css.startsWith('#') ? `rgb(${parse(css)})` : css), width: w + 4,
          });
        }
      }
    }
    for (const curve of panel.curves) this.line(numbersOf(this.picture, curve.x), numbersOf(this.picture, curve.y), curve.look, across, up);
    c.restore();
    for (const group of panel.row_groups) {
      const [a, b] = [up(group.first), up(group.end)];
      if (group.end - group.first > rows / 8) this.words(group.name, box.x - 8 * k, (a + b) / 2, { align: 'center', angle: -Math.PI / 2 });
      if (group.end < rows) { c.strokeStyle = theme.ink; c.lineWidth = 1.5 * k; c.beginPath(); c.moveTo(box.x, b); c.lineTo(box.x + box.w, b); c.stroke(); }
    }
    for (const group of panel.column_groups) this.words(group.name, across((group.first + group.end) / 2), box.y - 5 * k, { align: 'center' });
    if (panel.scale_label) this.scaleBar(panel, { x: box.x + box.w + 12 * k, y: box.y, w: 10 * k, h: box.h }, color);
    this.regions.push({ box, kind: 'heat', panel, values, px, py });
  }

  // Fill a rectangle whose sides are moved to whole pixels, so that no line shows between two.
  pixels(left, top, right, bottom) {
    const density = Math.max(1, window.devicePixelRatio || 1);
    const [x, y, x2, y2] = [left, top, right, bottom].map((v) => Math.round(v * density) / density);
    this.c.fillRect(x, y, Math.max(x2 - x, 1 / density), Math.max(y2 - y, 1 / density));
  }

  hatch(x, y, w, h) {
    const { c, k } = this;
    c.save();
    c.beginPath();
    c.rect(x, y, w, h);
    c.clip();
    c.strokeStyle = '#888888';
    c.lineWidth = 0.9 * k;
    c.beginPath();
    for (let d = 0; d < w + h; d += 8 * k) { c.moveTo(x + d, y); c.lineTo(x + d - h, y + h); }
    c.stroke();
    c.restore();
  }

  scaleBar(panel, box, color) {
    const { c, k } = this;
    const { low, high, power } = panel.scale;
    const place = (value) => box.y + box.h * (1 - Math.max(0, (value - low) / (high - low || 1)) ** power);
    for (let i = 0; i < 60; i++) {
      c.fillStyle = color(low + (high - low) * ((i + 0.5) / 60) ** (1 / power));
      c.fillRect(box.x, box.y + box.h * (1 - (i + 1) / 60), box.w, box.h / 60 + 0.6);
    }
    const ticks = panel.scale_ticks.length ? panel.scale_ticks.map(([at, text]) => ({ at, text })) : linearTicks(low, high, Math.max(2, box.h / (30 * k)));
    for (const { at, text } of ticks) if (at >= low && at <= high) this.words(text, box.x + box.w + 4 * k, place(at), { baseline: 'middle', size: SMALL - 1 });
    this.words(panel.scale_label, box.x + box.w + 48 * k, box.y + box.h / 2, { align: 'center', angle: -Math.PI / 2, size: SMALL - 1, width: box.h * 1.2 });
  }

  triangle(panel, box, margins) {
    const { c, k, theme } = this;
    const side = Math.min(box.w, box.h / 0.866);
    const left = box.x + (box.w - side) / 2, bottom = box.y + box.h;
    const corners = [[left, bottom], [left + side, bottom], [left + side / 2, bottom - side * 0.866]];
    c.strokeStyle = colorOn(theme, '#767676');
    c.lineWidth = 1.2 * k;
    c.beginPath();
    corners.forEach(([x, y], i) => (i ? c.lineTo(x, y) : c.moveTo(x, y)));
    c.closePath();
    c.stroke();
    const at = [['center', 17], ['center', 17], ['center', -9]];
    panel.names.forEach((name, i) => this.words(name, corners[i][0], corners[i][1] + at[i][1] * k, { align: at[i][0], width: side * 0.6 }));
    const plain = (v) => v;
    if (panel.arrows) this.arrows(panel.arrows, 3, (mixture) => [0, 1].map((d) => corners.reduce((sum, corner, j) => sum + corner[d] * mixture[j], 0)));
    const points = [];
    for (const path of panel.paths) {
      const mixtures = numbersOf(this.picture, path.mixtures);
      const xs = [], ys = [];
      for (let i = 0; i < mixtures.length; i += 3) {
        xs.push(corners.reduce((sum, [x], j) => sum + x * mixtures[i + j], 0));
        ys.push(corners.reduce((sum, [, y], j) => sum + y * mixtures[i + j], 0));
      }
      this.line(xs, ys, path.look, plain, plain);
      if (path.label) xs.forEach((px, i) => points.push({ x: px, y: ys[i], mixture: [...mixtures.slice(3 * i, 3 * i + 3)], label: path.label }));
    }
    this.legendBelow(panel, box, margins);
    this.regions.push({ box, kind: 'triangle', panel, corners, points });
  }

  bars(panel, box) {
    const { c, k, theme } = this;
    const values = numbersOf(this.picture, panel.values);
    const marks = numbersOf(this.picture, panel.marks);
    c.fillStyle = colorOn(theme, panel.color);
    if (panel.horizontal) {
      const across = scaleOf(panel.axis, box.x, box.x + box.w);
      const h = box.h / values.length;
      values.forEach((value, i) => value && this.pixels(box.x, box.y + i * h, across(value), box.y + (i + 1) * h));
      for (const [at, text] of panel.axis.ticks ?? []) this.words(text, across(at), box.y + box.h + 14 * k, { align: 'center', size: SMALL - 1 });
      this.words(panel.axis.label, box.x + box.w / 2, box.y + box.h + 29 * k, { align: 'center' });
      this.regions.push({ box, kind: 'bars', panel, values });
      return;
    }
    const x = { label: '', limits: [-0.5, values.length - 0.5], ticks: panel.names.map((name, i) => [i, name]) };
    const { across, up } = this.axes({ x, y: panel.axis }, box);
    c.fillStyle = colorOn(theme, panel.color);
    values.forEach((value, i) => c.fillRect(across(i - 0.275), up(value), across(i + 0.275) - across(i - 0.275), up(0) - up(value)));
    if (marks) {
      const look = { c: '#222222', s: 7.5, h: 'none' };
      marks.forEach((value, i) => this.marker('o', across(i), up(value), look));
      this.marker('o', box.x + box.w - 110 * k, box.y + 12 * k, look);
      this.words(panel.mark_label, box.x + box.w - 96 * k, box.y + 12 * k, { baseline: 'middle' });
    }
    this.regions.push({ box, kind: 'bars', panel, values });
  }
}

// ---------------------------------------------------------------- pointing

const say = (value) => {
  if (!Number.isFinite(value)) return value === -Infinity ? '0' : '–';
  const size = Math.abs(value);
  if (size >= 1000) return value.toLocaleString('en-US', { maximumFractionDigits: 0 });
  return String(+value.toPrecision(4)).replace('-', '−');
};

// Return where something is, and words for it, nearest to a point of the picture; or nothing.
function nearest(region, x, y) {
  const { box, kind, panel } = region;
  if (kind === 'curves') {
    let best = null;
    for (const curve of region.curves.filter((each) => each.name)) {
      for (let i = 0; i < curve.xs.length; i++) {
        const [px, py] = [region.across(curve.xs[i]), region.up(curve.ys[i])];
        const distance = Math.hypot(px - x, 0.35 * (py - y));
        if (Number.isFinite(py) && (best === null || distance < best.distance)) best = { distance, curve, i, px, py };
      }
    }
    const share = (x - box.x) / box.w;
    const mixture = panel.starts && share >= 0 && share <= 1 ? [share, 1 - share] : undefined;
    if (best === null || best.distance > NEAR) return mixture ? { x, y, mixture, words: `${panel.x.label} ${say(share)}` } : null;
    const { curve, i } = best;
    return { x: best.px, y: best.py, index: i, curve, mixture, words: namePoint(panel, curve, i) };
  }
  if (kind === 'heat') {
    const column = region.px.findIndex((_, i) => i + 1 < region.px.length && x >= region.px[i] && x < region.px[i + 1]);
    const row = region.py.findIndex((_, i) => i + 1 < region.py.length && (y - region.py[i]) * (y - region.py[i + 1]) <= 0);
    return row < 0 || column < 0 ? null : cell(region, row, column);
  }
  if (kind === 'triangle') {
    const [[x0, y0], [x1], [, y2]] = region.corners;
    const top = (y0 - y) / (y0 - y2), right = (x - x0) / (x1 - x0) - top / 2;
    const mixture = [1 - top - right, right, top];
    const shares = (of) => panel.names.map((name, i) => `${name} ${of[i].toFixed(3)}`).join(', ');
    const marked = region.points.filter((point) => Math.hypot(point.x - x, point.y - y) < ON_POINT);
    if (marked.length) return { ...marked[0], words: `${marked.map(({ label }) => label).join(', ')}: ${shares(marked[0].mixture)}` };
    if (mixture.some((p) => p < -1e-9)) return null;
    return { x, y, mixture, words: shares(mixture) };
  }
  const share = panel.horizontal ? (y - box.y) / box.h : (x - box.x) / box.w;
  const i = Math.min(region.values.length - 1, Math.max(0, Math.floor(share * region.values.length)));
  return { ...bar(region, i), x, y };
}

// Words for a point of a curve: its value, and where it is; a named place is called by its name.
function namePoint(panel, curve, i) {
  const { ticks, label } = panel.x;
  const place = ticks?.length ? ticks.reduce((best, tick) => (Math.abs(tick[0] - curve.xs[i]) < Math.abs(best[0] - curve.xs[i]) ? tick : best))[1] : null;
  const across = place?.replace(/\n/g, ' ') ?? `${label.replace(' (log)', '')} ${say(curve.xs[i])}`;
  return `${curve.name}: ${say(curve.ys[i])}${curve.unit ? ` ${curve.unit}` : ''}, ${across}`;
}

function bar({ box, panel, values }, i) {
  const along = (i + 0.5) / values.length;
  const [x, y] = panel.horizontal ? [box.x + box.w / 2, box.y + along * box.h] : [box.x + along * box.w, box.y + box.h / 2];
  return { x, y, words: `${panel.names[i] ?? `row ${i + 1}`}: ${panel.axis.label} ${say(values[i])}` };
}

function cell(region, row, column) {
  const { panel, px, py, values } = region;
  const [, columns] = panel.shape;
  const i = row * columns + column;
  const at = (word, index) => `${word || 'cell'} ${index + 1}`;
  const names = [
    panel.rows[row] ?? at(panel.y.label, row), panel.columns[column] ?? at(panel.column_word || panel.x.label, column),
  ].filter(Boolean);
  const isHatched = (panel.hatched ?? []).includes(i);
  if (Number.isNaN(values[i]) && !isHatched) return null;
  const value = isHatched ? 'not allowed by the rules' : [panel.value_word, say(values[i]), panel.unit].filter(Boolean).join(' ');
  return { x: (px[column] + px[column + 1]) / 2, y: (py[row] + py[row + 1]) / 2, row, column, words: `${names.join(', ')}: ${value}` };
}

// ---------------------------------------------------------------- what stands on the page

function make(kind, attributes = {}, ...children) {
  const element = document.createElement(kind);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// A picture that can be pointed at.
class Screen {
  constructor(root) {
    this.root = root;
    // An image would leave arrow keys to the screen reader; what handles them itself is called an application.
    this.canvas = make('canvas', {
      tabindex: '0', role: 'application', 'aria-roledescription': 'picture', class: 'pokerlab-canvas',
      'aria-description': 'Arrow keys name the values, Page Up and Page Down go to another part.',
    });
    this.tip = make('div', { class: 'pokerlab-tip', hidden: '' });
    this.spoken = make('div', { class: 'pokerlab-spoken', 'aria-live': 'polite' });
    root.append(this.canvas, this.tip, this.spoken);
    this.picture = null;
    this.isDue = false;
    this.isLarge = false;
    this.frames = 0;
    this.pointed = null; // the region and place that the keyboard is at
    this.canvas.addEventListener('pointermove', (event) => this.point(event));
    this.canvas.addEventListener('pointerdown', (event) => this.point(event));
    this.canvas.addEventListener('click', (event) => this.choose(event));
    this.canvas.addEventListener('pointerleave', () => this.hide());
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    this.watcher = new ResizeObserver(() => this.later());
    this.watcher.observe(root);
    const retheme = () => { this.theme = null; this.later(); };
    // The page says that its theme changes before it has loaded the colors.
    this.themed = new MutationObserver(() => [0, 300, 1500].forEach((wait) => setTimeout(retheme, wait)));
    this.themed.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-jp-theme-light', 'data-jp-theme-name'] });
  }

  show(picture) {
    this.picture = picture;
    this.later();
  }

  later() {
    if (this.isDue || !this.picture) return;
    this.isDue = true;
    requestAnimationFrame(() => { this.isDue = false; this.paint(); });
  }

  paint() {
    const room = this.root.clientWidth;
    if (!room) return;
    this.theme ??= themeOf(this.root);
    const width = this.isLarge ? room : Math.min(room, MOST_WIDE);
    this.canvas.style.width = `${width}px`;
    this.painter = new Painter(this.canvas, this.picture, this.theme, width, this.isLarge);
    this.canvas.setAttribute('aria-label', this.picture.words);
    this.canvas.dataset.frames = ++this.frames;
    this.canvas.dataset.iteration = this.picture.iteration;
    if (!this.tip.hidden && this.pointer) this.tell(this.find(...this.pointer));
  }

  find(x, y) {
    const inside = ({ box }) => x >= box.x - 6 && x <= box.x + box.w + 6 && y >= box.y - 6 && y <= box.y + box.h + 6;
    const region = this.painter?.regions.find(inside);
    const found = region ? nearest(region, x, y) : null;
    return found && { ...found, region };
  }

  point(event) {
    this.pointer = [event.offsetX, event.offsetY];
    this.tell(this.find(...this.pointer));
  }

  // A click in a triangle lets the run begin there.
  choose(event) {
    const found = this.find(event.offsetX, event.offsetY);
    if (found?.mixture && found.region.panel.starts) this.onStart?.(found.mixture);
  }

  hide() {
    this.tip.hidden = true;
    this.pointer = null;
  }

  tell(found) {
    this.tip.hidden = !found;
    if (!found) { this.canvas.style.cursor = ''; return; }
    const starts = found.mixture && found.region.panel.starts;
    this.tip.textContent = starts ? `${found.words}: click to start here` : found.words;
    this.canvas.style.cursor = starts ? 'crosshair' : '';
    const left = Math.min(found.x + 12, this.canvas.clientWidth - this.tip.offsetWidth - 4);
    const top = found.y - this.tip.offsetHeight - 10;
    this.tip.style.transform = `translate(${Math.max(0, left)}px, ${top < 0 ? found.y + 14 : top}px)`;
  }

  // Arrow keys go from point to point, from cell to cell and from bar to bar, Page Up and Page Down from panel to panel;
  // Enter chooses a point of a triangle.
  key(event) {
    const regions = this.painter?.regions ?? [];
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], PageUp: null, PageDown: null, Escape: null, Enter: [0, 0] };
    if (!regions.length || !(event.key in steps)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') { this.hide(); this.pointed = null; return; }
    const before = this.pointed ?? { region: 0, curve: 0, index: -1, row: 0, column: -1 };
    const now = { ...before };
    if (steps[event.key] === null) {
      const by = event.key === 'PageDown' ? 1 : regions.length - 1;
      Object.assign(now, { region: (before.region + by) % regions.length, curve: 0, index: 0, row: 0, column: 0 });
    }
    const region = regions[Math.min(now.region, regions.length - 1)];
    const [down, right] = steps[event.key] ?? [0, 0];
    const clamp = (value, count) => Math.min(Math.max(value, 0), count - 1);
    let found;
    if (region.kind === 'curves') {
      const curves = region.curves.filter((each) => each.name && each.xs.length);
      if (!curves.length) return;
      now.curve = clamp(now.curve + down, curves.length);
      const curve = curves[now.curve];
      now.index = clamp(now.index + right, curve.xs.length);
      const [x, y] = [region.across(curve.xs[now.index]), region.up(curve.ys[now.index])];
      found = { x, y, words: namePoint(region.panel, curve, now.index) };
      if (event.key === 'Enter' && region.panel.starts && now.index >= 0) this.onStart?.([curve.xs[now.index], 1 - curve.xs[now.index]]);
    } else if (region.kind === 'triangle') {
      const [right, , top] = now.mixture ?? [1 / 3, 1 / 3, 1 / 3];
      const up = Math.min(1, Math.max(0, top - down * TRIANGLE_STEP));
      const left = Math.min(1 - up, Math.max(0, right - (steps[event.key]?.[1] ?? 0) * TRIANGLE_STEP));
      now.mixture = [left, 1 - left - up, up];
      const at = (axis) => region.corners.reduce((sum, corner, i) => sum + corner[axis] * now.mixture[i], 0);
      found = { ...nearest(region, at(0), at(1)), x: at(0), y: at(1), mixture: now.mixture, region };
      if (event.key === 'Enter' && region.panel.starts) this.onStart?.(now.mixture);
    } else if (region.kind === 'bars') {
      now.index = clamp(now.index + (region.panel.horizontal ? down : right), region.values.length);
      found = bar(region, now.index);
    } else {
      const [rows, columns] = region.panel.shape;
      const isUpward = region.py[0] > region.py[region.py.length - 1];
      now.row = clamp(now.row + (isUpward ? -down : down), rows);
      now.column = clamp(now.column + right, columns);
      found = cell(region, now.row, now.column);
    }
    const isEntered = !this.pointed || now.region !== before.region;
    this.pointed = now;
    this.tell(found);
    if (found) this.spoken.textContent = [isEntered && region.panel.title, found.words].filter(Boolean).join('. ');
  }

  close() {
    this.watcher.disconnect();
    this.themed.disconnect();
  }
}

// ---------------------------------------------------------------- playing again, comparing, taking home

const PLAY_SECONDS = 8; // that a whole run takes, if there are enough looks
const MOST_A_SECOND = 25;
const MOST_FRAMES = 100; // of a GIF
const ANSWERED_EACH = 5; // of the pictures that a kernel sends
const SAVED = [
  ['png', 'Picture (PNG)'], ['svg', 'Picture (SVG)'], ['columns', 'Columns (CSV)'], ['strategy', 'Strategy (CSV)'],
  ['code', 'Code (copied, .py)'], ['film', 'Film (WebM)'], ['gif', 'Film (GIF)'],
];

const MADE_HERE = ['png', 'film'];
const SAVED_OF_NO_RUN = ['png', 'svg', 'columns'];

// Return the iteration of a picture, and its first title.
function inBrief({ iteration, strips }) {
  const titles = strips.flatMap(({ title, rows }) => [title, ...rows.flat().map((panel) => panel.title)]);
  return [`t = ${iteration.toLocaleString('en-US')}`, titles.find(Boolean)].filter(Boolean).join(': ');
}

// Return the canvas as the bytes of a PNG of the usual width: on a dense screen it has more pixels than a film needs.
async function shrink(canvas) {
  const small = make('canvas');
  small.width = Math.min(canvas.width, WIDTH);
  small.height = Math.round((canvas.height * small.width) / canvas.width);
  small.getContext('2d').drawImage(canvas, 0, 0, small.width, small.height);
  const blob = await new Promise((resolve) => small.toBlob(resolve, 'image/png'));
  return new DataView(await blob.arrayBuffer());
}

function download(content, name) {
  const link = make('a', { href: URL.createObjectURL(content), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

// The controls below a picture. `ask` sends what the reader wants to the kernel. A recorded run has none: it cannot be
// pinned, and only what the page makes itself can be saved. What is no run can neither be played nor pinned.
class Controls {
  constructor(root, screen, ask, { isRecorded = false, isRun = true } = {}) {
    const saved = SAVED.filter(([kind]) => (isRun || SAVED_OF_NO_RUN.includes(kind)) && (!isRecorded || MADE_HERE.includes(kind)));
    Object.assign(this, { root, screen, ask, looks: null, count: 0, wanted: null, isLive: true });
    screen.onStart = (mixture) => ask({ start: mixture });
    const button = (words, title, action) => make('button', { type: 'button', class: 'pokerlab-button', title, onclick: action }, words);
    this.play = button('Play again', 'Play the run again from its beginning.', () => (this.timer ? this.stop() : this.begin()));
    this.slider = make('input', { type: 'range', min: '0', max: '0', value: '0', 'aria-label': 'Look at an earlier moment of the run', oninput: () => { this.stop(); this.seek(+this.slider.value); } });
    this.now = make('output', { class: 'pokerlab-now', 'aria-live': 'off' }); // the slider says it already
    this.pin = button('Pin', 'Keep this run to compare others with: curves in color, heat maps below.', () => ask({ pin: true }));
    this.large = button('Large', 'Fill the window, for a projector; Escape goes back.', () => this.enlarge());
    this.save = make('select', { class: 'pokerlab-save', 'aria-label': 'Save', 'aria-description': 'Choose with the arrow keys; Enter saves.', onchange: () => this.isStepping || this.take(), onkeydown: (event) => this.step(event), onpointerdown: () => { this.isStepping = false; } }, make('option', { value: '' }, 'Save…'), ...saved.map(([kind, words]) => make('option', { value: kind }, words)));
    this.pin.hidden = isRecorded || !isRun;
    for (const each of [this.play, this.slider, this.now]) each.hidden = !isRun;
    this.pins = make('div', { class: 'pokerlab-pins' });
    this.row = make('div', { class: 'pokerlab-controls' }, this.play, this.slider, this.now, this.pin, this.large, this.save);
    root.append(this.row, this.pins);
    this.leave = () => this.showLarge(document.fullscreenElement === this.whole);
    document.addEventListener('fullscreenchange', this.leave);
  }

  // A new picture of the run: it is shown unless the reader looks at an earlier one.
  update(message) {
    this.message = message;
    if (message.looks < this.count || message.picture.iteration === 0) this.isLive = true;
    this.isStale = true;
    this.count = message.looks;
    this.slider.max = String(Math.max(0, this.count - 1));
    this.row.classList.toggle('pokerlab-short', this.count < 2);
    if (this.isLive) this.showLive();
    this.namePins(message.pins ?? []);
    this.nameSettings(message.address ?? '');
  }

  // On a page that has nothing but this bench, the address says the settings, so that it can be passed on.
  nameSettings(address) {
    if (!document.querySelector('[data-voila]') || address === this.address) return;
    const isFirst = this.address === undefined;
    this.address = address;
    if (!(isFirst && !address)) history.replaceState(null, '', `${location.pathname}${address && '?'}${address}`);
  }

  showLive() {
    this.isLive = true;
    this.slider.value = this.slider.max;
    this.now.textContent = '';
    this.slider.setAttribute('aria-valuetext', `at the end, ${inBrief(this.message.picture)}`);
    this.screen.show(decode(this.message));
  }

  // Show the look of this number; ask for all of them first, if they are not here.
  seek(index) {
    if (index >= this.count - 1) { this.showLive(); return; }
    this.isLive = false;
    this.wanted = index;
    if (!this.looks || this.isStale) this.request();
    if (this.looks && this.looks[index]) this.showLook(index);
  }

  showLook(index) {
    const look = this.looks[Math.min(index, this.looks.length - 1)];
    this.now.textContent = `t = ${look.picture.iteration.toLocaleString('en-US')}`;
    this.slider.setAttribute('aria-valuetext', inBrief(look.picture));
    this.screen.show(decode(look));
  }

  // Ask for all looks, unless they are on their way: a slider that moves would ask for them many times a second.
  request() {
    if (this.isAwaited) return;
    this.isAwaited = true;
    this.isStale = false;
    this.ask({ looks: true });
  }

  receive(looks, buffers) {
    this.isAwaited = false;
    let next = 0;
    this.looks = looks.map((look) => ({ ...look, arrays: look.arrays.map((about) => ({ ...about, data: buffers[next++] })) }));
    if (this.wanted !== null && !this.isLive) this.showLook(this.wanted);
    if (this.then) { const then = this.then; this.then = null; then(); }
  }

  withLooks(then) {
    if (this.looks && !this.isStale) { then(); return; }
    this.then = then;
    this.request();
  }

  begin(atEnd) {
    this.withLooks(() => {
      const count = this.looks.length;
      const wait = Math.max(1000 / MOST_A_SECOND, Math.min(400, (PLAY_SECONDS * 1000) / count));
      let index = 0;
      this.isLive = false;
      this.atEnd = atEnd;
      this.play.textContent = 'Stop';
      this.timer = setInterval(() => {
        if (index >= count) { this.stop(); this.showLive(); this.screen.spoken.textContent = inBrief(this.message.picture); return; }
        this.slider.value = String(index);
        this.showLook(index++);
      }, wait);
    });
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.play.textContent = 'Play again';
    this.atEnd?.(); // a film ends where the reader stops it
    this.atEnd = null;
  }

  namePins(pins) {
    const words = JSON.stringify(pins);
    if (words === this.pinned) return;
    this.pinned = words;
    this.pins.replaceChildren(...pins.map(([label, color], index) => make('span', { class: 'pokerlab-pin' },
      make('span', { class: 'pokerlab-dot', style: `background: ${color}` }), label,
      make('button', { type: 'button', class: 'pokerlab-button', 'aria-label': `Unpin ${label}`, title: 'Unpin', onclick: () => this.ask({ unpin: index }) }, '×'))));
  }

  // A key that changes a closed menu chooses, as it passes other entries on the way; Enter takes what is chosen.
  step(event) {
    if (event.key === 'Tab' || event.key === 'Shift') return;
    this.isStepping = event.key !== 'Enter';
    if (event.key === 'Enter' && this.save.value) {
      event.preventDefault();
      this.take();
    }
  }

  take() {
    const kind = this.save.value;
    this.save.value = '';
    if (kind === 'png') this.screen.canvas.toBlob((blob) => download(blob, `picture-${this.screen.picture.iteration}.png`));
    else if (kind === 'film') this.film();
    else if (kind === 'gif') this.filmFrames();
    else if (kind) this.ask({ save: kind });
  }

  // Record the canvas while the run is played again.
  film() {
    if (!window.MediaRecorder || !this.screen.canvas.captureStream) { this.now.textContent = this.screen.spoken.textContent = 'This browser cannot record a film.'; return; }
    const recorder = new MediaRecorder(this.screen.canvas.captureStream(30), { mimeType: 'video/webm' });
    const parts = [];
    recorder.ondataavailable = (event) => parts.push(event.data);
    recorder.onstop = () => download(new Blob(parts, { type: 'video/webm' }), 'run.webm');
    this.withLooks(() => { recorder.start(); this.begin(() => recorder.stop()); });
  }

  // Paint some of the looks one after the other, and send each to the kernel, which joins them to a GIF.
  filmFrames() {
    this.withLooks(async () => {
      const count = Math.min(this.looks.length, MOST_FRAMES);
      this.isLive = false;
      for (let frame = 0; frame < count; frame++) {
        this.slider.value = Math.round((frame * (this.looks.length - 1)) / Math.max(1, count - 1));
        this.showLook(+this.slider.value);
        this.screen.paint();
        this.ask({ frame, of: count }, [await shrink(this.screen.canvas)]);
      }
      this.showLive();
    });
  }

  file({ name, kind }, content) {
    const bytes = new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
    download(new Blob([bytes], { type: kind }), name);
    if (name.endsWith('.py')) navigator.clipboard?.writeText(new TextDecoder().decode(bytes)).catch(() => {});
  }

  get whole() {
    return this.root.closest('.pokerlab-live') ?? this.root;
  }

  enlarge() {
    if (document.fullscreenElement === this.whole) document.exitFullscreen();
    else if (this.whole.requestFullscreen) this.whole.requestFullscreen().catch(() => this.showLarge(!this.screen.isLarge));
    else this.showLarge(!this.screen.isLarge);
  }

  showLarge(isLarge) {
    if (this.screen.isLarge === isLarge) return;
    this.screen.isLarge = isLarge;
    this.whole.classList.toggle('pokerlab-large', isLarge);
    this.large.textContent = isLarge ? 'Small' : 'Large';
    this.screen.later();
  }

  close() {
    this.stop();
    document.removeEventListener('fullscreenchange', this.leave);
  }
}

// anywidget waits two seconds for this module. On a page that has taken longer it drops all that the kernel sends to
// the model from then on, so that the picture would stand still. Then let the messages come to the model without it, and
// ask for the state, of which some may be lost.
async function hearLate(model) {
  if (!model.widget_manager) return; // a page without a kernel
  let whole = null; // the model itself, of which anywidget shows a part
  const note = (changed) => { whole = changed; };
  model.on('change:rendered', note);
  model.set('rendered', (model.get('rendered') ?? 0) + 1);
  model.off('change:rendered', note);
  if (!whole?.comm?.on_msg) return;
  const isHeard = await whole._handle_comm_msg({ content: { data: { method: 'none' } } }).then(() => true, () => false);
  if (isHeard) return;
  const { _handle_comm_msg: handle } = Object.getPrototypeOf(Object.getPrototypeOf(whole));
  whole._handle_comm_msg = handle;
  whole.comm.on_msg((message) => handle.call(whole, message));
  whole.comm.send({ method: 'request_state' });
}

function render({ model, el }) {
  el.classList.add('pokerlab-picture');
  const screen = new Screen(el);
  const controls = new Controls(el, screen, (wish, buffers) => model.send(wish, undefined, buffers), { isRecorded: Boolean(model.get('recorded')), isRun: model.get('is_run') ?? true });
  let answered = -Infinity; // the number of the last picture that the kernel knows to have arrived
  const show = () => {
    const message = model.get('picture');
    if (!message.picture) return;
    controls.update(message);
    // A kernel sends no more pictures than are answered. Some may have been lost, so numbers are compared, not counted.
    if (Math.floor(message.number / ANSWERED_EACH) > Math.floor(answered / ANSWERED_EACH)) {
      answered = message.number;
      model.send({ arrived: answered });
    }
  };
  const receive = (content, buffers) => {
    if (content.looks) controls.receive(content.looks, buffers);
    else if (content.file) controls.file(content.file, buffers[0]);
  };
  model.on('change:picture', show);
  model.on('msg:custom', receive);
  show();
  hearLate(model);
  return () => {
    model.off('change:picture', show);
    model.off('msg:custom', receive);
    controls.close();
    screen.close();
  };
}

export default { render };
