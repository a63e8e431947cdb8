// The hospital tab: one conversation, a board of task cards, and how each turn was read.

import { Board } from "./board.js";
import { PipeClient, uniqueId } from "./client.js";
import { code, fill, h, later } from "./dom.js";
import { HOSPITAL } from "./examples.js";
import { t, term } from "./i18n.js";
import { relationsOf } from "./relations.js";
import { operationReason } from "./said.js";
import { toEnd, troubleOf } from "./conversation.js";
import { heardOf } from "./why.js";

const GIVE_UP_AFTER = 3;

/** The tab; it connects when it is opened first. */
export class HospitalTab {
  /** @param {HTMLElement} root @param {string} url @param {string} token */
  constructor(root, url, token) {
    this.root = root;
    this.pipe = new PipeClient(url, { topic: "llm/hospital", token });
    this.pageId = uniqueId();
    /** @type {any[]} */
    this.turns = [];
    this.built = false;
    this.failures = 0;
    this.pipe.addEventListener("status", () => this.#status());
  }

  open() {
    if (!this.built) this.#build();
    this.pipe.open();
  }

  translate() {
    if (this.built) this.#build();
  }

  /** A service without this desk refuses every handshake: after a few the tab says so, instead of trying for ever. */
  #status() {
    if (this.pipe.status === "open") this.failures = 0;
    if (this.pipe.status === "closed") this.failures += 1;
    const absent = this.failures >= GIVE_UP_AFTER;
    if (absent) this.pipe.close();
    if (this.trouble) this.trouble.hidden = !absent;
  }

  #build() {
    this.built = true;
    const frames = this.board?.frames || [];
    this.messages = h("div.board.current", { role: "log", tabindex: 0, "aria-label": t("nav.talk") });
    this.lanes = h("div");
    this.board = new Board(this.lanes);
    this.detail = h("div.why-body");
    this.trouble = h("p.trouble", { hidden: true }, t("hospital.absent"), h("button.quiet", { type: "button", onclick: () => this.#retry() }, t("status.now")));
    fill(this.root, this.#plan(), this.#talk(), this.#why());
    if (!this.turns.length) fill(this.messages, this.#empty());
    for (const turn of this.turns) this.#say(turn);
    this.board.show(frames);
    const last = this.turns.findLast((turn) => turn.data);
    if (last) this.#explain(last);
  }

  #plan() {
    return h("section.side.plan", { "aria-label": t("nav.board") }, h("header.bar", null, h("h2", null, t("hospital.title"))), this.lanes);
  }

  #talk() {
    this.field = h("input", { maxlength: 1000, enterkeyhint: "send", placeholder: t("hospital.placeholder"), "aria-label": t("talk.say"), id: "hospital-question" });
    const form = h("form.ask", { autocomplete: "off", onsubmit: (event) => this.#submit(event) }, this.trouble, this.field, h("button", { type: "submit" }, t("talk.send")));
    const shelf = h("details.shelf", null, h("summary", null, t("try.title")), h("div.options", null, this.#examples()));
    return h(
      "section.side.talk",
      { "aria-label": t("nav.talk") },
      h("header.bar", null, h("h2", null, t("nav.talk")), h("button.quiet", { type: "button", onclick: () => this.#renew() }, t("talk.new"))),
      h("div.boards", null, this.messages),
      form,
      shelf,
    );
  }

  #why() {
    return h("section.side.why", { "aria-label": t("hospital.why") }, h("header.bar", null, h("h2", null, t("hospital.why"))), this.detail);
  }

  #empty() {
    return h("div.empty", null, h("h3", null, t("hospital.empty")), h("p.muted", null, t("hospital.empty.about")), h("div.options", null, this.#examples()));
  }

  #examples() {
    return HOSPITAL.map((turns) => h("button.option.small", { type: "button", onclick: () => this.#play(turns) }, turns.join(" → ")));
  }

  #retry() {
    this.failures = 0;
    this.trouble.hidden = true;
    this.pipe.open();
  }

  #renew() {
    this.pageId = uniqueId();
    this.turns = [];
    this.board.clear();
    this.#build();
  }

  async #play(turns) {
    if (this.turns.length) this.#renew();
    for (const text of turns) await this.ask(text);
  }

  #submit(event) {
    event.preventDefault();
    const text = this.field.value.trim();
    this.field.value = "";
    if (text) this.ask(text);
  }

  /** One turn. @param {string} text */
  async ask(text) {
    const turn = { text, intent: null, data: null, error: null, group: null };
    this.turns.push(turn);
    this.#say(turn);
    try {
      const data = await this.pipe.request({ page_id: this.pageId, question: text }, { onToken: (intent) => { turn.intent = intent; this.#say(turn); } });
      turn.data = data.active.turn;
      turn.intent = data.active.intent;
    } catch (error) {
      turn.error = error;
    }
    this.#say(turn);
    if (!turn.data) return;
    this.board.show(turn.data.frames);
    this.#explain(turn);
  }

  #say(turn) {
    if (!turn.group?.isConnected) {
      this.messages.querySelector(".empty")?.remove();
      for (const old of this.messages.querySelectorAll(".options")) old.remove();
      turn.group = h("div.turn");
      this.messages.append(turn.group);
    }
    fill(turn.group, h("p.said-by-user", null, turn.text), this.#reply(turn), this.#choices(turn));
    toEnd(this.messages);
  }

  #reply({ intent, data, error, ...turn }) {
    if (error) return h("p.reply.error", { role: "alert" }, troubleOf(error));
    if (!intent) return h("p.reply", { "aria-busy": "true" }, "…");
    const alarm = data && data.safety.label !== "normal";
    return h(
      "button.reply",
      { type: "button", class: `${intent.type} ${alarm ? "error" : ""}`, onclick: () => data && this.#explain({ data, ...turn }) },
      h("span.kind", null, alarm ? term("safety", data.safety.label) : term("kind", intent.type)),
      h("span.text", null, intent.result),
    );
  }

  /** A clarify between two tasks is answered by a tap: the former, or the latter. */
  #choices(turn) {
    const { clarify, frames = [] } = turn.data || {};
    if (!clarify || turn !== this.turns.at(-1) || clarify.frame_ids.length !== 2) return null;
    const words = ["前一个", "后一个"];
    const labels = ["hospital.former", "hospital.latter"];
    const buttons = clarify.frame_ids.map((id, index) => {
      const frame = frames.find((one) => one.frame_id === id);
      const about = frame ? `：${frame.memory?.summary || term("agent", frame.agent_code)}` : "";
      return h("button.option", { type: "button", onclick: () => this.ask(words[index]) }, t(labels[index]) + about);
    });
    return h("div.options", { role: "group", "aria-label": t("talk.options") }, buttons);
  }

  #explain({ data }) {
    const { safety } = data;
    const alarm = safety.label !== "normal";
    fill(
      this.detail,
      alarm && h("section.part.alarm", null, h("h3", null, t("hospital.safety")), h("p", null, [term("safety", safety.label), term("safety", safety.action), ...(safety.evidence || [])].join(" · "))),
      heardOf(data.heard),
      data.segments.length > 0 && h("section.part", null, h("h3", null, t("hospital.segments")), relationsOf(data)),
      h("section.part", null, h("h3", null, t("hospital.ops")), this.#timeline()),
      h("section.part", null, later("details", null, t("hospital.context"), () => code(JSON.stringify(data, null, 1), "IntentContext"))),
    );
  }

  #timeline() {
    const told = this.turns.filter((turn) => turn.data);
    return h("ol.timeline", null, told.map(({ text, data }) => h("li", null, h("small.muted", null, text), h("ul", null, data.intent_ops.map(operation)))));
  }
}

function operation({ op, target, priority, reason, executed }) {
  const targets = target.split("|").map((code) => term("agent", code)).join(" | ");
  return h(
    "li.op",
    { class: executed === false ? "recorded" : "done", dataset: { op } },
    h("span.priority", null, String(priority)),
    h("strong", null, term("op", op)),
    h("span", null, targets),
    h("small.muted", null, [executed === false && t("hospital.recorded"), reason && operationReason(reason)].filter(Boolean).join(" · ")),
  );
}
