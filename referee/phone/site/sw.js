// Keeps the app for use without a network. A version is taken whole, each file by its hash, and is
// used when the player says so.
const VERSION = "VERSION";
const FILES = "FILES";
const CACHE = `app-${VERSION}`;
const SHARED = "shared";
const scope = new URL("./", self.location).href;

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
    if (!name.startsWith("app-") || name === CACHE) continue;
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
  for (const name of await caches.keys()) if (name.startsWith("app-") && name !== CACHE) await caches.delete(name);
  await self.clients.claim();
})()));
self.addEventListener("message", (event) => { if (event.data === "take") self.skipWaiting(); });

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  url.search = "";
  url.hash = "";
  if (!url.href.startsWith(scope)) return;
  const path = url.href.slice(scope.length);
  if (event.request.method === "POST" && path === "share") return event.respondWith(shared(event.request));
  if (event.request.method !== "GET" || (path && !(path in FILES))) return undefined;
  return event.respondWith((async () => (await (await caches.open(CACHE)).match(url.href)) || fetch(event.request))());
});

// What another app hands over waits for the page.
async function shared(request) {
  const form = await request.formData();
  const body = form.get("file") || form.get("text") || "";
  const cache = await caches.open(SHARED);
  await cache.put(new URL("shared", scope).href, new Response(body));
  return Response.redirect(`${scope}?shared`, 303);
}
