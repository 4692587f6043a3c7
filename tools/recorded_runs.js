// Play recorded runs on a page without a kernel: `recorded_runs.py` writes the runs, the painter shows them.

const pokerlabRuns = (() => {
  const arrived = new Map(); // runs by name, and who waits for them

  async function unpack(text) {
    const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    const end = bytes.indexOf(10); // the JSON has no line end
    const { looks, sizes } = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
    let at = end + 1;
    const arrays = sizes.map((size) => new DataView(bytes.buffer, bytes.byteOffset + at, ((at += size), size)));
    return { looks, arrays };
  }

  function load(name, folder) {
    if (!arrived.has(name)) {
      const waiting = {};
      waiting.run = new Promise((resolve, reject) => Object.assign(waiting, { resolve, reject }));
      arrived.set(name, waiting);
      const script = document.createElement('script');
      script.src = `${folder}/${name}.js`;
      script.onerror = () => waiting.reject(new Error(`${name} cannot be loaded`));
      document.head.append(script);
    }
    return arrived.get(name).run;
  }

  // What the painter takes for a kernel: it has the last picture, and all looks when they are asked for.
  function makeModel({ looks, arrays }) {
    const starts = [];
    looks.reduce((start, look) => (starts.push(start), start + look.arrays.length), 0);
    const last = looks.length - 1;
    const withData = looks[last].arrays.map((about, i) => ({ ...about, data: arrays[starts[last] + i] }));
    const picture = { picture: looks[last].picture, arrays: withData, looks: looks.length };
    const listeners = {};
    return {
      get: (name) => ({ picture, recorded: true })[name],
      on: (event, answer) => { listeners[event] = answer; },
      off: (event) => { delete listeners[event]; },
      send: (wish) => { if (wish.looks) listeners['msg:custom']({ looks }, arrays); },
    };
  }

  // Return what has been chosen in the menus, such as "Game KP(3), Payoff shift 10".
  function nameChoices(menus) {
    return menus.map((menu) => `${menu.labels[0].firstChild.textContent.trim()} ${menu.selectedOptions[0].text}`).join(', ');
  }

  function open(root) {
    const names = root.dataset.runs.split(' ');
    const menus = Array.from(root.querySelectorAll('select'));
    const place = root.querySelector('.pokerlab-run');
    const told = root.querySelector('[role=status]'); // for a screen reader
    let close = null;
    let opened = 0;

    async function show() {
      const index = menus.reduce((sum, menu) => sum * menu.options.length + menu.selectedIndex, 0);
      const mine = ++opened;
      try {
        const run = await load(names[index], root.dataset.folder);
        if (mine !== opened) return; // another one has been chosen meanwhile
        close?.();
        const picture = document.createElement('div');
        place.replaceChildren(picture);
        close = pokerlabPainter.render({ model: makeModel(run), el: picture });
        root.dataset.shown = names[index];
        const end = picture.querySelector('input[type=range]').getAttribute('aria-valuetext');
        if (mine > 1) told.textContent = `${nameChoices(menus)}: ${end}`;
      } catch (error) {
        place.textContent = told.textContent = `This run cannot be shown: ${error.message}.`;
      }
    }

    for (const menu of menus) menu.addEventListener('change', show);
    const still = root.closest('.cell_output') ?? root.parentElement;
    for (const image of still.querySelectorAll('img')) (image.closest('a') ?? image).hidden = true; // the run stands in its place
    show();
  }

  document.addEventListener('DOMContentLoaded', () => {
    document.querySelectorAll('.pokerlab-recorded').forEach(open);
    // The painter hears of a new theme by the body, where this site does not say it.
    const tell = () => { document.body.dataset.jpThemeName = document.documentElement.dataset.theme ?? ''; };
    new MutationObserver(tell).observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  });

  return { load, receive: (name, text) => unpack(text).then(arrived.get(name).resolve, arrived.get(name).reject) };
})();
