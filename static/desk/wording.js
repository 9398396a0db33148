// The words of cards and receipts, from the action and its amount. Above zero the customer gets it, below they pay it.

import { isZero, money } from "./dom.js";

const ACTIONS = {
  cancel_pending_order: { verb: "cancel", done: "Order cancelled", at: "Booked" },
  return_delivered_order_items: { verb: "return", done: "Return requested", at: "Requested", isLater: true },
  exchange_delivered_order_items: { verb: "exchange", plain: "exchange them", done: "Exchange requested", at: "Requested", isLater: true, swaps: true, mark: "swap" },
  modify_pending_order_items: { verb: "change", plain: "change the items", done: "Items changed", at: "Booked", swaps: true, mark: "swap" },
  modify_pending_order_payment: { verb: "pay", plain: "change the payment", done: "Payment changed", at: "Booked", mark: "purse" },
  modify_pending_order_address: { verb: "send", plain: "send it there", done: "Address changed", at: "Changed", mark: "pin" },
  issue_refund: { verb: "refund", done: "Refunded", at: "Booked" },
  modify_user_address: { verb: "change", plain: "change the address", done: "Address changed", at: "Changed", mark: "pin" },
};

const lowered = (text) => text.charAt(0).toLowerCase() + text.slice(1);
const unsigned = (amount) => String(amount).replace("-", "");
const known = (action) => ACTIONS[action] ?? {};

export const pays = (amount) => String(amount).startsWith("-") && !isZero(amount);

/** A sum without its sign; the words beside it say who pays. */
export const sum = (amount, currency) => money(unsigned(amount), currency);

/** A line's own amount. What a swap costs more or less carries its sign; both look alike without one. */
export function lineSum(action, amount, currency) {
  if (!known(action).swaps || isZero(amount)) return money(amount, currency);
  return `${pays(amount) ? "−" : "+"}\u00a0${sum(amount, currency)}`;
}

export function inShort({ title, amount, currency }) {
  return isZero(amount) ? lowered(title) : `${lowered(title)}, ${pays(amount) ? "you pay " : ""}${sum(amount, currency)}`;
}

export function yesLabel({ action, title, amount, currency }) {
  const { verb = lowered(title.split(" ", 1)[0]), plain = lowered(title) } = known(action);
  if (isZero(amount)) return `Yes, ${plain}`;
  if (verb === "refund") return `Yes, refund ${sum(amount, currency)}`;
  return `Yes, ${verb} and ${pays(amount) ? "pay" : "get"} ${sum(amount, currency)}`;
}

export const markOfLine = (action) => known(action).mark ?? "box";
export const receiptTitle = (action) => known(action).done ?? "Done";
export const timeLabel = (action) => known(action).at ?? "Booked";

/** A return moves its money only when the items are back. */
export function amountLabel(action, amount) {
  if (known(action).isLater) return pays(amount) ? "You will pay" : "You will get back";
  return pays(amount) ? "You paid" : "You get back";
}
