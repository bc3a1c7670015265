// Measures, inside the page, how long a change of a control takes to be painted. Installed before the app's scripts.
//
// probe.arm(kind, selector, quiet, patience): the clock starts at the next trusted event of this kind (its own time stamp).
// From then on, whenever something in the page's main part is drawn on a canvas that stands in the document, or an
// element or text there that can be seen is added, removed or rewritten, the end of that frame is noted: the first task
// after the frame's animation callbacks, when style, layout and paint are done. `probe.result` settles once the script
// is not running, the picture is new, and nothing has changed for `quiet` ms (or the picture is not new after `patience`
// ms):
//   picture: ms to the end of the first frame in which the pictures at `selector` differ from before: the pixels of
//   canvases, the marks of charts, and what drawings made of elements hold
//   all: ms to the end of the last frame that changed anything
// picture is null when they never changed.
(() => {
  const channel = new MessageChannel();
  const probe = (window.probe = { kind: null, start: null });
  let pending = false;
  let timer = 0;

  function* canvases(root, selector) {
    for (const host of root.querySelectorAll(selector))
      for (const element of [host, ...host.querySelectorAll("*")])
        if (element.shadowRoot) yield* element.shadowRoot.querySelectorAll("canvas");
  }

  function* drawings(root, selector) {
    for (const host of root.querySelectorAll(selector))
      for (const element of [host, ...host.querySelectorAll("*")])
        if (element.shadowRoot || element.matches("svg.marks")) yield (element.shadowRoot ?? element).innerHTML;
  }

  // One number for the pixels of all the pictures: every eleventh pixel, so that it stays cheap, and only after a frame
  // in which something was drawn, for reading a canvas takes milliseconds. 0 without pictures.
  function pixels() {
    let sum = 0;
    for (const written of drawings(document, probe.selector))
      for (let i = 0; i < written.length; i += 11) sum = (Math.imul(sum, 31) + written.charCodeAt(i)) | 0;
    for (const canvas of canvases(document, probe.selector)) {
      if (!canvas.width || !canvas.height) continue;
      const data = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
      for (let i = 0; i < data.length; i += 11) sum = (Math.imul(sum, 31) + data[i]) | 0;
    }
    return sum;
  }

  function touch() {
    if (probe.start === null || pending) return;
    pending = true;
    requestAnimationFrame(() => channel.port1.postMessage(0));
  }

  function rest() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const running = document.querySelector("[data-test-script-state]").dataset.testScriptState !== "notRunning";
      const waiting = probe.picture === null && performance.now() - probe.start < probe.patience;
      if (running || waiting || probe.all === null) return rest();
      probe.start = null;
      probe.done({ picture: probe.picture, all: probe.all });
    }, probe.quiet);
  }

  channel.port2.onmessage = () => {
    pending = false;
    if (probe.start === null) return;
    probe.all = performance.now() - probe.start;
    if (probe.picture === null && probe.drawn && ![0, probe.before].includes(pixels())) probe.picture = probe.all;
    probe.drawn = false;
    rest();
  };

  probe.arm = (kind, selector, quiet = 200, patience = 5000) => {
    Object.assign(probe, { kind, selector, quiet, patience, start: null, picture: null, all: null });
    probe.before = pixels();
    probe.result = new Promise((done, fail) => {
      probe.done = done;
      setTimeout(fail, 20000, new Error("nothing changed within 20 s of " + kind));
    });
  };

  for (const kind of ["click", "keydown", "input"])
    document.addEventListener(
      kind,
      (event) => {
        if (kind !== probe.kind || !event.isTrusted) return;
        Object.assign(probe, { kind: null, start: event.timeStamp });
        rest();
      },
      true,
    );

  const context = CanvasRenderingContext2D.prototype;
  for (const name of ["drawImage", "stroke", "fillRect", "fillText"]) {
    const draw = context[name];
    context[name] = function (...parts) {
      if (probe.start !== null && this.canvas.isConnected) {
        probe.drawn = true;
        touch();
      }
      return draw.apply(this, parts);
    };
  }

  const what = { subtree: true, childList: true, characterData: true };
  const inDocument = (node) => (node.getRootNode() instanceof ShadowRoot ? inDocument(node.getRootNode().host) : node);
  const HIDDEN = ".st-key-ahead";
  const isSeen = ({ target, addedNodes, removedNodes }) => {
    const moved = [...addedNodes, ...removedNodes];
    const isHidden = (node) => node.matches?.(HIDDEN) || node.querySelector?.(HIDDEN);
    return !inDocument(target).closest?.(HIDDEN) && !(moved.length && moved.every(isHidden));
  };
  const observer = new MutationObserver((records) => {
    const main = document.querySelector('[data-testid="stMain"]');
    if (!main || !records.some((record) => main.contains(inDocument(record.target)) && isSeen(record))) return;
    probe.drawn = true;
    touch();
  });
  observer.observe(document, what);
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (...how) {
    const root = attach.apply(this, how);
    observer.observe(root, what);
    return root;
  };
})();
