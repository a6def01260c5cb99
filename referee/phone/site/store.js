// What the app keeps on this device: keys, the newest file of each game, and every note that it signed.
const STORES = { keys: "hex", games: "game", notes: "id" };

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

let opened = null;
function base() {
  opened ??= (() => {
    const request = indexedDB.open("sanjuan-ref", 1);
    request.onupgradeneeded = () => {
      for (const [name, keyPath] of Object.entries(STORES)) request.result.createObjectStore(name, { keyPath });
    };
    return done(request);
  })();
  return opened;
}

export async function all(store) {
  return done((await base()).transaction(store).objectStore(store).getAll());
}

export async function get(store, key) {
  return done((await base()).transaction(store).objectStore(store).get(key));
}

// Resolves when it is on the disk, and throws where there is no room.
export async function put(store, value) {
  const transaction = (await base()).transaction(store, "readwrite", { durability: "strict" });
  transaction.objectStore(store).put(value);
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error || new DOMException("", "QuotaExceededError"));
    transaction.onerror = () => {};
  });
}

export async function remove(store, key) {
  const transaction = (await base()).transaction(store, "readwrite");
  transaction.objectStore(store).delete(key);
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}
