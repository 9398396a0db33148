// One line under the head or above the box: a state in words, with a countdown or a button where there is something to do.

import { el, icon } from "./dom.js";

export class Band {
  #words = el("span");
  #mark = el("span");
  #timer = null;
  #shown = null;
  #press = null;

  /** `button` is offered while the band counts. */
  constructor({ role, button, onPress }) {
    this.node = el("div", { class: "da-band", role, hidden: true }, this.#mark, this.#words);
    if (!button) return;
    this.#press = el("button", { type: "button" }, button);
    this.#press.addEventListener("click", onPress);
    this.node.append(this.#press);
  }

  show(text, { tone, mark }) {
    clearInterval(this.#timer);
    this.#draw(tone, mark, false);
    if (this.#shown !== text) this.#words.textContent = text;
    this.#shown = text;
  }

  /** Counts down in silence: a screen reader hears the sentence once. */
  count(before, until, after, { tone, mark, onEnd }) {
    clearInterval(this.#timer);
    const number = el("span", { class: "num", "aria-live": "off" });
    const tick = () => {
      const left = Math.ceil((until - Date.now()) / 1000);
      number.textContent = String(Math.max(left, 0));
      if (left > 0) return;
      clearInterval(this.#timer);
      onEnd?.();
    };
    this.#shown = null;
    this.#draw(tone, mark, true);
    this.#words.replaceChildren(before, number, after);
    this.#timer = setInterval(tick, 250);
    tick();
  }

  hide() {
    clearInterval(this.#timer);
    this.#shown = null;
    this.node.hidden = true;
    this.#words.textContent = "";
  }

  #draw(tone, mark, counts) {
    if (this.#press) this.#press.hidden = !counts;
    if (tone) this.node.dataset.tone = tone;
    else delete this.node.dataset.tone;
    this.#mark.replaceChildren(icon(mark));
    this.node.hidden = false;
  }
}
