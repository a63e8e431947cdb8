// A dependency-free client of the language-service pipe (seed 004 §2, §4).
// One pipe, many requests: answers are paired by rid, the pipe is reopened when it closed, and an unanswered request is
// sent again under its own rid, so that a turn acts once.

/** @typedef {"connecting"|"open"|"closed"} PipeStatus */
/** @typedef {{type: string, result: string}} Intent */
/** @typedef {{id: string, state: Record<string, unknown>, summary?: string, when?: string, timer_id?: string, cancel?: string}} Instruct */

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8000;

/** A request the service refused: `ret` ≠ 0, a message for people, and the path of the fault. */
export class RefusedError extends Error {
  /** @param {{ret: number, message?: string, path?: string}} data */
  constructor(data) {
    super(data.message || `ret ${data.ret}`);
    this.name = "RefusedError";
    this.ret = data.ret;
    this.path = data.path || "";
  }
}

export class PipeClient extends EventTarget {
  /**
   * @param {string} url WebSocket address
   * @param {{topic?: string, socket?: typeof WebSocket, timeoutMs?: number}} [options]
   */
  constructor(url, { topic = "llm/smarthome", socket = globalThis.WebSocket, timeoutMs = 20000 } = {}) {
    super();
    this.url = url;
    this.topic = topic;
    this.Socket = socket;
    this.timeoutMs = timeoutMs;
    /** @type {PipeStatus} */
    this.status = "closed";
    /** @type {Map<string, any>} */
    this.pending = new Map();
    this.pause = FIRST_PAUSE_MS;
    this.stopped = false;
    this.socket = null;
    this.timer = null;
  }

  /** Opens the pipe; it stays open until `close()`. */
  open() {
    this.stopped = false;
    if (this.socket || this.timer) return;
    this.#become("connecting");
    const socket = new this.Socket(this.url);
    this.socket = socket;
    socket.addEventListener("open", () => this.#opened());
    socket.addEventListener("message", (event) => this.#received(event.data));
    socket.addEventListener("close", () => this.#closed(socket));
    socket.addEventListener("error", () => socket.close());
  }

  /** Closes the pipe for good; open requests fail. */
  close() {
    this.stopped = true;
    clearTimeout(this.timer);
    this.timer = null;
    this.socket?.close();
    for (const request of [...this.pending.values()]) this.#settle(request, new Error("closed"));
  }

  /**
   * Sends one request and resolves with the data of its closing frame.
   * @param {Record<string, unknown>} payload
   * @param {{rid?: string, onToken?: (intent: Intent) => void, onFrame?: (direction: "sent"|"received", text: string) => void}} [options]
   * @returns {Promise<any>}
   */
  request(payload, { rid = crypto.randomUUID(), onToken, onFrame } = {}) {
    const text = JSON.stringify({ topic: this.topic, rid, payload });
    return new Promise((resolve, reject) => {
      const request = { rid, text, resolve, reject, onToken, onFrame, timer: null };
      request.timer = setTimeout(() => this.#settle(request, new Error("timeout")), this.timeoutMs);
      this.pending.set(rid, request);
      onFrame?.("sent", text);
      if (this.status === "open") this.socket.send(text);
      else this.open();
    });
  }

  #become(status) {
    if (this.status === status) return;
    this.status = status;
    this.dispatchEvent(new Event("status"));
  }

  #opened() {
    this.pause = FIRST_PAUSE_MS;
    this.#become("open");
    for (const request of this.pending.values()) this.socket.send(request.text);
  }

  #received(text) {
    let frame;
    try {
      frame = JSON.parse(text);
    } catch {
      return;
    }
    const request = this.pending.get(frame.rid);
    if (!request) return;
    request.onFrame?.("received", text);
    const { finish, data } = frame.payload;
    if (!finish) {
      if (data.type === "token") request.onToken?.(data.token);
      return;
    }
    this.#settle(request, data.ret ? new RefusedError(data) : null, data);
  }

  #settle(request, error, data) {
    if (!this.pending.delete(request.rid)) return;
    clearTimeout(request.timer);
    if (error) request.reject(error);
    else request.resolve(data);
  }

  #closed(socket) {
    if (this.socket !== socket) return;
    this.socket = null;
    this.#become("closed");
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.open();
    }, this.pause);
    this.pause = Math.min(LONGEST_PAUSE_MS, this.pause * 2);
  }
}
