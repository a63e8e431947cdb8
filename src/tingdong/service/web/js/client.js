// A dependency-free client of the language-service pipe (docs/protocol/service.md), for browsers and Node ≥ 20.
//
// One pipe, many requests: answers are paired by rid, the pipe is reopened when it closed, and an unanswered request is
// sent again under its own rid, so that a turn acts once.
//
//   import { PipeClient } from "./client.js";
//   const pipe = new PipeClient("ws://127.0.0.1:8765/agent/smarthome-gpt/llm/stream");
//   const data = await pipe.request({ page_id, question: "小牛，关所有房间的灯", local: "客厅", instruct: true, home });
//   data.active.intent.result; data.active.instructs; // what is to happen later stands in data.active.scheduled
//   pipe.close();
//
// Node 20 and 21 have `WebSocket` behind `--experimental-websocket`; any other WebSocket class goes in as `socket`.

/** @typedef {"connecting"|"open"|"closed"} PipeStatus */
/** @typedef {"instruct"|"question"|"answer"|"none"} ReplyKind */
/** @typedef {{type: ReplyKind, result: string}} Intent */
/**
 * A state change for one device. Those in `scheduled` have a `when` and a `timer_id`, or `cancel` a timer: not for now.
 * @typedef {{id: string, state: Record<string, any>, summary?: string, when?: string, timer_id?: string, cancel?: string}} Instruct
 */
/**
 * Payload of a request frame; `explain` asks for the reasons, `alternatives` are what else a recogniser offers.
 * @typedef {{page_id: string, question: string, instruct?: boolean, local?: string|null, home?: any, home_id?: string,
 *   now?: string, explain?: boolean, alternatives?: string[]}} Payload
 */
/**
 * `data` of a closing frame (docs/protocol/service.md, Closing frame); `turn` comes from the hospital's desk only.
 * @typedef {{ret: 0, page_id: string, question: string, active: {intent: Intent, instructs: Instruct[], scheduled?: Instruct[],
 *   turn?: any},
 *   explain?: any, warnings?: {path: string, message: string}[]}} Closing
 */
/**
 * @typedef {object} RequestOptions
 * @property {string} [rid] the request's id; the same id acts once
 * @property {(intent: Intent) => void} [onToken] the summary, as soon as it is known
 * @property {(direction: "sent"|"received", text: string) => void} [onFrame] every frame as it goes over the wire
 */
/**
 * @typedef {object} PipeOptions
 * @property {string} [topic] topic of every frame
 * @property {any} [socket] a WebSocket class
 * @property {number} [timeoutMs] how long a request may stay unanswered
 * @property {string} [token] bearer token, where the service asks for one
 */

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

/** No answer before the time was up, or the pipe was closed for good. */
export class UnansweredError extends Error {
  /** @param {"timeout"|"closed"} reason */
  constructor(reason) {
    super(reason);
    this.name = "UnansweredError";
    this.reason = reason;
  }
}

/** A globally unique id, also on pages that are not served over TLS. @returns {string} */
export function uniqueId() {
  if (globalThis.crypto.randomUUID) return globalThis.crypto.randomUUID();
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The pipe. Fires `status` whenever `status` changes. */
export class PipeClient extends EventTarget {
  /** @param {string} url WebSocket address @param {PipeOptions} [options] */
  constructor(url, { topic = "llm/smarthome", socket = globalThis.WebSocket, timeoutMs = 20000, token = "" } = {}) {
    super();
    if (!socket) throw new TypeError("no WebSocket here: start Node 20 with --experimental-websocket, or pass a class as `socket`");
    this.url = url;
    this.topic = topic;
    this.timeoutMs = timeoutMs;
    /** @type {PipeStatus} */
    this.status = "closed";
    this.Socket = socket;
    this.protocols = token ? ["tingdong", `bearer.${token}`] : [];
    /** @type {Map<string, any>} */
    this.pending = new Map();
    this.pause = FIRST_PAUSE_MS;
    this.stopped = true;
    /** @type {any} */
    this.socket = null;
    /** @type {any} */
    this.timer = null;
  }

  /** Opens the pipe, at once; it is kept open until `close()`. */
  open() {
    this.stopped = false;
    if (this.socket) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.#become("connecting");
    const socket = new this.Socket(this.url, this.protocols);
    this.socket = socket;
    socket.addEventListener("open", () => this.#opened());
    socket.addEventListener("message", (/** @type {any} */ event) => this.#received(event.data));
    socket.addEventListener("close", () => this.#closed(socket));
    socket.addEventListener("error", () => this.#closed(socket)); // `close` follows, except where it is forgotten (Node 20)
  }

  /** Closes the pipe for good; open requests fail with `UnansweredError`. */
  close() {
    this.stopped = true;
    clearTimeout(this.timer);
    this.timer = null;
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.#become("closed");
    for (const request of [...this.pending.values()]) this.#settle(request, new UnansweredError("closed"));
  }

  /**
   * Sends one request and resolves with the data of its closing frame; opens the pipe where it is not open. Rejects with
   * `RefusedError` or `UnansweredError`.
   * @param {Payload} payload @param {RequestOptions} [options] @returns {Promise<Closing>}
   */
  request(payload, { rid = uniqueId(), onToken, onFrame } = {}) {
    const text = JSON.stringify({ topic: this.topic, rid, payload });
    return new Promise((resolve, reject) => {
      const request = { rid, text, resolve, reject, onToken, onFrame, timer: /** @type {any} */ (null) };
      request.timer = setTimeout(() => this.#settle(request, new UnansweredError("timeout")), this.timeoutMs);
      this.pending.set(rid, request);
      if (this.status === "open") this.#send(request);
      else this.open();
    });
  }

  /** @param {any} request */
  #send(request) {
    request.onFrame?.("sent", request.text);
    this.socket.send(request.text);
  }

  /** @param {PipeStatus} status */
  #become(status) {
    if (this.status === status) return;
    this.status = status;
    this.dispatchEvent(new Event("status"));
  }

  #opened() {
    this.pause = FIRST_PAUSE_MS;
    this.#become("open");
    for (const request of this.pending.values()) this.#send(request);
  }

  /** @param {string} text */
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
    if (finish) this.#settle(request, data.ret ? new RefusedError(data) : null, data);
    else if (data.type === "token") request.onToken?.(data.token);
  }

  /** @param {any} request @param {Error|null} error @param {any} [data] */
  #settle(request, error, data) {
    if (!this.pending.delete(request.rid)) return;
    clearTimeout(request.timer);
    if (error) request.reject(error);
    else request.resolve(data);
  }

  /** @param {any} socket */
  #closed(socket) {
    if (this.socket !== socket) return;
    this.socket = null;
    this.#become("closed");
    if (this.stopped) return;
    this.timer = setTimeout(() => this.open(), this.pause);
    this.pause = Math.min(LONGEST_PAUSE_MS, this.pause * 2);
  }
}
