// Known answers and times, for a look on a real device.
import { ask, ready } from "./program.js";
import { code, speak, t, usual } from "./words.js";

const $ = (id) => document.getElementById(id);
const tell = (text) => { const one = document.createElement("li"); one.textContent = text; $("found").append(one); };

$("language").addEventListener("change", () => {
  localStorage.setItem("language", $("language").value);
  location.reload();
});

try {
  await speak(usual());
  $("heading").textContent = t("test");
  document.title = `${t("test")} · sanjuan-ref`;
  const known = await (await fetch("known.json")).json();
  await ready;
  const seconds = (performance.now() / 1000).toLocaleString(code, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  tell(t("test-usable", { seconds }));
  const began = performance.now();
  const found = await ask("selftest", { known });
  for (const [name, right] of Object.entries(found)) tell(t(right ? "test-right" : "test-wrong", { what: t(`test-${name}`) }));
  tell(t("test-time", { time: (performance.now() - began).toFixed(0) }));
  tell(t(navigator.storage && (await navigator.storage.persisted()) ? "test-kept" : "test-not-kept"));
  tell(navigator.userAgent);
  $("result").textContent = t(Object.values(found).every(Boolean) ? "test-plays" : "test-not");
} catch (error) {
  $("result").textContent = `${t("test-not")} ${error.message}`;
}
