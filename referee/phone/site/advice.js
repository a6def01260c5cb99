// What a bot would play, and after a game where it would have played better.
import { code, keyAt, say, shown, t, table } from "./app.js";
import { ask } from "./program.js";
import { get, put } from "./store.js";

export async function hint(game, key) {
  say(t("working"));
  const found = await ask("hint", { text: game.text, key: key.openssh, lang: code });
  say(t("hint-play", { level: t(`level-${found.level}`), said: found.said, play: found.play }));
}

// Each decision takes a while, and may be looked at while the page lives.
export async function review(id) {
  const before = shown;
  const game = await get("games", id);
  const given = { text: game.text, key: (await keyAt(game)).openssh };
  const { count } = await ask("review_begin", given);
  const rows = [];
  while (rows.length < count) {
    say(t("reviewing", { at: rows.length + 1, count }));
    rows.push(await ask("review_one", { ...given, at: rows.length }));
    if (shown !== before) return say("");
  }
  await put("games", { ...(await get("games", id)), review: rows });
  say("");
  return table(id);
}
