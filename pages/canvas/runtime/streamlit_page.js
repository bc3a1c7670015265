// @ts-check
// The elements of Streamlit's page that our modules look for. Streamlit 1.67 promises none of these names;
// tests/browser/test_streamlit_page.py finds each of them on a page.

/** @param {string} name */
const testId = (name) => `[data-testid="${name}"]`;

export const MAIN = testId("stMain");
export const MENU_OF_PAGES = testId("stSidebar") + '[data-collapsed="false"]';
export const MENU_CLOSER = `${testId("stSidebarCollapseButton")} button`;
export const MENU_OPENER = testId("stExpandSidebarButton");
export const MENU_CONTENT = testId("stSidebarUserContent");
export const OPEN_POPOVER = testId("stPopoverBody");

// An attribute of the app's element: "running", "notRunning", …
export const SCRIPT_STATE = "data-test-script-state";
export const NO_RUN = `[${SCRIPT_STATE}="notRunning"]`;

// In the browser's store: begins the name under which Streamlit keeps whether the menu of a page is shut.
export const MENU_SHUT_KEY = "stSidebarCollapsed-";

/** Select a number box's button that goes one up (way 1) or one down (way -1). @param {number} way */
export const numberStep = (way) => testId(`stNumberInputStep${way > 0 ? "Up" : "Down"}`);

/** Select what Streamlit draws for a widget or a container with this key. @param {string} key */
export const byKey = (key) => `.st-key-${CSS.escape(key)}`;
