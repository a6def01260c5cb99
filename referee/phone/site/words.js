// The words of the app, in one of the languages that a page offers.
import { speakTo } from "./program.js";

export let code = "en";
export let texts = {};
export const t = (key, values = {}) => (texts[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name]);

const select = document.getElementById("language");
export const usual = () => localStorage.getItem("language") ?? navigator.language.slice(0, 2);

export async function speak(chosen) {
  code = Array.from(select.options, (one) => one.value).includes(chosen) ? chosen : "en";
  texts = await (await fetch(`${code}.json`)).json();
  speakTo(code);
  document.documentElement.lang = code;
  select.value = code;
  select.setAttribute("aria-label", t("language"));
}
