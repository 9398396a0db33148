// The answer on its way: dots, then the agent's words as they come. A preview, never the truth: the stored message
// takes its place, and screen readers hear only that one.

import { el, unseen } from "./dom.js";

const LONG_LOOK_MS = 4_000;
const SILENCE_MS = 15_000;

export class Coming {
  node = el("div", { class: "da-coming" });
  #onChange;
  #words = el("span");
  #dots = el("p", { class: "da-typing" }, el("i"), el("i"), el("i"), this.#words);
  #text = document.createTextNode("");
  #byLine = el("p", { class: "da-by" });
  #bubble = el("div", { class: "da-msg", "data-kind": "preview", "aria-hidden": "true" }, this.#text, el("span", { class: "da-caret" }));
  #until = 0; // somebody is at it until then
  #turn = null; // whose words are shown
  #ended = 0; // deltas of this turn and older ones come too late
  #length = 0; // in characters as the desk counts them, not in UTF-16 units
  #expiry;
  #long;
  #silence;

  /** `onChange()` after anything appeared or went. */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  get isEmpty() {
    return !this.node.hasChildNodes();
  }

  /** Dots for at most so many seconds. */
  think(seconds) {
    this.#until = Math.max(this.#until, Date.now() + seconds * 1000);
    if (this.#turn === null) this.#showDots();
  }

  /** Shows a piece of the answer; one that does not continue what is shown is dropped until the next start. */
  preview({ turn, offset, text }, name) {
    if (turn <= this.#ended) return;
    if (offset === 0) {
      this.#start(turn, name);
    } else if (turn !== this.#turn || offset !== this.#length) {
      return;
    }
    this.#text.appendData(text);
    this.#length += [...text].length;
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#giveUp(), SILENCE_MS);
    this.#onChange();
  }

  /** Something else came: the answer itself (with its turn), a card, a person. */
  end(turn = null) {
    if (turn) this.#ended = Math.max(this.#ended, turn);
    this.#until = 0;
    this.#clear();
    this.#onChange();
  }

  reset() {
    this.#ended = 0;
    this.end();
  }

  #start(turn, name) {
    this.#clear();
    this.#turn = turn;
    this.#text.data = "";
    this.#length = 0;
    this.#byLine.replaceChildren(el("b", {}, name ?? ""));
    this.node.replaceChildren(...(name ? [this.#byLine] : []), this.#bubble);
  }

  #giveUp() {
    this.#clear();
    if (Date.now() < this.#until) this.#showDots();
    this.#onChange();
  }

  #showDots() {
    clearTimeout(this.#expiry);
    this.#expiry = setTimeout(() => this.#giveUp(), Math.max(this.#until - Date.now(), 0));
    if (this.#dots.isConnected) return;
    this.#words.replaceChildren(unseen("The assistant is writing"));
    this.#long = setTimeout(() => (this.#words.textContent = "Looking that up"), LONG_LOOK_MS);
    this.node.replaceChildren(this.#dots);
    this.#onChange();
  }

  #clear() {
    for (const timer of [this.#expiry, this.#long, this.#silence]) clearTimeout(timer);
    this.#turn = null;
    this.node.replaceChildren();
  }
}
