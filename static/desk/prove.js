// The form in which a customer proves who they are: an e-mail address, then the code that was mailed there.

import { isAnswered, Refused } from "./calls.js";
import { el } from "./dom.js";

const EMAIL = { name: "email", label: "Your e-mail address at this shop", go: "Send code", other: "I have a code", type: "email", complete: "email" };
const CODE = { name: "code", label: "The six digits from the mail", go: "Verify", other: "Send another code", type: "text", complete: "one-time-code", digits: true };

export class Prove {
  #label = el("label", { for: "desk-prove" });
  #field = el("input", { id: "desk-prove", class: "field", maxlength: "254", required: true, "data-act": "prove-field" });
  #go = el("button", { type: "submit", class: "btn btn-primary", "data-act": "prove" });
  #other = el("button", { type: "button", class: "btn btn-quiet", "data-act": "prove-other" });
  #fault = el("p", { class: "da-fine", role: "alert", hidden: true });
  #step;
  #isBusy = false;
  #give;

  /** `give({email})` or `give({code})` takes it to the desk. */
  constructor(give) {
    this.#give = give;
    this.node = el("form", { class: "da-prove", "aria-label": "Verify that it’s you", hidden: true },
      this.#label, el("div", { class: "row" }, this.#field, this.#go), this.#fault, this.#other);
    this.node.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#other.addEventListener("click", () => {
      this.#ask(this.#step === EMAIL ? CODE : EMAIL);
      this.#field.focus();
    });
    this.#ask(EMAIL);
  }

  /** `needed`: what the desk asks for, "code", "signed" or null. Signing in is the shop's own page. */
  suit(needed) {
    const isHidden = needed !== "code";
    if (isHidden && !this.node.hidden) this.#ask(EMAIL);
    this.node.hidden = isHidden;
  }

  #ask(step) {
    this.#step = step;
    this.#label.textContent = step.label;
    this.#go.textContent = step.go;
    this.#other.textContent = step.other;
    this.#field.value = "";
    this.#field.type = step.type;
    this.#field.setAttribute("autocomplete", step.complete);
    this.#field.setAttribute("inputmode", step.digits ? "numeric" : "email");
    this.#complain("");
  }

  async #submit() {
    const text = this.#field.value.trim();
    if (!text || this.#isBusy) return;
    const step = this.#step;
    this.#isBusy = true;
    this.#go.setAttribute("aria-disabled", "true");
    try {
      await this.#give({ [step.name]: text });
      // The answer is a line in the chat, and often there first: another code may be in the field by now.
      const isUntouched = this.#step === step && this.#field.value.trim() === text;
      if (isUntouched) this.#ask(CODE);
      else this.#complain("");
    } catch (error) {
      if (!isAnswered(error)) throw error;
      this.#complain(error instanceof Refused ? error.message : "That did not get through. Please try again.");
    } finally {
      this.#isBusy = false;
      this.#go.removeAttribute("aria-disabled");
    }
  }

  #complain(text) {
    this.#fault.textContent = text;
    this.#fault.hidden = !text;
  }
}
