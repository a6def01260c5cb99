// The screen of a seat: days away, leaving, votes, and who plays on.
import { button, filePicker, guarded, keepNote, keyAt, make, send, show, sure, t, table } from "./app.js";
import { bring, bringHint, keyStep, newKey } from "./keys.js";
import { ask } from "./program.js";
import { all, get } from "./store.js";

export async function seatScreen(id, chosen = null) {
  const game = await get("games", id);
  const key = await keyAt(game);
  const keys = await all("keys");
  const found = await ask("seats", { text: game.text, key: key?.openssh ?? "" });
  const again = () => seatScreen(id, chosen);
  const sign = async (words, by = key) => {
    const notes = (await all("notes")).filter((one) => one.game === id).sort((a, b) => a.time - b.time);
    const note = await ask("seat_note", { text: game.text, key: by.openssh, notes, ...words });
    await keepNote(note);
    return send(note);
  };
  // A second tap signs what everybody will see.
  const twice = (said, words, attributes) => button(said, (event) => (sure(event.target, t("seat-sure", { what: said })) ? sign(words) : undefined), attributes);
  const section = (name, ...inside) => make("section", {}, make("h2", { id: `${name}-h` }, t(`seat-${name}`)), ...inside);
  const field = (said, inside) => make("label", { class: "field" }, said, inside);
  const who = (names) => names.join(", ");
  const seatOf = (value) => make("select", { id: "seat" }, ...found.seats.map((name) => make("option", { value: name, selected: name === value }, name)));
  const bot = t(`level-${found.bot}`).replace(/ \(.*/, "");
  const parts = [];
  if (found.seat && found.away) {
    const [first, until] = ["first", "until"].map((name) => make("input", { type: "date", id: `away-${name}`, value: found.away.today, min: found.away.today, required: true }));
    parts.push(section("away",
      make("p", {}, t("seat-away-how", found.away)),
      found.away.spans.length && make("ul", { id: "away-spans" }, ...found.away.spans.map(([from, to]) => make("li", {}, t("seat-span", { from, to })))),
      field(t("seat-first"), first), field(t("seat-until"), until),
      button(t("seat-away-do"), () => sign({ kind: "vacation", first: first.value, until: until.value }), { class: "main", id: "away-sign" })));
  }
  if (found.seat) {
    const back = found.leave === "back";
    parts.push(section("leave",
      found.left.length && make("p", {}, t("seat-left", { who: who(found.left), bot })),
      make("p", {}, t(back ? "seat-back-how" : "seat-leave-how", { bot })),
      twice(t(back ? "seat-back" : "seat-leave-do"), { kind: "leave", back }, { id: "leave" })));
    const silent = found.vote === "go-on";
    parts.push(section("vote",
      found.voting.length && make("p", {}, t("seat-voting", { who: who(found.voting) })),
      make("p", {}, t("seat-vote-how")),
      twice(t(silent ? "seat-vote-back" : "seat-vote-do"), { kind: "vote", back: silent }, { id: "vote" })));
  }
  if (found.transfers.length) {
    const signer = (one) => (one.needs_new && keys.find((mine) => mine.public === one.to)) || (one.needs_mine && key);
    parts.push(section("waiting", make("ul", {}, ...found.transfers.map((one) => make("li", { class: "panel" },
      make("p", {}, t("seat-gets", one), " ", make("span", { class: "mono" }, one.fingerprint)),
      make("p", { class: "hint" }, t("seat-missing", { who: one.missing.join("; ") })),
      signer(one) && button(t("seat-agree"), () => sign({ kind: "transfer", seat: one.seat, to: one.to, seal: one.seal }, signer(one))))))));
  }
  if (found.seat) {
    const seat = seatOf(found.seat);
    const area = make("textarea", { id: "to", autocapitalize: "off", spellcheck: "false" });
    parts.push(section("give", make("p", {}, t("seat-give-how")), field(t("seat-which"), seat), field(t("public"), area),
      button(t("seat-give-do"), () => sign({ kind: "transfer", seat: seat.value, to: area.value || "?" }), { id: "give-sign" })));
  } else {
    const seat = seatOf(chosen?.seat);
    const pick = make("select", { id: "key" }, make("option", { value: "" }, t("join-new")), ...keys.map((one) => make("option", { value: one.hex, selected: one.hex === chosen?.key }, one.name || one.fingerprint)));
    const step = make("div");
    const render = async () => {
      const one = pick.value ? await get("keys", pick.value) : null;
      const goOn = (made) => seatScreen(id, { seat: seat.value, key: made.hex });
      step.replaceChildren(...(one
        ? keyStep(one, seat.value, render, () => sign({ kind: "transfer", seat: seat.value }, one), t("sign"))
        : [make("div", { class: "row" },
          button(t("key-make"), async () => goOn(await newKey(`${found.title}, ${seat.value}`)), { class: "main", id: "make-key" }),
          filePicker(t("key-bring"), "", (file) => bring(file, goOn, again)))]));
    };
    for (const one of [seat, pick]) one.addEventListener("change", guarded(render));
    parts.push(make("section", {}, ...bringHint(again)), section("take", make("p", {}, t("seat-take-how")), field(t("seat-which"), seat), field(t("join-key"), pick), step));
    await render();
  }
  show(t("seat"), parts, { back: () => table(id), again });
}
