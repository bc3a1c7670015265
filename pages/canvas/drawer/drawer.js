// @ts-check
// Streamlit keeps the drawer shut once a visitor has shut it, whatever the server says: so it is opened by its own button.
// On a phone the list of the pages stands above the settings, which are then brought into sight.

import { component, sheetsOf } from "../runtime/component.js";
import { child } from "../runtime/dom.js";
import { MENU_CONTENT, MENU_OPENER } from "../runtime/streamlit_page.js";

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "drawer.css");

/** @import { Data } from "../runtime/component.js" */

export default component(styles, (root, /** @type {Data<{label: string}>} */ { meta }, send) => {
  const button = child(root, "button", "open");
  button.textContent = meta.label;
  button.onclick = () => {
    /** @type {HTMLElement | null} */ (document.querySelector(MENU_OPENER))?.click();
    requestAnimationFrame(() => document.querySelector(MENU_CONTENT)?.scrollIntoView({ block: "start" }));
    send("open", true);
  };
});
