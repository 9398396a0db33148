// <desk-chat>: the chat on a page. Draws the frame and joins log, box and desk.
//   data-shop    the shop's name           data-accent  its colour, #rrggbb
//   data-mark    a letter, or an image     data-api     the desk's origin; default: where this script came from
//   data-offline the answers are rules, no model
//   data-identity who is signed in at the shop: a JWT that lives ten minutes at most; may be set anew at any time

import { Band } from "./band.js";
import { accentSheet, markOf } from "./brand.js";
import { Refused, isAnswered } from "./calls.js";
import { Composer } from "./composer.js";
import { el, icon } from "./dom.js";
import { Log } from "./log.js";
import { Outbox } from "./outbox.js";
import { Prove } from "./prove.js";
import { Transport } from "./transport.js";

const SHEETS = ["tokens.css", "base.css", "widget.css"];
const BACK_MS = 2000;
const DEMO = "Demo: answers follow fixed rules, no AI model is used.";

async function loadSheet(name) {
  const reply = await fetch(new URL(name, import.meta.url));
  return new CSSStyleSheet().replace(await reply.text());
}

function originOf(address) {
  return new URL(address || import.meta.url, document.baseURI).origin;
}

function label(button, mark, words) {
  button.replaceChildren(icon(mark, "i-s"), words);
}

class DeskChat extends HTMLElement {
  #shop;
  #mark;
  #agent;
  #log;
  #transport;
  #outbox;
  #title = el("h2", { class: "da-title" });
  #who = el("p", { class: "da-who", role: "status" });
  #face = el("span", { class: "da-mark", "aria-hidden": "true" });
  #ask = el("button", { type: "button", class: "btn da-ask", "data-act": "handoff" });
  #said = el("p", { class: "vh", role: "status" });
  #person = new Band({ role: "status" });
  #link = new Band({ role: "status", button: "Try now", onPress: () => this.#transport.retryNow() });
  #slow = new Band({ role: "status" });
  #fault = new Band({ role: "alert" });
  #composer;
  #prove;
  #panel;
  #launcher;
  #badge = el("span", { class: "badge", "aria-hidden": "true", hidden: true });
  #pageTitle = document.title;
  #unread = 0;
  #wasDown = false;
  #asked = false;
  #standings = 0;

  async connectedCallback() {
    if (this.shadowRoot) return;
    this.#shop = this.dataset.shop || "Shop";
    this.#mark = markOf(this.dataset.mark, this.#shop);
    const offline = "offline" in this.dataset;
    this.#agent = offline ? "Demo assistant" : "AI assistant";
    const root = this.attachShadow({ mode: "open" });
    const accent = accentSheet(this.dataset.accent);
    root.adoptedStyleSheets = [...(await Promise.all(SHEETS.map(loadSheet))), ...(accent ? [accent] : [])];
    const desk = originOf(this.dataset.api);
    const announce = (text) => (this.#said.textContent = text);
    this.#composer = new Composer((text) => this.#send(text), offline ? DEMO : null);
    this.#log = new Log({ shop: this.#shop, agent: this.#agent, agentInSentence: offline ? "demo assistant" : "AI assistant", desk }, {
      onAnswer: (id, answer, card) => this.#answer(id, answer, card),
      onResend: (clientId, text) => this.#resend(clientId, text),
      onRate: (score, comment) => this.#transport.rate(score, comment),
      announce,
    });
    this.#transport = new Transport(desk, {
      onReset: () => this.#reset(),
      onEvents: (events, how) => this.#apply(events, how),
      onDelta: (delta) => this.#log.preview(delta),
      onTyping: (seconds) => this.#log.think(seconds),
      onLink: (link) => this.#showLink(link),
    }, () => this.dataset.identity);
    this.#prove = new Prove((given) => this.#transport.prove(given));
    this.#outbox = new Outbox(this.#transport, this.#log, this.#composer, {
      announce,
      complain: (text) => this.#complain(text),
      slowDown: (seconds) => this.#slowDown(seconds),
    });
    root.append(...this.#frame());
    this.#followTheme();
    document.addEventListener("visibilitychange", () => this.#see());
    this.#paint();
    this.#transport.resume();
  }

  #frame() {
    const close = el("button", { type: "button", class: "btn btn-quiet btn-icon", "aria-label": "Close chat", "data-act": "close" }, icon("down"));
    close.addEventListener("click", () => this.#toggle(false));
    this.#ask.addEventListener("click", () => this.#handoff());
    const head = el("header", { class: "da-head" }, this.#face, el("div", { class: "grow" }, this.#title, this.#who), this.#ask, close);
    this.#panel = el("div", { class: "da", role: "dialog", "aria-label": `Chat with ${this.#shop}`, hidden: true },
      head, this.#link.node, this.#person.node, this.#log.node, this.#prove.node, this.#fault.node, this.#slow.node, this.#composer.node, this.#said);
    this.#panel.addEventListener("keydown", (event) => this.#key(event));
    const open = el("span", { class: "when-closed" }, icon("chat"));
    this.#launcher = el("button", { type: "button", class: "da-launch", "data-act": "open", "aria-expanded": "false" },
      open, el("span", { class: "when-open" }, icon("down")), this.#badge);
    this.#launcher.addEventListener("click", () => this.#toggle(this.#panel.hidden));
    return [this.#panel, this.#launcher];
  }

  #followTheme() {
    const page = document.documentElement;
    const follow = () => {
      if (page.dataset.theme) this.dataset.theme = page.dataset.theme;
      else delete this.dataset.theme;
    };
    new MutationObserver(follow).observe(page, { attributeFilter: ["data-theme"] });
    follow();
  }

  #toggle(open) {
    this.#panel.hidden = !open;
    this.#panel.setAttribute("aria-modal", String(this.#fillsScreen));
    this.#launcher.setAttribute("aria-expanded", String(open));
    this.#see();
    if (!open) return this.#launcher.focus();
    this.#log.toEnd();
    this.#composer.focus();
  }

  get #fillsScreen() {
    return matchMedia("(max-width: 640px)").matches;
  }

  #key(event) {
    if (event.key === "Escape" && !event.isComposing) this.#toggle(false);
    if (event.key !== "Tab" || !this.#fillsScreen) return;
    const stops = [...this.#panel.querySelectorAll("button, input, textarea, [tabindex='0']")].filter((node) => node.checkVisibility());
    const [first, last] = [stops.at(0), stops.at(-1)];
    const here = this.shadowRoot.activeElement;
    if (here !== (event.shiftKey ? first : last)) return;
    event.preventDefault();
    (event.shiftKey ? last : first).focus();
  }

  #reset() {
    this.#log.reset();
    this.#standings += 1;
    this.#unread = 0;
    this.#wasDown = false;
    this.#link.hide();
    this.#prove.suit(null);
    this.#see();
    this.#paint();
  }

  #apply(events, { replay }) {
    this.#log.node.setAttribute("aria-live", replay ? "off" : "polite");
    const { seen } = this.#transport;
    for (const event of events) {
      this.#log.apply(event);
      const isNews = ["request", "receipt"].includes(event.kind) || (event.kind === "message" && event.role !== "customer");
      if (isNews && event.seq > seen) this.#unread += 1;
      if (event.kind === "state") this.#asked = false;
    }
    const isTold = events.some((event) => event.kind === "message" && event.role === "system");
    const isAsked = events.some((event) => event.kind === "rating_request");
    if (this.#log.state === "with_person" || isTold || isAsked) this.#askStanding();
    this.#see();
    this.#paint();
  }

  async #askStanding() {
    const round = ++this.#standings;
    try {
      const { owner, identity_needed: needed, rating } = await this.#transport.getStanding();
      // Answers may overtake each other; only the one asked for last is of now.
      if (round !== this.#standings) return;
      this.#log.setOwner(owner);
      if (rating) this.#log.thank();
      this.#prove.suit(needed);
    } catch (error) {
      // An outage is told by the link, and the next event asks again.
      if (!isAnswered(error)) throw error;
    }
    this.#paint();
  }

  #see() {
    if (!this.#panel.hidden && !document.hidden) {
      this.#unread = 0;
      this.#transport.markSeen();
    }
    const count = this.#unread;
    this.#badge.textContent = String(count);
    this.#badge.hidden = !count;
    const unread = count ? `, ${count} unread message${count === 1 ? "" : "s"}` : "";
    this.#launcher.setAttribute("aria-label", this.#panel.hidden ? `Open chat${unread}` : "Close chat");
    document.title = count ? `(${count}) ${this.#pageTitle}` : this.#pageTitle;
  }

  #send(text) {
    this.#fault.hide();
    return this.#outbox.send(text);
  }

  #resend(clientId, text) {
    this.#composer.focus();
    return this.#outbox.resend(clientId, text);
  }

  #slowDown(seconds) {
    const until = Date.now() + seconds * 1000;
    this.#slow.count("That was quick. Your message goes out by itself in ", until, " s.", { mark: "clock", onEnd: () => this.#slow.hide() });
  }

  #complain(text) {
    this.#fault.show(text, { tone: "danger", mark: "warn" });
  }

  async #answer(requestId, answer, card) {
    this.#fault.hide();
    card.press(answer);
    try {
      await this.#transport.answer(requestId, answer);
    } catch (error) {
      if (!isAnswered(error)) throw error;
      card.release();
      if (error.code === "not_open") this.#complain("This card is no longer open, so your answer was not used.");
      else if (error instanceof Refused) this.#complain(`Your answer was not taken. ${error.detail ?? ""}`);
      else this.#complain("Your answer may not have arrived. Please press again: it counts once.");
    }
  }

  async #handoff() {
    if (this.#isAsked) return;
    this.#fault.hide();
    this.#asked = true;
    this.#paint();
    try {
      await this.#transport.handoff();
    } catch (error) {
      if (!isAnswered(error)) throw error;
      this.#asked = false;
      if (error.code === "slow_down") this.#complain(error.detail);
      else this.#complain("That did not get through. Please press “Talk to a person” again.");
    }
    this.#paint();
  }

  get #isAsked() {
    return this.#asked || this.#log.state === "with_person";
  }

  #showLink({ retryAt }) {
    if (retryAt) {
      this.#link.count("No connection. Trying again in ", retryAt, " s", { tone: "warn", mark: "offline" });
    } else if (this.#wasDown) {
      this.#link.show("Connected again", { mark: "check" });
      setTimeout(() => this.#wasDown || this.#link.hide(), BACK_MS);
    }
    this.#wasDown = Boolean(retryAt);
    if (!retryAt) this.#outbox.resendAll();
  }

  #paint() {
    const { state, author } = this.#log;
    // Nobody holds a chat that has ended, and the way to a person stays.
    const holder = state === "closed" ? "nobody" : this.#log.holder;
    const isPerson = holder === "person";
    this.#title.textContent = isPerson && author ? `${author} from ${this.#shop}` : this.#shop;
    this.#face.replaceChildren(isPerson && author ? [...author].slice(0, 2).join("") : this.#mark);
    if (isPerson) this.#face.dataset.tone = "person";
    else delete this.#face.dataset.tone;
    const who = { waiting: "On the way", person: author ? "Customer support" : "A person" }[holder];
    const text = who ?? { closed: "Ended", under_review: "In review" }[state] ?? this.#agent;
    if (this.#who.textContent !== text) this.#who.textContent = text;
    this.#ask.hidden = isPerson;
    label(this.#ask, this.#isAsked ? "check" : "person", this.#isAsked ? "Person asked for" : "Talk to a person");
    this.#ask.setAttribute("aria-disabled", String(this.#isAsked));
    const waits = { tone: "person", mark: "person" };
    if (holder === "waiting") this.#person.show("A colleague reads this conversation before writing, so you don’t have to explain it again.", waits);
    else this.#person.hide();
    this.#composer.suit({ state, holder, author });
  }
}

customElements.define("desk-chat", DeskChat);
