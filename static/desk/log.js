// What was said and done, drawn from events in their order. It also knows the state the last event left behind.

import { Card } from "./card.js";
import { Coming } from "./coming.js";
import { clock, day, el, icon } from "./dom.js";
import { Rating } from "./rating.js";
import { renderReceipt, renderWaiting } from "./receipt.js";

// A turn ends within its deadline; a question older than this is not being answered any more.
const ANSWERED_WITHIN_MS = 120_000;
// The agent says nothing more in these.
const SILENT = ["under_review", "with_person", "closed"];
const UNSENT = ["kept", "failed"];
const NEAR_END_PX = 80;

export class Log {
  node = el("div", { class: "da-log", role: "log", "aria-label": "Conversation", tabindex: "0" });
  state = "open";
  author = null;
  #names;
  #calls;
  #cards = new Map();
  #drafts = new Map();
  #stored = new Set(); // client ids that came back as events
  #tail = el("div", { class: "da-stretch" });
  #coming = new Coming(() => this.#settle());
  #sentMark = el("p", { class: "da-state" });
  #stretch;
  #speaker;
  #day;
  #openCard;
  #rating;
  #waiting;
  #holder;
  #hello;
  #seq = 0;
  #isAtEnd = true;

  /** `names`: shop, agent, agentInSentence, desk (its origin). `calls`: onAnswer(id, answer, card), onResend(clientId, text), onRate(score, comment), announce(text). */
  constructor(names, calls) {
    this.#names = names;
    this.#calls = calls;
    this.#hello = el("div", { class: "da-hello" },
      el("h3", {}, "Hello, what can we do for you?"),
      el("p", {}, `I’m ${names.shop}’s ${names.agentInSentence}. I can look up orders and change them with your yes.`));
    this.node.addEventListener("scroll", () => {
      this.#isAtEnd = this.node.scrollHeight - this.node.scrollTop - this.node.clientHeight < NEAR_END_PX;
    });
    // Bands and a growing box take height from the log; the newest line stays in view all the same.
    new ResizeObserver(() => this.#isAtEnd && this.toEnd()).observe(this.node);
    this.reset();
  }

  /** Back to the greeting; what has not been sent yet stays. */
  reset() {
    for (const card of this.#cards.values()) card.discard();
    this.#cards.clear();
    this.#stored.clear();
    this.state = "open";
    this.author = null;
    this.#seq = 0;
    this.#stretch = this.#speaker = this.#day = this.#openCard = this.#waiting = this.#rating = null;
    this.#holder = "agent";
    this.node.replaceChildren(...(this.#drafts.size ? [] : [this.#hello]), this.#tail);
    this.#tail.append(this.#coming.node);
    this.#coming.reset();
  }

  /** "agent", "waiting" (a person was asked for) or "person". */
  get holder() {
    return this.#holder;
  }

  /** After a take-over the conversation says who holds it before anybody has written. */
  setOwner(owner) {
    if (this.state === "with_person") this.#setHolder(owner === "person" ? "person" : "waiting");
  }

  apply(event) {
    const draw = { message: this.#message, request: this.#request, request_closed: this.#close, receipt: this.#receipt, state: this.#enter, rating_request: this.#askForRating };
    draw[event.kind]?.call(this, event);
    this.#seq = event.seq;
    this.#settle();
  }

  toEnd() {
    this.#isAtEnd = true;
    this.node.scrollTop = this.node.scrollHeight;
  }

  /** Dots for so many seconds, or until anything but the customer answers. */
  think(seconds) {
    if (this.#holder === "agent" && this.state !== "under_review" && this.state !== "closed") this.#coming.think(seconds);
  }

  /** A piece of the agent's answer, ahead of the stored message. */
  preview(delta) {
    if (this.#holder !== "agent") return;
    const name = this.#names.agent;
    this.#coming.preview(delta, this.#speaker === `agent ${name}` ? null : name);
  }

  /** Messages that the desk may not have, oldest first, as [client id, text]. */
  listUnsent() {
    return [...this.#drafts].filter(([, { bubble }]) => UNSENT.includes(bubble.dataset.status)).map(([id, { text }]) => [id, text]);
  }

  addDraft(clientId, text) {
    this.#hello.remove();
    const bubble = this.#bubble("customer", text, "held");
    const note = el("p", { class: "da-state" }, icon("clock"), "Sending");
    bubble.dataset.status = "sending";
    this.#drafts.set(clientId, { text, bubble, note });
    this.#coming.node.before(bubble, note);
    this.#settle();
    this.toEnd();
  }

  /** Accepted as event `seq`, which may be here already. */
  acceptDraft(clientId, seq) {
    if (this.#stored.has(clientId) || seq <= this.#seq) return this.dropDraft(clientId);
    const draft = this.#drafts.get(clientId);
    if (draft) {
      draft.seq = seq;
      draft.bubble.dataset.status = "sent";
      draft.bubble.classList.remove("held");
      draft.note.replaceChildren(icon("check"), "Sent");
    }
    this.think(ANSWERED_WITHIN_MS / 1000);
  }

  resendDraft(clientId) {
    const draft = this.#drafts.get(clientId);
    draft.bubble.dataset.status = "sending";
    draft.note.removeAttribute("data-tone");
    draft.note.removeAttribute("role");
    draft.note.replaceChildren(icon("clock"), "Sending");
  }

  /** Not taken yet. `kept` says why it waits, where it goes out by itself. */
  failDraft(clientId, text, kept) {
    if (this.#stored.has(clientId)) return;
    if (!this.#drafts.has(clientId)) this.addDraft(clientId, text);
    const { bubble, note } = this.#drafts.get(clientId);
    bubble.dataset.status = kept ? "kept" : "failed";
    if (kept) {
      note.replaceChildren(icon("clock"), kept);
      return;
    }
    const again = el("button", { type: "button", "data-act": "resend" }, "Send again");
    again.addEventListener("click", () => this.#calls.onResend(clientId, text));
    note.dataset.tone = "danger";
    note.setAttribute("role", "alert");
    note.replaceChildren(icon("warn"), "Not sent. ", again);
  }

  dropDraft(clientId) {
    const draft = this.#drafts.get(clientId);
    draft?.bubble.remove();
    draft?.note.remove();
    this.#drafts.delete(clientId);
    if (!this.node.querySelector("[data-kind]")) this.node.prepend(this.#hello);
    this.#settle();
  }

  #message({ client_id: clientId, turn, role, text, at, author, citations = [] }) {
    if (role === "customer") {
      this.#stored.add(clientId);
      this.dropDraft(clientId);
      const bubble = this.#append(this.#bubble(role, text), at, "customer");
      this.#sentMark.replaceChildren(icon("check"), `Sent ${clock(at)}`);
      bubble.after(this.#sentMark);
      const left = Date.parse(at) + ANSWERED_WITHIN_MS - Date.now();
      if (left > 0) this.think(left / 1000);
      return;
    }
    this.#coming.end(turn);
    if (role === "staff" && this.state === "with_person") this.#join(author ?? "A person", at);
    const name = { agent: this.#names.agent, staff: author ?? "A person", system: this.#names.shop }[role];
    const bubble = this.#append(this.#bubble(role, text), at, role, name);
    if (citations.length) bubble.after(this.#sources(citations));
  }

  /** The articles that an answer rests on, under the numbers that stand in its text. */
  #sources(citations) {
    const lines = citations.map(({ n, title, url }) => {
      const href = new URL(url, this.#names.desk).href;
      return el("li", {}, el("a", { href, target: "_blank", rel: "noopener" }, el("b", {}, n), el("span", {}, title)));
    });
    return el("ul", { class: "da-sources", "aria-label": "Sources" }, ...lines);
  }

  /** The text is one node, letter for letter; whose it is stands beside it. */
  #bubble(role, text, extra = "") {
    const mine = role === "customer";
    const kind = ["da-msg", mine ? "me" : "", extra].filter(Boolean).join(" ");
    return el("div", { class: kind, "data-kind": "message", "data-role": role, "data-by": mine && "You: " }, text);
  }

  #request(event) {
    this.#coming.end();
    const card = new Card(event, this.#names.desk, this.#calls);
    this.#cards.set(event.request_id, card);
    this.#openCard = card;
    this.#append(card.node, event.at, "card");
  }

  #close({ request_id: id, outcome }) {
    const taken = outcome === "replaced" && this.state === "with_person";
    this.#cards.get(id)?.close(taken ? "taken" : outcome);
    this.#waiting?.remove();
    this.#waiting = null;
  }

  #receipt(event) {
    this.#append(renderReceipt(event), event.at, "receipt");
  }

  #askForRating({ at }) {
    this.#rating = new Rating(this.#calls.onRate);
    this.#append(this.#rating.node, at, "line", null, null);
  }

  /** The conversation has a rating: there is nothing to ask for. */
  thank() {
    this.#rating?.thank();
  }

  #enter({ state, at }) {
    const before = this.state;
    this.state = state;
    if (SILENT.includes(state)) this.#coming.end();
    if (state === before) return;
    if (state === "under_review") {
      this.#openCard?.wait();
      this.#waiting = renderWaiting(this.#openCard, at);
      this.#append(this.#waiting, at, "waiting", null, "waiting");
    } else if (state === "with_person") {
      if (this.#openCard?.outcome === "replaced") this.#openCard.close("taken");
      this.#turn(icon("person", "i-s"), ["A person has been asked for. The assistant has stopped."], at);
      this.#setHolder("waiting");
    } else if (state === "closed") {
      // Whoever writes next writes to the assistant.
      this.author = null;
      this.#setHolder("agent");
      this.#append(el("p", { class: "da-day", "data-kind": "state", "data-status": "closed" }, `Ended ${clock(at)}`), at, "line", null, null);
    } else if (this.#holder !== "agent") {
      this.#leave(at);
    }
  }

  #join(author, at) {
    const isNew = this.#holder !== "person" || this.author !== author;
    this.author = author;
    this.#setHolder("person");
    if (isNew) this.#turn(icon("person", "i-s"), [el("strong", {}, author), " has joined. The assistant is silent now."], at);
  }

  #leave(at) {
    const words = this.author ? [el("strong", {}, this.author), " has left. "] : [];
    this.author = null;
    this.#setHolder("agent");
    this.#turn(icon("star", "i-s"), [...words, `The ${this.#names.agentInSentence} answers again.`], at);
  }

  #turn(mark, words, at) {
    this.#append(el("p", { class: "da-turn", "data-kind": "state", "data-status": this.state }, mark, el("span", {}, ...words)), at, "line", null, null);
  }

  #setHolder(holder) {
    this.#holder = holder;
    if (holder !== "agent") this.#coming.end();
  }

  /** `owner` is the rail the entry stands at; null stands outside of all rails. */
  #append(node, at, speaker, name = null, owner = this.#holder) {
    this.#hello.remove();
    if (day(at) !== this.#day) {
      this.#day = day(at);
      this.#stretch = this.#speaker = null;
      this.#tail.before(el("p", { class: "da-day" }, this.#day));
    }
    if (owner === null) {
      this.#stretch = null;
      this.#tail.before(node);
    } else {
      if (this.#stretch?.dataset.owner !== owner) {
        this.#stretch = el("div", { class: "da-stretch", "data-owner": owner });
        this.#tail.before(this.#stretch);
      }
      if (name && `${speaker} ${name}` !== this.#speaker) this.#stretch.append(this.#byLine(speaker, name, at));
      this.#stretch.append(node);
    }
    this.#speaker = `${speaker} ${name}`;
    return node;
  }

  #byLine(role, name, at) {
    const who = el("b", { "data-tone": role === "staff" && "person" }, name);
    return el("p", { class: "da-by" }, who, " · ", el("time", { datetime: at }, clock(at)));
  }

  #settle() {
    this.#tail.hidden = !this.#drafts.size && this.#coming.isEmpty;
    if (this.#isAtEnd) this.toEnd();
    this.#tail.dataset.owner = this.#holder;
  }
}
