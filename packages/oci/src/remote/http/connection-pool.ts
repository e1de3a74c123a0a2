/** Pool of idle keep-alive connections. */
import type { RawConnection } from './raw-connection.ts';

/**
 * Shorter than the five seconds after which many servers close, so that no request is sent on a
 * closing one.
 */
const KEEP_ALIVE_MS = 4000;
const MAX_IDLE_PER_ORIGIN = 8;

export class ConnectionPool {
  readonly #idle = new Map<string, Set<RawConnection>>();
  readonly #timers = new Map<RawConnection, NodeJS.Timeout>();

  take(key: string): RawConnection | undefined {
    for (const connection of [...(this.#idle.get(key) ?? [])].reverse()) {
      this.#forget(key, connection);
      if (connection.resume()) return connection;
      connection.destroy();
    }
    return undefined;
  }

  give(key: string, connection: RawConnection): void {
    const idle = this.#idle.get(key) ?? new Set();
    if (idle.size >= MAX_IDLE_PER_ORIGIN) {
      connection.destroy();
      return;
    }
    this.#idle.set(key, idle.add(connection));
    const drop = () => {
      this.#forget(key, connection);
      connection.destroy();
    };
    this.#timers.set(connection, setTimeout(drop, KEEP_ALIVE_MS).unref());
    connection.rest(drop);
  }

  close(): void {
    for (const [key, connections] of this.#idle) {
      for (const connection of connections) {
        this.#forget(key, connection);
        connection.destroy();
      }
    }
  }

  #forget(key: string, connection: RawConnection): void {
    clearTimeout(this.#timers.get(connection));
    this.#timers.delete(connection);
    const idle = this.#idle.get(key);
    idle?.delete(connection);
    if (idle?.size === 0) this.#idle.delete(key);
  }
}
