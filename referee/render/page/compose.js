// Composing a play. A phrase is a word with what it takes: fixed words, or blanks to be filled.
let phrases = [];
let active = -1;
let complete = "";
let chosen = -1;
// The words of the answer, once it is whole, what it says, and what it lacks.
let answer = null;
let answerSaid = "";
let lacking = "";

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

// The words of a play, each with what it takes: `pay a f` is `pay` with `a` and `pay` with `f`.
function wordsOf(rows) {
  const found = [];
  for (const one of rows) {
    const takes = model.words[one.word];
    const values = tokensOf(one);
    if (!takes) { found.push([one.word, ""]); continue; }
    const size = takes.split(" ").length;
    for (let at = 0; at < values.length; at += size) found.push([one.word, values.slice(at, at + size).join(" ")]);
  }
  return found;
}
const flags = (rows) => rows.flatMap(([word, value]) => [`--${word}`, ...(value ? [value.includes(" ") ? `'${value}'` : value] : [])]);

function choose(number) {
  // What is answered is the newest table.
  if (step < model.steps) go(model.steps);
  const [play] = model.choices[number];
  // A plan that is withdrawn goes with no answer.
  if (ready === "withdraw") take("");
  phrases = phrasesOf(play);
  chosen = number;
  active = phrases.findIndex((one) => one.parts.some((part) => part.kind));
  pressed();
  renderSlots();
  // What is to be tapped next is brought into sight: the hand, or else the table.
  const kinds = phrases.flatMap((one) => one.parts).map((part) => part.kind);
  if (kinds.some(Boolean)) $(kinds.includes("LETTER") || kinds.includes("CARD") ? "hand" : "table").scrollIntoView({ block: "nearest" });
}

// Where an answer is to be put together, the other ones make room for it.
function pressed() {
  const open = phrases.some((one) => one.parts.some((part) => part.kind));
  document.querySelectorAll("main [data-choice]").forEach((one, at) => {
    one.setAttribute("aria-pressed", `${at === chosen}`);
    one.parentNode.hidden = open && at !== chosen;
  });
  $("other").hidden = !open;
}

function again() {
  phrases = [];
  chosen = active = -1;
  pressed();
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

// Whether a card is the one that is built, which pays for nothing.
function isBuilt(name) {
  const named = phrases.some((one) => one.word === "build" && one.parts.some((part) => part.fixed === name || (part.kind === "CARD" && part.values.includes(name))));
  if (!named) return false;
  const used = phrases.flatMap((one) => one.parts).filter((part) => part.kind === "LETTER").flatMap((part) => part.values);
  const left = [...document.querySelectorAll(`#held [data-card="${name}"][data-letter]`)].filter((one) => !used.includes(one.dataset.letter));
  return left.length === 1;
}

function tapCard(letter, name) {
  if (!phrases.some((one) => one.parts.some(takesCard))) return false;
  if (!takeBack(letter, (part) => part.kind === "LETTER") && !takeBack(name, (part) => part.kind === "CARD")) {
    for (const one of order()) {
      const part = free(one, takesCard);
      if (!part) continue;
      if (part.kind === "LETTER" && isBuilt(name)) {
        $("missing").textContent = t("built");
        return true;
      }
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

// The words of an answer as people say them; what is still open is a box.
function held(letter) {
  const one = document.querySelector(`#held [data-letter="${letter}"]`);
  return word(one ? one.dataset.card : letter);
}
function place(seat, plot) {
  const side = boardOf(model.steps).s[seat];
  const there = side && side.c.find((one) => `${one[0]}` === plot);
  if (!there) return "▢";
  // Of two of a kind the plot says which one it is.
  const twice = side.c.filter((one) => one[1] === there[1]).length > 1;
  return word(there[1]) + (seat !== model.me ? ` (${seat})` : twice ? ` (${plot})` : "");
}
function named(part) {
  if (part.fixed) return /^\d+$/.test(part.fixed) ? place(model.me, part.fixed) : held(part.fixed);
  const said = part.values.map((value) => (part.kind === "PLOT" ? place(model.me, value) : held(value)));
  if (part.many) said.push("…");
  return said.length ? said.join(", ") : "▢";
}
function say(one) {
  if (!model.words[one.word].includes(" ")) return fill(lang.says[one.word], { names: one.parts.map(named).join(", ") });
  const [card, seat, plot] = one.parts.map((part) => part.fixed || part.values[0]);
  return fill(lang.says[one.word], { names: card ? held(card) : "▢", place: place(seat, plot) });
}
function sentence(rows) {
  const said = rows.map(say).join(", ");
  return said.slice(0, 1).toUpperCase() + said.slice(1);
}

function renderSlots() {
  const blank = phrases.some((one) => one.parts.some((part) => part.kind));
  $("composer").hidden = !blank;
  const slots = phrases.map((one, at) => {
    const button = make("button", { type: "button", "data-slot": at, "aria-pressed": `${at === active}` }, say(one));
    return make("li", { class: "slot" }, button);
  });
  if (isTurn()) {
    const kinds = new Set(phrases.map((one) => one.word));
    for (const kind of new Set([...kinds, "work", "build"].filter((one) => one in model.words))) {
      slots.push(make("li", { class: "slot" }, make("button", { type: "button", "data-add": kind }, `+ ${fill(lang.says[`${kind}?`] || lang.says[kind], { names: "▢", place: "▢" })}`)));
    }
  }
  slots.push(make("li", { class: "slot" }, make("button", { type: "button", id: "clear" }, t("clear"))));
  $("slots").replaceChildren(...slots);
  const rows = wanted();
  const missing = rows.flatMap((one) => one.parts).filter((part) => part.kind && !part.values.length);
  answer = rows.length && !missing.length ? wordsOf(rows) : null;
  const what = [...new Set(missing.map((part) => t(takesCard(part) ? "card-slot" : "plot-slot")))];
  lacking = blank && what.length ? fill(t("missing"), { what: what.join(", ") }) : "";
  answerSaid = chosen < 0 ? "" : blank ? sentence(rows.length ? rows : phrases) : lang.titles[chosen];
  mark();
  renderBar();
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

// The answers that build the card which is explained, to be chosen right there.
function offer(name) {
  const builds = ([play]) => phrasesOf(play).some((one) => one.word === "build" && one.parts.some((part) => part.fixed === name));
  const about = model.choices.flatMap((choice, at) => (builds(choice) ? [at] : []));
  $("detail-play").replaceChildren(...about.map((at) => make("button", { type: "button", "data-choice": at }, lang.titles[at])));
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
  $("missing").textContent = t("paste");
}

