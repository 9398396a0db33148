// The way to the desk: calls, and the events in order and once. Nothing here knows how they look,
// and nothing outside knows that they come by long poll.

const API = "/api/v1/conversations/";
const KEPT = "desk.conversation";
const CALL_MS = 20_000;
const WAIT_S = 20;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** The desk answered and said no; `code` says why. */
export class Refused extends Error {
  constructor(status, { code, detail }, retryAfter) {
    super(detail);
    Object.assign(this, { status, code, detail, retryAfter });
  }
}

/** No answer: the desk may or may not have acted. Ask again with the same client id. */
export class Unreachable extends Error {}

const kept = {
  own: null, // where storage is refused (private window, quota) the conversation lasts as long as the page
  read() {
    try {
      const found = JSON.parse(localStorage.getItem(KEPT));
      return found?.id && found?.token ? found : this.own;
    } catch {
      return this.own;
    }
  },
  write(conversation) {
    this.own = null;
    try {
      if (conversation) localStorage.setItem(KEPT, JSON.stringify(conversation));
      else localStorage.removeItem(KEPT);
    } catch {
      this.own = conversation;
    }
  },
};

async function call(method, path, { token, body, signal } = {}, limit = CALL_MS) {
  const ends = [AbortSignal.timeout(limit), ...(signal ? [signal] : [])];
  const headers = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  try {
    // Without cookies: a signed-in colleague's browser must not lend its session to a customer's chat.
    const reply = await fetch(API + path, {
      method,
      headers,
      body: body && JSON.stringify(body),
      signal: AbortSignal.any(ends),
      credentials: "omit",
      cache: "no-store",
    });
    const found = await reply.json();
    if (reply.ok) return found;
    if (reply.status >= 500) throw new Unreachable();
    throw new Refused(reply.status, found, Number(reply.headers.get("Retry-After")) || 0);
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Unreachable();
  }
}

export class Transport {
  #conversation = null;
  #last = 0;
  #round = null; // of the running poll loop; aborting it ends the loop
  #wake = null;
  #queue = Promise.resolve();
  #listener;

  /** `listener`: onReset(), onEvents(events, {replay}), onLink({retryAt}). */
  constructor(listener) {
    this.#listener = listener;
    window.addEventListener("storage", (event) => {
      if (event.key === KEPT || event.key === null) this.#adopt(kept.read());
    });
    window.addEventListener("online", () => this.retryNow());
  }

  /** Goes on with the conversation this browser had, from its first event. */
  resume() {
    this.#adopt(kept.read());
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

  /** Who holds the chat: after a take-over the events alone do not say it. */
  async getOwner() {
    const { id, token } = this.#conversation;
    return (await call("GET", `${id}/`, { token })).owner;
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
    this.#round?.abort();
    this.#conversation = null;
  }

  async #post(path, body) {
    const { id, token } = await this.#ensure();
    try {
      return await call("POST", `${id}/${path}`, { token, body });
    } catch (error) {
      if (error.status !== 404 || this.#conversation?.id !== id) throw error;
      this.forget();
      const fresh = await this.#ensure();
      return call("POST", `${fresh.id}/${path}`, { token: fresh.token, body });
    }
  }

  async #ensure() {
    if (this.#conversation) return this.#conversation;
    // Two tabs that write at the same moment shall not open two conversations.
    const open = async () => {
      if (!kept.read()) {
        const { id, token } = await call("POST", "", { body: {} });
        kept.write({ id, token });
      }
      this.#adopt(kept.read());
    };
    await (navigator.locks ? navigator.locks.request(KEPT, open) : open());
    return this.#conversation;
  }

  #adopt(conversation) {
    if (conversation?.id === this.#conversation?.id) return;
    this.#round?.abort();
    this.#conversation = conversation;
    this.#last = 0;
    this.#listener.onReset();
    if (conversation) this.#follow(conversation, new AbortController());
  }

  async #follow(conversation, round) {
    this.#round = round;
    let pause = FIRST_PAUSE_MS;
    let caughtUp = false;
    while (!round.signal.aborted) {
      try {
        const began = Date.now();
        const wait = caughtUp ? WAIT_S : 0;
        const path = `${conversation.id}/events/?after=${this.#last}&wait=${wait}`;
        const page = await call("GET", path, { token: conversation.token, signal: round.signal }, CALL_MS + wait * 1000);
        if (round.signal.aborted) return;
        this.#listener.onLink({ retryAt: null });
        pause = FIRST_PAUSE_MS;
        const whole = this.#take(page.events, !caughtUp);
        // A desk that does not wait must not be asked in a ring.
        const isHasty = caughtUp && !page.events.length && Date.now() - began < FIRST_PAUSE_MS;
        caughtUp ||= this.#last >= page.last_seq;
        if (!whole || isHasty) await this.#rest(pause, round);
      } catch (error) {
        if (round.signal.aborted) return;
        if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
        if (error.status === 404) return this.#lose(conversation);
        pause = error.retryAfter ? error.retryAfter * 1000 : Math.min(pause * 2, LONGEST_PAUSE_MS);
        this.#listener.onLink({ retryAt: Date.now() + pause });
        await this.#rest(pause, round);
      }
    }
  }

  /** Gives on what is new and in order; false when one is missing, and the rest is read again. */
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

  #lose(conversation) {
    if (kept.read()?.id === conversation.id) kept.write(null);
    this.#adopt(null);
  }

  #rest(ms, round) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      round.signal.addEventListener("abort", this.#wake, { once: true });
    });
  }
}
