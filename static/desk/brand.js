// What a merchant may set: one colour, a mark and the name. All else carries meaning and stays ours.

import { accentTokens } from "./accent.js";
import { el } from "./dom.js";

const COLOUR = /^#[0-9a-f]{6}$/i;
const LETTERS = 2;

const rule = (selector, tokens) => `${selector} { ${Object.entries(tokens).map(([name, value]) => `--${name}: ${value};`).join(" ")} }`;

/** The sheet of one brand colour (#rrggbb) in both themes; null for anything else, which leaves our own. */
export function accentSheet(colour) {
  if (!COLOUR.test(colour ?? "")) return null;
  const [light, dark] = [false, true].map((isDark) => accentTokens(colour.toLowerCase(), isDark));
  const sheet = new CSSStyleSheet();
  sheet.replaceSync([
    rule(`:host, :host([data-theme="light"])`, light),
    `@media (prefers-color-scheme: dark) { ${rule(`:host(:not([data-theme="light"]))`, dark)} }`,
    rule(`:host([data-theme="dark"])`, dark),
  ].join("\n"));
  return sheet;
}

/** The head's mark: a letter or two, or an image of the page's own origin; without one the shop's first letter. */
export function markOf(mark, shop) {
  const wanted = mark?.trim();
  if (!wanted) return [...shop][0] ?? "";
  if (!/[/.]/.test(wanted)) return [...wanted].slice(0, LETTERS).join("");
  const url = URL.parse(wanted, document.baseURI);
  return url?.origin === location.origin ? el("img", { src: url.href, alt: "" }) : [...shop][0];
}
