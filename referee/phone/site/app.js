// The app around the program: what is kept, what is shown, and what is signed on a tap. It decides
// nothing about a game: every word of that comes from the program in the worker.
import { hint, review } from "./advice.js";
import { bring, bringHint, keyList, keyStep, newKey } from "./keys.js";
import { earlierOf, gameRow, noteList, notesOf, onItsWay, overtaken, wordsOf } from "./notes.js";
import { botsPlay, lessonsOf, played, practiceForm, practise } from "./practice.js";
import { ask, ready } from "./program.js";
import { seatScreen } from "./seats.js";
import { all, get, put } from "./store.js";
import { code, speak, t, texts, usual } from "./words.js";

const $ = (id) => document.getElementById(id);
const view = $("view");
// What is shown now, to be shown again in another language.
let shown = () => home();
let heldFor = null;

function make(tag, attributes = {}, ...inside) {
  const one = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) one.addEventListener(name.slice(2), value);
    else if (value === true) one.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) one.setAttribute(name, value);
  }
  one.append(...(tag === "label" ? calling(inside) : inside).filter(Boolean));
  return one;
}
// What a control is called stands beside it to be seen, and is heard once: with the control.
function calling(inside) {
  const control = inside.find((part) => part instanceof Element && part.matches("input, select, textarea"));
  const words = inside.filter((part) => part !== control);
  control.setAttribute("aria-label", words.map((part) => part.textContent ?? part).join(" "));
  return inside.map((part) => (part === control ? part : make("span", { "aria-hidden": "true" }, part)));
}
const button = (said, act, attributes = {}) => make("button", { type: "button", onclick: guarded(act), ...attributes }, said);

// Whatever goes wrong on a tap is said, and the tap can be repeated.
function guarded(act) {
  return async (event) => {
    const one = event?.currentTarget;
    if (one instanceof HTMLButtonElement) {
      one.disabled = true;
      // What was said of the last tap is not of this one.
      say("");
    }
    try { await act(event); } catch (error) { complain(error); } finally { if (one instanceof HTMLButtonElement) one.disabled = false; }
  };
}

function complain(error) {
  const said = error.name === "QuotaExceededError" ? t("full") : error.message || String(error);
  const { hint, words } = error.told ?? {};
  $("status").textContent = [said, hint, words].filter(Boolean).join(" ");
  $("status").classList.add("wrong");
}
function say(text) {
  $("status").textContent = text;
  $("status").classList.remove("wrong");
}

function show(title, parts, { back = null, table = false, again }) {
  view.className = table ? "table" : "";
  view.replaceChildren(...parts.filter(Boolean));
  $("heading").textContent = title;
  document.title = `${title} · sanjuan-ref`;
  $("back").hidden = !back;
  $("back").onclick = back ? guarded(() => { say(""); return back(); }) : null;
  shown = again;
  heldFor = null;
  view.focus({ preventScroll: true });
}

// Games.

async function home() {
  const [keys, games, notes] = [await all("keys"), await all("games"), await all("notes")];
  const texts_ = Object.fromEntries(games.map((one) => [one.game, one.text]));
  const mine = [...keys, ...games.map((one) => one.practice)].filter(Boolean);
  const { games: rows } = games.length ? await ask("listed", { keys: mine.map((one) => one.hex), games: texts_, notes: notes.map(({ text, ...note }) => note), lang: code }) : { games: [] };
  // Somebody waits for an answer, and no bot does.
  const practised = new Set(games.filter((one) => one.practice).map((one) => one.game));
  const waits = (row) => row.asked.length || row.invited.length;
  const rank = (row) => (waits(row) ? Number(practised.has(row.game)) : 2);
  rows.sort((a, b) => rank(a) - rank(b));
  const items = rows.map((row) => make("li", {}, button("", () => table(row.game), { class: waits(row) ? "game asked" : "game", "data-game": row.game })));
  items.forEach((item, at) => item.firstChild.append(...gameRow(rows[at])));
  const ways = make("div", { class: "row" },
    filePicker(t("open-file"), "main", async (file) => taken({ bytes: await file.arrayBuffer(), name: file.name })),
    button(t("open-paste"), () => pasteForm()));
  show(t("games"), [
    rows.length ? make("section", {}, make("ul", { id: "games" }, ...items)) : null,
    make("section", { id: "open" }, rows.length ? null : make("p", {}, t("no-games")), ways),
    make("section", {}, make("h2", {}, t("practice")),
      make("p", {}, t("practice-how")),
      make("div", { class: "row" },
        button(t("practice-play"), () => practise({}), { class: rows.length ? "" : "main", id: "practise" }),
        button(t("practice-choose"), () => practiceForm()))),
    make("section", {}, button(t("keys"), () => keyList(), { id: "keys" })),
  ], { again: home });
  // Nobody waits for a network.
  besideApp().then((text) => { if (text) ways.append(button(t("open-here"), () => taken({ text }))); });
}

function filePicker(said, kind, act) {
  const input = make("input", { type: "file" });
  input.addEventListener("change", guarded(async () => {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    if (file.size > 1 << 24) throw new Error(t("too-large"));
    await act(file);
  }));
  return make("label", { class: `file ${kind}` }, make("span", {}, said), input);
}

function pasteForm() {
  const area = make("textarea", { id: "pasted", autocapitalize: "off", spellcheck: "false" });
  show(t("open-paste"), [make("section", {},
    make("label", { class: "field" }, t("paste-label"), area),
    button(t("paste-take"), () => taken({ text: area.value }), { class: "main" }))], { back: home, again: pasteForm });
}

// Not every browser writes bytes in hex yet.
const hexOf = (bytes) => new Uint8Array(bytes).toHex?.() ?? Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

// Beside a table in git the game file lies next to the app; others are asked for it once.
let nothingBeside = false;
async function besideApp() {
  if (nothingBeside) return null;
  try {
    const found = await fetch("game.toml", { cache: "no-store", signal: AbortSignal.timeout(30000) });
    nothingBeside = found.status === 404;
    const text = found.ok ? await found.text() : "";
    return text.startsWith("#:schema ") ? text : null;
  } catch { return null; }
}

// A file that somebody has given: it is kept if it goes on from what is here.
async function taken({ bytes, text, name }) {
  say(t("working"));
  const games = await all("games");
  const kept = Object.fromEntries(games.map((one) => [one.game, one.text]));
  let found;
  try {
    const keys = (await all("keys")).map((one) => one.openssh);
    found = await ask("look", { kept, keys, ...(bytes ? { hex: hexOf(bytes) } : { text }) });
  } catch (error) {
    return refused(error, bytes ?? text, name);
  }
  const before = games.find((one) => one.game === found.game);
  if (found.relation === "older") {
    say("");
    const back = () => table(found.game);
    return show(t("wrong"), [make("section", {}, make("p", { class: "wrong", role: "alert" }, t("older", { step: found.step, kept: before.step })), button(t("show-game"), back, { class: "main" }))], { back: home, again: back });
  }
  const game = { ...before, game: found.game, text: found.text, step: found.step, head: found.head, title: found.title };
  const said = found.relation === "same" ? t("same") : found.relation === "newer" ? t("newer", { step: found.step }) : "";
  const done = put("games", game).then(async () => say([said, ...(await overtaken(found))].filter(Boolean).join(" ")));
  // Whoever waits for it hears of it.
  done.catch(() => {});
  return table(found.game, game, done);
}

// The program's own words are English, where it has none for it in the language of the app.
const quoted = (words) => (words ? make("p", { class: "hint", lang: "en" }, words) : null);

// What is none of a game's is not kept as a game file; a key can be brought in.
const OTHERS = ["key", "note", "public", "other-kind", "cipher"];

function refused(error, data, name = "") {
  if (!error.told) throw error;
  say("");
  const again = () => refused(error, data, name);
  const { reason } = error.told;
  show(t("wrong"), [make("section", {},
    make("p", { class: "wrong", role: "alert" }, error.told.message),
    quoted(error.told.words),
    error.told.hint && make("p", {}, error.told.hint),
    make("div", { class: "row" },
      reason === "key" && button(t("key-take"), () => bring(new File([data], name), home, again), { class: "main", id: "take-key" }),
      !OTHERS.includes(reason) && button(t("keep-file"), () => download(data, "game-file.toml")),
      button(t("back"), home, { class: reason === "key" ? "" : "main" })))], { back: home, again });
}

function download(data, name, kind = "application/octet-stream") {
  const address = URL.createObjectURL(new Blob([data], { type: kind }));
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

// The table.

// The key of mine that sits at a table, if one does; of several one that is asked.
async function keyAt({ game, text, practice }) {
  if (practice) return practice;
  const sitting = async (keys) => (await ask("listed", { keys: keys.map((key) => key.hex), games: { [game]: text } })).games[0];
  const keys = await all("keys");
  // To ask about none or one would tell nothing.
  let left = keys.length < 2 ? keys.length : (await sitting(keys))?.mine.length ?? 0;
  let first = null;
  for (const key of keys) {
    if (!left) break;
    const row = await sitting([key]);
    if (!row?.mine.length) continue;
    if (row.asked.length) return key;
    first ??= key;
    left -= 1;
  }
  return first;
}

// A game that has just come is made ready while it is `kept`, and shown once that is done.
async function table(id, come = null, kept = null) {
  const game = come ?? await get("games", id);
  if (!game) return home();
  const key = await keyAt(game);
  let found;
  try {
    found = await ask(game.review ? "review_table" : "table", { review: game.review, text: game.text, key: key?.openssh ?? "", lang: code, lessons: Boolean(game.practice?.lessons) });
  } catch (error) {
    await kept;
    return refused(error, game.text);
  }
  await kept;
  const again = () => table(id);
  const frame = make("iframe", { sandbox: "allow-scripts", title: t("play-frame"), srcdoc: found.page, referrerpolicy: "no-referrer" });
  const agree = make("section", { class: "agree", "aria-live": "polite", hidden: true });
  const free = found.status === "open" && !found.seat;
  const over = ["finished", "abandoned"].includes(found.status);
  const sent = await onItsWay(game, found);
  show(found.title, [
    make("div", { class: "strip" }, make("p", {}, found.state),
      free && button(t("join"), () => join(id), { class: sent ? "" : "main" }),
      found.hints && button(t("hint"), () => hint(game, key), { id: "hint" }),
      over && game.practice && button(t("practice-again"), () => practise(game.practice.wanted), { class: "main", id: "again" }),
      found.status === "playing" && !game.practice && button(t("seat"), () => seatScreen(id), { id: "seats" }),
      button(t("verify"), () => check(id, "verified", t("verify"))),
      found.reviewable && !game.review && button(t("review"), () => review(id), { id: "review" }),
      over && button(t("audit"), () => check(id, "audited", t("audit"))),
      button(t(game.practice ? "practice-file" : "notes"), () => noteList(id))),
    found.status === "playing" && !found.seat && make("div", { class: "strip", id: "no-key" }, ...bringHint(again)),
    ...found.transfers.map((seat) => make("div", { class: "strip", "data-transfer": seat }, make("p", {}, t(seat === found.seat ? "transfer-own" : "transfer-other", { seat })), button(t("seat"), () => seatScreen(id)))),
    sent && make("div", { class: "strip", id: "on-its-way" }, make("p", {}, t("on-its-way", { what: wordsOf(sent) })), button(t("send-again"), () => send({ ...sent, again: true }), { class: "main" })),
    lessonsOf(found, game),
    frame,
    agree,
  ], { back: home, table: true, again });
  if (key && found.seat) listen(frame, agree, game, key);
  if (game.practice && found.thinks.length) await botsPlay(id, found.thinks);
  return undefined;
}

// Words that a page has put together. It is believed nothing: the program reads them again, and what
// they mean is shown out here.
function listen(frame, agree, game, key) {
  const held = { frame, last: null, busy: false };
  heldFor = held;
  held.heard = async (data) => {
    held.last = data;
    if (held.busy) return;
    held.busy = true;
    while (held.last) {
      const words = held.last;
      held.last = null;
      await propose(agree, game, key, words);
      if (heldFor !== held) break;
    }
    held.busy = false;
  };
}

const listenNoMore = () => { heldFor = null; };

const isWords = (data) => data && typeof data === "object" && (data.answer === null || Array.isArray(data.answer)) && Array.isArray(data.plan);

window.addEventListener("message", (event) => {
  if (!heldFor || event.source !== heldFor.frame.contentWindow || !isWords(event.data)) return;
  heldFor.heard(event.data);
});

async function propose(agree, game, key, { answer, plan, keep, withdraw, begun }) {
  const nothing = answer === null && (begun || (!plan.length && !withdraw));
  if (nothing) {
    agree.hidden = true;
    agree.replaceChildren();
    return;
  }
  const words = { text: game.text, key: key.openssh, lang: code, answer, plan, keep: Boolean(keep), withdraw: Boolean(withdraw) };
  let found;
  try {
    found = await ask("read", words);
  } catch (error) {
    agree.hidden = false;
    const { hint, words } = error.told ?? {};
    agree.replaceChildren(...[make("p", { class: "wrong" }, error.message), quoted(words), hint && make("p", {}, hint)].filter(Boolean));
    return;
  }
  const { play, clauses } = found;
  const before = play && (await earlierOf({ ...found, game: game.game }));
  const lines = clauses === null ? [] : clauses.length ? clauses : [t("withdraw")];
  agree.hidden = false;
  agree.replaceChildren(...[
    make("h2", {}, t(game.practice ? "practice-agree" : play ? "agree" : "agree-plan")),
    play && make("p", {}, make("b", {}, found.said), " ", make("code", { id: "canonical" }, play)),
    lines.length && make("ul", { id: "clauses" }, ...lines.map((line) => make("li", {}, make("code", {}, line)))),
    found.told.length && make("p", {}, t("would")),
    found.told.length && make("ul", {}, ...found.told.map((line) => make("li", {}, line))),
    found.silent?.length && make("p", { class: "hint" }, t("silent", { what: found.silent.join(", ") })),
    found.referees && clauses?.length && make("p", { class: "hint" }, t("referees", { who: found.referees })),
    before && before.play !== play && make("p", { class: "hint", id: "replaces" }, t("replaces", { what: wordsOf(before) })),
    found.sealed && !game.practice && make("p", { class: "hint" }, t("sealed")),
    game.practice
      ? button(t("practice-answer"), () => played(game.game, play), { class: "main", id: "sign" })
      : button(t("sign"), () => signed(game, key, play, clauses), { class: "main", id: "sign" }),
  ].filter(Boolean));
}

// Signs what was shown, and keeps the note before anybody sees it: it is never signed anew.
async function signed(game, key, play, clauses) {
  const notes = (await notesOf(game.game)).reverse();
  const note = await ask("sign", { text: game.text, key: key.openssh, play, clauses, notes });
  await keepNote(note);
  return send(note);
}

async function keepNote(note) {
  if (note.again) return;
  const id = [note.game, note.name, note.number, note.plan, ...(note.by ? [note.play] : [])].join(" ");
  await put("notes", { ...note, id, time: Date.now() });
}

async function send(note) {
  const game = await get("games", note.game);
  const status = make("p", { role: "status" });
  const address = make("input", { type: "email", value: game.address ?? "", autocomplete: "email" });
  address.addEventListener("change", guarded(() => put("games", { ...game, address: address.value })));
  const area = make("textarea", { readonly: true, id: "note", spellcheck: "false" });
  area.value = note.text;
  const file = new File([note.text], `${note.name}.txt`, { type: "text/plain" });
  const shares = navigator.canShare?.({ files: [file] });
  const mail = () => {
    const subject = `${note.game} ${note.decision || note.kind}`;
    const to = `mailto:${encodeURIComponent(address.value).replace("%40", "@")}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(note.text.replace(/\n/g, "\r\n"))}`;
    if (to.length > 2000) status.textContent = t("mail-long");
    location.href = to;
  };
  show(t("send"), [make("section", {},
    make("p", { id: "sent" }, t(note.again ? "signed-again" : "signed")),
    note.number > 1 && make("p", { id: "number" }, t("number", note)),
    note.play && make("p", {}, make("b", {}, wordsOf(note)), note.by ? "" : make("code", {}, ` ${note.play}`)),
    make("div", { class: "row" },
      shares && button(t("share"), async () => { try { await navigator.share({ files: [file] }); } catch (error) { if (error.name !== "AbortError") throw error; } }, { class: "main" }),
      button(t("copy"), async () => {
        try { await navigator.clipboard.writeText(note.text); } catch { area.select(); document.execCommand("copy"); }
        status.textContent = t("copied");
      }, { class: shares ? "" : "main", id: "copy-note" }),
      button(t("mail"), mail),
      button(t("save-note"), () => download(note.text, note.name, "text/plain"))),
    status,
    make("label", { class: "field" }, t("mail-to"), address),
    make("label", { class: "field" }, t("note-text"), area),
    make("p", { class: "hint" }, t("then")),
    button(t("to-table"), () => table(note.game)))], { back: () => table(note.game), again: () => send(note) });
}

// A second tap does it.
function sure(one, question) {
  if (one.dataset.sure) return true;
  one.dataset.sure = "yes";
  one.textContent = question;
  return false;
}

async function check(id, name, title) {
  say(t("working"));
  const game = await get("games", id);
  const key = await keyAt(game);
  let found;
  try { found = await ask(name, { text: game.text, key: key?.openssh ?? "" }); } catch (error) { return refused(error, game.text); }
  say("");
  return show(title, [make("section", {},
    make("ul", { id: "checked" }, ...found.checked.map((line) => make("li", {}, make("b", {}, t("ok")), `  ${line}`))),
    make("p", { id: "conclusion" }, found.conclusion),
    make("p", { id: "state" }, found.state),
    button(t("to-table"), () => table(id), { class: "main" }))], { back: () => table(id), again: () => check(id, name, title) });
}

// Joining.

async function join(id, chosenKey = null, chosenSeat = null) {
  const game = await get("games", id);
  const found = await ask("look", { text: game.text, kept: {} });
  const keys = await all("keys");
  const mine = (seat) => keys.find((key) => key.hex === seat.key);
  const seats = found.seats.filter((seat) => !seat.joined && (!seat.key || mine(seat)));
  const choice = make("select", { id: "seat" }, ...seats.map((seat) => make("option", { value: seat.name, selected: seat.name === chosenSeat }, seat.key ? t("join-reserved", { seat: seat.name }) : seat.name)));
  const keyChoice = make("select", { id: "key" }, make("option", { value: "" }, t("join-new")), ...keys.map((key) => make("option", { value: key.hex, selected: key.hex === chosenKey }, key.name || key.fingerprint)));
  const step = make("div", { id: "key-step" });
  const again = () => join(id, keyChoice.value || chosenKey, choice.value);
  const take = async () => {
    const key = await get("keys", keyChoice.value);
    const note = await ask("join", { text: game.text, key: key.openssh, seat: choice.value });
    const before = (await all("notes")).find((one) => one.game === id && one.kind === "join" && one.text === note.text);
    if (!before) await keepNote(note);
    return send(before ? { ...before, again: true } : note);
  };
  const renderStep = async () => {
    const seat = seats.find((one) => one.name === choice.value);
    if (seat?.key) keyChoice.value = mine(seat).hex;
    const key = keyChoice.value ? await get("keys", keyChoice.value) : null;
    if (!key) {
      step.replaceChildren(make("div", { class: "row" },
        button(t("key-make"), async () => { const made = await newKey(`${found.title}, ${choice.value}`); return join(id, made.hex, choice.value); }, { class: "main", id: "make-key" }),
        filePicker(t("key-bring"), "", (file) => bring(file, (brought) => join(id, brought.hex, choice.value), again))));
      return;
    }
    step.replaceChildren(...keyStep(key, choice.value, renderStep, take, t("join-sign")));
  };
  choice.addEventListener("change", guarded(renderStep));
  keyChoice.addEventListener("change", guarded(renderStep));
  show(t("join"), [seats.length ? make("section", {},
    make("p", {}, t("join-how")),
    make("label", { class: "field" }, t("join-seat"), choice),
    make("label", { class: "field" }, t("join-key"), keyChoice),
    step) : make("section", {}, make("p", {}, t("join-none"))),
  found.seats.some((seat) => seat.joined) && make("section", {}, ...bringHint(again))], { back: () => table(id), again });
  await renderStep();
}

// Beginning.

async function spoken(chosen) {
  await speak(chosen);
  $("back").replaceChildren(make("span", { "aria-hidden": "true" }, "‹"));
  $("back").setAttribute("aria-label", t("back"));
}

$("language").addEventListener("change", guarded(async (event) => {
  localStorage.setItem("language", event.target.value);
  await spoken(event.target.value);
  // What somebody has put into a form is there in the other language, too.
  const put = [...view.querySelectorAll("[id]:is(input, select, textarea):not([type=file])")].map(({ id, value, checked }) => ({ id, value, checked }));
  await shown();
  for (const { id, value, checked } of put) {
    const one = $(id);
    if (!one || (one.value === value && one.checked === checked)) continue;
    Object.assign(one, one.type === "checkbox" ? { checked } : { value });
    one.dispatchEvent(new Event("change"));
  }
}));

// One tab at a time has the notes, so that no answer is signed twice.
function alone() {
  return new Promise((resolve) => {
    if (!navigator.locks) { resolve(); return; }
    const hold = (options) => navigator.locks.request("sanjuan-ref", options, (lock) => {
      if (!lock) {
        show(t("name"), [make("section", {}, make("p", { role: "alert" }, t("elsewhere")), button(t("use-here"), () => { hold({ steal: true }).catch(gone); }, { class: "main" }))], { again: () => location.reload() });
        return undefined;
      }
      resolve();
      return new Promise(() => {});
    });
    const gone = () => show(t("name"), [make("section", {}, make("p", { role: "alert" }, t("moved")))], { again: () => location.reload() });
    hold({ ifAvailable: true }).catch(gone);
  });
}

async function watchVersions() {
  if (!("serviceWorker" in navigator)) return;
  const registration = await navigator.serviceWorker.register("sw.js", { type: "classic", updateViaCache: "none" });
  // A worker that came later has the files of another version, and keeps them until somebody wants it.
  const newest = () => registration.waiting ?? registration.active;
  const look = () => newest()?.postMessage("new?");
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data.taken) location.reload();
    if (!data.offered) return;
    $("update").replaceChildren(t("update"), " ", button(t("update-take"), () => newest().postMessage("take")));
    $("update").hidden = false;
  });
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", look));
  look();
}

async function sharedFile() {
  if (!new URLSearchParams(location.search).has("shared")) return null;
  history.replaceState(null, "", "./");
  const cache = await caches.open("shared");
  const address = new URL("shared", location.href).href;
  const found = await cache.match(address);
  await cache.delete(address);
  return found ? found.arrayBuffer() : null;
}

// The first screen is there while the program is on its way; what is tapped waits for that.
async function started() {
  const shared = await sharedFile();
  const first = shared ? taken({ bytes: shared }) : home();
  first.catch(() => {});
  try { await ready; } catch (error) {
    // Whatever is tapped there would wait for ever, be it there already or not.
    const empty = () => view.replaceChildren();
    empty();
    first.then(empty, empty);
    throw new Error(t("failed", { why: error.message }));
  }
  if ($("status").textContent === t("loading")) say("");
  await first;
  document.body.dataset.ready = "yes";
}

async function begin() {
  await spoken(usual());
  if (window.top !== window.self) { view.textContent = t("framed"); return; }
  say(t("loading"));
  await alone();
  // To take all files for later would hold up what somebody waits for. A newer version may start
  // where this one does not.
  try { await started(); } finally { watchVersions().catch(() => {}); }
  // What comes next is made ready while somebody looks at the first screen.
  await ask("prepare");
  document.body.dataset.prepared = "yes";
}

// Each screen may lead to each.
export { button, code, download, filePicker, guarded, hexOf, home, keepNote, keyAt, listenNoMore, make, say, send, show, shown, sure, t, table, texts };

begin().catch(complain);
