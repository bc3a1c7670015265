// What goes between a page and the server, for `settled`: a click does not change the state of the page's script until
// the server's first message, so that alone does not say whether its run is still to come.
//
// asked: how many runs the page has asked for. due: how many have to have begun until the last of these has, begun: how
// many have. running: whether the last one goes on. since: when something was last touched, sent or received, and calm:
// whether the page has had time since then to send what follows a touch, and to draw what it received.
{
  const traffic = (window.traffic = { asked: 0, due: 0, begun: 0, running: false, since: 0, calm: true });
  const [RERUN, NEW_SESSION, FINISHED, EARLY_FOR_RERUN] = [11, 4, 6, 2]; // of Streamlit's BackMsg and ForwardMsg
  const TOUCHES = ["pointerdown", "pointerup", "click", "keydown", "keyup", "input", "change", "popstate"];
  const [TURNS, TURN] = [3, 10]; // turns of the page's own clock, in milliseconds: a busy page takes longer for them
  let timer = 0;

  const wait = (turns) => {
    traffic.calm = turns === 0;
    if (turns) timer = setTimeout(wait, TURN, turns - 1);
  };
  const stir = () => {
    traffic.since = performance.now();
    clearTimeout(timer);
    wait(TURNS);
  };

  /** Number and value of what a protobuf message holds, past its hash and its metadata, which are 1 and 2. */
  const content = (bytes) => {
    let at = 0;
    const varint = () => {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        const byte = bytes[at++];
        value += (byte & 127) * scale;
        if (!(byte & 128)) return value;
      }
    };
    while (at < bytes.length) {
      const [field, value] = [varint() >> 3, varint()];
      if (field > 2) return [field, value];
      at += value;
    }
    return [0, 0];
  };

  window.WebSocket = class extends WebSocket {
    constructor(...where) {
      super(...where);
      this.addEventListener("message", ({ data }) => {
        stir();
        const [field, value] = content(new Uint8Array(data));
        if (field === NEW_SESSION) Object.assign(traffic, { begun: traffic.begun + 1, running: true });
        if (field === FINISHED && value !== EARLY_FOR_RERUN) traffic.running = false;
      });
    }

    send(data) {
      super.send(data);
      stir();
      if (content(new Uint8Array(data))[0] !== RERUN) return;
      Object.assign(traffic, { asked: traffic.asked + 1, due: traffic.begun + 1 });
    }
  };
  TOUCHES.forEach((kind) => addEventListener(kind, stir, true));
}
