// Why a turn came out as it did: everything the service tells about it, and the frames as they went over the wire.

import { bar, code, copy, download, fill, h, later } from "./dom.js";
import { namesIn } from "./home.js";
import { t, term } from "./i18n.js";
import { reportOf } from "./report.js";
import { property } from "./said.js";
import { homeOf } from "./conversation.js";

const PROMISES = [1, 2, 3, 4, 5];
const OPEN = new Set(["ambiguous", "no_reference"]);

/** The sentence with its mentions coloured; of overlapping mentions the first stays. Spans are code points. */
export function coloured(text, mentions) {
  const letters = [...text];
  const pieces = [];
  let at = 0;
  for (const mention of [...mentions].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (mention.start < at || mention.end > letters.length || mention.end <= mention.start) continue;
    if (mention.start > at) pieces.push(letters.slice(at, mention.start).join(""));
    const title = [mention.value, mention.type].filter(Boolean).join(" · ");
    const words = letters.slice(mention.start, mention.end).join("");
    pieces.push(h("mark", { dataset: { kind: mention.kind }, title }, words, h("small", null, term("mention", mention.kind))));
    at = mention.end;
  }
  pieces.push(letters.slice(at).join(""));
  return h("p.sentence", null, pieces);
}

/** What was understood instead of what was heard, change by change; what is in doubt is only asked about. */
export function heardOf(heard) {
  if (!heard) return null;
  const row = (kind) => (one) =>
    h("li", { dataset: { kind } }, h("del", null, one.heard), " → ", h("ins", null, one.understood || "∅"), h("small.muted", null, ` ${t(`why.${kind}`)} ${Math.round(one.sure * 100)}%`));
  return part(t("why.heard"), h("p", null, heard.understood), h("ul.heard", null, heard.changes.map(row("repaired")), heard.doubts.map(row("doubted"))));
}

/** A command string with its three parts coloured: 打开=50% - 客厅 - *#Light#all. */
function command(text) {
  const [action, scope, ...target] = text.split("-");
  return h("li.command", null, h("span.action", null, action), h("i", null, "-"), h("span.scope", null, scope), h("i", null, "-"), h("span.target", null, target.join("-")));
}

function part(title, ...content) {
  return h("section.part", null, h("h3", null, title), content);
}

function facts(rows) {
  const told = rows.filter(([, value]) => value !== undefined && value !== null && value !== "");
  return h("dl.facts", null, told.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
}

const json = (value, label) => code(JSON.stringify(value, null, 1), label);
const number = (value) => value.toLocaleString("en");

/** Resolves once the page has nothing more urgent to do: turns in quick succession are not all explained. */
function idle() {
  return new Promise((resolve) => (globalThis.requestIdleCallback ? requestIdleCallback(resolve, { timeout: 400 }) : setTimeout(resolve, 60)));
}

/** Draws the explanation of a turn. */
export class WhyView {
  /** @param {HTMLElement} root @param {{retrieve: (turn: any) => Promise<any>, origin: string, token?: string}} service */
  constructor(root, service) {
    this.root = root;
    this.service = service;
    this.turn = null;
    this.clear();
  }

  clear() {
    this.turn = null;
    const promises = PROMISES.map((number) => h("li", null, t(`why.promise.${number}`)));
    fill(this.root, h("section.part", null, h("p", null, t("why.empty")), h("ol.promises", null, promises)));
  }

  /** Shows a turn; what has to be asked for is added below once it is there, so that nothing jumps. */
  async show(turn) {
    this.turn = turn;
    const names = namesIn(homeOf(turn));
    const explain = turn.data?.explain;
    fill(this.root, explain && this.#told(turn, explain, names));
    await idle();
    if (this.turn !== turn) return;
    turn.retrieved ??= this.service.retrieve(turn).catch(() => null);
    const found = await turn.retrieved;
    if (this.turn !== turn) return;
    const settled = (explain?.findings || []).some((finding) => finding.status === "found");
    if (found && settled) found.hint = null; // what the dialogue settled need not be asked
    this.root.append(...(found ? this.#retrieval(found, names) : []), this.#frames(turn), this.#reporter(turn));
  }

  #told(turn, explain, names) {
    if (explain.replayed) return part(t("why.decision"), h("p", null, t("why.replayed")));
    return [this.#reading(turn, explain), this.#decision(turn, explain, names), this.#stages(turn, explain.microseconds)];
  }

  #reading(turn, { reading }) {
    if (!reading) return null;
    const sure = `${Math.round(reading.confidence * 100)}%`;
    return [
      part(t("why.sentence"), coloured(turn.question, reading.mentions)),
      heardOf(reading.heard),
      part(
        t("why.commands"),
        h("ul", null, reading.commands.length ? reading.commands.map(command) : h("li.muted", null, "—")),
        facts([
          [t("why.tier"), term("tier", reading.tier)],
          [t("why.confidence"), [bar(reading.confidence, `${t("why.confidence")} ${sure}`), ` ${sure}`]],
          [t("why.reason"), [...new Set([term("verdict", reading.verdict), reading.reason && term("unread", reading.reason)])].filter(Boolean).join(" · ")],
        ]),
      ),
    ];
  }

  #decision(turn, { rule, findings }, names) {
    return part(
      t("why.decision"),
      facts([[t("why.rule"), rule && h("span", { title: rule }, term("rule", rule))]]),
      findings.map((finding) => this.#finding(finding, names)),
    );
  }

  #finding({ query, status = "", ids = [], completed = "", notes = [] }, names) {
    const from = term("completed", completed);
    const look = status === "found" ? "" : OPEN.has(status) ? "open" : "failed";
    const call = (id) => names.get(id) || id;
    const chips = [
      ...ids.map((id) => h("span.chip", null, call(id))),
      ...notes.map((note) => h("span.chip", null, [note.device_id && call(note.device_id), term("note", note.code), note.attribute && property(note.attribute), note.detail].filter(Boolean).join(" · "))),
    ];
    return h(
      "div.finding",
      { class: look },
      h("p", null, h("strong", null, [query.action, query.value, query.when].filter(Boolean).join(" ")), ` → ${term("status", status)}`),
      from !== completed && h("p.muted", null, `${t("why.completed")}：${from}`),
      chips.length > 0 && h("p.chips", null, chips),
    );
  }

  #stages(turn, stages) {
    const entries = Object.entries(stages);
    const total = entries.reduce((sum, [, micros]) => sum + micros, 0);
    const slices = entries.map(([name, micros], index) => {
      const slice = h("span", { class: `shade-${index % 7}`, title: `${term("stage", name)} ${micros} µs` });
      slice.style.flexGrow = String(Math.max(1, micros));
      return slice;
    });
    const legend = entries.map(([name, micros], index) => h("li.num", null, h("i", { class: `shade-${index % 7}` }), `${term("stage", name)} ${number(micros)}`));
    const round = turn.ms && h("p.muted.num", null, t("why.round", turn.ms));
    return part(t("why.stages", number(total)), h("div.stack", { "aria-hidden": "true" }, slices), h("ul.legend", null, legend), round);
  }

  #retrieval(found, names) {
    const rows = found.candidates.map((candidate) => this.#candidate(candidate, names));
    const parts = [part(t("why.candidates"), rows.length ? h("ul.candidates", null, rows) : h("p.muted", null, t("why.none")))];
    if (found.hint) parts.push(part(t("why.hint"), h("p", null, found.hint)));
    if (found.yaml !== undefined) parts.push(this.#yaml(found));
    if (found.queries) parts.push(h("section.part", null, later("details", null, t("why.queries"), () => json(found.queries, t("why.queries")))));
    return parts;
  }

  #candidate({ entity_id: id, role, score, reasons = [], command_ids: commands = [] }, names) {
    const why = reasons.map((reason) => {
      const [name, value] = reason.split(":");
      return value ? `${term("score", name)} ${value}` : reason;
    });
    const told = commands.map((one) => property(one.split(":")[0]));
    return h(
      "li.candidate",
      { class: role },
      h("span", null, names.get(id) || id),
      bar(score, `${names.get(id) || id} ${score.toFixed(2)}`),
      h("span.num", null, score.toFixed(2)),
      h("small.muted", null, [term("role", role), ...why, ...new Set(told)].join(" · ")),
    );
  }

  #yaml({ yaml, tokens, home_tokens: whole }) {
    const most = Math.max(1, tokens, whole);
    const row = (name, value, look) => {
      const share = bar(value / most, `${name} ${value}`);
      if (look) share.classList.add(look);
      return [h("span", null, name), share, h("span.num", null, `${number(value)} ${t("why.token")}`)];
    };
    return part(t("why.yaml"), h("div.tokens", null, row(t("why.tokens"), tokens, ""), row(t("why.whole"), whole, "whole")), code(yaml, t("why.yaml")));
  }

  #frames(turn) {
    const sent = turn.frames.find((frame) => frame.direction === "sent");
    const frames = turn.frames.map(({ direction, text }) =>
      later(
        "details.frame",
        { dataset: { way: direction } },
        [h("span.way", null, t(`why.${direction}`)), h("span.muted.num", null, t("why.bytes", number(new Blob([text]).size)))],
        () => [json(JSON.parse(text), t(`why.${direction}`)), h("div.row", null, this.#copier("why.copy", text))],
      ),
    );
    return part(
      t("why.frames"),
      frames,
      sent && h("div.row", null, this.#copier("why.curl", this.#curl(sent.text)), this.#copier("why.websocat", this.#websocat(sent.text))),
    );
  }

  #reporter(turn) {
    const save = () => download(`tingdong-turn-${turn.rid.slice(0, 8)}.json`, JSON.stringify(reportOf(turn), null, 2));
    return h("section.part", null, h("div.row", null, h("button", { type: "button", onclick: save }, t("why.report"))), h("p.muted", null, t("why.report.about")));
  }

  #copier(key, text) {
    const button = h("button.quiet", { type: "button" }, t(key));
    button.addEventListener("click", async () => {
      await copy(text);
      button.textContent = t("why.copied");
      setTimeout(() => (button.textContent = t(key)), 1500);
    });
    return button;
  }

  #curl(text) {
    const { rid, payload } = JSON.parse(text);
    const token = this.service.token ? ` -H ${quoted(`authorization: Bearer ${this.service.token}`)}` : "";
    return `curl -s ${this.service.origin}/v1/understand${token} -H 'content-type: application/json' -d ${quoted(JSON.stringify({ rid, ...payload }))}`;
  }

  #websocat(text) {
    const url = this.service.origin.replace(/^http/, "ws");
    const token = this.service.token ? ` -H ${quoted(`Authorization: Bearer ${this.service.token}`)}` : "";
    return `printf '%s\\n' ${quoted(text)} | websocat -n${token} ${url}/agent/smarthome-gpt/llm/stream`;
  }
}

/** A shell word in single quotes. */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
