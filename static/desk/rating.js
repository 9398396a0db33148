// How the customer found the chat: five choices with a word under each, and a comment for those who want to.

import { isAnswered, Refused } from "./calls.js";
import { el, icon } from "./dom.js";

const SCORES = ["Bad", "Poor", "Okay", "Good", "Great"];
const LONGEST = 2000;

export class Rating {
  #give;
  #form;
  #comment = el("textarea", { class: "field", id: "desk-comment", rows: "2", maxlength: LONGEST, placeholder: "What could be better? (optional)", "data-act": "comment" });
  #go = el("button", { type: "submit", class: "btn btn-primary", "data-act": "rate" }, "Send rating");
  #fault = el("p", { class: "da-fine", role: "alert", hidden: true });
  #isBusy = false;

  /** `give(score, comment)` takes it to the desk. */
  constructor(give) {
    this.#give = give;
    const title = el("h3", { id: "desk-rate" }, "How did we do?");
    const scale = el("fieldset", { class: "da-scale", "aria-labelledby": title.id }, ...SCORES.map((word, place) => this.#choice(word, place + 1)));
    const name = el("label", { class: "vh", for: "desk-comment" }, "What could be better? Optional.");
    this.#form = el("form", { class: "da-rate", "data-kind": "rating", "aria-labelledby": title.id },
      title, scale, el("div", {}, name, this.#comment), this.#fault, this.#go);
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.node = el("div", { class: "da-end", "data-kind": "rating_request" }, this.#form);
  }

  #choice(word, score) {
    return el("label", {}, el("input", { type: "radio", name: "score", value: score }), icon(`score${score}`), word);
  }

  get #score() {
    return Number(this.#form.querySelector("input:checked")?.value ?? 0);
  }

  async #submit() {
    if (this.#isBusy) return;
    const score = this.#score;
    if (!score) {
      this.#complain("Please choose one of the five.");
      this.#form.querySelector("input").focus();
      return;
    }
    this.#isBusy = true;
    this.#complain("");
    this.#go.setAttribute("aria-disabled", "true");
    try {
      await this.#give(score, this.#comment.value.trim());
      this.thank(this.#form.contains(this.#form.getRootNode().activeElement));
    } catch (error) {
      if (!isAnswered(error)) throw error;
      this.#complain(error instanceof Refused ? `That was not taken. ${error.message}` : "That did not get through. Please try again.");
    } finally {
      this.#isBusy = false;
      this.#go.removeAttribute("aria-disabled");
    }
  }

  /** The desk has it, from here or from another tab. `hadFocus`: the reader stands in the form that goes away. */
  thank(hadFocus = false) {
    const thanks = el("p", { class: "da-rate", role: "status", tabindex: "-1" }, "Thank you, that helps.");
    this.node.replaceChildren(thanks);
    if (hadFocus) thanks.focus();
  }

  #complain(text) {
    this.#fault.textContent = text;
    this.#fault.hidden = !text;
  }
}
