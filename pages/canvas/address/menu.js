// @ts-check
// On a phone the menu of the pages covers the page: it is closed by a choice, by Escape, by a touch beside it, and it is
// never open when a page is loaded.

import { MAIN, MENU_CLOSER, MENU_OF_PAGES, MENU_SHUT_KEY } from "../runtime/streamlit_page.js";

const NARROW = matchMedia("(max-width: 767.98px)"); // where Streamlit lays the menu over the page
const OVER_IT = '[role="listbox"], [role="dialog"], [role="tooltip"]'; // Escape closes these before the menu

const menu = () => (NARROW.matches ? document.querySelector(MENU_OF_PAGES) : null);

/** Close the menu of a phone; elsewhere it stands beside the page, and stays. */
export function closeMenu() {
  /** @type {HTMLElement | null | undefined} */ (menu()?.querySelector(MENU_CLOSER))?.click();
}

addEventListener(
  "keydown",
  (event) => {
    if (event.key === "Escape" && !document.querySelector(OVER_IT)) closeMenu();
  },
  true,
);
addEventListener("pointerdown", ({ target }) => {
  if (target instanceof Element && target.closest(MAIN)) closeMenu();
});
addEventListener("pagehide", () => {
  if (!NARROW.matches) return;
  for (const key of Object.keys(localStorage)) if (key.startsWith(MENU_SHUT_KEY)) localStorage.setItem(key, "true");
});
