// A strict JSON scanner that knows places: where text stops being JSON, and where a path of the service stands in it.
// Engines differ in what their SyntaxError says; this says the same everywhere.

const DEEPEST = 200;

/** Where and why a text is no JSON; `code` is a key of the page's words. */
export class JsonFault extends Error {
  /** @param {string} code @param {number} position */
  constructor(code, position) {
    super(code);
    this.code = code;
    this.position = position;
  }
}

/**
 * Walks the text and reports the start of every value with its path (`devices[3].device.model`).
 * @param {string} text @param {(path: string, position: number) => void} [visit]
 */
export function scan(text, visit = () => {}) {
  let at = 0;
  const fail = (code) => {
    throw new JsonFault(`json.${code}`, Math.min(at, text.length));
  };
  const space = () => {
    while (at < text.length && " \t\r\n".includes(text[at])) at++;
  };
  const take = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at += found[0].length;
    return found !== null;
  };
  const string = () => {
    const start = at;
    if (!take(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y)) {
      take(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y);
      fail(text[at] === "\\" ? "escape" : "string");
    }
    return JSON.parse(text.slice(start, at));
  };
  const list = (close, item) => {
    at++;
    space();
    if (text[at] === close) return void at++;
    for (let index = 0; ; index++) {
      item(index);
      space();
      if (text[at] === close) return void at++;
      if (text[at] !== ",") fail("comma");
      at++;
      space();
    }
  };
  const value = (path, depth) => {
    space();
    if (depth > DEEPEST) fail("deep");
    visit(path, at);
    if (text[at] === "{")
      list("}", () => {
        if (text[at] !== '"') fail("key");
        const key = string();
        space();
        if (text[at] !== ":") fail("colon");
        at++;
        value(path ? `${path}.${key}` : key, depth + 1);
      });
    else if (text[at] === "[") list("]", (index) => value(`${path}[${index}]`, depth + 1));
    else if (text[at] === '"') string();
    else if (!take(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y)) fail("value");
  };
  value("", 0);
  space();
  if (at < text.length) fail("end");
}

/**
 * Where a path stands in a JSON text; where the path does not exist (a missing field), its nearest parent; -1 where the
 * text is no JSON. @param {string} text @param {string} path @returns {number}
 */
export function locate(text, path) {
  const wanted = path.replace(/^(?:payload\.)?home(?:\.|$)/, "");
  let best = -1;
  let length = -1;
  try {
    scan(text, (known, position) => {
      const within = known === "" || wanted === known || wanted.startsWith(`${known}.`) || wanted.startsWith(`${known}[`);
      if (within && known.length > length) [best, length] = [position, known.length];
    });
  } catch {
    return -1;
  }
  return best;
}
