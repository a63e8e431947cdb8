// The service this page came from: its addresses, its token where it wants one, and JSON over HTTP.

import { RefusedError } from "./client.js";
import { t } from "./i18n.js";

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
export const token = tokenFrom(location.hash);

/** Whether the service takes a token ("" for none); a service that cannot be reached refuses nobody. @param {string} given */
async function takes(given) {
  try {
    const headers = given ? { authorization: `Bearer ${given}` } : {};
    return (await fetch(new URL("v1/hospital/domain", base), { headers })).status !== 401;
  } catch {
    return true;
  }
}

/** Asks for a token where the service refuses the one there is; with a good one the page starts anew. @param {any} dialog */
export async function admit(dialog) {
  if (await takes(token)) return;
  const [field, fault] = [dialog.querySelector("input"), dialog.querySelector(".error")];
  dialog.querySelector("form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const said = field.value.trim();
    fault.textContent = "";
    if (!said || !(await takes(said))) {
      fault.textContent = t("token.wrong");
      field.select();
      return;
    }
    sessionStorage.setItem("tingdong.token", said);
    location.reload();
  });
  dialog.showModal();
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
