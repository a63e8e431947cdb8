// Segments of a turn one below the other, and an arc at their side for every relation between two of them.

import { h, svg } from "./dom.js";
import { t, term } from "./i18n.js";

const EDGE = 60;
const STANDING = -1;

/** @typedef {{text: string, agent_code: string, confidence?: number, layer?: string, signals?: string[]}} Segment */
/** @typedef {{a: number, b: number, type: string}} Relation */

/** @param {{segments?: Segment[], relations?: Relation[]}} turn `-1` in a relation is the standing focus */
export function relationsOf({ segments = [], relations = [] }) {
  const standing = relations.some(({ a, b }) => a === STANDING || b === STANDING);
  const rows = new Map();
  const list = h("ol.segments", null);
  if (standing) rows.set(STANDING, h("li.standing", null, t("hospital.standing")));
  segments.forEach((segment, index) => rows.set(index, row(segment)));
  list.append(...rows.values());
  if (!relations.length) return list;
  const said = relations.map(({ a, b, type }) => `${a + 1}–${b + 1} ${term("relation", type)}`).join("，");
  const drawing = svg("svg", { role: "img", "aria-label": said });
  const redraw = () => drawing.replaceChildren(...relations.flatMap((relation) => arc(rows.get(relation.a), rows.get(relation.b), relation.type)));
  new ResizeObserver(redraw).observe(list);
  return h("div.relations", null, drawing, list);
}

/** @param {Segment} segment */
function row({ text, agent_code: agent, confidence, layer, signals = [] }) {
  const sure = confidence === undefined ? "" : `${Math.round(confidence * 100)}%`;
  return h(
    "li",
    { dataset: { agent }, title: signals.join(" ") },
    h("strong", null, text),
    h("small", null, [term("agent", agent), sure, term("layer", layer)].filter(Boolean).join(" · ")),
  );
}

function arc(from, to, type) {
  if (!from || !to) return [];
  const [start, end] = [from, to].map((element) => element.offsetTop + element.offsetHeight / 2).sort((one, other) => one - other);
  const depth = Math.min(44, 18 + (end - start) / 6);
  const middle = (start + end) / 2;
  return [
    svg("path", { d: `M${EDGE} ${start} C${EDGE - depth} ${start} ${EDGE - depth} ${end} ${EDGE} ${end}`, class: `arc ${type}` }),
    svg("circle", { cx: EDGE, cy: start, r: 3.5 }),
    svg("circle", { cx: EDGE, cy: end, r: 3.5 }),
    svg("text", { x: 0, y: middle + 4 }, term("relation", type)),
  ];
}
