// The box to write in. What was typed leaves it only when the desk has taken it.

import { el, icon } from "./dom.js";

const LONGEST = 4000;
const COUNT_FROM = 3800;

export const REVIEW = "Messages are paused while your request is checked. “Talk to a person” still works.";

function words({ state, holder, author }) {
  if (holder === "person") return { placeholder: author ? `Write to ${author}` : "Write a message", fine: "" };
  if (holder === "waiting") return { placeholder: "Add something in the meantime", fine: "Your messages reach the person who joins." };
  if (state === "under_review") return { placeholder: "Write a message", fine: REVIEW };
  if (state === "awaiting_customer") return { placeholder: "Or write what should be different", fine: "" };
  if (state === "closed") return { placeholder: "Write to go on", fine: "" };
  return { placeholder: "Write a message", fine: "" };
}

const counted = (number) => number.toLocaleString("en");

export class Composer {
  #text = el("textarea", { id: "desk-text", rows: "1", "data-act": "text" });
  #go = el("button", { class: "go", type: "submit", "aria-label": "Send", "data-act": "send" }, icon("send"));
  #count = el("p", { class: "da-fine count num", role: "status" });
  #fine = el("p", { class: "da-fine", role: "status" });
  #pausedUntil = 0;
  #onSend;

  /** `label` stands under the box for as long as the page does. */
  constructor(onSend, label) {
    this.#onSend = onSend;
    const name = el("label", { class: "vh", for: "desk-text" }, "Message");
    this.node = el("form", { class: "da-compose" },
      el("div", { class: "in" }, name, this.#text, this.#go), this.#count, this.#fine, label ? el("p", { class: "da-fine" }, label) : null);
    this.node.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#text.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#submit();
    });
    this.#text.addEventListener("input", () => this.#fit());
    this.#fit();
  }

  focus() {
    this.#text.focus();
  }

  /** Says what writing does now, from the state of the chat and who holds it. */
  suit(chat) {
    const { placeholder, fine } = words(chat);
    this.#text.placeholder = placeholder;
    if (this.#fine.textContent !== fine) this.#fine.textContent = fine;
    this.#fine.hidden = !fine;
  }

  /** Empties the box, unless something else was typed since. */
  clear(text) {
    if (this.#text.value.trim() === text) this.#text.value = "";
    this.#fit();
  }

  /** Puts back what was not taken, before whatever has been typed since. */
  restore(text) {
    if (this.#text.value.trim() !== text) this.#text.value = [text, this.#text.value].filter(Boolean).join("\n");
    this.#fit();
  }

  pause(seconds) {
    this.#pausedUntil = Date.now() + seconds * 1000;
    setTimeout(() => this.#fit(), seconds * 1000 + 50);
    this.#fit();
  }

  get #length() {
    return [...this.#text.value.trim()].length;
  }

  get #isReady() {
    return this.#length > 0 && this.#length <= LONGEST && Date.now() >= this.#pausedUntil;
  }

  #submit() {
    if (this.#isReady) this.#onSend(this.#text.value.trim());
  }

  #fit() {
    const length = this.#length;
    this.#count.textContent = length > COUNT_FROM ? `${counted(length)} of ${counted(LONGEST)} characters` : "";
    this.#count.hidden = length <= COUNT_FROM;
    this.#count.toggleAttribute("data-over", length > LONGEST);
    if (this.#isReady) this.#go.removeAttribute("aria-disabled");
    else this.#go.setAttribute("aria-disabled", "true");
    this.#text.style.height = "auto";
    this.#text.style.height = `${this.#text.scrollHeight}px`;
  }
}
