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
  swap: ["M4 7h10.5M11.5 4l3 3-3 3M16 13H5.5M8.5 10l-3 3 3 3"],
  pin: ["M10 17.2c3.4-3.5 5.2-6.3 5.2-8.7a5.2 5.2 0 1 0-10.4 0c0 2.4 1.8 5.2 5.2 8.7z", "M8.1 8.4a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0-3.8 0"],
  purse: ["M3 6.5A1.5 1.5 0 0 1 4.5 5h11A1.5 1.5 0 0 1 17 6.5v7a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 13.5z", "M3 8.5h14M6 12h3"],
  box: ["M3.5 6.5L10 3l6.5 3.5v7L10 17l-6.5-3.5z", "M3.5 6.5L10 10l6.5-3.5M10 10v7"],
  star: ["M10 3c.6 4 2.2 6 6.5 7-4.3 1-5.9 3-6.5 7-.6-4-2.2-6-6.5-7 4.3-1 5.9-3 6.5-7z"],
  score1: ["M3 10a7 7 0 1 0 14 0a7 7 0 1 0-14 0", "M6.8 14c.8-1.6 1.9-2.3 3.2-2.3s2.4.7 3.2 2.3", "M7.5 8v.3M12.5 8v.3"],
  score2: ["M3 10a7 7 0 1 0 14 0a7 7 0 1 0-14 0", "M7 13.5c.9-1 1.9-1.4 3-1.4s2.1.4 3 1.4", "M7.5 8v.3M12.5 8v.3"],
  score3: ["M3 10a7 7 0 1 0 14 0a7 7 0 1 0-14 0", "M7 13h6", "M7.5 8v.3M12.5 8v.3"],
  score4: ["M3 10a7 7 0 1 0 14 0a7 7 0 1 0-14 0", "M7 12.3c.9 1 1.9 1.4 3 1.4s2.1-.4 3-1.4", "M7.5 8v.3M12.5 8v.3"],
  score5: ["M3 10a7 7 0 1 0 14 0a7 7 0 1 0-14 0", "M6.5 11.7c.8 1.8 2 2.6 3.5 2.6s2.7-.8 3.5-2.6z", "M7.5 8v.3M12.5 8v.3"],
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

/** A name and its value in a description list. */
export const fact = (name, value, kind = "") => [el("dt", { class: kind && "total" }, name), el("dd", { class: kind }, value)];

/** Amounts arrive as decimal strings and stay text, parted in thousands: no arithmetic on money here. */
export function money(amount, currency) {
  const text = String(amount);
  const sign = text.startsWith("-") ? "-" : "";
  const [whole, ...cents] = text.slice(sign.length).split(".");
  const digits = [whole.replace(/\B(?=(\d{3})+$)/g, ","), ...cents].join(".");
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
