// Calls back a while after each drawing, and again, more patiently, for as long as nothing new is drawn.

const PATIENCE = 2000;

export default function ({ data, parentElement, setTriggerValue }) {
  const tick = () => setTriggerValue("tick", data.number);
  const stop = () => clearTimeout(parentElement.ticking);
  const arm = (wait) => {
    parentElement.ticking = setTimeout(() => (arm(PATIENCE), tick()), wait);
  };
  stop();
  if (data.number >= 0) arm(data.wait);
  return stop;
}
