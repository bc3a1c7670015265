// On a phone the menu of the pages covers the page: it is closed by a choice, by Escape, by a touch beside it, and it is
// never open when a page is loaded.

const NARROW = matchMedia("(max-width: 767.98px)"); // where Streamlit lays the menu over the page
const KEPT = "stSidebarCollapsed-"; // in the browser's store: begins the name under which Streamlit keeps whether it is shut
const MENU = '[data-testid="stSidebar"][data-collapsed="false"]';
const OVER_IT = '[role="listbox"], [role="dialog"], [role="tooltip"]'; // what closes by Escape before the menu does

const menu = () => (NARROW.matches ? document.querySelector(MENU) : null);

/** Close the menu of a phone; elsewhere it stands beside the page, and stays. */
export function closeMenu() {
  menu()?.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
}

addEventListener(
  "keydown",
  (event) => {
    if (event.key === "Escape" && !document.querySelector(OVER_IT)) closeMenu();
  },
  true,
);
addEventListener("pointerdown", ({ target }) => {
  if (target instanceof Element && target.closest('[data-testid="stMain"]')) closeMenu();
});
addEventListener("pagehide", () => {
  if (!NARROW.matches) return;
  for (const key of Object.keys(localStorage)) if (key.startsWith(KEPT)) localStorage.setItem(key, "true");
});
