// The way to the desk: calls, and the events in order and once. Nothing here knows how they look, and nothing
// outside knows whether they come by socket or, where something on the way blocks sockets, by long poll.

import { Calls, Refused, isAnswered } from "./calls.js";
import { kept, KEPT, onKeptElsewhere } from "./kept.js";
import { NO_SESSION, Socket } from "./socket.js";

const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000];
const JITTER = 0.2;
const REFUSALS = 2; // sockets in a row that did not open before HTTP takes over
const BY_HTTP_MS = 60_000;
const WAIT_S = 20;
const HASTY_MS = 1_000;

const swayed = (ms) => ms * (1 + JITTER * (2 * Math.random() - 1));

export class Transport {
  /** The desk was heard and nothing says that it is gone. */
  isUp = false;
  #calls;
  #identity;
  #listener;
  #conversation = null;
  #last = 0;
  #isCaughtUp = false;
  #early = []; // events of a socket that has not told everything up to `#goal`
  #goal = 0;
  #round = null; // of the running loop; aborting it ends the loop
  #socket = null;
  #retryAfterMs = 0;
  #isRereading = false;
  #readsAgain = false;
  #wake = null;
  #queue = Promise.resolve();

  /**
   * `listener`: onReset(), onEvents(events, {replay}), onDelta(delta), onTyping(seconds), onLink({retryAt}).
   * `identity()`: what the storefront signed for its customer, or nothing.
   */
  constructor(origin, listener, identity) {
    this.#calls = new Calls(origin);
    this.#identity = identity;
    this.#listener = listener;
    onKeptElsewhere((conversation) => this.#adopt(conversation));
    window.addEventListener("online", () => this.retryNow());
    // The browser knows of no network: waiting for a ping to fail would only hide it longer.
    window.addEventListener("offline", () => this.#socket?.close());
    document.addEventListener("visibilitychange", () => document.hidden || this.#socket?.check());
  }

  /** Goes on with the conversation this browser had, from its first event. */
  resume() {
    this.#adopt(kept.read());
    if (this.#conversation && this.#identity()) this.#sign();
  }

  /** One after the other, so that messages arrive in the order they were written. */
  send(clientId, text) {
    const sent = this.#queue.then(() => this.#post("messages/", { client_id: clientId, text }));
    this.#queue = sent.catch(() => undefined);
    return sent;
  }

  answer(requestId, answer) {
    return this.#post("answers/", { request_id: requestId, answer });
  }

  handoff() {
    return this.#post("handoff/", {});
  }

  /** Of this conversation alone: where it is gone, a new one has nothing to be rated. */
  async rate(score, comment) {
    if (!this.#conversation) throw new Refused(409, { code: "closed", detail: "This chat has ended." });
    const { id, token } = this.#conversation;
    return this.#calls.call("POST", `${id}/rating/`, { token, body: { score, comment } });
  }

  /** Who holds the chat, which proof it wants and whether it was rated: the events alone do not say it. */
  getStanding() {
    const { id, token } = this.#conversation;
    return this.#calls.call("GET", `${id}/`, { token });
  }

  /** What proves who the customer is: `{email}`, `{code}` or `{identity}`. */
  prove(given) {
    return this.#post("identity/", given);
  }

  /** Everything up to here was looked at, in this tab or another one. */
  markSeen() {
    const conversation = kept.read();
    if (conversation?.id !== this.#conversation?.id || this.#last <= this.seen) return;
    kept.write({ ...conversation, seen: this.#last });
  }

  get seen() {
    return kept.read()?.seen ?? 0;
  }

  retryNow() {
    this.#wake?.();
  }

  /** The next message opens a new conversation. What is shown stays until then. */
  forget() {
    kept.write(null);
    this.#stop();
    this.#conversation = null;
  }

  async #post(path, body) {
    const { id, token } = await this.#ensure();
    try {
      return await this.#calls.call("POST", `${id}/${path}`, { token, body });
    } catch (error) {
      if (error.status !== 404 || this.#conversation?.id !== id) throw error;
      this.forget();
      const fresh = await this.#ensure();
      return this.#calls.call("POST", `${fresh.id}/${path}`, { token: fresh.token, body });
    }
  }

  /** The chat of before goes on with the customer who is signed in now; somebody else's is left alone. */
  async #sign() {
    const { id, token } = this.#conversation;
    try {
      await this.#calls.call("POST", `${id}/identity/`, { token, body: { identity: this.#identity() } });
    } catch (error) {
      if (!isAnswered(error)) throw error;
      if (error.code === "other_customer" && this.#conversation?.id === id) {
        this.forget();
        this.#listener.onReset();
      }
    }
  }

  async #ensure() {
    if (this.#conversation) return this.#conversation;
    // Two tabs that write at the same moment shall not open two conversations.
    const open = async () => {
      if (!kept.read()) {
        const identity = this.#identity();
        const { id, token } = await this.#calls.call("POST", "", { body: identity ? { identity } : {} });
        kept.write({ id, token });
      }
      this.#adopt(kept.read());
    };
    await (navigator.locks ? navigator.locks.request(KEPT, open) : open());
    return this.#conversation;
  }

  #adopt(conversation) {
    if (conversation?.id === this.#conversation?.id) return;
    this.#stop();
    this.#conversation = conversation;
    this.#last = 0;
    this.#isCaughtUp = false;
    this.#listener.onReset();
    if (conversation) this.#follow(new AbortController());
  }

  #stop() {
    this.#round?.abort();
    this.#socket?.close();
    this.isUp = false;
  }

  async #follow(round) {
    this.#round = round;
    let refusals = 0;
    let misses = 0; // attempts in a row that did not reach the desk
    let wasUp = false;
    while (!round.signal.aborted) {
      const opened = await this.#listen(round);
      refusals = opened ? 0 : refusals + 1;
      const polls = refusals >= REFUSALS && !round.signal.aborted;
      const reached = opened || (polls && (await this.#poll(round)));
      if (round.signal.aborted) return;
      wasUp ||= reached;
      misses = reached ? 0 : misses + 1;
      if (reached && polls) continue;
      this.isUp = false;
      const pause = Math.max(swayed(PAUSES_MS[Math.min(misses, PAUSES_MS.length - 1)]), this.#retryAfterMs);
      // A socket that ends and opens again is nobody's news, nor is a first one that something on the way blocked.
      const isNews = !navigator.onLine || (misses > 0 && (wasUp || polls));
      if (isNews) this.#listener.onLink({ retryAt: Date.now() + pause });
      await this.#rest(pause, round);
    }
  }

  /** By socket until it ends; whether it opened at all. */
  async #listen(round) {
    const { id, token } = this.#conversation;
    this.#socket = new Socket(this.#calls.socketUrl(id), { token, after: this.#last }, (frame) => this.#hear(frame, round));
    const { wasReady, code } = await this.#socket.ended;
    this.#socket = null;
    if (!round.signal.aborted) {
      this.#take(this.#early.splice(0), true);
      if (code === NO_SESSION) this.#lose();
    }
    return wasReady;
  }

  #hear(frame, round) {
    if (frame.type === "ready") {
      this.#goal = frame.last_seq;
      this.#isCaughtUp ||= this.#goal <= this.#last;
      this.#rise();
    } else if (frame.type === "event") {
      this.#hearEvent(frame.event, round);
    } else if (frame.type === "delta" && this.#isCaughtUp) {
      this.#listener.onDelta(frame);
    } else if (frame.type === "typing" && this.#isCaughtUp) {
      this.#listener.onTyping(frame.seconds);
    }
  }

  #hearEvent(event, round) {
    const replay = !this.#isCaughtUp;
    if (replay) this.#early.push(event);
    if (replay && event.seq < this.#goal) return;
    this.#isCaughtUp = true;
    if (!this.#take(replay ? this.#early.splice(0) : [event], replay)) this.#reread(round);
  }

  /** An event was missing: everything after the last whole one is read again. */
  async #reread(round) {
    this.#readsAgain = true;
    if (this.#isRereading) return;
    this.#isRereading = true;
    try {
      while (this.#readsAgain && !round.signal.aborted) {
        this.#readsAgain = false;
        const page = await this.#read(0, round);
        if (!round.signal.aborted) this.#readsAgain ||= this.#take(page.events, false) && page.events.length > 0;
      }
    } catch (error) {
      if (!isAnswered(error)) throw error;
      this.#socket?.close(); // the next hello asks for the same
    } finally {
      this.#isRereading = false;
    }
  }

  /** By HTTP for a while; whether the desk answered to the end. */
  async #poll(round) {
    const until = Date.now() + BY_HTTP_MS;
    while (Date.now() < until && !round.signal.aborted) {
      try {
        const began = Date.now();
        const page = await this.#read(this.#isCaughtUp ? WAIT_S : 0, round);
        if (round.signal.aborted) return false;
        const whole = this.#take(page.events, !this.#isCaughtUp);
        this.#rise();
        // A desk that does not wait must not be asked in a ring.
        const isHasty = this.#isCaughtUp && !page.events.length && Date.now() - began < HASTY_MS;
        this.#isCaughtUp ||= this.#last >= page.last_seq;
        if (!whole || isHasty) await this.#rest(HASTY_MS, round);
      } catch (error) {
        if (!isAnswered(error)) throw error;
        if (error.status === 404 && !round.signal.aborted) this.#lose();
        this.#retryAfterMs = (error.retryAfter ?? 0) * 1000;
        return false;
      }
    }
    return true;
  }

  #read(wait, round) {
    const { id, token } = this.#conversation;
    const options = { token, signal: round.signal, limit: (WAIT_S + wait) * 1000 };
    return this.#calls.call("GET", `${id}/events/?after=${this.#last}&wait=${wait}`, options);
  }

  /** Gives on what is new and in order; false when one is missing. */
  #take(events, replay) {
    const fresh = [];
    for (const event of events) {
      if (event.seq <= this.#last) continue;
      if (event.seq > this.#last + 1) break;
      this.#last = event.seq;
      fresh.push(event);
    }
    if (fresh.length) this.#listener.onEvents(fresh, { replay });
    return events.length === 0 || events.at(-1).seq <= this.#last;
  }

  #rise() {
    this.#retryAfterMs = 0;
    if (this.isUp) return;
    this.isUp = true;
    this.#listener.onLink({ retryAt: null });
  }

  #lose() {
    if (kept.read()?.id === this.#conversation?.id) kept.write(null);
    this.#adopt(null);
  }

  #rest(ms, round) {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        round.signal.removeEventListener("abort", wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#wake = wake;
      round.signal.addEventListener("abort", wake);
    });
  }
}
