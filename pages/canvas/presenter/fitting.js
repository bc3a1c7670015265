// @ts-check
// The main picture as large as the rest of the screen allows. A drawing lays itself out by its width, so how high it will
// be at another zoom is not known before: the zoom goes there in steps.

import { byKey, MAIN } from "../runtime/streamlit_page.js";

const PICTURE = byKey("main-picture");
/** The cards of the journey. */
export const CARDS = byKey("journey-cards"); // the cards of which Present shows one at a time
const [OFTEN, TRIES] = [150, 16]; // milliseconds between steps; the most steps up on one screen
const [LEAST, MOST] = [0.3, 1.6]; // the smallest and the largest zoom
const [BELOW, FULL] = [8, 0.9]; // pixels left free under the picture; the share of the room at which it is large enough
// A picture that stays so much lower than its room was too high only while it was being drawn: it may grow again.
const [LOW, LOOKS, AGAIN] = [0.86, 5, 4]; // the share of the room; how many looks it stays so; times for one screen

/** @param {number} low @param {number} high @param {number} x */
const between = (low, high, x) => Math.min(high, Math.max(low, x));

/**
 * Name all that a picture has to be fitted to anew: the window, the page, the view of it, and the cards that are seen,
 * which are all of them until the style sheet of Present is there.
 */
const screenOf = () => {
  const views = [...document.querySelectorAll(`${byKey("look-at")} [aria-checked=true]`)];
  const cards = [...(document.querySelector(CARDS)?.children ?? [])].map((card) => card.checkVisibility());
  return [innerWidth, innerHeight, location.pathname, ...cards, ...views.map((each) => each.textContent)].join(" ");
};

/**
 * Return the zoom that comes next, or the same where the picture fits.
 * @param {number} zoom
 * @param {number} height  Of the picture at this zoom.
 * @param {number} room
 * @param {boolean} mayGrow
 * @param {readonly [number, number]} limits  The smallest and the largest zoom.
 */
export function nextZoom(zoom, height, room, mayGrow, [least, most] = [LEAST, MOST]) {
  if (height > room) return between(least, most, zoom * between(0.75, 0.98, room / height));
  const grows = mayGrow && height < FULL * room;
  return grows ? between(least, most, zoom * between(1, 1.15, (0.97 * room) / height)) : zoom;
}

/**
 * Return the smallest and the largest zoom of a picture. Charts whose letters shrink with it, and drawings whose words
 * grow at the cost of the rest, say how far it may go (`presenting.css`).
 * @param {Element} picture
 * @returns {[number, number]}
 */
function limitsOf(picture) {
  const style = getComputedStyle(picture);
  const [least, most] = ["--least-zoom", "--most-zoom"].map((name) => Number(style.getPropertyValue(name)));
  return [least || LEAST, most || MOST];
}

/** Zoom a picture; "" is as it was. Style sheets read the zoom too. @param {HTMLElement} picture @param {number | ""} zoom */
function setZoom(picture, zoom) {
  picture.style.zoom = String(zoom);
  picture.style.setProperty("--fitted-zoom", String(zoom || 1));
}

/** Keep the main picture as large as the screen allows, while isOn() is true. @param {() => boolean} isOn */
export function keepFitting(isOn) {
  let fitted = "";
  let changed = false; // whether the zoom, and so the least letters, are others than when all was drawn last
  let [tries, low, grown] = [0, 0, 0]; // steps up; looks at a picture that is too low; times that it grew again
  const fit = () => {
    const picture = /** @type {HTMLElement | null} */ (document.querySelector(PICTURE));
    if (!picture) return;
    if (!isOn()) {
      if (picture.style.zoom) setZoom(picture, "");
      if (fitted) document.dispatchEvent(new Event("picture-fitted"));
      fitted = "";
      return;
    }
    const screen = screenOf();
    if (screen !== fitted) [fitted, changed, tries, low, grown] = [screen, true, 0, 0, 0];
    const box = picture.getBoundingClientRect();
    const scrolled = document.querySelector(MAIN)?.scrollTop ?? 0;
    const room = innerHeight - (box.top + scrolled) - BELOW;
    const zoom = Number(picture.style.zoom) || 1;
    low = box.height && box.height < LOW * room ? low + 1 : 0;
    if (tries >= TRIES && low >= LOOKS && grown < AGAIN) [tries, low, grown] = [0, 0, grown + 1];
    if (zoom === LEAST && box.height > room && grown < AGAIN) {
      // Letters keep their least size, so a picture may grow where the zoom shrinks: it was too high only for a moment.
      [changed, grown] = [true, grown + 1];
      setZoom(picture, 1);
      return;
    }
    const next = box.height ? nextZoom(zoom, box.height, room, tries < TRIES, limitsOf(picture)) : zoom;
    if (next < zoom) tries = TRIES; // a picture that was too high does not grow again
    else tries += 1;
    if (next !== zoom) {
      setZoom(picture, next);
      changed = true;
    } else if (changed) {
      changed = false;
      document.dispatchEvent(new Event("picture-fitted"));
    }
  };
  setInterval(fit, OFTEN);
}
