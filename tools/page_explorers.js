// Explorers on a page without a kernel; `page_explorers.py` says what is in them.

// What a profile of Kuhn poker is worth. `bets` has twelve chances to put a chip in, each for king, queen and jack:
// player 1 first, player 1 after check and bet, player 2 after a check, player 2 after a bet.
function measureKuhn(bets) {
  const [first, later, afterCheck, afterBet] = [0, 3, 6, 9].map((start) => bets.slice(start, start + 3));
  const cards = [0, 1, 2];
  const others = (card) => cards.filter((other) => other !== card);
  const sign = (mine, other) => (mine < other ? 1 : -1); // the king is the first
  const sum = (list, term) => list.reduce((total, each) => total + term(each), 0) / 6; // each of six deals
  let value = 0;
  const best = [0, 0];
  const better = new Array(12); // how much more a chip wins than none, with best choices elsewhere
  for (const card of cards) {
    const deals = others(card);
    const called = (other) => (1 - afterBet[other]) + afterBet[other] * 2 * sign(card, other);
    const passed = (other, call) => (1 - afterCheck[other]) * sign(card, other)
      + afterCheck[other] * (call * 2 * sign(card, other) - (1 - call));
    value += sum(deals, (other) => first[card] * called(other) + (1 - first[card]) * passed(other, later[card]));
    better[3 + card] = sum(deals, (other) => afterCheck[other] * (2 * sign(card, other) + 1));
    const pass = sum(deals, (other) => passed(other, better[3 + card] > 0 ? 1 : 0));
    better[card] = sum(deals, called) - pass;
    best[0] += pass + Math.max(0, better[card]);
    const bet = (other) => (1 - first[other]) * ((1 - later[other]) + later[other] * 2 * sign(card, other));
    const check = (other) => (1 - first[other]) * sign(card, other);
    better[6 + card] = sum(deals, bet) - sum(deals, check);
    better[9 + card] = sum(deals, (other) => first[other] * (2 * sign(card, other) + 1));
    const folded = -sum(deals, (other) => first[other]);
    best[1] += sum(deals, check) + Math.max(0, better[6 + card]) + folded + Math.max(0, better[9 + card]);
  }
  const values = [value, -value];
  const gains = [best[0] - values[0], best[1] - values[1]];
  return { values, best, gains, better, exploitability: gains[0] + gains[1] };
}

// The path of replicator dynamics, x' = x (Ax - xAx), by steps of the fourth order of Runge and Kutta.
function integrateReplicator(payoffs, start, steps = 2000, step = 0.02) {
  const size = Math.max(1e-9, ...payoffs.flat().map(Math.abs));
  const change = (x) => {
    const earned = payoffs.map((row) => row.reduce((sum, each, k) => sum + (each / size) * x[k], 0));
    const mean = earned.reduce((sum, each, k) => sum + each * x[k], 0);
    return x.map((share, k) => share * (earned[k] - mean));
  };
  const add = (x, way, by) => x.map((share, k) => share + by * way[k]);
  const path = [start];
  let x = start;
  for (let i = 0; i < steps; i++) {
    const a = change(x), b = change(add(x, a, step / 2)), c = change(add(x, b, step / 2)), d = change(add(x, c, step));
    x = x.map((share, k) => Math.max(0, share + (step / 6) * (a[k] + 2 * b[k] + 2 * c[k] + d[k])));
    const total = x.reduce((sum, share) => sum + share, 0);
    x = x.map((share) => share / total);
    path.push(x);
  }
  return path;
}

const pokerlabExplorers = (() => {
  const CARDS = ['K', 'Q', 'J'];
  const SITUATIONS = [
    ['player 1 acts first: bet?', 'bet', 'check'], ['player 1, after check and bet: call?', 'call', 'fold'],
    ['player 2, after a check: bet?', 'bet', 'check'], ['player 2, after a bet: call?', 'call', 'fold'],
  ];

  function make(kind, attributes = {}, ...children) {
    const element = Object.assign(document.createElement(kind), attributes);
    element.append(...children);
    return element;
  }

  const signed = (number) => `${number < -5e-5 ? '−' : '+'}${Math.abs(number).toFixed(4)}`;

  function openKuhn(root, { profiles, ranges }) {
    const inputs = [];
    const notes = [];
    const groups = SITUATIONS.map(([words], group) => {
      const rows = CARDS.map((card, row) => {
        const index = 3 * group + row;
        const input = make('input', { type: 'range', min: 0, max: 1, step: 1 / 60, value: 0.5, oninput: show });
        const shown = make('output', { ariaLive: 'off' }); // the slider says it already
        input.setAttribute('aria-label', `${words} with ${card}`);
        inputs[index] = input;
        notes[index] = { shown, best: make('small') };
        return make('div', {}, make('label', {}, card, input, shown), notes[index].best);
      });
      return make('fieldset', {}, make('legend', { textContent: words }), ...rows);
    });
    const choose = (bets) => { bets.forEach((bet, i) => { inputs[i].value = bet; exact = bets; }); show(); };
    const buttons = Object.entries(profiles).map(([name, bets]) => make('button', { type: 'button', textContent: name, onclick: () => choose(bets) }));
    const told = make('div', { role: 'status' });
    let exact = null; // a profile with a name lies between the places of a slider

    function show(event) {
      if (event) exact = null;
      const bets = exact ?? inputs.map((input) => +input.value);
      const { values, best, gains, better, exploitability } = measureKuhn(bets);
      bets.forEach((bet, i) => {
        const [, chip, none] = SITUATIONS[Math.floor(i / 3)];
        const [low, high] = ranges[i];
        const range = high > low ? `${low.toFixed(2)} to ${high.toFixed(2)}` : low.toFixed(2);
        const isTie = Math.abs(better[i]) < 1e-9;
        const advice = isTie ? 'either is best' : `best: ${better[i] > 0 ? chip : none}, by ${Math.abs(better[i]).toFixed(3)}`;
        notes[i].shown.textContent = bet.toFixed(2);
        notes[i].best.textContent = `${advice}; in equilibrium ${range}`;
        inputs[i].setAttribute('aria-valuetext', `${bet.toFixed(2)}, ${advice}`);
      });
      const verdict = exploitability < 1e-9 ? 'An equilibrium: nobody gains by a change of strategy.'
        : `Exploitability ${exploitability.toFixed(4)} chips: ${(50 * exploitability).toFixed(1)} in 100 hands, 50 in each seat.`;
      const line = (player) => `Player ${player + 1} wins ${signed(values[player])} chips a hand, and ${signed(best[player])} with a best response; gain ${signed(gains[player])}.`;
      told.replaceChildren(make('p', {}, make('b', { textContent: verdict })), make('p', { textContent: line(0) }), make('p', { textContent: line(1) }));
    }

    root.append(make('div', { className: 'pokerlab-characters' }, ...buttons), make('div', { className: 'pokerlab-sliders' }, ...groups), told);
    choose(Object.values(profiles).at(-1));
  }

  function openPopulation(root, { games }) {
    const menu = make('select', {}, ...Object.keys(games).map((name) => make('option', { textContent: name })));
    const fields = [0, 1, 2].map(() => [0, 1, 2].map(() => make('input', { type: 'number', step: 'any', oninput: () => show() })));
    const heads = [0, 1, 2].map(() => make('th', { scope: 'row' }));
    const table = make('table', { className: 'pokerlab-payoffs' }, ...fields.map((row, k) => make('tr', {}, heads[k], ...row.map((field) => make('td', {}, field)))));
    const place = make('div');
    const told = make('p', { role: 'status' });
    let start = [0.6, 0.3, 0.1];
    let names = [];
    let close = null;

    function fill() {
      const game = games[menu.value];
      names = game.names;
      heads.forEach((head, k) => { head.textContent = names[k]; });
      fields.forEach((row, k) => row.forEach((field, j) => {
        field.value = game.payoffs[k][j];
        field.setAttribute('aria-label', `what ${names[k]} earns from ${names[j]}`);
      }));
      show();
    }

    function show() {
      const payoffs = fields.map((row) => row.map((field) => +field.value || 0));
      const around = [0.1, 0.3, 0.5, 0.7].flatMap((a) => [0.1, 0.3, 0.5, 0.7].map((b) => [a, b, 1 - a - b])).filter((x) => x[2] > 0.05);
      const paths = [...around, start].map((x) => integrateReplicator(payoffs, x));
      const data = paths.map((path) => ({ kind: 'f4', data: new DataView(Float32Array.from(path.flat()).buffer) }));
      const look = (isOwn) => ({ c: isOwn ? '#0072b2' : '#888888', w: isOwn ? 2.4 : 0.7, d: [], l: true, m: '', s: 6, h: '' });
      const panel = {
        kind: 'triangle', title: '', width: 1, names, arrows: null, starts: true,
        paths: paths.map((_, k) => ({ mixtures: { a: k }, look: look(k === paths.length - 1) })),
      };
      const end = paths.at(-1).at(-1);
      const shares = (x) => names.map((name, k) => `${name} ${x[k].toFixed(2)}`).join(', ');
      told.textContent = `From ${shares(start)} the population comes to ${shares(end)}. Click in the triangle, or use arrow keys and Enter, to begin elsewhere.`;
      const picture = { picture: { iteration: 1, words: told.textContent, strips: [{ name: 'flow', height: 3.6, title: 'Where the shares flow', rows: [[panel]] }] }, arrays: data, looks: 1 };
      const model = {
        get: (name) => ({ picture, recorded: true })[name], on: () => {}, off: () => {},
        send: (wish) => { if (wish.start) { start = wish.start.map((share) => Math.max(share, 1e-6)); show(); } },
      };
      const element = make('div');
      close?.();
      place.replaceChildren(element);
      close = pokerlabPainter.render({ model, el: element });
    }

    menu.addEventListener('change', fill);
    menu.value = Object.keys(games)[1] ?? Object.keys(games)[0];
    root.append(make('label', {}, 'Game ', menu), table, place, told);
    fill();
  }

  // How often a starting hand wins against another one; the square has its equity against all of them.
  async function openHands(root, { names, file, folder, opened }) {
    const { arrays } = await pokerlabRuns.load(file, folder);
    const count = names.length;
    const side = Math.sqrt(count);
    const share = (array, place) => array.getUint16(2 * place, true) / 65535;
    const kinds = [['Pairs', (name) => name.length === 2], ['Suited', (name) => name[2] === 's'], ['Offsuit', (name) => name[2] === 'o']];
    const menus = opened.map((name) => {
      const menu = make('select', { onchange: show }, ...kinds.map(([label, isOne]) => make('optgroup', { label }, ...names.filter(isOne).map((each) => make('option', { textContent: each })))));
      menu.value = name;
      return menu;
    });
    const swap = make('button', { type: 'button', textContent: 'Swap', onclick: () => { [menus[0].value, menus[1].value] = [menus[1].value, menus[0].value]; show(); } });
    const told = make('p', { role: 'status' });
    const bars = [0, 1, 2].map(() => make('div'));
    const bar = make('div', { className: 'pokerlab-shares' }, ...bars);
    const cells = names.map((name, place) => make('td', { textContent: name, onclick: () => choose(place) }));
    const rows = Array.from({ length: side }, (_, row) => make('tr', {}, ...cells.slice(side * row, side * (row + 1))));
    rows.forEach((row) => row.setAttribute('role', 'row'));
    cells.forEach((each) => each.setAttribute('role', 'gridcell'));
    const square = make('table', { className: 'pokerlab-square', onkeydown: move }, make('tbody', {}, ...rows));
    square.setAttribute('role', 'grid');
    const percent = (number) => `${(100 * number).toFixed(2)}%`;

    // The shares of wins, ties and losses: the file has each pair once, row by row from the diagonal on.
    function find(one, other) {
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      const place = low * count - (low * (low - 1)) / 2 + high - low;
      const [win, tie] = arrays.map((array) => share(array, place));
      return one === low ? [win, tie, 1 - win - tie] : [1 - win - tie, tie, win];
    }

    function choose(place) {
      menus[1].value = names[place];
      show();
    }

    function move(event) {
      const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -side, ArrowDown: side }[event.key];
      const at = cells.indexOf(document.activeElement);
      if (event.key === 'Enter' || event.key === ' ') choose(at);
      else if (!step) return;
      else if (cells[at + step] && (Math.abs(step) > 1 || Math.floor(at / side) === Math.floor((at + step) / side))) {
        cells[at].tabIndex = -1;
        cells[at + step].tabIndex = 0;
        cells[at + step].focus();
      }
      event.preventDefault();
    }

    function show() {
      const [one, other] = menus.map((menu) => names.indexOf(menu.value));
      const shares = find(one, other);
      const [win, tie, loss] = shares.map(percent);
      told.textContent = `${names[one]} against ${names[other]}: wins ${win}, ties ${tie}, loses ${loss}. Equity ${percent(shares[0] + shares[1] / 2)}.`;
      bars.forEach((each, k) => { each.style.width = percent(shares[k]); });
      square.setAttribute('aria-label', `Equity of ${names[one]} against each starting hand`);
      cells.forEach((each, place) => {
        const [wins, ties] = find(one, place);
        const equity = wins + ties / 2;
        each.title = `${names[place]}: ${percent(equity)}`;
        each.setAttribute('aria-label', each.title);
        each.setAttribute('aria-selected', place === other);
        each.tabIndex = place === other ? 0 : -1;
        const by = Math.min(1, 2 * Math.abs(equity - 0.5)) * 0.7; // the rest is white, so that names can be read
        each.style.background = `rgb(${(equity > 0.5 ? [0, 114, 178] : [230, 159, 0]).map((color) => Math.round(255 + by * (color - 255)))})`;
      });
    }

    root.append(
      make('p', {}, 'Before the flop: how often one starting hand wins against another, over all suits that the two can have and all boards. In the square, pairs are on the diagonal and suited hands above it. Blue is where your hand is the favorite; choose a cell to play against it.'),
      make('div', { className: 'pokerlab-hands' }, make('label', {}, 'Your hand ', menus[0]), make('label', {}, 'against ', menus[1]), swap),
      told, bar, square,
    );
    show();
  }

  const OPEN = { kuhn: openKuhn, population: openPopulation, hands: openHands };

  document.addEventListener('DOMContentLoaded', () => {
    for (const root of document.querySelectorAll('.pokerlab-explorer')) {
      const still = root.closest('.cell_output') ?? root.parentElement;
      if (root.dataset.kind !== 'hands') { // whose picture shows a flop
        for (const image of still.querySelectorAll('img')) (image.closest('a') ?? image).hidden = true; // what stands here moves
      }
      OPEN[root.dataset.kind](root, JSON.parse(root.dataset.about));
    }
  });
})();
