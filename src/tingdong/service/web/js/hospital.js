// The hospital tab: one conversation, lanes with focus and queue, ops, slots, and relations between segments drawn.

import { PipeClient } from "./client.js";
import { fill, h, svg } from "./dom.js";
import { HOSPITAL } from "./examples.js";
import { t } from "./i18n.js";

const ENDED = new Set(["completed", "canceled"]);

/** The tab; it connects when it is opened first. */
export class HospitalTab {
  /** @param {HTMLElement} root @param {string} url */
  constructor(root, url) {
    this.root = root;
    this.pipe = new PipeClient(url, { topic: "llm/hospital" });
    this.pageId = crypto.randomUUID();
    this.turns = [];
    this.built = false;
  }

  open() {
    if (!this.built) this.#build();
    this.pipe.open();
  }

  translate() {
    if (this.built) this.#build();
  }

  #build() {
    this.built = true;
    this.messages = h("div.messages", { role: "log", "aria-live": "polite", tabindex: 0, "aria-label": t("nav.talk") });
    this.lanes = h("div.lanes");
    this.detail = h("div.why-body", { tabindex: 0, "aria-label": t("hospital.segments") });
    this.field = h("input", { maxlength: 1000, required: true, placeholder: t("hospital.placeholder"), "aria-label": t("nav.talk"), id: "hospital-question" });
    const form = h("form.ask", { autocomplete: "off", onsubmit: (event) => this.#submit(event) }, this.field, h("button", { type: "submit" }, t("talk.send")));
    const examples = HOSPITAL.map((turns) => h("button.option", { type: "button", onclick: () => this.#play(turns) }, turns.join(" → ")));
    fill(
      this.root,
      h("section.plan", null, h("header.bar", null, h("h2", null, t("hospital.focus"))), this.lanes),
      h("section.talk", null, h("header.bar", null, h("h2", null, t("nav.talk")), h("button.quiet.square", { type: "button", "aria-label": t("talk.new"), onclick: () => this.#renew() }, "＋")), this.messages, form, h("div.options.shelf", null, examples)),
      h("section.why", null, h("header.bar", null, h("h2", null, t("hospital.segments"))), this.detail),
    );
    for (const turn of this.turns) this.#say(turn);
    const last = this.turns.at(-1);
    this.#lanes(last?.data?.context?.frames || []);
    if (last?.data) this.#explain(last);
  }

  #renew() {
    this.pageId = crypto.randomUUID();
    this.turns = [];
    this.#build();
  }

  async #play(turns) {
    this.#renew();
    for (const text of turns) await this.#ask(text);
  }

  #submit(event) {
    event.preventDefault();
    const text = this.field.value.trim();
    this.field.value = "";
    if (text) this.#ask(text);
  }

  async #ask(text) {
    const turn = { text, data: null, error: null, group: null };
    this.turns.push(turn);
    this.#say(turn);
    try {
      turn.data = await this.pipe.request({ page_id: this.pageId, question: text });
    } catch (error) {
      turn.error = error;
    }
    this.#say(turn);
    if (turn.data) {
      this.#lanes(contextOf(turn.data).frames || []);
      this.#explain(turn);
    }
  }

  #say(turn) {
    if (!turn.group?.isConnected) {
      turn.group = h("div.turn");
      this.messages.append(turn.group);
    }
    const reply = turn.error
      ? h("p.reply.error", { role: "alert" }, turn.error.message || t("talk.failed"))
      : turn.data
        ? h("button.reply.answer", { type: "button", onclick: () => this.#explain(turn) }, contextOf(turn.data).reply)
        : h("p.reply.waiting", { "aria-busy": "true" }, "…");
    fill(turn.group, h("p.said", null, turn.text), reply);
    this.messages.scrollTop = this.messages.scrollHeight;
  }

  #lanes(frames) {
    const lane = (name) => {
      const own = frames.filter((frame) => frame.lane === name);
      const group = (key, members) => h("div.slot-group", null, h("h4", null, t(key)), members.length ? members.map(card) : h("p.muted", null, t("hospital.nothing")));
      return h(
        "section.room",
        { "aria-label": t(`hospital.${name}`) },
        h("header", null, h("h3", null, t(`hospital.${name}`))),
        group("hospital.focus", own.filter((f) => f.role === "focus" && !ENDED.has(f.status))),
        group("hospital.queued", own.filter((f) => f.role !== "focus" && !ENDED.has(f.status))),
        group("hospital.done", own.filter((f) => ENDED.has(f.status))),
      );
    };
    fill(this.lanes, lane("medical"), lane("admin"));
  }

  #explain(turn) {
    const data = contextOf(turn.data);
    fill(
      this.detail,
      h("section.part", null, h("h3", null, t("hospital.segments")), relationsOf(data)),
      h("section.part", null, h("h3", null, t("hospital.ops")), opsOf(data.intent_ops || [])),
      data.safety && h("section.part", null, h("h3", null, t("hospital.safety")), h("p", null, `${data.safety.label} · ${data.safety.action}`)),
      h("section.part", null, h("details", null, h("summary", null, "JSON"), h("pre.code-block", null, JSON.stringify(data, null, 1)))),
    );
  }
}

/** The turn's context, whichever way the closing frame carries it. */
function contextOf(data) {
  return data.active?.turn || data.turn || data.active || data;
}

function card(frame) {
  const slots = Object.entries(frame.slots || {});
  return h(
    "article.frame-card",
    { class: `frame-card ${frame.status}`, dataset: { agent: frame.agent_code } },
    h("header", null, h("strong", null, frame.agent_code), h("span.muted", null, `${frame.role} · ${frame.status}`)),
    slots.length > 0 && h("dl.facts", null, slots.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, String(value))))),
    frame.missing_slots?.length > 0 && h("p.missing", null, `${t("hospital.missing")}：${frame.missing_slots.join("、")}`),
    frame.memory?.summary && h("small.muted", null, frame.memory.summary),
  );
}

function opsOf(ops) {
  return h(
    "ol.ops",
    null,
    ops.map((op) =>
      h("li", { class: op.executed === false ? "recorded" : "done" }, h("span.priority", null, String(op.priority)), h("strong", null, op.op), ` ${op.target} `, h("small.muted", null, op.reason || "")),
    ),
  );
}

/** Segments in a row, with an arc for every relation between two of them. */
function relationsOf({ segments = [], relations = [] }) {
  const list = h("ul.segments", null, segments.map((segment) => h("li", { dataset: { agent: segment.agent_code } }, h("span", null, segment.text), h("small", null, segment.agent_code))));
  if (!relations.length) return list;
  const step = 100;
  const x = (index) => (index + 1.5) * step;
  const drawing = svg("svg", { viewBox: `0 0 ${(segments.length + 1) * step} 70`, class: "arcs", role: "img", "aria-label": relations.map((r) => `${r.a}–${r.b} ${r.type}`).join(", ") });
  for (const { a, b, type } of relations) {
    const [from, to] = [x(a), x(b)];
    drawing.append(
      svg("path", { d: `M${from} 62 Q${(from + to) / 2} ${-10} ${to} 62`, class: `arc ${type}` }),
      svg("text", { x: (from + to) / 2, y: 18, "text-anchor": "middle" }, type),
    );
  }
  segments.forEach((_, index) => drawing.append(svg("circle", { cx: x(index), cy: 62, r: 4 }), svg("text", { x: x(index), y: 52, "text-anchor": "middle" }, String(index + 1))));
  return [drawing, list];
}
