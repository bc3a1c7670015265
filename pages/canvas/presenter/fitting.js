// The main picture as large as the rest of the screen allows. A drawing lays itself out by its width, so how high it will
// be at another zoom is not known before: the zoom goes there in steps.

import { byKey, MAIN } from "../runtime/streamlit_page.js";

const PICTURE = byKey("main-picture");
export const CARDS = byKey("journey-cards"); // one of them is seen at a time
const [OFTEN, TRIES] = [150, 16]; // milliseconds; steps up for one screen
const [LEAST, MOST] = [0.3, 1.6]; // zoom
const [BELOW, FULL] = [8, 0.9]; // pixels left free under the picture; the share of the room at which it is large enough

const between = (low, high, x) => Math.min(high, Math.max(low, x));

// What a picture has to be fitted to anew: the window, the page, the view of it, and the cards that are seen, which are
// all of them until the style sheet of Present is there.
const screenOf = () => {
  const views = [...document.querySelectorAll(`${byKey("look-at")} [aria-checked=true]`)];
  const cards = [...(document.querySelector(CARDS)?.children ?? [])].map((card) => card.checkVisibility());
  return [innerWidth, innerHeight, location.pathname, ...cards, ...views.map((each) => each.textContent)].join(" ");
};

// The zoom that comes next, or the same where the picture fits. most: the largest zoom.
export function nextZoom(zoom, height, room, mayGrow, most = MOST) {
  if (height > room) return between(LEAST, most, zoom * between(0.75, 0.98, room / height));
  const grows = mayGrow && height < FULL * room;
  return grows ? between(LEAST, most, zoom * between(1, 1.15, (0.97 * room) / height)) : zoom;
}

// Drawings whose words grow at the cost of the rest say how far the zoom may go (`presenting.css`).
const mostOf = (picture) => Number(getComputedStyle(picture).getPropertyValue("--most-zoom")) || MOST;

// Style sheets read the zoom too: `presenting.css` keeps it from a player's buttons.
function setZoom(picture, zoom) {
  picture.style.zoom = zoom;
  picture.style.setProperty("--fitted-zoom", zoom || 1);
}

export function keepFitting(isOn) {
  let [fitted, tries] = ["", 0];
  const fit = () => {
    const picture = document.querySelector(PICTURE);
    if (!picture) return;
    if (!isOn()) {
      if (picture.style.zoom) setZoom(picture, "");
      return (fitted = "");
    }
    const screen = screenOf();
    if (screen !== fitted) [fitted, tries] = [screen, 0];
    const box = picture.getBoundingClientRect();
    const scrolled = document.querySelector(MAIN).scrollTop;
    const room = innerHeight - (box.top + scrolled) - BELOW;
    const zoom = Number(picture.style.zoom) || 1;
    const next = box.height ? nextZoom(zoom, box.height, room, tries < TRIES, mostOf(picture)) : zoom;
    if (next < zoom) tries = TRIES; // what was too high does not grow again
    else tries += 1;
    if (next !== zoom) setZoom(picture, next);
  };
  setInterval(fit, OFTEN);
}
