// @ts-check
// The page on which a learner types the code of a class.

import { ask, at, box, root, say } from "./common.js";

const typed = box("code");
typed.oninput = () => (typed.value = typed.value.toUpperCase().replace(/[^A-Z]/g, ""));
typed.focus();
at("join").onsubmit = async (event) => {
  event.preventDefault();
  const code = typed.value;
  say("note", "One moment…");
  const { status, content } = await ask("join", { body: { code } });
  if (status !== 200) return say("note", content.error);
  sessionStorage.setItem("joined", JSON.stringify({ code, id: content.id }));
  location.assign(new URL("class/" + code, root));
};
