// Editing a home as JSON, with faults shown where they are.

import { t } from "./i18n.js";

/** Line (1-based) of a position in a text. */
function lineAt(text, position) {
  return text.slice(0, position).split("\n").length;
}

/** Position of a JSON syntax error, from the engine's message; -1 where it says none. */
function syntaxPosition(text, message) {
  const position = /position (\d+)/.exec(message);
  if (position) return Number(position[1]);
  const place = /line (\d+) column (\d+)/.exec(message);
  if (!place) return -1;
  return text.split("\n").slice(0, Number(place[1]) - 1).join("\n").length + Number(place[2]);
}

/**
 * Where a path such as `home.devices[3].device.model` stands in pretty or compact JSON; -1 when it cannot be found.
 * A small scanner that walks the text itself, so that the place is exact whatever the formatting.
 */
export function locate(text, path) {
  const steps = [...path.replace(/^(payload\.)?home\.?/, "").matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map((m) => m[1] ?? Number(m[2]));
  let at = 0;
  let found = -1;
  const space = () => { while (/\s/.test(text[at] || "")) at++; };
  const string = () => {
    const start = at++;
    while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    at++;
    return JSON.parse(text.slice(start, at));
  };
  const value = (depth) => {
    space();
    if (depth === steps.length && found < 0) found = at;
    const open = text[at];
    if (open === '"') return void string();
    if (open !== "{" && open !== "[") {
      while (at < text.length && !/[\s,\]}]/.test(text[at])) at++;
      return;
    }
    at++;
    for (let index = 0; at < text.length; index++) {
      space();
      if (text[at] === "}" || text[at] === "]") break;
      let key = index;
      if (open === "{") { const start = at; key = string(); space(); at++; if (depth + 1 === steps.length && steps[depth] === key && found < 0) found = start; }
      value(depth >= 0 && steps[depth] === key ? depth + 1 : -1);
      space();
      if (text[at] === ",") at++;
    }
    at++;
  };
  try { value(0); } catch { return found; }
  return found;
}

/** The dialog in which a home is edited. */
export class HomeEditor {
  /** @param {Document} root @param {(home: any) => Promise<void>} use resolves when the service takes the home */
  constructor(root, use) {
    this.dialog = root.getElementById("editor");
    this.text = root.getElementById("editor-text");
    this.lines = root.getElementById("editor-lines");
    this.error = root.getElementById("editor-error");
    this.use = use;
    root.getElementById("editor-form").addEventListener("submit", (event) => this.#submit(event));
    root.getElementById("editor-cancel").addEventListener("click", () => this.dialog.close());
    root.getElementById("editor-format").addEventListener("click", () => this.#format());
    this.text.addEventListener("input", () => this.#number());
    this.text.addEventListener("scroll", () => (this.lines.scrollTop = this.text.scrollTop));
  }

  open(home) {
    this.text.value = JSON.stringify(home, null, 2);
    this.error.textContent = "";
    this.#number();
    this.dialog.showModal();
    this.text.setSelectionRange(0, 0);
    this.text.scrollTop = 0;
  }

  #number() {
    const count = this.text.value.split("\n").length;
    this.lines.textContent = Array.from({ length: count }, (_, index) => index + 1).join("\n");
  }

  #parse() {
    try {
      return JSON.parse(this.text.value);
    } catch (error) {
      this.#fault(syntaxPosition(this.text.value, error.message), error.message);
      return null;
    }
  }

  #format() {
    const home = this.#parse();
    if (home) this.open(home);
  }

  async #submit(event) {
    event.preventDefault();
    const home = this.#parse();
    if (!home) return;
    try {
      await this.use(home);
      this.dialog.close();
    } catch (error) {
      this.#fault(locate(this.text.value, error.path || ""), error.path ? `${error.path}：${error.message}` : error.message);
    }
  }

  /** Says what is wrong, and puts the cursor where it is. */
  #fault(position, message) {
    const text = this.text.value;
    const line = position >= 0 ? lineAt(text, position) : 0;
    this.error.textContent = line ? `${t("editor.line", line)}：${message}` : message;
    if (!line) return;
    const start = text.lastIndexOf("\n", position - 1) + 1;
    const end = text.indexOf("\n", position);
    this.text.focus();
    this.text.setSelectionRange(start, end < 0 ? text.length : end);
    const height = this.text.scrollHeight / text.split("\n").length;
    this.text.scrollTop = Math.max(0, (line - 4) * height);
  }
}
