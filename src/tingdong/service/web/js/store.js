// What this browser remembers between visits: choices of the person in front of it, and a home they pasted.

const PREFIX = "tingdong.";

/** A remembered text; `otherwise` where there is none or storage is refused. */
export function recall(key, otherwise = "") {
  try {
    return localStorage.getItem(PREFIX + key) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Remembers a text, where the browser allows it. */
export function remember(key, value) {
  try {
    localStorage.setItem(PREFIX + key, value);
  } catch {
    // Private mode or full: the page works without.
  }
}
