// Why a turn came out as it did: everything the service tells about it, and the frames as they went over the wire.

import { copy, download, fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { reportOf } from "./report.js";

/** The sentence with its mentions coloured; overlapping mentions keep the first. */
export function coloured(text, mentions) {
  const letters = [...text];
  const pieces = [];
  let at = 0;
  for (const mention of [...mentions].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (mention.start < at || mention.end > letters.length) continue;
    if (mention.start > at) pieces.push(letters.slice(at, mention.start).join(""));
    pieces.push(
      h(
        "mark",
        { dataset: { kind: mention.kind }, title: [mention.kind, mention.value, mention.type].filter(Boolean).join(" · ") },
        letters.slice(mention.start, mention.end).join(""),
        h("small", null, mention.kind),
      ),
    );
    at = mention.end;
  }
  pieces.push(letters.slice(at).join(""));
  return h("p.sentence", null, pieces);
}

function part(key, ...content) {
  return h("section.part", null, h("h3", null, t(key)), content);
}

function table(rows) {
  return h(
    "dl.facts",
    null,
    rows.filter(([, value]) => value !== undefined && value !== null && value !== "").map(([name, value]) =>
      h("div", null, h("dt", null, name), h("dd", null, value)),
    ),
  );
}

function bar(value, most = 1) {
  return h("meter", { min: 0, max: most, value, "aria-label": String(value) });
}

/** Draws the explanation of a turn. */
export class WhyView {
  /** @param {HTMLElement} root @param {{retrieve: (turn: any) => Promise<any>, origin: string}} service */
  constructor(root, service) {
    this.root = root;
    this.service = service;
    this.turn = null;
    this.clear();
  }

  clear() {
    this.turn = null;
    fill(this.root, h("p.muted", null, t("why.empty")));
  }

  async show(turn) {
    this.turn = turn;
    const explain = turn.data?.explain;
    const retrieved = h("div");
    fill(
      this.root,
      explain && this.#reading(turn, explain),
      explain && this.#decision(explain),
      retrieved,
      explain?.microseconds && this.#stages(explain.microseconds),
      this.#frames(turn),
      h("div.row", null, h("button", { type: "button", onclick: () => this.#report(turn) }, t("why.report"))),
    );
    try {
      const found = await this.service.retrieve(turn);
      if (this.turn === turn) fill(retrieved, this.#retrieval(turn, found));
    } catch {
      if (this.turn === turn) fill(retrieved);
    }
  }

  #reading(turn, { reading, addressee }) {
    if (!reading) return part("why.decision", table([["addressee", addressee?.call || String(addressee ?? "")]]));
    return [
      part("why.sentence", coloured(turn.question, reading.mentions || [])),
      part("why.commands", h("pre.code-block", null, JSON.stringify(reading.commands, null, 1))),
      h(
        "section.part",
        null,
        table([
          [t("why.tier"), reading.tier],
          [t("why.confidence"), [bar(reading.confidence), ` ${Math.round(reading.confidence * 100)}%`]],
          [t("why.reason"), [reading.verdict, reading.reason].filter(Boolean).join(" · ")],
        ]),
      ),
    ];
  }

  #decision({ rule, findings = [] }) {
    return part(
      "why.decision",
      table([["rule", rule]]),
      findings.map((finding) =>
        h(
          "details.finding",
          null,
          h("summary", null, `${finding.query.action}${finding.query.value ? `=${finding.query.value}` : ""} · ${finding.status}`),
          h("pre.code-block", null, JSON.stringify(finding, null, 1)),
        ),
      ),
    );
  }

  #retrieval(turn, found) {
    const names = new Map(turn.home.devices.map((d) => [d.id, `${d.local || ""}${d.name}`]));
    for (const entity of [...(turn.home.groups || []), ...(turn.home.scenes || [])]) names.set(entity.id, entity.name);
    const rows = found.candidates.map((candidate) =>
      h(
        "li.candidate",
        null,
        h("span.name", null, names.get(candidate.entity_id) || candidate.entity_id),
        bar(candidate.score),
        h("span.muted", null, `${candidate.role} ${candidate.score.toFixed(2)}`),
        candidate.reasons?.length > 0 && h("small.muted", null, candidate.reasons.join("、")),
      ),
    );
    return [
      part("why.candidates", rows.length ? h("ul.candidates", null, rows) : h("p.muted", null, t("why.none"))),
      found.hint && part("why.hint", h("p", null, found.hint)),
      found.queries && part("why.queries", h("pre.code-block", null, JSON.stringify(found.queries, null, 1))),
      found.yaml !== undefined &&
        part(
          "why.yaml",
          h("p", null, `${found.tokens} ${t("why.tokens")}（${t("why.of")} ${found.home_tokens}）`, bar(found.tokens, found.home_tokens || 1)),
          h("pre.code-block", null, found.yaml),
        ),
    ];
  }

  #stages(stages) {
    const most = Math.max(1, ...Object.values(stages));
    return part(
      "why.stages",
      h(
        "ul.stages",
        null,
        Object.entries(stages).map(([name, value]) => h("li", null, h("span.name", null, name), bar(value, most), h("span", null, String(value)))),
      ),
    );
  }

  #frames(turn) {
    const sent = turn.frames.find((frame) => frame.direction === "sent");
    return part(
      "why.frames",
      turn.frames.map(({ direction, text }) =>
        h(
          "details.frame",
          null,
          h("summary", null, `${t(`why.${direction}`)} · ${text.length.toLocaleString()}`),
          h("pre.code-block", null, JSON.stringify(JSON.parse(text), null, 1)),
          this.#copier("why.copy", text),
        ),
      ),
      sent && h("div.row", null, this.#copier("why.curl", this.#curl(sent.text)), this.#copier("why.websocat", this.#websocat(sent.text))),
    );
  }

  #copier(key, text) {
    const button = h("button.quiet", { type: "button" }, t(key));
    button.addEventListener("click", async () => {
      await copy(text);
      button.textContent = t("why.copied");
    });
    return button;
  }

  #curl(text) {
    const { rid, payload } = JSON.parse(text);
    return `curl -s ${this.service.origin}/v1/understand -H 'content-type: application/json' -d ${quoted(JSON.stringify({ rid, ...payload }))}`;
  }

  #websocat(text) {
    const url = this.service.origin.replace(/^http/, "ws");
    return `printf '%s\\n' ${quoted(text)} | websocat -n ${url}/agent/smarthome-gpt/llm/stream`;
  }

  #report(turn) {
    download(`tingdong-turn-${turn.rid.slice(0, 8)}.json`, JSON.stringify(reportOf(turn), null, 2));
  }
}

/** A shell word in single quotes. */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
