// Conversations side by side: each page has its own page_id, transcript and board; all share the home.

import { RefusedError, uniqueId } from "./client.js";
import { fill, h } from "./dom.js";
import { t, term } from "./i18n.js";
import { moment } from "./said.js";

const MOST_DEEDS = 6;

/**
 * One turn of a page: what was asked, what came back, and everything needed to explain it.
 * @typedef {{rid: string, question: string, alternatives: string[], local: string, before: string[],
 *   frames: Array<{direction: string, text: string}>,
 *   intent: any, data: any, error: Error|null, done?: Promise<void>, retrieved?: Promise<any>, ms?: number}} Turn
 */

/** The home as it was sent with a turn. @param {Turn} turn */
export function homeOf(turn) {
  const sent = turn.frames.find((frame) => frame.direction === "sent");
  return sent ? JSON.parse(sent.text).payload.home : { devices: [] };
}

let pageCount = 0;

/** A conversation. */
export class Page {
  constructor() {
    this.id = uniqueId();
    this.number = ++pageCount;
    this.news = false;
    /** @type {Turn[]} */
    this.turns = [];
    /** @type {Turn|null} */
    this.selected = null;
  }
}

/** Draws the pages and their messages. */
export class ConversationView {
  /**
   * @param {{pages: HTMLElement, boards: HTMLElement}} roots
   * @param {{onSelect: (turn: Turn) => void, onSay: (text: string, page: Page) => void, onPage: (page: Page) => void,
   *   onClose: (page: Page) => void, ideas: () => string[]}} actions
   */
  constructor(roots, actions) {
    this.roots = roots;
    this.actions = actions;
    /** @type {Map<Page, HTMLElement>} */
    this.boards = new Map();
    /** @type {Map<Turn, HTMLElement>} */
    this.groups = new Map();
  }

  /** Brings tabs and boards in line with the pages; what is already drawn stays. @param {Page[]} pages @param {Page} current */
  show(pages, current) {
    for (const [page, board] of this.boards) {
      if (pages.includes(page)) continue;
      board.remove();
      this.boards.delete(page);
      for (const turn of page.turns) this.groups.delete(turn);
    }
    for (const page of pages) if (!this.boards.has(page)) this.#open(page);
    for (const [page, board] of this.boards) board.classList.toggle("current", page === current);
    current.news = false;
    fill(this.roots.pages, pages.map((page) => this.#tab(page, page === current, pages.length > 1)));
  }

  /** Draws everything again, in the language that is now spoken. @param {Page[]} pages @param {Page} current */
  redraw(pages, current) {
    for (const board of this.boards.values()) board.remove();
    this.boards.clear();
    this.groups.clear();
    this.show(pages, current);
  }

  /** Draws a turn, or draws it again once more is known. @param {Page} page @param {Turn} turn */
  draw(page, turn) {
    const board = this.boards.get(page);
    if (!board) return;
    let group = this.groups.get(turn);
    if (!group) {
      board.querySelector(".empty")?.remove();
      this.#retire(page.turns.at(-2));
      group = h("div.turn");
      this.groups.set(turn, group);
      board.append(group);
    }
    fill(group, h("p.said-by-user", null, turn.question), this.#answer(page, turn), this.#options(page, turn));
    group.classList.toggle("selected", turn === page.selected);
    if (turn === page.turns.at(-1)) toEnd(board);
  }

  /** @param {Page} page @param {Turn} turn */
  select(page, turn) {
    const last = page.selected;
    page.selected = turn;
    if (last) this.groups.get(last)?.classList.remove("selected");
    this.groups.get(turn)?.classList.add("selected");
  }

  #open(page) {
    const board = h("div.board", {
      role: "log",
      tabindex: 0,
      "aria-label": t("talk.page", page.number),
      onclick: () => this.actions.onPage(page),
    });
    this.boards.set(page, board);
    this.roots.boards.append(board);
    if (!page.turns.length) fill(board, this.#empty(page));
    for (const turn of page.turns) this.draw(page, turn);
  }

  #empty(page) {
    const ideas = this.actions.ideas().map((text) => this.#sayer(page, text));
    return h("div.empty", null, h("h3", null, t("talk.empty")), h("p.muted", null, t("talk.empty.about")), h("div.options", null, ideas));
  }

  #tab(page, chosen, closable) {
    const name = h("button", { type: "button", "aria-pressed": String(chosen), onclick: () => this.actions.onPage(page) }, t("talk.page", page.number));
    name.classList.toggle("news", page.news);
    const close = closable && h("button.close", { type: "button", "aria-label": t("talk.close", page.number), onclick: () => this.actions.onClose(page) }, "×");
    return h("span.page", null, name, close);
  }

  #answer(page, turn) {
    if (turn.error) return h("p.reply.error", { role: "alert" }, troubleOf(turn.error));
    if (!turn.intent) return h("p.reply", { "aria-busy": "true" }, "…");
    const { type: kind, result } = turn.intent;
    return h(
      "button.reply",
      { type: "button", class: kind, "aria-busy": turn.data ? null : "true", onclick: () => this.actions.onSelect(turn) },
      h("span.kind", null, term("kind", kind)),
      h("span.text", null, result),
      this.#deeds(turn.data ? [...turn.data.active.instructs, ...(turn.data.active.scheduled || [])] : []),
    );
  }

  #deeds(instructs) {
    if (instructs.length < 2 && !instructs[0]?.when) return null;
    const shown = instructs.slice(0, MOST_DEEDS).map((one) => h("span.chip", null, one.when ? `${one.summary || one.id} · ${moment(one.when)}` : one.summary || one.id));
    const more = instructs.length - shown.length;
    return h("span.did", null, shown, more > 0 && h("span.chip", null, t("talk.more", more)));
  }

  #options(page, turn) {
    const options = turn.data?.explain?.options || [];
    if (!options.length || turn !== page.turns.at(-1)) return null;
    return h("div.options", { role: "group", "aria-label": t("talk.options") }, options.map((text) => this.#sayer(page, text)));
  }

  /** Answers that are no longer to be tapped go away. */
  #retire(turn) {
    if (turn) this.groups.get(turn)?.querySelector(".options")?.remove();
  }

  #sayer(page, text) {
    const tap = () => {
      this.actions.onSay(text, page);
      // The answers are gone, and the focus with them: it goes on where the reply comes.
      if (document.activeElement === document.body) this.boards.get(page)?.focus({ preventScroll: true });
    };
    return h("button.option", { type: "button", onclick: tap }, text);
  }
}

/** Scrolls a board to its end, once a frame however often it is asked to. @param {any} board */
export function toEnd(board) {
  if (board.ending) return;
  board.ending = true;
  requestAnimationFrame(() => {
    board.ending = false;
    board.scrollTop = board.scrollHeight;
  });
}

/** What went wrong, for a person. @param {Error} error */
export function troubleOf(error) {
  if (error instanceof RefusedError) return error.path ? `${error.message}（${error.path}）` : error.message;
  return error.message === "timeout" ? t("talk.timeout") : t("talk.failed");
}
