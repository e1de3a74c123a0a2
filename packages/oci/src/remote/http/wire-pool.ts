/** Connections between two requests. */
import type { Wire } from './wire.ts';

/** Shorter than the five seconds after which many servers close: who closes first loses no request. */
const KEEP_ALIVE_MS = 4000;
const MAX_IDLE_PER_ORIGIN = 8;

export class WirePool {
  readonly #idle = new Map<string, Set<Wire>>();
  readonly #timers = new Map<Wire, NodeJS.Timeout>();

  take(key: string): Wire | undefined {
    for (const wire of [...(this.#idle.get(key) ?? [])].reverse()) {
      this.#forget(key, wire);
      if (wire.resume()) return wire;
      wire.destroy();
    }
    return undefined;
  }

  give(key: string, wire: Wire): void {
    const idle = this.#idle.get(key) ?? new Set();
    if (idle.size >= MAX_IDLE_PER_ORIGIN) {
      wire.destroy();
      return;
    }
    this.#idle.set(key, idle.add(wire));
    const drop = () => {
      this.#forget(key, wire);
      wire.destroy();
    };
    this.#timers.set(wire, setTimeout(drop, KEEP_ALIVE_MS).unref());
    wire.rest(drop);
  }

  close(): void {
    for (const [key, wires] of this.#idle) {
      for (const wire of wires) {
        this.#forget(key, wire);
        wire.destroy();
      }
    }
  }

  #forget(key: string, wire: Wire): void {
    clearTimeout(this.#timers.get(wire));
    this.#timers.delete(wire);
    const idle = this.#idle.get(key);
    idle?.delete(wire);
    if (idle?.size === 0) this.#idle.delete(key);
  }
}
