// @ts-check
// The answer form as a drawing of the app.

import { component, sheetsOf } from "../runtime/component.js";
import { child } from "../runtime/dom.js";
import { mount } from "./form.js";

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "answers.css");

/** @import { Spec } from "./form.js" */
/** @import { Data } from "../runtime/component.js" */

export default component(styles, (root, /** @type {Data<Spec>} */ { meta }, send) =>
  mount(child(root, "div", "question"), meta, (answer) => send("answer", answer)),
);
