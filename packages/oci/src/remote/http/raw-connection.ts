/**
 * Socket that is read on demand without Node streams: the kernel writes into one reused buffer, and
 * nothing is read while the reader is busy, which gives backpressure.
 */
import type { OnReadOpts, Socket } from 'node:net';

const READ_BUFFER_BYTES = 256 * 1024;
/** A TLS record has at most 16 KiB. */
const TLS_BUFFER_BYTES = 64 * 1024;

const NOTHING = new Uint8Array(0);

export class RawConnection {
  /** Option for `net.connect` or `tls.connect`; pass the new socket to `attach`. */
  readonly onread: OnReadOpts;
  readonly #encrypted: boolean;
  #socket: Socket | undefined;
  /** Buffer for bytes that arrive although reading has stopped. */
  #store = NOTHING;
  #stored = 0;
  #pending: Uint8Array = NOTHING;
  #ended = false;
  #fault: unknown;
  #wake: (() => void) | undefined;

  constructor(encrypted: boolean) {
    this.#encrypted = encrypted;
    this.onread = {
      buffer: Buffer.allocUnsafeSlow(encrypted ? TLS_BUFFER_BYTES : READ_BUFFER_BYTES),
      callback: (bytesRead, buffer) => this.#receive(buffer.subarray(0, bytesRead)),
    };
  }

  /** @param streaming True for a socket created without `onread` (TLS inside a proxy tunnel). */
  attach(socket: Socket, streaming = false): this {
    this.#socket = socket;
    socket.on('error', (error) => this.destroy(error));
    socket.on('end', () => this.#end());
    socket.on('close', () => this.#end());
    if (streaming) socket.on('data', (chunk: Buffer) => this.#receive(chunk) || socket.pause());
    return this;
  }

  /**
   * The next bytes, or null at the end; valid until the next call. Rejects after `destroy(error)`.
   */
  async read(): Promise<Uint8Array | null> {
    while (this.#pending.byteLength === 0) {
      if (this.#fault !== undefined) throw this.#fault;
      if (this.#ended) return null;
      await this.#arrival();
    }
    const piece = this.#pending;
    this.#pending = NOTHING;
    return piece;
  }

  /** Puts back the tail of the last bytes; the next `read` returns it again. */
  unread(tail: Uint8Array): void {
    this.#pending = this.#encrypted ? this.#tail(tail.byteLength + this.#pending.byteLength) : tail;
  }

  /** Resolves when the bytes are with the kernel, or lost: then `read` rejects. */
  write(bytes: string | Uint8Array): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (typeof bytes === 'string') this.#socket?.write(bytes, 'latin1', () => resolve());
    else this.#socket?.write(bytes, () => resolve());
    return promise;
  }

  /**
   * Idle between two requests; does not keep the process alive. Calls back when the connection is
   * lost.
   */
  rest(onLost: () => void): void {
    this.#wake = onLost;
    this.#socket?.resume();
    this.#socket?.unref();
  }

  /** Makes the connection active again; false if it was lost meanwhile. */
  resume(): boolean {
    this.#wake = undefined;
    this.#socket?.ref();
    return !this.#ended && this.#fault === undefined && this.#pending.byteLength === 0;
  }

  destroy(reason?: unknown): void {
    this.#fault ??= reason;
    this.#ended = true;
    this.#socket?.destroy();
    this.#notify();
  }

  #arrival(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    this.#stored = 0;
    this.#socket?.resume();
    return promise;
  }

  #receive(chunk: Uint8Array): false {
    this.#pending = this.#encrypted ? this.#gather(chunk) : chunk;
    this.#notify();
    return false;
  }

  /**
   * A paused TLS socket still delivers records that are already decrypted, into the same buffer.
   * They are copied one after the other and never overwrite bytes that the reader may hold.
   */
  #gather(chunk: Uint8Array): Uint8Array {
    const end = this.#stored + chunk.byteLength;
    if (end > this.#store.byteLength) this.#grow(end);
    this.#store.set(chunk, this.#stored);
    this.#stored = end;
    return this.#tail(chunk.byteLength + this.#pending.byteLength);
  }

  #tail(bytes: number): Uint8Array {
    return this.#store.subarray(this.#stored - bytes, this.#stored);
  }

  /** The reader may hold a part of the old buffer, so it is left unchanged. */
  #grow(atLeast: number): void {
    const store = Buffer.allocUnsafeSlow(Math.max(atLeast, READ_BUFFER_BYTES));
    store.set(this.#store.subarray(0, this.#stored));
    this.#store = store;
  }

  /** Cleared before the call: the callback may destroy the connection, which notifies again. */
  #notify(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  #end(): void {
    this.#ended = true;
    this.#notify();
  }
}
