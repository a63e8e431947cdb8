// Conversations side by side: each page has its own page_id and transcript; all share the home.

import { fill, h } from "./dom.js";
import { t } from "./i18n.js";

/**
 * One turn of a page: what was asked, what came back, and everything needed to explain it.
 * @typedef {{rid: string, question: string, local: string, home: any, frames: Array<{direction: string, text: string}>,
 *   intent: any, data: any, error: Error|null, changed: string[]}} Turn
 */

let pageCount = 0;

/** A conversation. */
export class Page {
  constructor() {
    this.id = crypto.randomUUID();
    this.number = ++pageCount;
    /** @type {Turn[]} */
    this.turns = [];
  }
}

/** Draws the pages and their messages. */
export class TalkView {
  /**
   * @param {{pages: HTMLElement, messages: HTMLElement, options: HTMLElement}} roots
   * @param {{onSelect: (turn: Turn) => void, onOption: (text: string) => void, onPage: (page: Page) => void,
   *   onClose: (page: Page) => void}} actions
   */
  constructor(roots, actions) {
    this.roots = roots;
    this.actions = actions;
    this.page = null;
    this.selected = null;
    this.bubbles = new Map();
  }

  /** @param {Page[]} pages @param {Page} current */
  show(pages, current) {
    this.page = current;
    this.bubbles.clear();
    fill(
      this.roots.pages,
      pages.map((page) =>
        h(
          "span.page",
          null,
          h(
            "button",
            {
              type: "button",
              role: "tab",
              "aria-selected": String(page === current),
              onclick: () => this.actions.onPage(page),
            },
            `${t("talk.page")} ${page.number}`,
          ),
          pages.length > 1 &&
            h(
              "button.close",
              {
                type: "button",
                "aria-label": `${t("talk.close")} ${page.number}`,
                onclick: () => this.actions.onClose(page),
              },
              "×",
            ),
        ),
      ),
    );
    fill(this.roots.messages, current.turns.length ? null : h("p.muted.empty", null, t("talk.empty")));
    for (const turn of current.turns) this.add(turn);
    this.#options(current.turns.at(-1));
  }

  /** Adds a turn's bubbles, or draws them again once more is known. */
  add(turn) {
    let group = this.bubbles.get(turn);
    if (!group) {
      this.roots.messages.querySelector(".empty")?.remove();
      group = h("div.turn");
      this.bubbles.set(turn, group);
      this.roots.messages.append(group);
    }
    fill(group, h("p.said", null, turn.question), this.#answer(turn));
    group.classList.toggle("selected", turn === this.selected);
    if (turn === this.page.turns.at(-1)) {
      this.#options(turn);
      this.roots.messages.scrollTop = this.roots.messages.scrollHeight;
    }
  }

  select(turn) {
    this.selected = turn;
    for (const [known, group] of this.bubbles) group.classList.toggle("selected", known === turn);
  }

  #answer(turn) {
    if (turn.error) return h("p.reply.error", { role: "alert" }, turn.error.message || t("talk.failed"));
    if (!turn.intent) return h("p.reply.waiting", { "aria-busy": "true" }, "…");
    const kind = turn.intent.type;
    return h(
      "button.reply",
      { type: "button", class: `reply ${kind}`, onclick: () => this.actions.onSelect(turn) },
      h("span.kind", null, t(`kind.${kind}`)),
      h("span.text", null, turn.intent.result),
      turn.changed.length > 0 && h("span.changed", null, `${turn.changed.length} ${t("talk.acted")}`),
    );
  }

  #options(turn) {
    const options = turn?.data?.explain?.options || [];
    fill(
      this.roots.options,
      options.map((text) =>
        h("button.option", { type: "button", onclick: () => this.actions.onOption(text) }, text),
      ),
    );
  }
}

/** Dictation where the browser has it; null elsewhere. */
export function dictation(onText, onState) {
  const Recognition = globalThis.SpeechRecognition || globalThis.webkitSpeechRecognition;
  if (!Recognition) return null;
  const recognition = new Recognition();
  recognition.lang = "zh-CN";
  recognition.interimResults = true;
  recognition.addEventListener("result", (event) => {
    const result = event.results[event.results.length - 1];
    onText(result[0].transcript, result.isFinal);
  });
  recognition.addEventListener("start", () => onState(true));
  recognition.addEventListener("end", () => onState(false));
  return recognition;
}
