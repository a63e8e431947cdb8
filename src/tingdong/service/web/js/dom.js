// Building elements. Text goes in as text nodes only: a device name can hold markup and stays a name.

/**
 * @param {string} tag element name, optionally with classes: "div.card.on"
 * @param {Record<string, any>|null} [properties] attributes; `on…` are listeners, `dataset` an object
 * @param {...(Node|string|number|null|undefined|false|Array<any>)} children
 * @returns {any}
 */
export function h(tag, properties = null, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = /** @type {any} */ (document.createElement(name));
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "dataset") Object.assign(element.dataset, value);
    else if (key === "value") element.value = value;
    else if (key === "class") element.className = [...classes, ...String(value).split(" ")].join(" ");
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element; attributes only. @returns {any} */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  append(element, children);
  return element;
}

/** Replaces everything in `parent`. */
export function fill(parent, ...children) {
  const fresh = document.createDocumentFragment();
  append(fresh, children);
  parent.replaceChildren(fresh);
  return parent;
}

/** A horizontal bar that says its share. @param {number} share 0..1 @param {string} label */
export function bar(share, label) {
  const inner = h("span");
  inner.style.width = `${Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10}%`;
  return h("span.bar-of", { role: "img", "aria-label": label }, inner);
}

/** Text as it is, in a box that scrolls also by keyboard. @param {string} text @param {string} label */
export function code(text, label) {
  return h("pre.code-block", { tabindex: 0, role: "region", "aria-label": label }, text);
}

/** A `details` whose inside is made when it is first opened. @param {any} summary @param {() => any} inside */
export function later(tag, properties, summary, inside) {
  const details = h(tag, properties, h("summary", null, summary));
  details.addEventListener("toggle", () => append(details, [inside()]), { once: true });
  return details;
}

/** Puts text on the clipboard, also where the clipboard API is refused. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea.off-screen", { value: text, "aria-hidden": "true" });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

/** Saves text as a file. */
export function download(name, text) {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
