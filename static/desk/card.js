// The things that code wrote: the card, the folded card, the waiting box and the receipt.

import { clock, el, icon, isZero, money, unseen } from "./dom.js";

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

const RECEIPTS = {
  cancel_pending_order: "Order cancelled",
  return_delivered_order_items: "Return requested",
  exchange_delivered_order_items: "Exchange requested",
  modify_pending_order_items: "Items changed",
  modify_pending_order_address: "Delivery address changed",
  modify_pending_order_payment: "Payment method changed",
  modify_user_address: "Your address was changed",
  issue_refund: "Refunded",
  resend_receipt: "Receipt sent",
  update_preference: "Preference saved",
};

const OUTCOMES = {
  done: { icon: "check", tone: null, title: (action) => RECEIPTS[action] ?? "Done" },
  processing: {
    icon: "clock",
    tone: "doubt",
    title: () => "Being processed",
    note: "The payment service has not confirmed yet. We check every few minutes and will write here. You don’t need to do anything, and it cannot happen twice.",
  },
  failed: {
    icon: "cross",
    tone: "danger",
    title: () => "Not done",
    note: "The payment service refused this. No money has moved; a person takes it from here.",
  },
};

const lowered = (text) => text.charAt(0).toLowerCase() + text.slice(1);
const paysMore = (amount) => String(amount).startsWith("-");
const unsigned = (amount) => String(amount).replace("-", "");
const figure = (amount, currency) => el("bdi", {}, money(amount, currency));

function inShort({ title, amount, currency }) {
  return isZero(amount) ? lowered(title) : `${lowered(title)}, ${money(unsigned(amount), currency)}`;
}

function yesLabel({ title, amount, currency }) {
  if (isZero(amount)) return `Yes, ${lowered(title)}`;
  const verb = lowered(title.split(" ", 1)[0]);
  const sum = money(unsigned(amount), currency);
  if (paysMore(amount)) return `Yes, ${verb} and pay ${sum}`;
  return verb === "refund" ? `Yes, refund ${sum}` : `Yes, ${verb} and get ${sum}`;
}

function thumb(image) {
  const url = image && URL.parse(image, location.origin);
  return url && url.origin === location.origin ? el("img", { class: "thumb", src: url.pathname, alt: "" }) : icon("box", "thumb");
}

function items(lines, currency) {
  return el("ul", { class: "da-items", role: "list" }, ...lines.map((line) => el("li", {},
    thumb(line.image),
    el("strong", {}, line.label),
    line.amount ? el("span", { class: "amt num" }, figure(line.amount, currency)) : null,
    line.detail ? el("small", {}, line.detail) : null)));
}

const fact = (name, value, kind = "") => [el("dt", { class: kind && "total" }, name), el("dd", { class: kind }, value)];

/** A question about one exact action. It is folded to one line when it is answered or over. */
export class Card {
  #event;
  #answer;
  #buttons = {};
  #timer = null;
  #left = el("span", { class: "num", role: "timer", "aria-live": "off" });
  #bar = el("progress", { max: "1", "aria-label": "Time left to answer" });

  /** `onAnswer(requestId, "yes" | "no", card)`; `announce(text)` for the last minutes. */
  constructor(event, { onAnswer, announce }) {
    this.#event = event;
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
    const { request_id: id, title, lines, amount, currency, destination, irreversible, expires_at: until } = this.#event;
    const facts = [];
    if (destination) facts.push(...fact(paysMore(amount) ? "From" : "To", destination));
    if (!isZero(amount)) facts.push(...fact(paysMore(amount) ? "You pay" : "You get back", figure(unsigned(amount), currency), "sum num"));
    const heading = el("h3", { id: `card-${id}` }, title);
    return el("section", { class: "da-card", "data-kind": "request", "aria-labelledby": heading.id, tabindex: "-1" },
      el("header", {}, heading),
      items(lines, currency),
      facts.length ? el("dl", { class: "da-facts" }, ...facts) : null,
      el("div", { class: "da-until" },
        el("div", { class: "row" }, el("span", {}, `Open until ${clock(until)}`), this.#left), this.#bar),
      el("div", { class: "da-yesno" }, this.#button("no", "No", "btn"), this.#button("yes", yesLabel(this.#event), "btn btn-primary")),
      el("p", { class: "da-note" }, "Nothing changes until you press Yes.", irreversible ? " This cannot be undone." : null));
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

export function renderWaiting(card, at) {
  const step = (mark, words, time, current) => el("li", { "aria-current": current && "step" },
    mark, el("span", {}, words), time ? el("small", { class: "num" }, time) : null);
  const ring = () => el("span", { class: "ring", "aria-hidden": "true" });
  const what = card?.what ?? "your request";
  return el("section", { class: "da-wait", "data-kind": "state", "data-status": "under_review" },
    el("h3", {}, "A person has to approve this"),
    el("p", {}, "Nothing has been changed yet."),
    el("ol", { class: "da-steps", role: "list" },
      step(icon("check"), "You said yes", clock(at)),
      step(ring(), "Waiting for approval", null, true),
      step(ring(), what.charAt(0).toUpperCase() + what.slice(1))),
    el("p", {}, "You can close this window. The answer will be here when you come back."));
}

export function renderReceipt({ action, order_id: order, status, lines, amount, currency, destination, at }) {
  const { icon: mark, tone, title, note } = OUTCOMES[status];
  const rows = order ? fact("Order", el("bdi", { class: "num" }, order)) : [];
  for (const line of lines ?? []) {
    const value = [line.detail, line.amount && money(line.amount, currency)].filter(Boolean).join(", ");
    rows.push(...fact(line.label, value));
  }
  if (!isZero(amount)) rows.push(...fact("Amount", figure(unsigned(amount), currency), "num"));
  if (destination) rows.push(...fact(paysMore(amount) ? "From" : "To", destination));
  if (status === "done") rows.push(...fact("Booked", clock(at), "num"));
  return el("section", { class: "da-receipt", "data-kind": "receipt", "data-status": status, "data-tone": tone },
    el("h3", {}, icon(mark), unseen("Receipt: "), title(action)),
    rows.length ? el("dl", {}, ...rows) : null,
    note ? el("p", {}, note) : null);
}
