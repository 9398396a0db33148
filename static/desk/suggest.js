// Waits for a suggested reply and puts it into the box, or beside what was typed there meanwhile.

import { el } from "./dom.js";

const EVERY_MS = 1_000;
const WAITING = ["queued", "running"];

const place = document.querySelector("#suggested");
const box = document.querySelector("#text");
const number = document.querySelector("#suggestion");

const strong = (text) => el("b", {}, text);

async function look() {
  let found;
  try {
    const reply = await fetch(place.dataset.url, { headers: { Accept: "application/json" }, cache: "no-store" });
    if (reply.status >= 500) return later();
    if (!reply.ok) return tell({ why: "The desk does not say more." });
    found = await reply.json();
  } catch (error) {
    // No network, or the sign-in page instead of an answer: the next look tells.
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
    return later();
  }
  if (WAITING.includes(found.state)) return later();
  if (found.state === "ready") return offer(found);
  return tell(found);
}

function later() {
  setTimeout(look, EVERY_MS);
}

function tell({ why = "Another reply was sent." }) {
  place.dataset.state = "failed";
  place.replaceChildren(el("p", {}, strong("No suggestion."), ` ${why} Write the reply yourself, or ask again.`));
}

function offer({ id, text, faults, stale }) {
  const notes = el("p", {}, strong("Suggested reply."), " Drafted by the assistant. Nothing is sent until you press Send.",
    stale ? strong(" The customer wrote since.") : null);
  const list = faults.length ? el("ul", {}, ...faults.map((fault) => el("li", {}, `Check: ${fault}`))) : null;
  const use = () => {
    box.value = text;
    number.value = String(id);
    place.replaceChildren(...[notes, list].filter(Boolean));
  };
  place.dataset.state = "ready";
  if (!box.value.trim()) return use();
  const button = el("button", { type: "button", class: "btn" }, "Use it instead of what I typed");
  button.addEventListener("click", () => {
    use();
    box.focus();
  });
  // The text is one node, so nothing in it can become markup.
  const quoted = el("p", { class: "txt" }, text);
  place.replaceChildren(...[notes, list, quoted, button].filter(Boolean));
}

later();
