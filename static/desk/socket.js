// One socket from hello to its end. It notices by itself when nobody answers any more.

const READY_MS = 5_000;
const PING_MS = 20_000;
const PONG_MS = 10_000;
export const NO_SESSION = 4404;

export class Socket {
  /** Resolves once, to {wasReady, code}. */
  ended;
  #socket;
  #onFrame;
  #wasReady = false;
  #deadline;
  #pings;
  #end;

  /** `hello`: {token, after}. `onFrame(frame)` gets every frame but pong. */
  constructor(url, hello, onFrame) {
    this.#onFrame = onFrame;
    this.ended = new Promise((resolve) => (this.#end = resolve));
    try {
      this.#socket = new WebSocket(url);
    } catch (error) {
      // A page's policy can forbid the address; the desk is then asked over HTTP.
      if (!(error instanceof DOMException)) throw error;
      this.#end({ wasReady: false, code: 0 });
      return;
    }
    this.#socket.addEventListener("open", () => this.#send({ type: "hello", ...hello }));
    this.#socket.addEventListener("message", (event) => this.#hear(event.data));
    this.#socket.addEventListener("close", (event) => this.close(event.code));
    this.#expectNews(READY_MS);
  }

  /** Asks now whether anybody is there; without an answer in time the socket ends. */
  check() {
    if (!this.#wasReady || this.#deadline) return;
    this.#send({ type: "ping" });
    this.#expectNews(PONG_MS);
  }

  /** Ends at once. The browser itself may take long to say so of a line that is dead. */
  close(code = 0) {
    clearTimeout(this.#deadline);
    clearInterval(this.#pings);
    this.#onFrame = () => undefined;
    this.#socket?.close();
    this.#end({ wasReady: this.#wasReady, code });
  }

  #expectNews(ms) {
    this.#deadline = setTimeout(() => this.close(), ms);
  }

  #hear(data) {
    const frame = JSON.parse(data);
    if (frame.type === "ready") {
      this.#wasReady = true;
      this.#pings = setInterval(() => this.check(), PING_MS);
    }
    if (this.#wasReady) {
      clearTimeout(this.#deadline);
      this.#deadline = null;
    }
    if (frame.type !== "pong") this.#onFrame(frame);
  }

  #send(frame) {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }
}
