"use strict";
// The page of analysed games. Each game is one element of data; what is shown is kept in `at`: game, ply, and a step of the better line.
document.addEventListener("DOMContentLoaded", () => {
  const sources = [...document.querySelectorAll("script.game")];
  const games = sources.map(() => null);
  const load = i => games[i] || (games[i] = JSON.parse(sources[i].textContent));
  const at = { game: 0, ply: 0, step: 0, flipped: false };
  const signs = { blunder: "??", mistake: "?", inaccuracy: "?!" };

  // Elements and SVG without markup in strings: names in games are text, whatever they hold.
  const svgNames = new Set(["svg", "rect", "circle", "path", "text", "line", "g", "polyline", "title"]);
  function el(name, attributes, ...children) {
    const svg = svgNames.has(name);
    const node = svg ? document.createElementNS("http" + "://www.w3.org/2000/svg", name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
      else if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
    }
    node.append(...children.filter(child => child !== null && child !== undefined));
    return node;
  }

  const main = el("main", {});
  document.body.append(main);
  if (!sources.length) {
    main.append(el("p", {}, "No games."));
    return;
  }
  const players = g => `${g.white || "White"} – ${g.black || "Black"}`;
  const list = el("select", { "aria-label": "Game", onchange: () => show(list.selectedIndex, 0, 0) });
  const nav = el("nav", {},
    el("button", { class: "key", id: "before", "aria-label": "Previous game", onclick: () => show(at.game - 1, 0, 0) }, "‹"),
    list,
    el("button", { class: "key", id: "behind", "aria-label": "Next game", onclick: () => show(at.game + 1, 0, 0) }, "›"));
  sources.forEach((_, i) => {
    const g = load(i);
    list.append(el("option", {}, `${g.n}. ${players(g)}  ${g.result || "*"}`));
    if (sources.length > 50) games[i] = null;
  });
  const head = el("section", { class: "head" });
  const board = el("div", { id: "board", role: "img" });
  // Drawn, not written: not every font has these signs.
  const icon = d => el("svg", { viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true" }, el("path", { d, fill: "currentColor" }));
  const key = (id, d, name, press) => el("button", { class: "key", id, "aria-label": name, title: name, onclick: press }, icon(d));
  const controls = el("div", { class: "controls" },
    key("first", "M3,3 h2.5 v14 h-2.5 z M17,3 v14 L7,10 z", "Start", () => show(at.game, 0, 0)),
    key("back", "M15,3 v14 L5,10 z", "Back", () => move(-1)),
    key("flip", "M6,2 l4,5 h-2.7 v7 h-2.6 v-7 h-2.7 z M14,18 l-4,-5 h2.7 v-7 h2.6 v7 h2.7 z", "Turn the board", () => { at.flipped = !at.flipped; draw(); }),
    key("forward", "M5,3 v14 L15,10 z", "Forward", () => move(1)),
    key("last", "M17,3 h-2.5 v14 h2.5 z M3,3 v14 L13,10 z", "End", () => show(at.game, load(at.game).moves.length, 0)));
  const graph = el("div", { id: "graph" });
  const note = el("section", { id: "note", "aria-live": "polite" });
  const moves = el("section", { id: "moves", "aria-label": "Moves" });
  const legend = el("p", { class: "legend keys" });
  legend.append(el("kbd", {}, "←"), " ", el("kbd", {}, "→"), " moves  ", el("kbd", {}, "↑"), " ", el("kbd", {}, "↓"), " better line  ",
    el("kbd", {}, "M"), " next mark  ", el("kbd", {}, "F"), " turn  ", el("kbd", {}, "P"), " ", el("kbd", {}, "N"), " games");
  main.append(nav, el("div", { class: "left" }, board, controls), head, graph, note, moves, legend);

  // A position is a string, a letter a square; a step is [from, to, taken off, promotes].
  function play(cells, [from, to, off, promotes]) {
    const next = [...cells];
    let piece = next[from - 1];
    next[from - 1] = ".";
    off.forEach(square => { next[square - 1] = "."; });
    if (promotes) piece = piece.toUpperCase();
    next[to - 1] = piece;
    return next.join("");
  }
  function position(g, ply) {
    let cells = g.start || "";
    for (let i = 0; i < ply; i++) cells = play(g.moves[i].set || cells, g.moves[i].m);
    return cells;
  }
  /** The position shown, and the step that led to it. */
  function shown(g) {
    if (at.step) {
      const mv = g.moves[at.ply - 1];
      let cells = mv.set || position(g, at.ply - 1);
      for (let i = 0; i < at.step; i++) cells = play(cells, mv.best.l[i].m);
      return { cells, step: mv.best.l[at.step - 1].m };
    }
    return { cells: position(g, at.ply), step: at.ply ? g.moves[at.ply - 1].m : null };
  }
  const better = g => at.ply && g.moves[at.ply - 1].best ? g.moves[at.ply - 1].best.l.length : 0;
  const score = (s, g) => s.startsWith("#") ? `${s.startsWith("#-") ? "Black" : "White"} wins in ${s.replace(/#-?/, "")}` : (s.startsWith("-") ? s.replace("-", "−") : s === "0.00" ? s : "+" + s);
  const number = (g, ply) => {
    const half = ply - 1 + (g.second ? 1 : 0);
    return `${g.number + (half >> 1)}.${half % 2 ? ".." : ""}`;
  };

  function show(game, ply, step) {
    const changed = game !== at.game;
    at.game = Math.max(0, Math.min(sources.length - 1, game));
    const g = load(at.game);
    at.ply = Math.max(0, Math.min(g.moves.length, ply));
    at.step = Math.max(0, Math.min(better(g), step));
    if (changed) frame();
    draw();
    history.replaceState(null, "", `#${at.game + 1}.${at.ply}${at.step ? "." + at.step : ""}`);
  }
  function move(by) {
    if (at.step) show(at.game, at.ply, at.step + by || (by < 0 ? 0 : 1));
    else show(at.game, at.ply + by, 0);
  }

  /** What stays the same during a game: players, graph and list of moves. */
  function frame() {
    const g = load(at.game);
    list.selectedIndex = at.game;
    document.title = `${players(g)}: analysed by damka`;
    const about = [g.event, g.date, g.variant].filter(text => text && !/^[?.]*$/.test(text)).join(", ");
    const player = (side, name, sum) => el("div", { class: "player" },
      el("div", {}, el("span", { class: `disc ${side}` }), el("b", {}, name || (side === "white" ? "White" : "Black"))),
      el("div", { class: "accuracy" }, sum.accuracy === null ? "–" : `${sum.accuracy.toFixed(1)} %`),
      el("div", { class: "soft" }, sum.loss === null ? "no move with a choice" : `accuracy · ${sum.loss.toFixed(2)} men lost a move`),
      el("div", {}, ...["blunder", "mistake", "inaccuracy"].map((mark, i) =>
        el("span", { class: `count ${mark}`, title: `${mark}s`.replace("ys", "ies") }, `${signs[mark]} ${sum.marks[2 - i]}`))));
    head.replaceChildren(
      el("h1", {}, `${players(g)}  ${g.result || "*"}`), el("p", { class: "soft", style: "margin:.1rem 0 .5rem" }, about),
      el("div", { class: "players" }, player("white", g.white, g.sums[0]), player("black", g.black, g.sums[1])));
    drawGraph(g);
    drawMoves(g);
  }

  function drawGraph(g) {
    const width = 1000, height = 240, n = Math.max(1, g.moves.length);
    const x = ply => ply * width / n, y = points => height - 6 - points * (height - 12);
    const points = [g.x, ...g.moves.map(mv => mv.x)];
    const line = points.map((value, ply) => `${x(ply).toFixed(1)},${y(value).toFixed(1)}`);
    const svg = el("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": "Chances of White" });
    svg.append(el("path", { d: `M0,${height} L${line.join(" L")} L${x(points.length - 1)},${height} Z`, fill: "var(--gw)" }));
    svg.append(el("line", { x1: 0, x2: width, y1: y(0.5), y2: y(0.5), stroke: "var(--soft)", "stroke-dasharray": "8 6", "vector-effect": "non-scaling-stroke" }));
    svg.append(el("polyline", { points: line.join(" "), fill: "none", stroke: "var(--accent)", "stroke-width": 2, "vector-effect": "non-scaling-stroke" }));
    g.moves.forEach((mv, i) => {
      if (!mv.mark) return;
      // A line of no length with round ends stays a dot however the graph is stretched.
      svg.append(el("path", { class: "dot", d: `M${x(i + 1)},${y(mv.x)} l0.01,0`, stroke: `var(--${mv.mark})`, "stroke-width": mv.mark === "blunder" ? 11 : 8, "stroke-linecap": "round", "vector-effect": "non-scaling-stroke" }));
    });
    svg.append(el("line", { id: "cursor", y1: 0, y2: height, stroke: "var(--blunder)", "stroke-width": 2, "vector-effect": "non-scaling-stroke" }));
    graph.replaceChildren(svg);
    graph.onclick = event => {
      const box = svg.getBoundingClientRect();
      show(at.game, Math.round((event.clientX - box.left) / box.width * n), 0);
    };
  }

  function drawMoves(g) {
    moves.replaceChildren();
    g.moves.forEach((mv, i) => {
      const second = (i + (g.second ? 1 : 0)) % 2 === 1;
      if (!second || i === 0) moves.append(el("span", { class: "no" }, number(g, i + 1).replace("...", ".")));
      if (second && i === 0) moves.append(el("span", {}));
      const sign = mv.mark ? signs[mv.mark] : mv.only ? "!" : "";
      moves.append(el("button", { class: "move", "data-ply": i + 1, onclick: () => show(at.game, i + 1, 0) },
        el("span", { class: mv.mark || (mv.only ? "only" : null) }, `${mv.t} ${sign}`), el("span", { class: "eval" }, score(mv.s))));
    });
    if (g.unread) moves.append(el("p", { class: "soft", style: "grid-column:1/-1;padding:0 .5rem" }, `Not legal, and not read any further: ${g.unread}`));
    if (!g.moves.length && !g.unread) moves.append(el("p", { class: "soft", style: "grid-column:1/-1;padding:0 .5rem" }, "No moves."));
  }

  /** What changes with every step. */
  function draw() {
    const g = load(at.game);
    drawBoard(g);
    const n = Math.max(1, g.moves.length), x = at.ply * 1000 / n;
    const cursor = document.getElementById("cursor");
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
    for (const button of moves.querySelectorAll(".move.on")) button.classList.remove("on");
    const now = moves.querySelector(`[data-ply="${at.ply}"]`);
    if (now) {
      now.classList.add("on");
      if (now.offsetTop < moves.scrollTop || now.offsetTop + now.offsetHeight > moves.scrollTop + moves.clientHeight) moves.scrollTop = now.offsetTop - moves.clientHeight / 2;
    } else moves.scrollTop = 0;
    drawNote(g);
    document.getElementById("before").disabled = at.game === 0;
    document.getElementById("behind").disabled = at.game === sources.length - 1;
    document.getElementById("first").disabled = document.getElementById("back").disabled = at.ply === 0;
    document.getElementById("last").disabled = at.ply === g.moves.length;
    document.getElementById("forward").disabled = at.step ? at.step === better(g) : at.ply === g.moves.length;
    Object.assign(main.dataset, { game: at.game + 1, ply: at.ply, step: at.step });
  }

  function drawNote(g) {
    note.replaceChildren();
    if (!at.ply) {
      note.append(el("p", {}, g.moves.length ? `Before the first move: ${score(g.s)}` : "This game has no moves to show."),
        el("p", { class: "soft" }, "Scores are White’s, in men. Step with the buttons, a swipe on the board, the graph or the list."));
      return;
    }
    const mv = g.moves[at.ply - 1];
    const title = el("p", {}, el("b", {}, `${number(g, at.ply)} ${mv.t}`), `  ${score(mv.s)}  `);
    if (mv.mark) title.append(el("b", { class: mv.mark }, `${mv.mark}, ${mv.loss.toFixed(2)} men lost`));
    else if (mv.only) title.append(el("b", { class: "only" }, "the only good move"));
    else if (mv.forced) title.append(el("span", { class: "soft" }, "forced"));
    else if (!mv.best) title.append(el("span", { class: "soft" }, "the best move"));
    note.append(title);
    if (mv.c) note.append(el("p", { class: "soft" }, mv.c));
    if (mv.best && mv.best.l.length) {
      const line = el("div", { class: "line" });
      mv.best.l.forEach((step, i) => {
        const text = (i === 0 ? number(g, at.ply) + " " : (at.ply + i + (g.second ? 1 : 0)) % 2 ? number(g, at.ply + i) + " " : "") + step.t;
        line.append(el("button", { class: at.step === i + 1 ? "chip on" : "chip", onclick: () => show(at.game, at.ply, i + 1) }, text));
      });
      note.append(el("p", { class: "soft" }, `${mv.mark ? "Better" : "Also looked at"}: ${score(mv.best.s)}`), line);
    }
  }

  function drawBoard(g) {
    const { cells, step } = shown(g), { w, h, all, corner } = g.board;
    const svg = el("svg", { viewBox: `0 0 ${w * 10} ${h * 10}`, role: "img", "aria-label": `Board after ${at.ply} moves` });
    svg.append(el("rect", { width: w * 10, height: h * 10, fill: "var(--light)" }));
    const place = [];
    for (let row = 0; row < h; row++) for (let column = 0; column < w; column++) {
      if (!all && (column + h - 1 - row) % 2 === (corner ? 1 : 0)) continue;
      place.push(at.flipped ? [w - 1 - column, h - 1 - row] : [column, row]);
    }
    place.forEach(([x, y], i) => {
      const lit = step && (step[0] === i + 1 || step[1] === i + 1);
      const fill = all && (x + y) % 2 === 0 ? "var(--light)" : "var(--dark)";
      svg.append(el("rect", { x: x * 10, y: y * 10, width: 10, height: 10, fill: lit ? "var(--from)" : fill, "data-square": i + 1 }));
      svg.append(el("text", { x: x * 10 + 0.6, y: y * 10 + 2.4, "font-size": 2, fill: all ? "var(--edge)" : "var(--light)", "font-family": "system-ui,sans-serif", opacity: 0.85 }, g.names[i]));
    });
    if (all) for (let i = 1; i < Math.max(w, h); i++) svg.append(el("path", { d: `M${i * 10},0 V${h * 10} M0,${i * 10} H${w * 10}`, stroke: "var(--edge)", "stroke-width": 0.15 }));
    place.forEach(([x, y], i) => {
      const piece = cells[i];
      if (!piece || piece === ".") return;
      const side = piece.toLowerCase(), cx = x * 10 + 5, cy = y * 10 + 5;
      const group = el("g", { class: `piece ${side}`, "data-at": i + 1 });
      group.append(el("circle", { cx, cy: cy + 0.35, r: 3.9, fill: `var(--${side}l)`, opacity: 0.55 }),
        el("circle", { cx, cy, r: 3.9, fill: `var(--${side})`, stroke: `var(--${side}l)`, "stroke-width": 0.3 }),
        el("circle", { cx, cy, r: 2.8, fill: "none", stroke: side === "w" ? "var(--wl)" : "#8d867c", "stroke-width": 0.25, opacity: 0.8 }));
      if (piece !== side) group.append(el("path", { class: "crown", d: `M${cx - 2.1},${cy + 1.5} l-0.5,-3.2 l1.5,1.2 l1.1,-2 l1.1,2 l1.5,-1.2 l-0.5,3.2 z`, fill: "#d9a521", stroke: side === "w" ? "#6b5312" : "#f3d98a", "stroke-width": 0.25 }));
      svg.append(group);
    });
    board.replaceChildren(svg);
  }

  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target === list) return;
    const g = load(at.game);
    const keys = {
      ArrowLeft: () => move(-1), ArrowRight: () => move(1),
      Home: () => show(at.game, 0, 0), End: () => show(at.game, g.moves.length, 0),
      ArrowDown: () => show(at.game, at.ply, at.step + 1), ArrowUp: () => show(at.game, at.ply, at.step - 1),
      m: () => { const next = g.moves.findIndex((mv, i) => i >= at.ply && mv.mark); if (next >= 0) show(at.game, next + 1, 0); },
      f: () => { at.flipped = !at.flipped; draw(); },
      n: () => show(at.game + 1, 0, 0), p: () => show(at.game - 1, 0, 0),
    };
    const press = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (press) { event.preventDefault(); press(); }
  });
  let touched = null;
  board.addEventListener("pointerdown", event => { touched = [event.clientX, event.clientY]; });
  board.addEventListener("pointerup", event => {
    if (!touched) return;
    const [dx, dy] = [event.clientX - touched[0], event.clientY - touched[1]];
    touched = null;
    if (Math.abs(dx) > 30 && Math.abs(dx) > 2 * Math.abs(dy)) move(dx < 0 ? 1 : -1);
    else if (Math.abs(dx) < 8 && Math.abs(dy) < 8) {
      // A tap on the right half goes on, one on the left half goes back.
      const box = board.getBoundingClientRect();
      move(event.clientX > box.left + box.width / 2 ? 1 : -1);
    }
  });
  board.addEventListener("pointercancel", () => { touched = null; });

  const [game, ply, step] = location.hash.slice(1).split(".").map(Number);
  at.game = -1;
  show((game || 1) - 1, ply || 0, step || 0);
});
