// What is known from the books alone: the receipt, and the box that says what is waited for.

import { clock, el, fact, icon, isZero, unseen } from "./dom.js";
import { amountLabel, lineSum, pays, receiptTitle, sum, timeLabel } from "./wording.js";

const OUTCOMES = {
  done: { icon: "check", tone: null, title: receiptTitle },
  processing: {
    icon: "clock",
    tone: "doubt",
    title: () => "Being processed",
    note: "The payment service has not confirmed yet. We check every few minutes and will write here. You don’t need to do anything, and it cannot happen twice.",
  },
  failed: {
    icon: "cross",
    tone: "danger",
    title: () => "Refund not made",
    note: "The change is made, but the payment service refused the refund. A person takes it from here.",
  },
};

/** What a person has to agree to; `card` is the question that was answered with yes, where it is known. */
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
  for (const { label, detail, amount: part } of lines ?? []) {
    rows.push(...fact(label, part ? lineSum(action, part, currency) : detail, part ? "num" : ""));
    if (part && detail) rows.push(el("dd", { class: "more" }, detail));
  }
  if (!isZero(amount)) {
    rows.push(...fact(amountLabel(action, amount), el("bdi", {}, sum(amount, currency)), "num"));
    if (destination) rows.push(...fact(pays(amount) ? "From" : "To", destination));
  }
  if (status === "done") rows.push(...fact(timeLabel(action), clock(at), "num"));
  return el("section", { class: "da-receipt", "data-kind": "receipt", "data-status": status, "data-tone": tone },
    el("h3", {}, icon(mark), unseen("Receipt: "), title(action)),
    rows.length ? el("dl", {}, ...rows) : null,
    note ? el("p", {}, note) : null);
}
