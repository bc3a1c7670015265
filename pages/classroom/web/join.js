// The page on which a learner types the code of a class.

import { ask, at, root, say } from "./common.js";

at("code").oninput = () => (at("code").value = at("code").value.toUpperCase().replace(/[^A-Z]/g, ""));
at("code").focus();
at("join").onsubmit = async (event) => {
  event.preventDefault();
  const code = at("code").value;
  say("note", "One moment…");
  const { status, content } = await ask("join", { body: { code } });
  if (status !== 200) return say("note", content.error);
  sessionStorage.setItem("joined", JSON.stringify({ code, id: content.id }));
  location.assign(new URL("class/" + code, root));
};
