// One call to the desk over HTTP: its answer, its refusal, or none.

const API = "/api/v1/conversations/";
const CALL_MS = 20_000;

/** The desk answered and said no; `code` says why. */
export class Refused extends Error {
  constructor(status, { code, detail }, retryAfter) {
    super(detail);
    Object.assign(this, { status, code, detail, retryAfter });
  }
}

/** No answer: the desk may or may not have acted. Ask again with the same client id. */
export class Unreachable extends Error {}

export const isAnswered = (error) => error instanceof Refused || error instanceof Unreachable;

export class Calls {
  #origin;

  /** `origin`: where the desk is, like "https://desk.example". */
  constructor(origin) {
    this.#origin = origin;
  }

  socketUrl(id) {
    return `${this.#origin.replace(/^http/, "ws")}/ws/v1/conversations/${id}/`;
  }

  async call(method, path, { token, body, signal, limit = CALL_MS } = {}) {
    const ends = [AbortSignal.timeout(limit), ...(signal ? [signal] : [])];
    const headers = { Accept: "application/json" };
    if (token) headers.Authorization = `Bearer ${token}`;
    if (body) headers["Content-Type"] = "application/json";
    try {
      // Without cookies: a signed-in colleague's browser must not lend its session to a customer's chat.
      const reply = await fetch(this.#origin + API + path, {
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
}
