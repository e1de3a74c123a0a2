/**
 * Writes lines to a file descriptor in order, without blocking the event loop. Where the reader is
 * gone, lines are dropped and the process goes on and exits: the destination of pino repeats such a
 * write for ever when the process exits (sonic-boom 4.2.1).
 */
import { write, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { hasCode } from './system-error.ts';

export interface LineOutput {
  write(line: string): void;
  /** Writes what waits at once; pino calls it before a fatal end, the output itself at the exit. */
  flushSync(): void;
}

/** A pipe whose reader is slow is full for a while. */
const FULL = 'EAGAIN';
const AGAIN_MS = 50;
/** How often a full pipe is tried when the process exits. */
const MOST_TRIES = 20;

export function lineOutput(fd: number): LineOutput {
  let waiting = '';
  /** What is being written; a part of it may be with the operating system. */
  let rest = Buffer.alloc(0);
  let isInFlight = false;
  let isWriting = false;
  let isGone = false;

  async function writeWaiting(): Promise<void> {
    isWriting = true;
    while (waiting !== '' && !isGone) {
      rest = Buffer.from(waiting);
      waiting = '';
      while (rest.length > 0 && !isGone) {
        const written = await writeSome();
        if (written === 0) await pause(AGAIN_MS);
        rest = rest.subarray(written);
      }
    }
    isWriting = false;
  }

  function writeSome(): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    isInFlight = true;
    write(fd, rest, (error, written) => {
      isInFlight = false;
      resolve(error ? failed(error) : written);
    });
    return promise;
  }

  function failed(error: unknown): 0 {
    if (!hasCode(error, FULL)) isGone = true;
    return 0;
  }

  function flushSync(): void {
    let left = Buffer.concat([isInFlight ? Buffer.alloc(0) : rest, Buffer.from(waiting)]);
    waiting = '';
    for (let tries = 0; left.length > 0 && tries < MOST_TRIES && !isGone; ) {
      const written = writeNow(left);
      left = left.subarray(written);
      if (written > 0 || isGone) continue;
      tries += 1;
      Atomics.wait(CLOCK, 0, 0, AGAIN_MS);
    }
  }

  function writeNow(bytes: Buffer): number {
    try {
      return writeSync(fd, bytes);
    } catch (error) {
      return failed(error);
    }
  }

  process.once('exit', flushSync);
  return {
    write(line) {
      if (isGone) return;
      waiting += line;
      if (!isWriting) void writeWaiting();
    },
    flushSync,
  };
}

/** Waiting on it takes time and nothing else: there is no event loop any more at the exit. */
const CLOCK = new Int32Array(new SharedArrayBuffer(4));
