/**
 * A socket read one piece at a time, without Node's stream machinery in between: the kernel writes into one buffer
 * that is used again and again, and nothing is read while the reader is busy. That is the back-pressure.
 */
import type { OnReadOpts, Socket } from 'node:net';

export const READ_BUFFER_BYTES = 256 * 1024;
/** TLS hands out records of 16 KiB at most. */
const TLS_BUFFER_BYTES = 64 * 1024;

const NOTHING = new Uint8Array(0);

export class RawConnection {
  /** For `net.connect` or `tls.connect`; the socket it makes goes to `attach`. */
  readonly onread: OnReadOpts;
  readonly #encrypted: boolean;
  #socket: Socket | undefined;
  /** Where pieces are gathered that come although reading has stopped. */
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

  /** @param streaming for a socket that was made without `onread` (TLS inside a proxy's tunnel). */
  attach(socket: Socket, streaming = false): this {
    this.#socket = socket;
    socket.on('error', (error) => this.destroy(error));
    socket.on('end', () => this.#end());
    socket.on('close', () => this.#end());
    if (streaming) socket.on('data', (chunk: Buffer) => this.#receive(chunk) || socket.pause());
    return this;
  }

  /** The next bytes, or null at the end. They are valid until the next call. Rejects after `destroy(error)`. */
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

  /** Puts back the tail of the piece that was read last; the next `read` gives it again. */
  unread(tail: Uint8Array): void {
    this.#pending = this.#encrypted ? this.#tail(tail.byteLength + this.#pending.byteLength) : tail;
  }

  write(bytes: string): void {
    this.#socket?.write(bytes, 'latin1');
  }

  /** Between two requests: no bytes may come, and the process may end. Calls back when the connection is lost. */
  rest(onLost: () => void): void {
    this.#wake = onLost;
    this.#socket?.resume();
    this.#socket?.unref();
  }

  /** Back to work; false where the connection was lost meanwhile. */
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
   * A TLS socket goes on handing out the records it has decrypted after it was told to stop, into the same buffer:
   * they are copied one after the other, and never over bytes that the reader may still hold.
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

  /** The old store stays as it is for whoever holds a piece of it. */
  #grow(atLeast: number): void {
    const store = Buffer.allocUnsafeSlow(Math.max(atLeast, READ_BUFFER_BYTES));
    store.set(this.#store.subarray(0, this.#stored));
    this.#store = store;
  }

  /** Once: who is told may end us, and would be told again. */
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
