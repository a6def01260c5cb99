// Requests to the program in the worker.
const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
const waiting = new Map();
let language = "en";
// What is refused is said in the language of the app.
export const speakTo = (code) => { language = code; };
let next = 1;

export const ready = new Promise((resolve, reject) => {
  worker.addEventListener("message", ({ data }) => {
    if (data.ready) resolve();
    if (data.failed) reject(new Error(data.failed));
  });
  worker.addEventListener("error", (event) => reject(new Error(event.message || "worker")));
});

// What a terminal says after "error:" stands alone here. A word with digits or dots is a name, and stays.
const sentence = (said) => (said ?? "").replace(/^\p{Ll}+(?=[\s',;:]|$)/u, (word) => word[0].toUpperCase() + word.slice(1)).replace(/[^.!?:…]$/u, "$&.");
const sentences = ({ message, hint, words, ...more }) => ({ ...more, message: sentence(message), hint: sentence(hint), words: sentence(words) });

worker.addEventListener("message", ({ data: { id, answer } }) => {
  const one = waiting.get(id);
  if (!one) return;
  waiting.delete(id);
  const { done, error } = JSON.parse(answer);
  if (error) {
    const told = sentences(error);
    one.reject(Object.assign(new Error(told.message), { told }));
  } else one.resolve(done);
});

export function ask(name, request = {}) {
  return new Promise((resolve, reject) => {
    const id = next;
    next += 1;
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, name, request: JSON.stringify({ lang: language, ...request }) });
  });
}
