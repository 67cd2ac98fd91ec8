// The service worker of the page: it keeps the files of one version, and the page runs
// from them, with a network or without. Files of different versions have different names,
// so that they never mix; the page itself, whose name stays, is of the version that this
// service worker is of.

// VERSION, and FILES: the SHA-256 of each file by its path, stand before this.
/** @type {ServiceWorkerGlobalScope} */
const scope = /** @type {any} */ (globalThis);
const OURS = `gyre ${scope.registration.scope} `;
const NAME = OURS + VERSION;
const PAGE = "./";

scope.addEventListener("install", (event) => event.waitUntil(keepAll()));
scope.addEventListener("activate", (event) => event.waitUntil(begin()));
scope.addEventListener("message", ({ data }) => {
  if (data === "take over") scope.skipWaiting();
});
scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  const path = pathname.slice(new URL(scope.registration.scope).pathname.length);
  if (request.mode === "navigate") {
    if (path === "" || path === "index.html") event.respondWith(page(request));
  } else {
    event.respondWith(file(request));
  }
});

// All or nothing: where one file is missing, or of another version because the server is
// just getting a new one, the browser tries again at a later visit.
async function keepAll() {
  const cache = await caches.open(NAME);
  await Promise.all(Object.entries(FILES).map(([path, sum]) => keep(cache, path, sum)));
}

async function keep(cache, path, sum) {
  const kept = path === PAGE ? undefined : await caches.match(path);
  if (kept) return cache.put(path, kept);
  // What the browser kept of an earlier visit may do, unless it is damaged.
  /** @type {RequestCache[]} */
  const modes = path === PAGE ? ["no-store"] : ["default", "reload"];
  for (const mode of modes) {
    const response = await fetch(path, { cache: mode });
    const content = await response.arrayBuffer();
    if (response.ok && (await sha256(content)) === sum) {
      return cache.put(path, new Response(content, { headers: { "Content-Type": response.headers.get("Content-Type") ?? "" } }));
    }
  }
  throw new Error(`${path} is not that of version ${VERSION}`);
}

async function sha256(content) {
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return [...sum].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Tabs of an older version may still need its files; later there are none of them.
async function begin() {
  if ((await scope.clients.matchAll({ type: "window" })).length === 0) {
    const names = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== NAME);
    await Promise.all(names.map((name) => caches.delete(name)));
  }
  await scope.clients.claim();
}

async function page(request) {
  const cache = await caches.open(NAME);
  return (await cache.match(PAGE)) ?? fetch(request);
}

async function file(request) {
  return (await caches.match(request)) ?? fetch(request);
}
