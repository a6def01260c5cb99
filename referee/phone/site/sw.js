// Keeps the app for use without a network. A version is taken whole, each file by its hash, and is
// used when the player says so: not when the browser would, which is once the app was closed.
const VERSION = "VERSION";
const FILES = "FILES";
const CACHE = `app-${VERSION}`;
const SHARED = "shared";
const scope = new URL("./", self.location).href;
// Says which version is in use.
const USED = new URL("used-version", scope).href;

async function used() {
  const found = await (await caches.open("used")).match(USED);
  const name = found ? await found.text() : "";
  return (await caches.has(name)) ? name : "";
}

async function use() {
  if (!(await caches.match(scope, { cacheName: CACHE }))) await take();
  await (await caches.open("used")).put(USED, new Response(CACHE));
  for (const name of await caches.keys()) if (name.startsWith("app-") && name !== CACHE) await caches.delete(name);
}

async function take() {
  const cache = await caches.open(CACHE);
  for (const [path, integrity] of Object.entries(FILES)) {
    const url = new URL(path, scope).href;
    // What did not change need not be fetched again.
    const kept = await old(url, integrity);
    await cache.put(url, kept || (await fetch(url, { integrity, cache: "no-cache" })));
  }
  const page = await cache.match(new URL("index.html", scope).href);
  await cache.put(scope, page);
}

async function old(url, integrity) {
  for (const name of await caches.keys()) {
    if (!name.startsWith("app-")) continue;
    const found = await (await caches.open(name)).match(url);
    if (!found) continue;
    const bytes = await found.clone().arrayBuffer();
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    if (`sha256-${btoa(String.fromCharCode(...hash))}` === integrity) return found;
  }
  return null;
}

self.addEventListener("install", (event) => event.waitUntil(take()));
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  const name = await used();
  if (!name) await use();
  for (const one of await caches.keys()) if (one.startsWith("app-") && one !== CACHE && one !== name) await caches.delete(one);
  await self.clients.claim();
})()));

// The page asks whether this version is the one in use, and says when it is to be.
self.addEventListener("message", (event) => event.waitUntil((async () => {
  if (event.data === "new?") {
    const name = await used();
    event.source.postMessage({ offered: Boolean(name) && name !== CACHE });
  }
  if (event.data !== "take") return;
  await use();
  await self.skipWaiting();
  event.source.postMessage({ taken: true });
})()));

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  url.search = "";
  url.hash = "";
  if (!url.href.startsWith(scope)) return undefined;
  const path = url.href.slice(scope.length);
  if (event.request.method === "POST" && path === "share") return event.respondWith(shared(event.request));
  if (event.request.method !== "GET") return undefined;
  return event.respondWith((async () => {
    const found = await caches.match(url.href, { cacheName: (await used()) || CACHE });
    return found || fetch(event.request);
  })());
});

// What another app hands over waits for the page.
async function shared(request) {
  const form = await request.formData();
  const body = form.get("file") || form.get("text") || "";
  const cache = await caches.open(SHARED);
  await cache.put(new URL("shared", scope).href, new Response(body));
  return Response.redirect(`${scope}?shared`, 303);
}
