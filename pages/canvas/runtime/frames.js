// A drawing's other states, which stand in its data (frames.py): found by what is chosen, and put together again.

import { choose, onChoice } from "./choices.js";

// The number of the frame for these values by key; -1 if the data hold none. A value that is not chosen is the one of now.
export function frameFor({ keys, at, list }, chosen) {
  const wanted = JSON.stringify(keys.map((key, place) => chosen.get(key) ?? at[place]));
  return list.findIndex(({ choice }) => JSON.stringify(choice) === wanted);
}

// The meta and arrays of a frame.
export function frameOf({ meta, arrays }, number) {
  const { changes, arrays: own, gone } = meta.frames.list[number];
  let patched = structuredClone({ ...meta, frames: null });
  for (const [path, value] of changes) patched = placed(patched, path, value);
  const kept = Object.entries(arrays).filter(([name]) => !name.includes("@") && !gone.includes(name));
  const replaced = Object.entries(own).map(([name, packed]) => [name, arrays[packed]]);
  return { meta: patched, arrays: Object.fromEntries([...kept, ...replaced]) };
}

function placed(value, path, end) {
  if (!path.length) return end;
  const [key, ...rest] = path;
  value[key] = placed(value[key], rest, end);
  return value;
}

// The values by key that a click leads to, or null if it leads to no frame.
export function answerTo({ meta }, frames, event, value) {
  const sorted = Object.keys(Object(value)).sort();
  const number = meta.answers?.[event]?.[JSON.stringify(value, typeof value === "object" ? sorted : null)];
  if (number === undefined) return null;
  return Object.fromEntries(frames.keys.map((key, place) => [key, frames.list[number].choice[place]]));
}

// Draws by update(root, data, send) the frame that is chosen, now and after each choice; where the data hold none, the
// drawing that is there turns pale. A click that leads to a frame is a choice.
export function drawFrames(root, data, update, send) {
  const { frames } = data.meta;
  root.held = data; // until the same drawing gets other data
  onChoice((chosen) => {
    if (root.held !== data) return false;
    const number = frameFor(frames, chosen);
    root.classList.toggle("stale", number < 0);
    if (number < 0) return true;
    const frame = frameOf(data, number);
    update(root, frame, (event, value) => {
      const values = answerTo(frame, frames, event, value);
      if (values) choose(values);
      send(event, value);
    });
    return true;
  });
}
