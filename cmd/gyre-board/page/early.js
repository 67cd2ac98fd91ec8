// Runs before the page's modules: sets the colors that the user chose before the first paint,
// so that the page does not flash in others; names missing features of the browser; chooses the
// language and loads its messages; and holds clicks until the page is ready. Its own few words
// are in English, because they are shown if messages cannot be loaded. It is a plain script in
// old JavaScript, so that old browsers can read it.
(function () {
  try {
    var kept = JSON.parse(localStorage.getItem("gyre.settings")) || {};
    if (kept.theme) document.documentElement.dataset.theme = kept.theme;
    if (kept.board) document.documentElement.dataset.board = kept.board;
  } catch (error) {
    // Without storage the system's colors apply.
  }
})();

// With ?embed in its address, the page is a compact viewer for a frame of another site. Its link
// leads to the same game on the whole page.
(function () {
  if (!/[?&]embed(=|&|$)/.test(location.search)) return;
  document.documentElement.dataset.embed = "";
  addEventListener("DOMContentLoaded", function () {
    var rest = location.search.slice(1).split("&").filter(function (word) { return !/^embed(=|$)/.test(word); });
    var link = /** @type {HTMLAnchorElement} */ (document.getElementById("full-board"));
    link.href = location.pathname + (rest.length ? "?" + rest.join("&") : "") + location.hash;
  });
})();

(function () {
  var byProgram = document.querySelector("meta[name=gyre-program]");
  var lacks = "";
  if (location.protocol === "file:") lacks = "Browsers run this page only from a web server. In its folder, \"python3 -m http.server\" is one.";
  else if (!("noModule" in document.createElement("script"))) lacks = old("modules");
  else if (byProgram && typeof WebAssembly !== "object") lacks = old("WebAssembly");
  else if (byProgram && !window.Worker) lacks = old("Workers");
  else if (byProgram && !window.DecompressionStream) lacks = old("DecompressionStream");
  function report(text) {
    var prompt = document.getElementById("prompt");
    if (!prompt) return;
    prompt.removeAttribute("data-l10n");
    prompt.textContent = text;
  }
  function old(what) {
    return "This browser is too old for the board: it lacks " + what + ". Current versions of Firefox, Chrome, Edge and Safari have it.";
  }
  function missing(address) {
    return "The board cannot be loaded: " + address + " is missing. Check your connection, and reload the page.";
  }
  // Browsers do not say why a file was not used: because it did not come, or because the server gives
  // it the wrong MIME type.
  function reportFile(address, wanted) {
    report(missing(address));
    if (!window.fetch) return;
    fetch(address).then(function (answer) {
      var type = (answer.headers.get("Content-Type") || "no MIME type").split(";")[0];
      if (!answer.ok || wanted.test(type)) return;
      report("The board cannot be loaded: the server sends " + address + " as " + type + ". The owner of this site has to correct the MIME type of this kind of file.");
    }).catch(function () {}); // it is missing
  }
  // Only the index knows the name under which the file of messages is served.
  function loadMessages() {
    var root = document.documentElement;
    var known = root.dataset.languages.split(" ");
    var wanted = [];
    try {
      wanted = [(JSON.parse(localStorage.getItem("gyre.settings")) || {}).language];
    } catch (error) {
      // Without storage the browser's languages apply.
    }
    wanted = wanted.concat(navigator.languages || navigator.language, "en").map(function (name) {
      return String(name).split("-")[0];
    });
    root.lang = wanted.filter(function (name) { return known.indexOf(name) >= 0; })[0];
    var address = root.dataset.messages.replace("en/page.ftl", root.lang + "/page.ftl");
    function failed() {
      report(missing(address));
      return new Promise(function () {}); // never: the page's modules wait for it
    }
    /** @type {any} */ (window).firstMessages = fetch(address).then(function (answer) {
      return answer.ok ? answer.text() : failed();
    }).catch(failed);
  }
  // A module that cannot be loaded or parsed is reported here, because it reports nothing itself.
  addEventListener("error", function (event) {
    var element = event.target;
    if (element instanceof HTMLScriptElement) reportFile(element.src, /(java|ecma)script$/);
    else if (element instanceof HTMLLinkElement && element.rel === "stylesheet") reportFile(element.href, /css$/);
    else if (event.error instanceof SyntaxError) report(old("a part of the language (" + event.message + ")"));
  }, true);
  if (location.protocol !== "file:" && window.fetch) loadMessages();
  if (!lacks) return;
  document.documentElement.dataset.lacks = "true";
  addEventListener("DOMContentLoaded", function () {
    report(lacks);
  });
})();

// Before the first game is open, most buttons have nothing to act on. Their clicks are held,
// and repeated when they can do something.
(function () {
  /** @type {HTMLElement[]} */
  var held = [];
  function hold(event) {
    var button = event.target.closest && event.target.closest("main button, header [data-part]");
    if (!button) return;
    event.preventDefault();
    event.stopPropagation();
    held = held.filter(function (other) { return other !== button; }).concat(button);
  }
  document.addEventListener("click", hold, true);
  /** @type {any} */ (window).releaseClicks = function () {
    document.removeEventListener("click", hold, true);
    held.forEach(function (button) { button.click(); });
    held = [];
  };
})();
