// Links that carry a conversation: #home=flat25&local=客厅&say=小牛，好热&say=还是好热

/** @typedef {{home: string, local: string|null, turns: string[], tab: string}} Shared */

const MOST_TURNS = 12;

/** What a link asks for. @param {string} hash @returns {Shared} */
export function sharedIn(hash) {
  const given = new URLSearchParams(hash.slice(1));
  const turns = given.getAll("say").map((text) => text.slice(0, 1000)).filter(Boolean).slice(0, MOST_TURNS);
  return { home: given.get("home") || "", local: given.get("local"), turns, tab: given.get("tab") || "" };
}

/** The link to a conversation. @param {string} home @param {string} local @param {string[]} turns */
export function linkTo(home, local, turns) {
  const given = new URLSearchParams();
  if (home !== "custom") given.set("home", home);
  if (local) given.set("local", local);
  for (const text of turns.slice(-MOST_TURNS)) given.append("say", text);
  return `${location.origin}${location.pathname}#${given}`;
}
