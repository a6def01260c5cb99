"use strict";
// Everything that people typed is put in as text, never as markup.
const model = JSON.parse(document.getElementById("model").textContent);
const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
let lang = model.lang[document.documentElement.lang];
let step = model.steps;
let timer = 0;

function make(tag, attrs, ...inside) {
  const svg = tag === "svg" || tag === "use";
  const found = svg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [key, value] of Object.entries(attrs || {})) found.setAttribute(key, value);
  found.append(...inside.filter((one) => one !== null && one !== ""));
  return found;
}
const t = (key) => lang.text[key] || key;
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key]);
const word = (name) => (lang.cards[name] ? lang.cards[name][0] : lang.labels[name] || name);

const counted = (name, count) => (count === 1 && lang.labels[`${name}-1`]) || word(name);

// The tables: each board lays over the one before what is new.
const boards = [];
for (const delta of model.boards) {
  const before = boards.at(-1) || { f: {}, r: [], s: {} };
  const sides = { ...before.s };
  for (const [seat, side] of Object.entries(delta.s || {})) sides[seat] = { ...sides[seat], ...side };
  boards.push({ f: delta.f || before.f, r: delta.r || before.r, s: sides });
}
// A game that was abandoned before the deal has fewer boards than steps.
const boardOf = (at) => boards[model.replayed ? Math.max(0, Math.min(at, boards.length) - 1) : boards.length - 1];

function building(seat, [plot, card, mark, under, note], before) {
  const [cost, points, group] = model.faces[card];
  const label = [word(card), fill(t("plot"), { plot })];
  if (cost) label.push(fill(t("cost"), { cost }), fill(t("points"), { points }));
  if (mark) label.push(t(mark === "good" ? "with-good" : "no-good"));
  if (under) label.push(fill(t("covers"), { count: under }));
  if (note) label.push(`${word("note")}: ${note}`);
  const svg = make("svg", { viewBox: "0 0 100 132", "aria-hidden": "true" }, make("use", { href: `#c-${card}` }));
  if (mark) svg.append(make("use", { href: `#g-${mark === "good" ? group : "empty"}` }));
  const old = before && before.find((one) => one[0] === plot);
  const changed = before && (!old || JSON.stringify(old) !== JSON.stringify([plot, card, mark, under, note]));
  const names = `card${under ? ` under${Math.min(under, 3)}` : ""}${changed ? " changed" : ""}`;
  return make("li", {}, make("button", { type: "button", class: names, "data-card": card, "data-seat": seat, "data-plot": plot, "aria-label": label.join(", ") },
    svg, make("span", { class: "plot" }, `${plot}${note ? ` · ${note}` : ""}`)));
}

function token([name, used]) {
  const [first, number] = name.split(" ");
  const item = make("li", { class: used ? "token used" : "token" });
  if (lang.cards[first]) item.append(make("button", { type: "button", class: "name", "data-card": first }, word(first)));
  else if (number) item.append(`${word(first)} `, make("b", {}, number));
  else item.append(word(first));
  return item;
}

function drawBoard(before) {
  const board = boardOf(step);
  if (!board) return;
  const facts = make("dl", { class: "facts" });
  for (const [key, value] of Object.entries(board.f)) facts.append(make("div", {}, make("dt", {}, word(key)), make("dd", {}, `${value}`)));
  const rows = board.r.map(([key, tokens]) => make("div", { class: "row" }, make("h3", {}, word(key)), make("ul", {}, ...tokens.map(token))));
  const sides = make("div", { class: "sides" });
  Object.entries(board.s).forEach(([seat, side], number) => {
    const head = make("header", {}, make("h3", {}, seat));
    if (seat === model.me) head.append(make("span", { class: "badge" }, t("you")));
    for (const badge of side.b) head.append(make("span", { class: `badge ${badge}` }, word(badge)));
    const line = make("p");
    for (const [key, value] of Object.entries(side.f)) line.append(make("span", {}, make("b", {}, `${value}`), ` ${counted(key, value)}`));
    head.append(line);
    const old = before && before.s[seat] && before.s[seat].c;
    sides.append(make("article", { class: `side s${number}` }, head, make("ul", { class: "city" }, ...side.c.map((one) => building(seat, one, old)))));
  });
  $("board").replaceChildren(facts, ...rows, sides);
}

// The timeline.
const stepButtons = [...document.querySelectorAll("[data-step]")];

function show(at) {
  step = Math.max(1, Math.min(model.steps, at));
  drawBoard(model.replayed && step > 1 ? boardOf(step - 1) : null);
  stepButtons.forEach((one) => one.removeAttribute("aria-current"));
  const current = stepButtons[step - 1];
  current.setAttribute("aria-current", "step");
  const box = $("steps");
  const top = current.offsetTop - box.offsetTop;
  if (top < box.scrollTop || top + current.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 3;
  tell();
}

function tell() {
  $("slider").value = step;
  const said = lang.story[step - 1][0];
  $("slider").setAttribute("aria-valuetext", `${step}: ${said}`);
  $("now").replaceChildren(make("b", {}, fill(t("step-of"), { step, steps: model.steps })), " ", said);
  $("previous").disabled = $("first").disabled = step === 1;
  $("next").disabled = $("last").disabled = step === model.steps;
  $("run").setAttribute("aria-label", t(timer ? "stop" : "run"));
  $("run").querySelector("path").setAttribute("d", timer ? "M8 5V19M16 5V19" : "M8 5 19 12 8 19Z");
}

function run(on) {
  clearInterval(timer);
  timer = 0;
  if (on) {
    if (step === model.steps) show(1);
    timer = setInterval(() => (step < model.steps ? show(step + 1) : run(false)), 900);
  }
  tell();
}

function go(at) {
  if (timer) run(false);
  show(at);
}

// The card that was tapped, large.
function detail(name, seat, plot) {
  const [cost, points] = model.faces[name];
  const side = seat && boardOf(step).s[seat];
  const there = side && side.c.find((one) => `${one[0]}` === plot);
  const facts = cost ? [fill(t("cost"), { cost }), fill(t("points"), { points })] : [];
  if (there && there[4]) facts.push(`${word("note")}: ${there[4]}`);
  $("detail-title").textContent = word(name);
  $("detail-facts").textContent = facts.join(" · ");
  $("detail-text").textContent = lang.cards[name][1];
  $("detail-name").textContent = name;
  $("detail-card").setAttribute("href", `#c-${name}`);
  $("detail").showModal();
}

// Languages and colours.
function speak(code) {
  document.documentElement.lang = code;
  lang = model.lang[code];
  for (const one of document.querySelectorAll("[data-t]")) one.textContent = t(one.dataset.t);
  for (const one of document.querySelectorAll("[data-l]")) one.setAttribute("aria-label", t(one.dataset.l));
  for (const [name, lines] of Object.entries(lang.lines)) {
    const card = document.getElementById(`c-${name}`);
    const old = card.querySelectorAll(".n0, .n1");
    const size = Math.min(12.5, 132 / Math.max(...lines.map((line) => line.length)));
    lines.forEach((line, number) => {
      const text = old[number] || card.appendChild(old[0].cloneNode());
      text.setAttribute("class", `n${number}`);
      text.setAttribute("y", (lines.length === 1 ? 116 : 110) + 14 * number);
      text.setAttribute("font-size", Number(size.toPrecision(3)));
      text.textContent = line;
    });
    if (lines.length === 1 && old[1]) old[1].remove();
  }
  stepButtons.forEach((one, at) => { one.lastChild.textContent = lang.story[at][0]; });
  const heads = lang.story.flatMap((row) => row.slice(1));
  document.querySelectorAll("[data-head]").forEach((one, at) => { one.textContent = heads[at]; });
  document.querySelectorAll("[data-letter]").forEach((one) => {
    const name = word(one.dataset.card);
    one.setAttribute("aria-label", one.dataset.letter ? `${one.dataset.letter}, ${name}` : name);
  });
  document.querySelectorAll("[data-choice]").forEach((one, at) => { one.lastChild.textContent = lang.notes[at]; });
  document.querySelectorAll("figure").forEach((one) => {
    const [title, by] = one.querySelectorAll("figcaption [data-t]");
    one.querySelector(".chart").setAttribute("aria-label", `${title.textContent}, ${by.textContent}`);
  });
  if ($("asked")) $("asked").textContent = lang.asked;
  $("status").textContent = lang.status;
  theme(0);
  if (model.boards.length) { drawBoard(null); tell(); }
  if ($("composer")) renderSlots();
}

const THEMES = ["auto", "light", "dark"];
let shade = 0;
function theme(more) {
  shade = (shade + more) % 3;
  if (shade) document.documentElement.dataset.theme = THEMES[shade];
  else delete document.documentElement.dataset.theme;
  $("theme").textContent = t(`theme-${THEMES[shade]}`);
}

// Composing a play. A phrase is a word with what it takes: fixed words, or blanks to be filled.
let phrases = [];
let active = -1;
let complete = "";

const isBlank = (text) => /^[A-Z]+…?$/.test(text);
function phrasesOf(play) {
  const found = [];
  let optional = false;
  for (const raw of play.split(" ")) {
    if (raw.startsWith("[")) optional = true;
    const text = raw.replace(/[[\]]/g, "");
    const last = found.at(-1);
    // A card may have the name of a word, so what a word takes comes first.
    const wants = last && model.words[last.word] && !last.parts.length;
    if (text in model.words && !wants) found.push({ word: text, parts: [], optional });
    else if (last) last.parts.push(isBlank(text) ? { kind: text.replace("…", ""), many: text.endsWith("…"), values: [] } : { fixed: text });
    if (raw.endsWith("]")) optional = false;
  }
  // Where a seat is to be named, this is the form of a whole turn: every phrase may be left out.
  const free = found.some((one) => one.parts.some((part) => part.kind === "SEAT")) || found.filter((one) => model.words[one.word].includes(" ")).length > 0;
  if (free) for (const one of found) one.optional = true;
  return found;
}

const isTurn = () => phrases.some((one) => model.words[one.word].includes(" "));
const started = (one) => one.parts.some((part) => part.values && part.values.length);
const filled = (one) => one.parts.every((part) => part.fixed || part.values.length);

function tokensOf(one) {
  return one.parts.flatMap((part) => (part.fixed ? [part.fixed] : part.values));
}

function wanted() {
  const rows = phrases.filter((one) => filled(one) || !one.optional || started(one));
  const used = rows.length ? rows : phrases.filter((one) => !one.parts.length);
  return used;
}

// As the words of a play become flags: `pay a f` is `--pay a --pay f`.
function flags(rows) {
  const found = [];
  for (const one of rows) {
    const takes = model.words[one.word];
    const values = tokensOf(one);
    if (!takes) { found.push(`--${one.word}`); continue; }
    const size = takes.split(" ").length;
    for (let at = 0; at < values.length; at += size) {
      const value = values.slice(at, at + size).join(" ");
      found.push(`--${one.word}`, size > 1 ? `'${value}'` : value);
    }
  }
  return found;
}

function choose(number) {
  const [play] = model.choices[number];
  phrases = phrasesOf(play);
  active = phrases.findIndex((one) => one.parts.some((part) => part.kind));
  document.querySelectorAll("[data-choice]").forEach((one, at) => one.setAttribute("aria-pressed", `${at === number}`));
  renderSlots();
}

const takesCard = (part) => part.kind === "LETTER" || part.kind === "CARD";
const order = () => [phrases[active], ...phrases.filter((_, at) => at !== active)].filter(Boolean);

function free(one, fits) {
  return one.parts.find((part) => part.kind && fits(part) && (part.many || !part.values.length));
}

// Taking a card or building back; whether there was one to take back.
function takeBack(value, fits) {
  for (const one of phrases) for (const part of one.parts) {
    if (!part.kind || !fits(part) || !part.values.includes(value)) continue;
    part.values = part.values.filter((other) => other !== value);
    return true;
  }
  return false;
}

function tapCard(letter, name) {
  if (!phrases.some((one) => one.parts.some(takesCard))) return false;
  if (!takeBack(letter, (part) => part.kind === "LETTER") && !takeBack(name, (part) => part.kind === "CARD")) {
    for (const one of order()) {
      const part = free(one, takesCard);
      if (!part) continue;
      part.values.push(part.kind === "CARD" ? name : letter);
      part.values.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
      break;
    }
  }
  renderSlots();
  return true;
}

function tapBuilding(seat, plot) {
  const both = order().find((one) => one.parts.some((part) => part.kind === "SEAT"));
  const alone = order().filter((one) => one !== both && one.parts.some((part) => part.kind === "PLOT"));
  if (both && (phrases[active] === both || seat !== model.me || !alone.length)) {
    for (const part of both.parts) {
      if (part.kind === "SEAT") part.values = [seat];
      if (part.kind === "PLOT") part.values = [plot];
    }
  } else if (alone.length && seat === model.me) {
    if (!takeBack(plot, (part) => part.kind === "PLOT")) {
      const part = alone.map((one) => free(one, (other) => other.kind === "PLOT")).find(Boolean);
      if (part) {
        part.values.push(plot);
        part.values.sort((a, b) => a - b);
      }
    }
  } else return false;
  renderSlots();
  return true;
}

function renderSlots() {
  const blank = phrases.some((one) => one.parts.some((part) => part.kind));
  $("composer").hidden = !blank;
  const slots = phrases.map((one, at) => {
    const said = one.parts.map((part) => part.fixed || part.values.join(" ") || (part.many ? "▢…" : "▢")).join(" ");
    const button = make("button", { type: "button", "data-slot": at, "aria-pressed": `${at === active}` }, make("code", {}, `${one.word} ${said}`.trim()));
    return make("li", { class: "slot" }, button);
  });
  if (isTurn()) {
    const kinds = new Set(phrases.map((one) => one.word));
    for (const kind of new Set([...kinds, "work", "build"].filter((one) => one in model.words))) {
      slots.push(make("li", { class: "slot" }, make("button", { type: "button", "data-add": kind }, `+ ${kind}`)));
    }
  }
  slots.push(make("li", { class: "slot" }, make("button", { type: "button", id: "clear" }, t("clear"))));
  $("slots").replaceChildren(...slots);
  const rows = wanted();
  const missing = rows.flatMap((one) => one.parts).filter((part) => part.kind && !part.values.length);
  complete = rows.length && !missing.length ? [model.command, ...flags(rows), ...(model.more ? [model.more] : [])].join(" ") : "";
  const what = [...new Set(missing.map((part) => t(takesCard(part) ? "card-slot" : "plot-slot")))];
  $("missing").textContent = blank && what.length ? fill(t("missing"), { what: what.join(", ") }) : "";
  $("command").textContent = complete || `${model.command} …`;
  $("copy").disabled = !complete;
  $("copy").textContent = t("copy");
  mark();
}

// Which cards and buildings the play names so far.
function mark() {
  const values = (fits) => phrases.flatMap((one) => one.parts).filter((part) => part.kind && fits(part)).flatMap((part) => part.values);
  const letters = values((part) => part.kind === "LETTER");
  const names = values((part) => part.kind === "CARD");
  document.querySelectorAll("#hand [data-letter]").forEach((one) => {
    if (one.dataset.letter) one.setAttribute("aria-pressed", `${letters.includes(one.dataset.letter) || names.includes(one.dataset.card)}`);
  });
  const plots = phrases.filter((one) => !one.parts.some((part) => part.kind === "SEAT")).flatMap((one) => one.parts).filter((part) => part.kind === "PLOT").flatMap((part) => part.values);
  document.querySelectorAll("#board [data-plot]").forEach((one) => {
    one.classList.toggle("picked", one.dataset.seat === model.me && plots.includes(one.dataset.plot));
  });
}

function add(kind) {
  const parts = model.words[kind].split(" ").map((takes) => ({ kind: takes === "CARD" ? (kind === "build" ? "CARD" : "LETTER") : takes, many: false, values: [] }));
  phrases.push({ word: kind, parts, optional: true });
  active = phrases.length - 1;
  renderSlots();
}

async function copy() {
  try {
    await navigator.clipboard.writeText(complete);
  } catch {
    // Without leave to use the clipboard the command is at least selected.
    getSelection().selectAllChildren($("command"));
    document.execCommand("copy");
  }
  $("copy").textContent = t("copied");
}

document.addEventListener("click", (event) => {
  const hit = (name) => event.target.closest(`[data-${name}]`);
  const data = (name) => hit(name)?.dataset[name];
  if (data("step")) return go(Number(data("step")));
  if (data("choice")) return choose(Number(data("choice")));
  if (data("slot")) { active = Number(data("slot")); return renderSlots(); }
  if (data("add")) return add(data("add"));
  if (event.target.closest("#clear")) { for (const one of phrases) for (const part of one.parts) if (part.kind) part.values = []; return renderSlots(); }
  const card = hit("card");
  if (!card) return undefined;
  if (card.dataset.letter && tapCard(card.dataset.letter, card.dataset.card)) return undefined;
  if (card.dataset.plot && tapBuilding(card.dataset.seat, card.dataset.plot)) return undefined;
  return detail(card.dataset.card, card.dataset.seat, card.dataset.plot);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, dialog[open]") || !model.steps) return;
  const to = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 1, End: model.steps }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  go(to);
});

$("tools").hidden = false;
$("language").addEventListener("change", (event) => speak(event.target.value));
$("theme").addEventListener("click", () => theme(1));
$("detail").addEventListener("click", (event) => { if (event.target === $("detail")) $("detail").close(); });
if ($("copy")) $("copy").addEventListener("click", copy);
if (model.boards.length) {
  document.documentElement.classList.toggle("replayed", model.replayed && !model.me);
  $("controls").hidden = false;
  $("first").addEventListener("click", () => go(1));
  $("previous").addEventListener("click", () => go(step - 1));
  $("next").addEventListener("click", () => go(step + 1));
  $("last").addEventListener("click", () => go(model.steps));
  $("run").addEventListener("click", () => run(!timer));
  $("slider").addEventListener("input", (event) => go(Number(event.target.value)));
  $("steps").scrollTop = $("steps").scrollHeight;
  tell();
}
