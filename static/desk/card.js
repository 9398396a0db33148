// The card: a question about one exact action, written by code.

import { clock, el, fact, icon, isZero } from "./dom.js";
import { inShort, lineSum, markOfLine, pays, sum, yesLabel } from "./wording.js";

const MINUTE = 60_000;

// Every ending says what did or did not change.
const ENDINGS = {
  granted: { icon: "check", say: (what) => `You said yes: ${what}. It was carried out as the receipt says.` },
  declined_by_customer: { icon: "cross", say: () => "You said no. Nothing was changed." },
  replaced: { icon: "pen", say: () => "You asked for something else, so this card was closed. Nothing was changed." },
  taken: { icon: "person", say: () => "A person takes over, so this card was closed. Nothing was changed." },
  expired: { icon: "clock", say: () => "This offer has expired. Nothing was changed. Ask again and I’ll make a new one." },
  refused: { icon: "cross", say: () => "This can’t be done. Nothing was changed." },
  declined_by_staff: { icon: "person", say: (what) => `Declined by our team: ${what}. Nothing was changed.` },
  stale: { icon: "back", say: () => "The order changed in the meantime, so this was not done. Nothing was changed." },
  withdrawn: { icon: "cross", say: () => "This request was withdrawn. Nothing was changed." },
  shadowed: { icon: "person", say: (what) => `You said yes: ${what}. A person will do it; nothing has been changed yet.` },
};

/** Pictures come from the desk alone; what is not one of its own is drawn as a mark. */
function thumb(image, action, desk) {
  const url = image && URL.parse(image, desk);
  return url && url.origin === desk ? el("img", { class: "thumb", src: url.href, alt: "" }) : icon(markOfLine(action), "thumb");
}

function items({ action, lines, currency }, desk) {
  return el("ul", { class: "da-items", role: "list" }, ...lines.map((line) => el("li", {},
    thumb(line.image, action, desk),
    el("strong", {}, line.label),
    line.amount ? el("bdi", { class: "amt num" }, lineSum(action, line.amount, currency)) : null,
    line.detail ? el("small", {}, line.detail) : null)));
}

/** A question about one exact action. It is folded to one line when it is answered or over. */
export class Card {
  #event;
  #desk;
  #answer;
  #buttons = {};
  #timer = null;
  #left = el("span", { class: "num", role: "timer", "aria-live": "off" });
  #bar = el("progress", { max: "1", "aria-label": "Time left to answer" });

  /** `desk`: its origin. `onAnswer(requestId, "yes" | "no", card)`; `announce(text)` for the last minutes. */
  constructor(event, desk, { onAnswer, announce }) {
    this.#event = event;
    this.#desk = desk;
    this.#answer = (answer) => this.#isPressed || onAnswer(event.request_id, answer, this);
    this.node = this.#draw();
    this.#count(announce);
  }

  get what() {
    return inShort(this.#event);
  }

  get outcome() {
    return this.node.dataset.outcome;
  }

  get #isPressed() {
    return this.#buttons.yes.hasAttribute("aria-disabled");
  }

  #draw() {
    const { request_id: id, title, irreversible, expires_at: until } = this.#event;
    const facts = this.#facts();
    const heading = el("h3", { id: `card-${id}` }, title);
    return el("section", { class: "da-card", "data-kind": "request", "aria-labelledby": heading.id, tabindex: "-1" },
      el("header", {}, heading),
      items(this.#event, this.#desk),
      facts.length ? el("dl", { class: "da-facts" }, ...facts) : null,
      el("div", { class: "da-until" },
        el("div", { class: "row" }, el("span", {}, `Open until ${clock(until)}`), this.#left), this.#bar),
      el("div", { class: "da-yesno" }, this.#button("no", "No", "btn"), this.#button("yes", yesLabel(this.#event), "btn btn-primary")),
      el("p", { class: "da-note" }, "Nothing changes until you press Yes.", irreversible ? " This cannot be undone." : null));
  }

  /** Where no money moves there is nothing to say of it: the lines tell what changes. */
  #facts() {
    const { amount, currency, destination } = this.#event;
    if (isZero(amount)) return [];
    const where = destination ? fact(pays(amount) ? "From" : "To", destination) : [];
    return [...where, ...fact(pays(amount) ? "You pay" : "You get back", el("bdi", {}, sum(amount, currency)), "sum num")];
  }

  #button(act, label, kind) {
    const button = el("button", { type: "button", class: kind, "data-act": act }, label);
    button.addEventListener("click", () => this.#answer(act));
    this.#buttons[act] = button;
    return button;
  }

  #count(announce) {
    const { at, expires_at: until } = this.#event;
    const end = Date.parse(until);
    const whole = Math.max(end - Date.parse(at), 1);
    let before = Infinity;
    const tick = () => {
      const left = Math.max(end - Date.now(), 0);
      const seconds = Math.floor(left / 1000);
      this.#left.textContent = left ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} left` : "Time is up";
      this.#bar.value = left / whole;
      if (left < 2 * MINUTE) this.#bar.dataset.tone = "warn";
      if (before > 5 * MINUTE && left <= 5 * MINUTE && left > 4 * MINUTE) announce("5 minutes left to answer.");
      if (before > MINUTE && left <= MINUTE && left) announce("1 minute left to answer.");
      if (before !== Infinity && before && !left) announce("The time to answer is up.");
      before = left;
      if (!left) clearInterval(this.#timer);
    };
    this.#timer = setInterval(tick, 1000);
    tick();
  }

  /** Shows that the press counted; a second press does nothing. */
  press(answer) {
    for (const button of Object.values(this.#buttons)) button.setAttribute("aria-disabled", "true");
    this.#buttons[answer].prepend(el("span", { class: "da-ring", "aria-hidden": "true" }));
  }

  release() {
    for (const button of Object.values(this.#buttons)) {
      button.removeAttribute("aria-disabled");
      button.querySelector(".da-ring")?.remove();
    }
  }

  /** The yes is recorded and a person has to agree; nothing is closed yet. */
  wait() {
    this.#fold("check", `You said yes: ${this.what}. Nothing has been changed yet.`, "ok");
    this.node.dataset.status = "under_review";
  }

  close(outcome) {
    const { icon: mark, say } = ENDINGS[outcome] ?? { icon: "cross", say: () => "This card is closed." };
    this.#fold(mark, say(this.what), outcome === "granted" ? "ok" : null);
    Object.assign(this.node.dataset, { kind: "request_closed", outcome: outcome === "taken" ? "replaced" : outcome });
    delete this.node.dataset.status;
  }

  discard() {
    clearInterval(this.#timer);
  }

  #fold(mark, sentence, tone) {
    clearInterval(this.#timer);
    const hadFocus = this.node.contains(this.node.getRootNode().activeElement);
    this.node.className = "da-card closed";
    this.node.removeAttribute("aria-labelledby");
    if (tone) this.node.dataset.tone = tone;
    else delete this.node.dataset.tone;
    this.node.replaceChildren(icon(mark), el("span", {}, sentence));
    if (hadFocus) this.node.focus();
  }
}
