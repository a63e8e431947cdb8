// `/docs`: the service's own OpenAPI document, read and tried here; nothing comes from anywhere else.

import { code, fill, h, later } from "./dom.js";
import { t, translate } from "./i18n.js";
import { base, call, token } from "./service.js";

const METHODS = ["get", "post", "delete"];
const BODIES = {
  parse: () => ({ text: "打开卧室空调，调到26度" }),
  retrieve: (home) => ({ text: "打开客厅的灯", home }),
  understand: (home) => ({ page_id: "docs", question: "打开客厅的灯", instruct: true, home }),
  hospitalTurn: () => ({ page_id: "docs", question: "我头痛想挂号，停车怎么收费" }),
  changeDomain: () => ({ action: "reload" }),
};

/** One `$ref` of the document, or the schema itself. */
function resolved(document_, schema = {}) {
  const name = schema.$ref?.split("/").at(-1);
  return name ? document_.components.schemas[name] : schema;
}

/** What a schema asks for, in a few words. */
function typeOf({ type, anyOf, enum: choices, $ref: ref, maxLength }) {
  if (anyOf) return anyOf.map(typeOf).join(" | ");
  if (choices) return choices.join(" | ");
  if (ref) return ref.split("/").at(-1);
  return [type || t("docs.any"), maxLength && `≤ ${maxLength}`].filter(Boolean).join(" ");
}

/** The fields of a schema, a row each. */
function fields(document_, schema) {
  const { properties = {}, required = [] } = resolved(document_, schema);
  const rows = Object.entries(properties).map(([name, one]) =>
    h("tr", null, h("td", null, h("code", null, name)), h("td", null, typeOf(one)), h("td.muted", null, required.includes(name) ? t("docs.required") : "")),
  );
  return rows.length > 0 && h("table", { "aria-label": t("docs.fields") }, h("tbody", null, rows));
}

function bodyOf(operation, home) {
  const make = BODIES[operation.operationId];
  return make ? JSON.stringify(make(home), null, 2) : "{}";
}

/** Sends what stands in the form, and shows what comes back: status, milliseconds, body. */
async function send(method, path, form, out) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(form.elements[name].value));
  const text = form.elements.body?.value;
  const begun = performance.now();
  const headers = { ...(text ? { "content-type": "application/json" } : {}), ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(new URL(filled.slice(1), base), { method: method.toUpperCase(), headers, body: text || undefined });
  const said = await response.text();
  const took = Math.round(performance.now() - begun);
  const json = response.headers.get("content-type")?.includes("json");
  fill(out, h("p.num", null, `${response.status} · ${took} ms`), said && code(json ? JSON.stringify(JSON.parse(said), null, 2) : said, t("docs.answer")));
}

function inside(document_, method, path, operation, home) {
  const content = operation.requestBody?.content["application/json"];
  const out = h("div", { role: "status" });
  const places = (operation.parameters || []).map(({ name }) => h("label", null, name, h("input", { name, value: "docs" })));
  const form = h(
    "form",
    null,
    content && fields(document_, content.schema),
    places,
    content && h("textarea", { name: "body", spellcheck: "false", "aria-label": t("docs.body"), value: bodyOf(operation, home) }),
    h("button", { type: "submit" }, t("docs.try")),
    out,
    h("table", { "aria-label": t("docs.answers") }, Object.entries(operation.responses).map(([status, { description }]) => h("tr", null, h("td.num", null, status), h("td", null, description)))),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(method, path, form, out).catch((error) => fill(out, h("p.error", null, String(error))));
  });
  return form;
}

async function start() {
  translate();
  document.documentElement.classList.remove("untold");
  const [document_, home] = await Promise.all([call("GET", "openapi.json"), call("GET", "homes/sample8.json")]);
  fill(document.getElementById("version"), `${document_.info.title} ${document_.info.version} · OpenAPI ${document_.openapi}`);
  const rows = Object.entries(document_.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const summary = [h("span.method", null, method), h("code", null, path), h("span.muted", null, item[method].summary)];
      return later("details.operation", { dataset: { operation: item[method].operationId } }, summary, () => inside(document_, method, path, item[method], home));
    }),
  );
  fill(document.getElementById("operations"), rows);
}

start();
