// The only place that makes nodes. Words go in as text, so nothing that somebody wrote can become markup.

const SVG = "http://www.w3.org/2000/svg";
const PATHS = {
  chat: ["M3.5 5.5a2 2 0 0 1 2-2h9a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H9l-4 3v-3a1.6 1.6 0 0 1-1.5-2z"],
  down: ["M5 8l5 5 5-5"],
  send: ["M10 16V4.5M5 9.2l5-5 5 5"],
  person: ["M6.8 6.7a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0", "M3.8 16.8c.7-3.3 3-5 6.2-5s5.5 1.7 6.2 5"],
  check: ["M4 10.5l4 4 8-9"],
  cross: ["M5 5l10 10M15 5L5 15"],
  clock: ["M3.2 10a6.8 6.8 0 1 0 13.6 0a6.8 6.8 0 1 0-13.6 0", "M10 6.2V10l2.6 1.7"],
  pen: ["M4 16l.8-3.5L13 4.3a1.6 1.6 0 0 1 2.3 0l.4.4a1.6 1.6 0 0 1 0 2.3L7.5 15.2z"],
  back: ["M3.5 10a6.5 6.5 0 1 0 2-4.7L3.5 7", "M3.5 3.5V7H7M10 6.5V10l2.5 1.5"],
  warn: ["M10 3.5l7 12.5H3z", "M10 8.3v3.5M10 13.9v.1"],
  box: ["M3.5 6.5L10 3l6.5 3.5v7L10 17l-6.5-3.5z", "M3.5 6.5L10 10l6.5-3.5M10 10v7"],
  star: ["M10 3c.6 4 2.2 6 6.5 7-4.3 1-5.9 3-6.5 7-.6-4-2.2-6-6.5-7 4.3-1 5.9-3 6.5-7z"],
  offline: ["M3 8.5A11 11 0 0 1 7.5 6M17 8.5a11 11 0 0 0-5-2.7M5.8 11.7A7 7 0 0 1 8.5 10.1M14.2 11.7a7 7 0 0 0-1.4-1M10 15.5h.01M4 3.5l12 13"],
};

/** Attributes that are null, undefined or false are left out; true stands for an empty one. */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export function icon(name, extra = "") {
  const node = document.createElementNS(SVG, "svg");
  node.setAttribute("class", `i ${extra}`.trim());
  node.setAttribute("viewBox", "0 0 20 20");
  node.setAttribute("aria-hidden", "true");
  for (const d of PATHS[name]) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    node.append(path);
  }
  return node;
}

/** For screen readers only. */
export const unseen = (text) => el("span", { class: "vh" }, text);

/** Blank lines part paragraphs; single line ends are kept by the style sheet. */
export const paragraphs = (text) => text.split(/\n\s*\n/).map((part) => el("p", {}, part));

/** Amounts arrive as decimal strings and are shown as they came: no arithmetic on money here. */
export function money(amount, currency) {
  const text = String(amount);
  const sign = text.startsWith("-") ? "-" : "";
  const digits = sign ? text.slice(1) : text;
  return currency === "USD" ? `${sign}$${digits}` : `${sign}${digits} ${currency}`;
}

export const isZero = (amount) => !/[1-9]/.test(String(amount ?? ""));

const CLOCK = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const DAY = new Intl.DateTimeFormat("en", { weekday: "long", day: "numeric", month: "long" });

export const clock = (iso) => CLOCK.format(new Date(iso));

export function day(iso) {
  const date = new Date(iso);
  return date.toDateString() === new Date().toDateString() ? "Today" : DAY.format(date);
}
