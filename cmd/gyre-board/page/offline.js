// The page without a network, where it is one that needs no server: a service worker keeps
// its files, all of one version. A new version is offered, and comes when it is asked for.

import { program } from "./link/workers.js";

/**
 * Keeps the files, and tells of a new version.
 * @param {import("./panels/notices.js").Notices} notices
 */
export async function keepFiles(notices) {
  const workers = navigator.serviceWorker;
  // Browsers have none at addresses that are not secure; the page works all the same.
  if (!program || !workers) return;
  const registration = await workers.register("sw.js", { updateViaCache: "none" });
  const offer = (worker) => {
    const load = () => {
      workers.addEventListener("controllerchange", () => location.reload(), { once: true });
      worker.postMessage("take over");
    };
    notices.show("version", "There is a new version of the board.", { mild: true, action: ["Load it", load] });
  };
  if (registration.waiting) offer(registration.waiting);
  registration.addEventListener("updatefound", () => {
    const worker = registration.installing;
    worker.addEventListener("statechange", () => {
      if (worker.state === "installed" && registration.active) offer(worker);
    });
  });
  document.addEventListener("visibilitychange", () => {
    // Without a network there is no new version.
    if (!document.hidden) registration.update().catch(() => {});
  });
}
