// What the customer writes, until the desk has it: shown at once, kept through an outage, given back when refused.

import { Refused, Unreachable } from "./calls.js";
import { REVIEW } from "./composer.js";

const SLOW_DOWN_S = 10;
const OFFLINE = "Kept here, sent when you’re back online";
const TOO_QUICK = "Kept here, sent in a moment";

function newId() {
  // Browsers keep randomUUID from pages without https.
  return crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Outbox {
  #transport;
  #log;
  #composer;
  #say;
  #heldUntil = 0;
  #timer = null;

  /** `say`: complain(text), slowDown(seconds), announce(text). */
  constructor(transport, log, composer, say) {
    this.#transport = transport;
    this.#log = log;
    this.#composer = composer;
    this.#say = say;
  }

  send(text) {
    const clientId = newId();
    // Under review only a wish for a person is taken, so the words stay in the box until the desk has said so.
    if (this.#log.state === "under_review") {
      this.#composer.pause(1);
    } else {
      this.#log.addDraft(clientId, text);
      this.#composer.clear(text);
    }
    return this.#deliver(clientId, text);
  }

  resend(clientId, text) {
    this.#log.resendDraft(clientId);
    return this.#deliver(clientId, text);
  }

  /** The desk is there again: what did not reach it goes out in the order it was written. */
  async resendAll() {
    for (const [clientId, text] of this.#log.listUnsent()) {
      // Nothing overtakes a message that the desk had no room for; the timer goes on from it.
      if (Date.now() < this.#heldUntil) return;
      await this.resend(clientId, text);
    }
  }

  async #deliver(clientId, text) {
    try {
      const { seq } = await this.#transport.send(clientId, text);
      this.#composer.clear(text);
      this.#log.acceptDraft(clientId, seq);
    } catch (error) {
      if (error instanceof Refused) this.#takeBack(error, clientId, text);
      else if (error instanceof Unreachable) this.#keep(clientId, text);
      else throw error;
    }
  }

  #keep(clientId, text) {
    this.#composer.clear(text);
    this.#log.failDraft(clientId, text, (!this.#transport.isUp || !navigator.onLine) && OFFLINE);
  }

  /** Too quick: the words stay in the log and go out by themselves once the desk has room. */
  #hold(seconds, clientId, text) {
    this.#composer.clear(text);
    this.#log.failDraft(clientId, text, TOO_QUICK);
    this.#composer.pause(seconds);
    this.#say.slowDown(seconds);
    this.#heldUntil = Date.now() + seconds * 1000;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.resendAll(), seconds * 1000 + 50);
  }

  /** The desk did not take the message: the words go back into the box, with the reason. */
  #takeBack({ code, detail, retryAfter }, clientId, text) {
    if (code === "slow_down") {
      this.#hold(retryAfter || SLOW_DOWN_S, clientId, text);
      return;
    }
    this.#log.dropDraft(clientId);
    this.#composer.restore(text);
    if (code === "under_review") {
      this.#composer.suit({ state: code, holder: "agent" });
      this.#say.announce(REVIEW);
    } else if (code === "too_long") {
      this.#say.complain("This is too long: at most 4,000 characters fit in one message. Your text stays here.");
    } else if (code === "closed") {
      this.#transport.forget();
      this.#say.complain("This chat has ended. Send again to start a new one. Your text stays here.");
    } else {
      this.#say.complain(`This was not sent. ${detail ?? ""} Your text stays here.`);
    }
  }
}
