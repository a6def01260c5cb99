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
// The long texts of the first language are those that stand there.
const LONG = { story: "[data-step] .said", heads: "[data-head]", topics: "[data-topic]", rulings: "[data-ruling]", parts: "[data-part]", plans: "[data-plan]", chips: "[data-chip]", marks: "[data-mark]", bots: "[data-bot]" };
for (const [key, places] of Object.entries(LONG)) lang[key] = [...document.querySelectorAll(places)].map((one) => one.textContent);
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
  const rows = delta.r && delta.r.map((row) => (typeof row === "string" ? before.r.find((one) => one[0] === row) : row));
  boards.push({ f: delta.f || before.f, r: rows || before.r, s: sides });
}
// A game that was abandoned before the deal has fewer boards than steps.
const boardOf = (at) => boards[model.replayed ? Math.max(0, Math.min(at, boards.length) - 1) : boards.length - 1];

function building(seat, [plot, card, mark, under, note, crew], before) {
  const [cost, points, group, fields] = model.faces[card];
  const label = [word(card), fill(t("plot"), { plot })];
  if (cost) label.push(fill(t("cost"), { cost }), fill(t("points"), { points }));
  if (mark) label.push(t(mark === "good" ? "with-token" : "no-token"));
  if (under) label.push(fill(t("covers"), { count: under }));
  if (note) label.push(`${word("note")}: ${note}`);
  const svg = make("svg", { viewBox: "0 0 100 132", "aria-hidden": "true" }, make("use", { href: `#c-${card}` }));
  if (mark) svg.append(make("use", { href: `#g-${mark === "good" ? group : "empty"}` }));
  if (Math.min(crew, fields)) svg.append(make("use", { href: `#k-${Math.min(crew, fields)}` }));
  const old = before && before.find((one) => one[0] === plot);
  const changed = before && (!old || JSON.stringify(old) !== JSON.stringify([plot, card, mark, under, note, crew]));
  const names = `card${under ? ` under${Math.min(under, 3)}` : ""}${changed ? " changed" : ""}`;
  return make("li", {}, make("button", { type: "button", class: names, "data-card": card, "data-seat": seat, "data-plot": plot, "aria-label": label.join(", ") },
    svg, make("span", { class: "plot" }, `${plot}${under ? ` · +${under}` : ""}${note ? ` · ${note}` : ""}`)));
}

function token([name, used, by]) {
  const [first, number] = name.split(" ");
  const item = make("li", { class: used ? "token used" : "token" });
  if (lang.cards[first]) item.append(make("button", { type: "button", class: "name", "data-card": first }, word(first)));
  else item.append(used ? make("s", {}, word(first)) : word(first));
  if (number || by) item.append(" ", make("b", {}, number || by));
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

// The hand of an earlier step: the names of its cards, or nothing for one that is not known.
const past = [];
for (const names of model.past) past.push(names || past.at(-1));

function drawPast() {
  if (!past.length) return;
  $("held").hidden = step < model.steps;
  $("past").hidden = step === model.steps;
  const cards = (past[step - 1] || []).map((name) => make("li", {}, make(name ? "button" : "div",
    name ? { type: "button", class: "card", "data-card": name, "aria-label": word(name) } : { class: "card", role: "img", "aria-label": t("face-down") },
    make("svg", { viewBox: "0 0 100 132", "aria-hidden": "true" }, make("use", { href: name ? `#c-${name}` : "#back" })))));
  $("past").lastChild.replaceChildren(...cards);
}

// The timeline.
const stepButtons = [...document.querySelectorAll("[data-step]")];

function show(at) {
  step = Math.max(1, Math.min(model.steps, at));
  drawBoard(model.replayed && step > 1 ? boardOf(step - 1) : null);
  drawPast();
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
  const said = lang.story[step - 1];
  $("slider").setAttribute("aria-valuetext", `${step}: ${said}`);
  $("now").replaceChildren(make("b", {}, fill(t("step-of"), { step, steps: model.steps })), " ", said);
  // What does not fit on a phone is scrolled, by keyboard too.
  if ($("now").scrollHeight > $("now").clientHeight + 1) $("now").tabIndex = 0;
  else $("now").removeAttribute("tabindex");
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
  const [cost, points, , fields] = model.faces[name];
  const side = seat && boardOf(step).s[seat];
  const there = side && side.c.find((one) => `${one[0]}` === plot);
  // The lines of a card with fields tell all of that.
  const facts = cost && !fields ? [fill(t("cost"), { cost }), fill(t("points"), { points })] : [];
  if (there && there[3]) facts.push(fill(t("covers"), { count: there[3] }));
  if (there && there[4]) facts.push(`${word("note")}: ${there[4]}`);
  $("detail-title").textContent = word(name);
  $("detail-facts").textContent = facts.join(" · ");
  $("detail-text").replaceChildren(...lang.cards[name].slice(1).map((line) => make("li", {}, line)));
  $("detail-name").textContent = name;
  $("detail-rules").replaceChildren(...(model.about[name] || []).map((at) => make("li", {}, lang.rulings[at])));
  $("detail-more").hidden = !model.about[name];
  $("detail-more").open = false;
  offer(name);
  $("detail-card").setAttribute("href", `#c-${name}`);
  $("detail").showModal();
}

// All cards there are, to be looked up.
function nameCards() {
  const names = Object.keys(lang.cards).sort((a, b) => word(a).localeCompare(word(b)));
  $("cards").hidden = !names.length;
  $("cards").lastChild.replaceChildren(...names.map((name) => make("li", {}, make("button", { type: "button", class: "name", "data-card": name }, word(name)))));
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
  for (const [key, places] of Object.entries(LONG)) document.querySelectorAll(places).forEach((one, at) => { one.textContent = lang[key][at]; });
  document.querySelectorAll("[data-letter]").forEach((one) => {
    const name = word(one.dataset.card);
    one.setAttribute("aria-label", one.dataset.letter ? `${one.dataset.letter}, ${name}` : name);
  });
  document.querySelectorAll("main [data-choice]").forEach((one, at) => {
    one.firstChild.textContent = lang.titles[at];
    one.lastChild.textContent = lang.notes[at];
  });
  document.querySelectorAll("figure").forEach((one) => {
    const [title, by] = one.querySelectorAll("figcaption [data-t]");
    one.querySelector(".chart").setAttribute("aria-label", `${title.textContent}, ${by.textContent}`);
  });
  nameCards();
  for (const one of document.querySelectorAll("[data-place]")) {
    const [plot, seat] = one.dataset.place.split(".").reverse();
    const said = /^\d+$/.test(plot) ? fill(t(seat ? "on-plot-of" : "on-plot"), { seat, plot }) : word(one.dataset.place);
    one.textContent = `(${said})`;
    one.previousElementSibling.textContent = word(one.previousElementSibling.dataset.card);
  }
  if ($("asked")) $("asked").textContent = lang.asked;
  $("terms").textContent = lang.terms;
  $("status").textContent = lang.status;
  theme(0);
  if (model.boards.length) { drawBoard(null); drawPast(); tell(); }
  if ($("composer")) renderSlots();
  else if ($("bar")) renderBar();
}

const THEMES = ["auto", "light", "dark"];
let shade = 0;
function theme(more) {
  shade = (shade + more) % 3;
  if (shade) document.documentElement.dataset.theme = THEMES[shade];
  else delete document.documentElement.dataset.theme;
  $("theme").textContent = t(`theme-${THEMES[shade]}`);
}

