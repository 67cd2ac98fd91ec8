// The service worker of the page. It stores the files of one version and serves the page
// from them, online and offline. Files of different versions have different names and never
// mix; the index, whose name stays, is of the same version as this service worker.

// VERSION, and FILES with the SHA-256 of each file by its path, are defined before this.
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

// All or nothing: if a file is missing, or of another version because the server is being
// updated, the browser tries again at a later visit.
async function keepAll() {
  const cache = await caches.open(NAME);
  await Promise.all(Object.entries(FILES).map(([path, sum]) => keep(cache, path, sum)));
}

async function keep(cache, path, sum) {
  const kept = path === PAGE ? undefined : await caches.match(path);
  if (kept) return cache.put(path, kept);
  // Files in the browser's cache can be used, unless they are damaged.
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

// Tabs of an older version may still need its files until they are closed.
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
