// Editing a home as JSON, with faults shown where they are: the line is named, marked and scrolled to.

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { JsonFault, locate, scan } from "./json.js";

/** The dialog in which a home is edited. */
export class HomeEditor {
  /** @param {Document} root @param {(home: any) => Promise<void>} use resolves when the service takes the home */
  constructor(root, use) {
    this.dialog = /** @type {HTMLDialogElement} */ (root.getElementById("editor"));
    this.text = /** @type {HTMLTextAreaElement} */ (root.getElementById("editor-text"));
    this.lines = root.getElementById("editor-lines");
    this.size = root.getElementById("editor-size");
    this.error = root.getElementById("editor-error");
    this.use = use;
    root.getElementById("editor-form").addEventListener("submit", (event) => this.#submit(event));
    root.getElementById("editor-cancel").addEventListener("click", () => this.dialog.close());
    root.getElementById("editor-format").addEventListener("click", () => this.#format());
    this.text.addEventListener("input", () => this.#clear());
    this.text.addEventListener("scroll", () => (this.lines.scrollTop = this.text.scrollTop));
  }

  /** @param {any} home */
  open(home) {
    this.#put(home);
    this.dialog.showModal();
    this.text.focus();
    this.text.setSelectionRange(0, 0);
    this.text.scrollTop = 0;
  }

  #put(home) {
    this.text.value = JSON.stringify(home, null, 2);
    this.#clear();
  }

  #clear() {
    this.error.textContent = "";
    this.#number(0);
  }

  /** Numbers the lines, one of them marked. @param {number} marked 1-based; 0 for none */
  #number(marked) {
    const count = this.text.value.split("\n").length;
    const numbers = (from, to) => Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => `${from + index}\n`).join("");
    this.lines.replaceChildren(...(marked ? [numbers(1, marked - 1), h("mark", null, String(marked)), `\n${numbers(marked + 1, count)}`] : [numbers(1, count)]));
    this.lines.scrollTop = this.text.scrollTop;
    this.size.textContent = t("why.bytes", new Blob([this.text.value]).size.toLocaleString());
  }

  /** The home in the text; null, with the fault shown, where it is no JSON. */
  #parse() {
    try {
      scan(this.text.value);
      return JSON.parse(this.text.value);
    } catch (error) {
      const position = error instanceof JsonFault ? error.position : -1;
      this.#fault(position, error instanceof JsonFault ? t(error.code) : String(error));
      return null;
    }
  }

  #format() {
    const home = this.#parse();
    if (home) this.#put(home);
  }

  async #submit(event) {
    event.preventDefault();
    const home = this.#parse();
    if (home === null) return;
    try {
      await this.use(home);
      this.dialog.close();
    } catch (error) {
      const path = (error.path || "").replace(/^(payload\.)?home\.?/, "");
      this.#fault(locate(this.text.value, path), path ? `${path}：${error.message}` : error.message);
    }
  }

  /** Says what is wrong, marks its line, and puts the cursor there. @param {number} position @param {string} message */
  #fault(position, message) {
    const text = this.text.value;
    const line = position >= 0 ? text.slice(0, position).split("\n").length : 0;
    this.error.textContent = line ? `${t("editor.line", line)}：${message}` : message;
    this.#number(line);
    if (!line) return;
    const start = text.lastIndexOf("\n", position - 1) + 1;
    const end = text.indexOf("\n", position);
    this.text.focus();
    this.text.setSelectionRange(start, end < 0 ? text.length : end);
    this.text.scrollTop = Math.max(0, (line - 5) * (this.text.scrollHeight / text.split("\n").length));
  }
}
