// Notes that were signed: what they say, which are on their way, and all of a game.
import { button, code, download, home, make, send, show, sure, t, table, texts } from "./app.js";
import { all, get, remove } from "./store.js";

// What was signed, in words; a note about a seat says one word of the program's.
export function wordsOf(note) {
  const play = texts[`play-${note.play}`] ?? note.play;
  if (texts[`note-${note.kind}`]) return t(`note-${note.kind}`, { ...note, play });
  return (note.said?.[code] ?? note.said) || play || t("note-plan", { number: note.plan });
}

// A game in the list: its title, who plays where another one is called the same, and how it is.
export function gameRow(row) {
  const { me, others, id } = row.apart ?? {};
  const who = me?.length ? t("apart", { me: me.join(", "), others: others.join(", ") }) : others?.join(", ");
  return [make("b", {}, row.title), ...[[who, id].filter(Boolean).join(" · "), stateOf(row)].filter(Boolean).map((said) => make("span", {}, said))];
}

function stateOf(row) {
  const said = [];
  const who = (names) => [...new Set(names)].join(", ");
  if (row.asked.length) said.push(t("asked", { what: row.asked.join(", ") }));
  else if (row.invited.length) said.push(t("invited", { seat: who(row.invited) }));
  else if (row.answered.length) said.push(t("answered", { what: row.answered.map(wordsOf).join(", ") }));
  else if (row.joining.length) said.push(t("joining", { seat: who(row.joining) }));
  else if (row.status === "playing") said.push(t("step", { step: row.step }), t("waits-for", { who: who(row.waits) }));
  else said.push(row.winners.length ? t("status-won", { who: who(row.winners) }) : t(`status-${row.status}`));
  if (row.voting.length) said.push(t("seat-voting", { who: who(row.voting) }));
  return [...said, ...row.unsent.map((note) => t("unsent", { what: wordsOf(note) }))].join(" · ");
}

export const notesOf = async (id) => (await all("notes")).filter((one) => one.game === id).sort((a, b) => b.time - a.time);

// What was signed for this table, and has not come to it yet.
export async function onItsWay(game, found) {
  if (found.status === "open" && !found.seat) {
    const free = found.seats.filter((seat) => !seat.joined).map((seat) => seat.name);
    return (await notesOf(game.game)).find((note) => note.kind === "join" && free.includes(note.seat)) ?? null;
  }
  const sent = await earlierOf({ ...found, game: game.game });
  return sent?.number > found.arrived ? sent : null;
}

const newest = (notes) => notes.reduce((best, note) => (note.number > (best?.number ?? 0) ? note : best), null);

// The answer to a question that was signed last: of several the highest number counts.
export async function earlierOf({ game, decision }) {
  return decision ? newest((await notesOf(game)).filter((note) => note.play && note.decision === decision)) : null;
}

// What is said of answers that came too late: another one had taken effect, of mine or of others.
export async function overtaken({ game, played }) {
  const notes = (await notesOf(game)).filter((note) => note.play && played[note.decision]);
  return Object.entries(played).flatMap(([decision, play]) => {
    const mine = notes.filter((note) => note.decision === decision);
    const last = newest(mine);
    if (!last || last.play === play) return [];
    const counted = mine.find((note) => note.play === play);
    return t("overtaken", { what: wordsOf(last), counted: counted ? wordsOf(counted) : play });
  });
}

export async function noteList(id) {
  const game = await get("games", id);
  const notes = await notesOf(id);
  const row = (note) => {
    const one = button("", () => send({ ...note, again: true }), { class: "game" });
    one.append(make("b", {}, wordsOf(note)), make("span", {}, `${note.decision} ${new Date(note.time).toLocaleString(code)}`));
    return make("li", {}, one);
  };
  const forget = async (event) => {
    if (!sure(event.target, t("forget-sure"))) return undefined;
    for (const one of notes) await remove("notes", one.id);
    await remove("games", id);
    return home();
  };
  show(t(game.practice ? "practice-file" : "notes"), [
    !game.practice && make("section", {}, notes.length ? make("ul", {}, ...notes.map(row)) : make("p", {}, t("no-notes"))),
    make("section", {}, make("div", { class: "row" }, button(t("save-game"), () => download(game.text, "game.toml")), button(t("forget-game"), forget))),
  ], { back: () => table(id), again: () => noteList(id) });
}
