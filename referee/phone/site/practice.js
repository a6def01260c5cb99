// Practice: the app is the referee, and both keys lie with the game.
import { button, code, guarded, home, listenNoMore, make, say, show, shown, t, table } from "./app.js";
import { ask } from "./program.js";
import { get, put } from "./store.js";

export async function practise(wanted) {
  say(t("working"));
  const name = localStorage.getItem("name") ?? "";
  const { key, hex, referee, ...found } = await ask("practice_begin", { name, title: t("practice"), ...wanted });
  const practice = { openssh: key, hex, referee, wanted, lessons: localStorage.getItem("lessons") !== "no" };
  await put("games", { ...kept(found), practice });
  say("");
  return table(found.game);
}

// What stands in place of a level where each bot has one of its own.
const EACH = "each";
const kept = ({ game, text, step, head, title }) => ({ game, text, step, head, title });

export async function practiceForm() {
  const { games, levels, bots, usual } = await ask("practice_games", { lang: code });
  const last = JSON.parse(localStorage.getItem("practice") ?? "{}");
  const option = (value, said, chosen) => make("option", { value, selected: value === chosen }, said);
  const field = (said, inside) => make("label", { class: "field" }, said, inside);
  const game = make("select", { id: "practice-game" }, ...games.map((one) => option(one.game, one.title, last.game)));
  const name = make("input", { id: "practice-name", value: localStorage.getItem("name") ?? "", autocomplete: "off", maxlength: "40" });
  const rules = make("div");
  const teach = make("input", { type: "checkbox", id: "practice-lessons", checked: localStorage.getItem("lessons") !== "no" });
  let read = () => ({});
  const renderRules = () => {
    const one = games.find((row) => row.game === game.value);
    const before = last.game === one.game ? last : {};
    const edition = make("select", { id: "practice-edition" }, ...(one.choices.edition ?? []).map(({ value, said }) => option(value, said, before.edition)));
    const ticks = ["expansion", "variant"].flatMap((what) => (one.choices[what] ?? []).map(({ value, said }) => ({ what, value, said, box: make("input", { type: "checkbox", id: `practice-${what}-${value}`, checked: (before[`${what}s`] ?? []).includes(value) }) })));
    const seats = make("select", { id: "practice-seats" }, ...one.seats.map((count) => option(String(count), String(count), String(before.seats ?? usual))));
    const several = before.levels?.length > 1;
    const levelled = (id, chosen, ...more) => make("select", { id }, ...levels.map((level) => option(level, t(`level-${level}`), chosen)), ...more);
    const all = levelled("practice-level", several ? EACH : before.levels?.[0], option(EACH, t("level-each"), several ? EACH : ""));
    const own = several ? [...before.levels] : [];
    const each = make("div");
    const renderEach = () => {
      const names = bots.filter((bot) => bot !== name.value.trim().toLowerCase()).slice(0, Number(seats.value) - 1);
      each.replaceChildren(...(all.value === EACH ? names : []).map((bot, at) => {
        const one = levelled(`practice-level-${at + 1}`, own[at] ??= levels[at % levels.length]);
        one.addEventListener("change", () => { own[at] = one.value; });
        return field(bot, one);
      }));
      own.length = Math.max(own.length, names.length);
    };
    for (const one of [all, seats, name]) one.onchange = renderEach;
    read = () => ({
      game: one.game,
      edition: edition.value,
      expansions: ticks.filter((tick) => tick.what === "expansion" && tick.box.checked).map((tick) => tick.value),
      variants: ticks.filter((tick) => tick.what === "variant" && tick.box.checked).map((tick) => tick.value),
      seats: Number(seats.value),
      levels: all.value === EACH ? own.slice(0, Number(seats.value) - 1) : [all.value],
    });
    rules.replaceChildren(...[
      one.choices.edition && field(t("practice-edition"), edition),
      ticks.length && make("fieldset", { "aria-label": t("practice-with") }, make("legend", { "aria-hidden": "true" }, t("practice-with")), ...ticks.map((tick) => make("label", { class: "tick" }, tick.box, tick.said))),
      field(t("practice-seats"), seats),
      field(t("practice-level"), all),
      each,
    ].filter(Boolean));
    renderEach();
  };
  game.addEventListener("change", renderRules);
  renderRules();
  const start = async () => {
    const wanted = read();
    localStorage.setItem("name", name.value);
    localStorage.setItem("lessons", teach.checked ? "yes" : "no");
    localStorage.setItem("practice", JSON.stringify(wanted));
    return practise(wanted);
  };
  const form = make("form", {},
    field(t("practice-game"), game),
    rules,
    field(t("practice-name"), name),
    make("label", { class: "tick" }, teach, t("practice-lessons")),
    make("button", { class: "main", id: "practice-start" }, t("practice-start")));
  form.addEventListener("submit", (event) => { event.preventDefault(); guarded(start)(event); });
  show(t("practice"), [form], { back: home, again: practiceForm });
}

// What comes up for the first time in a game, above the table until somebody has read it.
export function lessonsOf(found, game) {
  if (!found.lessons.length) return null;
  const one = make("section", { class: "lessons" },
    make("h2", {}, t("lessons")),
    ...found.lessons.flatMap(({ title, sentences }) => [make("h3", {}, title), ...sentences.map((sentence) => make("p", {}, sentence))]),
    make("div", { class: "row" },
      button(t("lessons-read"), () => one.remove(), { class: "main", id: "lessons-read" }),
      button(t("lessons-none"), async () => {
        localStorage.setItem("lessons", "no");
        await put("games", { ...game, practice: { ...game.practice, lessons: false } });
        one.remove();
      })));
  return one;
}

export async function played(id, play) {
  const game = await get("games", id);
  say(t("working"));
  const found = await ask("practice_answer", { text: game.text, key: game.practice.openssh, referee: game.practice.referee, play });
  await put("games", { ...game, ...kept(found) });
  // The table that is shown asks nothing any more.
  listenNoMore();
  return botsPlay(id, found.thinks);
}

// The bots think in the worker; the game is kept after each of their answers, and goes on from there.
export async function botsPlay(id, thinks) {
  const before = shown;
  let game = await get("games", id);
  for (let who = thinks; who.length;) {
    say(t("practice-thinks", { who: [...new Set(who)].join(", "), step: game.step }));
    const found = await ask("practice_go_on", { text: game.text, referee: game.practice.referee });
    game = { ...(await get("games", id)), ...kept(found) };
    await put("games", game);
    // Somebody looks at something else meanwhile: the rest comes when the table is shown again.
    if (shown !== before) return say("");
    who = found.thinks;
  }
  say("");
  return table(id);
}
