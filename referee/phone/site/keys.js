// Keys: made, brought in, saved, and forgotten.
import { button, download, filePicker, guarded, hexOf, home, make, say, show, sure, t } from "./app.js";
import { ask } from "./program.js";
import { all, get, put, remove } from "./store.js";

// A key is saved before it signs for a seat.
export function keyStep(key, seat, again, sign, said) {
  return [
    make("p", {}, key.saved ? t("key-saved") : t("join-save-first")),
    make("div", { class: "row" },
      button(t("key-save"), async () => { await saveKey(key, seat); await again(); }, { class: key.saved ? "" : "main", id: "save-key" }),
      button(said, sign, { class: "main", id: "join-sign", ...(key.saved ? {} : { hidden: true }) })),
  ];
}

export async function newKey(name) {
  const made = await ask("make_key");
  const key = { ...made, name, saved: false };
  await put("keys", key);
  // Not every browser asks or answers; without it keys may be forgotten sooner.
  navigator.storage?.persist?.();
  return key;
}

// Its file is called after the seat for which it was saved last: that has only letters, digits and hyphens.
async function saveKey(key, seat = "") {
  key.seat = seat || key.seat;
  const name = `${["sanjuan-ref", key.seat, key.hex.slice(0, 8)].filter(Boolean).join("-")}.key`;
  const file = new File([key.openssh], `${name}.txt`, { type: "text/plain" });
  if (navigator.canShare?.({ files: [file] }) && matchMedia("(pointer: coarse)").matches) await navigator.share({ files: [file] });
  else download(key.openssh, name);
  key.saved = true;
  await put("keys", key);
}

export async function bring(file, then, cancel) {
  if (file.size > 1 << 16) throw new Error(t("key-too-large"));
  const hex = hexOf(await file.arrayBuffer());
  const kept = async (found) => {
    const before = await get("keys", found.hex);
    const key = { ...before, ...found, name: before?.name || file.name.slice(0, 40), saved: true };
    await put("keys", key);
    navigator.storage?.persist?.();
    say(t("key-brought"));
    return then(key);
  };
  const found = await ask("read_key", { hex });
  if (!found.locked) return kept(found);
  // What was said of another file is not of this one.
  say("");
  const pass = make("input", { type: "password", autocomplete: "off", id: "passphrase" });
  const form = make("form", {}, make("label", { class: "field" }, t("key-pass"), pass), make("button", { class: "main", id: "unlock" }, t("key-open")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    say(t("working"));
    guarded(async () => {
      try { await kept(await ask("read_key", { hex, passphrase: pass.value })); } catch (error) {
        if (error.told?.reason === "passphrase") throw new Error(t("key-wrong-pass"));
        throw error;
      }
    })();
  });
  show(t("key-bring"), [form], { back: cancel, again: () => bring(file, then, cancel) });
  pass.focus();
  return undefined;
}

// For whoever has the key of a seat in a file, and not here.
export const bringHint = (back) => [make("p", {}, t("no-key-here")), button(t("keys"), () => keyList(back), { class: "main" })];

export async function keyList(back = home) {
  const again = () => keyList(back);
  const keys = await all("keys");
  const rows = keys.map((key) => make("li", { class: "panel" },
    make("b", {}, key.name || key.fingerprint),
    make("p", { class: "mono" }, key.fingerprint),
    make("p", {}, key.saved ? t("key-saved") : make("span", { class: "wrong" }, t("key-not-saved"))),
    make("details", {}, make("summary", {}, t("public")), make("p", { class: "mono" }, key.public)),
    make("div", { class: "row" },
      button(t("key-save"), async () => { await saveKey(key); await again(); }),
      button(t("key-remove"), async (event) => { if (sure(event.target, t("key-remove-sure"))) { await remove("keys", key.hex); await again(); } }))));
  show(t("keys"), [
    make("section", {}, keys.length ? make("ul", {}, ...rows) : make("p", {}, t("no-keys")),
      make("p", { class: "hint" }, t("key-plain")),
      make("p", { class: "hint" }, t("key-asked")),
      make("div", { class: "row" }, button(t("key-make"), async () => { await newKey(""); await again(); }), filePicker(t("key-bring"), "", (file) => bring(file, again, again)))),
  ], { back, again });
}
