// What was said and done, drawn from events in their order. It also knows the state the last event left behind.

import { Card, renderReceipt, renderWaiting } from "./card.js";
import { clock, day, el, icon, paragraphs, unseen } from "./dom.js";

// A turn ends within its deadline; a question older than this is not being answered any more.
const ANSWERED_WITHIN_MS = 120_000;
const NEAR_END_PX = 80;

export class Log {
  node = el("div", { class: "da-log", role: "log", "aria-label": "Conversation", tabindex: "0" });
  state = "open";
  author = null;
  #names;
  #calls;
  #cards = new Map();
  #drafts = new Map();
  #tail = el("div", { class: "da-stretch" });
  #typing = el("p", { class: "da-typing" }, el("i"), el("i"), el("i"), unseen("The assistant is writing"));
  #sentMark = el("p", { class: "da-state" });
  #stretch;
  #speaker;
  #day;
  #openCard;
  #waiting;
  #holder;
  #hello;
  #seq = 0;
  #isAtEnd = true;

  /** `names`: shop, agent, agentInSentence. `calls`: onAnswer(id, answer, card), onResend(clientId, text), announce(text). */
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
    this.state = "open";
    this.author = null;
    this.#seq = 0;
    this.#stretch = this.#speaker = this.#day = this.#openCard = this.#waiting = null;
    this.#holder = "agent";
    this.#typing.remove();
    this.node.replaceChildren(...(this.#drafts.size ? [] : [this.#hello]), this.#tail);
    this.#trimTail();
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
    const draw = { message: this.#message, request: this.#request, request_closed: this.#close, receipt: this.#receipt, state: this.#enter };
    draw[event.kind]?.call(this, event);
    this.#seq = event.seq;
    this.#trimTail();
    if (this.#isAtEnd) this.toEnd();
  }

  toEnd() {
    this.#isAtEnd = true;
    this.node.scrollTop = this.node.scrollHeight;
  }

  /** Dots from the moment a message is accepted until anything but the customer answers. */
  think(at) {
    if (this.#holder !== "agent" || this.state === "under_review" || Date.now() - Date.parse(at) > ANSWERED_WITHIN_MS) return;
    this.#tail.append(this.#typing);
    this.#trimTail();
    this.toEnd();
  }

  addDraft(clientId, text) {
    this.#hello.remove();
    const bubble = this.#bubble("customer", text, "held");
    const note = el("p", { class: "da-state" }, icon("clock"), "Sending");
    bubble.dataset.status = "sending";
    this.#drafts.set(clientId, { text, bubble, note });
    this.#tail.append(bubble, note);
    if (this.#typing.isConnected) this.#tail.append(this.#typing);
    this.#trimTail();
    this.toEnd();
  }

  /** Accepted as event `seq`, which may be here already. */
  acceptDraft(clientId, seq) {
    if (seq <= this.#seq) return this.dropDraft(clientId);
    const draft = this.#drafts.get(clientId);
    if (draft) {
      draft.seq = seq;
      draft.bubble.dataset.status = "sent";
      draft.bubble.classList.remove("held");
      draft.note.replaceChildren(icon("check"), "Sent");
    }
    this.think(new Date().toISOString());
  }

  resendDraft(clientId) {
    const draft = this.#drafts.get(clientId);
    draft.bubble.dataset.status = "sending";
    draft.note.removeAttribute("data-tone");
    draft.note.removeAttribute("role");
    draft.note.replaceChildren(icon("clock"), "Sending");
  }

  failDraft(clientId, text) {
    if (!this.#drafts.has(clientId)) this.addDraft(clientId, text);
    const draft = this.#drafts.get(clientId);
    const again = el("button", { type: "button", "data-act": "resend" }, "Send again");
    again.addEventListener("click", () => this.#calls.onResend(clientId, draft.text));
    draft.bubble.dataset.status = "failed";
    draft.note.dataset.tone = "danger";
    draft.note.setAttribute("role", "alert");
    draft.note.replaceChildren(icon("warn"), "Not sent. ", again);
  }

  dropDraft(clientId) {
    const draft = this.#drafts.get(clientId);
    draft?.bubble.remove();
    draft?.note.remove();
    this.#drafts.delete(clientId);
    if (!this.node.querySelector("[data-kind]")) this.node.prepend(this.#hello);
    this.#trimTail();
  }

  #message({ seq, role, text, at, author }) {
    if (role === "customer") {
      this.#takeOverDraft(seq, text);
      const bubble = this.#append(this.#bubble(role, text), at, "customer");
      this.#sentMark.replaceChildren(icon("check"), `Sent ${clock(at)}`);
      bubble.after(this.#sentMark);
      this.think(at);
      return;
    }
    this.#typing.remove();
    if (role === "staff" && this.state === "with_person") this.#join(author ?? "A person", at);
    const name = { agent: this.#names.agent, staff: author ?? "A person", system: this.#names.shop }[role];
    this.#append(this.#bubble(role, text), at, role, name);
  }

  #bubble(role, text, extra = "") {
    const mine = role === "customer";
    const parts = paragraphs(text);
    if (mine) parts[0].prepend(unseen("You: "));
    const kind = ["da-msg", mine ? "me" : "", extra].filter(Boolean).join(" ");
    return el("div", { class: kind, "data-kind": "message", "data-role": role }, ...parts);
  }

  /** The stored message takes the place of the one that was shown while it was on its way. */
  #takeOverDraft(seq, text) {
    for (const [clientId, draft] of this.#drafts) {
      if (draft.seq === seq || (!draft.seq && draft.text.trim() === text.trim())) return this.dropDraft(clientId);
    }
  }

  #request(event) {
    this.#typing.remove();
    const card = new Card(event, this.#calls);
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
    this.#typing.remove();
    this.#append(renderReceipt(event), event.at, "receipt");
  }

  #enter({ state, at }) {
    this.#typing.remove();
    const before = this.state;
    this.state = state;
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
    if (holder !== "agent") this.#typing.remove();
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

  #trimTail() {
    this.#tail.hidden = !this.#tail.hasChildNodes();
    this.#tail.dataset.owner = this.#holder;
  }
}
