// Notes that were signed: what they say, which are on their way, and all of a game.
import { button, code, download, home, make, send, show, sure, t, table, texts } from "./app.js";
import { all, get, remove } from "./store.js";

// What was signed, in words; a note about a seat says one word of the program's.
export function wordsOf(note) {
  const play = texts[`play-${note.play}`] ?? note.play;
  if (texts[`note-${note.kind}`]) return t(`note-${note.kind}`, { ...note, play });
  return note.said || play || t("note-plan", { number: note.plan });
}

export const notesOf = async (id) => (await all("notes")).filter((one) => one.game === id).sort((a, b) => b.time - a.time);

// What was signed for this table, and has not come to it yet.
export async function onItsWay(game, found) {
  const open = found.status === "open" && !found.seat;
  if (!open && (!found.decision || found.waits)) return null;
  return (await notesOf(game.game)).find((note) => (open ? note.kind === "join" : note.play && note.decision === found.decision)) ?? null;
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
