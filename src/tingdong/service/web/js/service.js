// The service this page came from: its addresses, its token where one was given, and JSON over HTTP.

import { RefusedError } from "./client.js";

/** A bearer token may come in the link as `#token=…`; it is kept for this tab and taken out of the address. */
function tokenFrom(hash) {
  const given = new URLSearchParams(hash.slice(1));
  const token = given.get("token");
  try {
    if (token) sessionStorage.setItem("tingdong.token", token);
    given.delete("token");
    if (token) history.replaceState(null, "", `${location.pathname}${given.size ? `#${given}` : ""}`);
    return sessionStorage.getItem("tingdong.token") || "";
  } catch {
    return token || "";
  }
}

export const base = new URL(".", location.href);
export const token = await admitted(tokenFrom(location.hash));

/** The token, where the service takes it or wants none; else the one that the user is asked for. @param {string} given */
async function admitted(given) {
  try {
    const headers = given ? { authorization: `Bearer ${given}` } : {};
    const response = await fetch(new URL("v1/hospital/domain", base), { headers });
    if (response.status !== 401) return given;
    const said = (prompt("访问令牌 / Access token") || "").trim();
    if (said) sessionStorage.setItem("tingdong.token", said);
    return said || given;
  } catch {
    return given;
  }
}

/** The WebSocket address of a path of this service. @param {string} path */
export const streamUrl = (path) => new URL(path, base).href.replace(/^http/, "ws");

/** Sends a request with JSON; a refusal is a `RefusedError` with the path of the fault. */
export async function call(method, path, body) {
  const headers = { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(new URL(path, base), { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  const answer = response.status === 204 ? null : await response.json();
  if (!response.ok) throw new RefusedError({ ...answer, ret: response.status });
  return answer;
}
