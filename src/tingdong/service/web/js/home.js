// The page plays the home: it holds the devices' state, applies instructs, and keeps timers (docs/protocol/service.md).

import { uniqueId } from "./client.js";

/** @typedef {import("./client.js").Instruct} Instruct */
/** @typedef {{id: string, name?: string, local?: string, online?: boolean, device: {model: string, state?: Record<string, any>}}} Device */

/** What to call everything of a home: room and name, without saying the room twice. @param {any} document @returns {Map<string, string>} */
export function namesIn(document) {
  const names = new Map();
  for (const entity of [...(document.scenes || []), ...(document.groups || [])]) names.set(entity.id, entity.name);
  for (const { id, name = id, local = "" } of document.devices || []) names.set(id, name.startsWith(local) ? name : local + name);
  return names;
}

/** A home as the page holds it; `change` events carry the ids that changed, `timers` events say that timers did. */
export class HomeModel extends EventTarget {
  /** @param {any} document a home */
  constructor(document) {
    super();
    /** What to send along: what the instructs changed is already in it. */
    this.document = structuredClone(document);
    for (const device of this.list) device.device.state ??= {};
    /** @type {Map<string, Device>} */
    this.devices = new Map(this.list.map((device) => [device.id, device]));
    /** @type {Map<string, Instruct>} timer_id → instruct */
    this.timers = new Map();
  }

  /** @returns {Device[]} in the home's order */
  get list() {
    return this.document.devices || [];
  }

  get rooms() {
    const named = this.list.map((device) => device.local).filter(Boolean);
    return [...new Set([...(this.document.layout || []), ...named])];
  }

  /** Scenes and groups: what can be said by name and is no device. @returns {Array<{id: string, name: string, local?: string}>} */
  get sets() {
    return [...(this.document.scenes || []), ...(this.document.groups || [])];
  }

  modelOf(device) {
    return this.document.model?.[device.device.model] || {};
  }

  /**
   * Applies a turn's instructs; what is scheduled becomes timers, `cancel` takes one back. Returns the ids acted on.
   * @param {{instructs: Instruct[], scheduled?: Instruct[]}} active
   */
  apply({ instructs, scheduled = [] }) {
    const touched = new Set();
    const timers = [...this.timers.keys()].join();
    for (const instruct of instructs) this.#set(instruct, touched);
    for (const instruct of scheduled) {
      if (instruct.cancel) this.timers.delete(instruct.cancel);
      else this.timers.set(instruct.timer_id || uniqueId(), instruct);
    }
    if ([...this.timers.keys()].join() !== timers) this.dispatchEvent(new Event("timers"));
    return this.#tell(touched);
  }

  /** Carries out a timer now, as its clock would; a recurring one stays. @param {string} timerId */
  fire(timerId) {
    const instruct = this.timers.get(timerId);
    if (!instruct) return [];
    if (!instruct.when.startsWith("RRULE")) this.timers.delete(timerId);
    this.dispatchEvent(new Event("timers"));
    return this.set(instruct.id, instruct.state);
  }

  /** A person's own hand on a device. @param {string} id @param {Record<string, any>} state */
  set(id, state) {
    const touched = new Set();
    this.#set({ id, state }, touched);
    return this.#tell(touched);
  }

  #set({ id, state }, touched) {
    const device = this.devices.get(id);
    if (device) Object.assign(device.device.state, state);
    if (device || this.sets.some((entity) => entity.id === id)) touched.add(id);
  }

  #tell(touched) {
    const ids = [...touched];
    if (ids.length) this.dispatchEvent(new CustomEvent("change", { detail: ids }));
    return ids;
  }
}
