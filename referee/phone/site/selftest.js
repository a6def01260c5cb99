// Known answers and times, for a look on a real device.
import { ask, ready } from "./program.js";

const list = document.getElementById("found");
const tell = (text) => { const one = document.createElement("li"); one.textContent = text; list.append(one); };

try {
  const known = await (await fetch("known.json")).json();
  await ready;
  tell(`usable after ${(performance.now() / 1000).toFixed(1)} s`);
  const began = performance.now();
  const found = await ask("selftest", { known });
  for (const [name, right] of Object.entries(found)) tell(`${name}: ${right ? "right" : "WRONG"}`);
  tell(`known answers: ${(performance.now() - began).toFixed(0)} ms`);
  tell(`kept for good: ${navigator.storage && (await navigator.storage.persisted()) ? "yes" : "not yet"}`);
  tell(navigator.userAgent);
  document.getElementById("result").textContent = Object.values(found).every(Boolean) ? "This device plays." : "This device does NOT play.";
} catch (error) {
  document.getElementById("result").textContent = `This device does NOT play: ${error.message}`;
}
