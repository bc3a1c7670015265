// @ts-check
// The page on which a learner types the code of a class. The page of the class then joins, or goes on where it was.

import { ask, at, box, root, say } from "./common.js";

const typed = box("code");
typed.focus();
at("join").onsubmit = async (event) => {
  event.preventDefault();
  say("note", "One moment…");
  const { status, content } = await ask("find", { body: { code: typed.value } });
  if (status !== 200) return say("note", content.error);
  location.assign(new URL("class/" + content.code, root));
};
