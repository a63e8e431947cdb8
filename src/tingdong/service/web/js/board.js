// The front desk's board: lanes of task cards that move between focus, queue and ended.

import { h } from "./dom.js";
import { t, term } from "./i18n.js";

const ENDED = new Set(["completed", "canceled"]);
const COLUMNS = ["focus", "queued", "done"];
const MOVE_MS = 420;

/** @typedef {{frame_id: string, agent_code: string, role: string, lane: string, status: string, slots: Record<string, string>,
 *   missing_slots: string[], memory?: {summary?: string}}} TaskFrame */

/** Which column a task stands in. @param {TaskFrame} frame */
export function columnOf(frame) {
  if (ENDED.has(frame.status)) return "done";
  return frame.role === "queued" ? "queued" : "focus";
}

/** The lanes; a card keeps its element, so that it can be seen moving. */
export class Board {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Map<string, HTMLElement>} frame_id → card */
    this.cards = new Map();
    /** @type {Map<string, HTMLElement>} lane/column → list */
    this.lists = new Map();
    /** @type {TaskFrame[]} */
    this.frames = [];
    this.#build();
  }

  /** Empties the board. */
  clear() {
    this.cards.clear();
    this.frames = [];
    this.#build();
  }

  /** Builds the lanes anew, in the language that is now spoken. */
  redraw() {
    this.cards.clear();
    this.#build();
    this.show(this.frames);
  }

  /** Brings the cards in line with the frames of a context. @param {TaskFrame[]} frames */
  show(frames) {
    const before = new Map([...this.cards].map(([id, card]) => [id, card.getBoundingClientRect()]));
    const known = new Map(this.frames.map((frame) => [frame.frame_id, frame]));
    this.frames = frames;
    for (const [id, card] of this.cards) if (!frames.some((frame) => frame.frame_id === id)) this.#drop(id, card);
    for (const frame of frames) {
      const card = h("li.task", { class: look(frame), dataset: { agent: frame.agent_code, frame: frame.frame_id } }, inside(frame, known.get(frame.frame_id)));
      this.cards.get(frame.frame_id)?.remove();
      this.cards.set(frame.frame_id, card);
      this.lists.get(`${frame.lane === "admin" ? "admin" : "medical"}/${columnOf(frame)}`)?.append(card);
    }
    for (const [id, card] of this.cards) move(card, before.get(id));
  }

  #drop(id, card) {
    card.remove();
    this.cards.delete(id);
  }

  #build() {
    this.lists.clear();
    const lane = (name) =>
      h(
        "section.lane",
        { "aria-label": t(`hospital.${name}`) },
        h("h3", null, t(`hospital.${name}`)),
        h("div.lane-columns", null, COLUMNS.map((column) => this.#column(name, column))),
      );
    this.root.replaceChildren(lane("medical"), lane("admin"));
  }

  #column(lane, column) {
    const list = h("ul", { "aria-label": `${t(`hospital.${lane}`)} · ${t(`hospital.${column}`)}` });
    this.lists.set(`${lane}/${column}`, list);
    return h("div.lane-column", { dataset: { lane, column } }, h("h4", null, t(`hospital.${column}`)), list);
  }
}

function look(frame) {
  const contested = frame.role === "focus" && frame.status === "pending";
  return contested ? "contested" : frame.status;
}

/** What stands on a card; slots that were just filled draw attention. @param {TaskFrame} frame @param {TaskFrame|undefined} before */
function inside(frame, before) {
  const filled = Object.entries(frame.slots || {}).map(([name, value]) =>
    h("li.slot", { class: before && before.slots[name] !== value ? "flash" : "" }, `${term("slot", name)}：${value}`),
  );
  const missing = (frame.missing_slots || []).map((name) => h("li.slot.missing", null, `${t("hospital.missing")}${term("slot", name)}`));
  const { summary } = frame.memory || {};
  return [
    h("header", null, h("strong", null, term("agent", frame.agent_code)), h("small", null, term("task", frame.status))),
    filled.length + missing.length > 0 && h("ul.slots", null, filled, missing),
    summary && h("small", null, summary),
  ];
}

/** Plays the way from where a card was to where it is. @param {HTMLElement} card @param {DOMRect|undefined} from */
function move(card, from) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  if (!from) {
    card.animate([{ opacity: 0, transform: "scale(.94)" }, { opacity: 1, transform: "none" }], { duration: MOVE_MS, easing: "ease-out" });
    return;
  }
  const to = card.getBoundingClientRect();
  const [x, y] = [from.left - to.left, from.top - to.top];
  if (x || y) card.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: MOVE_MS, easing: "ease-in-out" });
}
