/**
 * Socket that is read on demand without Node streams: the kernel and TLS write into reused blocks,
 * and nothing is read while the reader is a block behind, which gives backpressure.
 */
import type { OnReadOpts, Socket } from 'node:net';
import { ReceiveBlocks } from './receive-blocks.ts';

export class RawConnection {
  /** Option for `net.connect` or `tls.connect`; pass the new socket to `attach`. */
  readonly onread: OnReadOpts;
  readonly #received = new ReceiveBlocks();
  #socket: Socket | undefined;
  #ended = false;
  #fault: unknown;
  #wake: (() => void) | undefined;
  #isWaking = false;

  constructor() {
    this.onread = {
      buffer: () => this.#received.room(),
      callback: (bytesRead) => this.#receive(bytesRead),
    };
  }

  /** @param streaming True for a socket created without `onread` (TLS inside a proxy tunnel). */
  attach(socket: Socket, streaming = false): this {
    this.#socket = socket;
    socket.on('error', (error) => this.destroy(error));
    socket.on('end', () => this.#end());
    socket.on('close', () => this.#end());
    if (streaming) socket.on('data', (chunk: Buffer) => this.#copy(chunk) || socket.pause());
    return this;
  }

  /**
   * The next bytes, or null at the end; valid until the next call. Rejects after `destroy(error)`.
   */
  async read(): Promise<Uint8Array | null> {
    for (;;) {
      const piece = this.#received.take();
      if (piece) return piece;
      if (this.#fault !== undefined) throw this.#fault;
      if (this.#ended) return null;
      await this.#arrival();
    }
  }

  /** Puts back the tail of the last bytes; the next `read` returns it again. */
  unread(tail: Uint8Array): void {
    this.#received.putBack(tail.byteLength);
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
    return !this.#ended && this.#fault === undefined && this.#received.isEmpty;
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
    this.#socket?.resume();
    return promise;
  }

  /** False stops reading. */
  #receive(bytesRead: number): boolean {
    const isFull = this.#received.filled(bytesRead);
    if (isFull) this.#notify();
    else this.#notifySoon();
    return !isFull;
  }

  #copy(chunk: Uint8Array): boolean {
    let goesOn = true;
    for (let copied = 0; copied < chunk.byteLength; ) {
      const room = this.#received.room();
      const part = chunk.subarray(copied, copied + room.byteLength);
      room.set(part);
      copied += part.byteLength;
      goesOn = this.#receive(part.byteLength);
    }
    return goesOn;
  }

  /** At the end of this turn: TLS decrypts 16 KiB at a time, and the reader gets all of it. */
  #notifySoon(): void {
    if (this.#isWaking) return;
    this.#isWaking = true;
    setImmediate(() => {
      this.#isWaking = false;
      if (!this.#received.isEmpty) this.#notify();
    });
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
