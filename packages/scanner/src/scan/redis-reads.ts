/**
 * Records the keys that clients of Redis read with GET, from the bytes that they send. Values that
 * they write are skipped, not held: an analysis may have many megabytes.
 */
import { lengthAt } from './redis-protocol.ts';

export interface Reads {
  /** The observer of one connection's bytes. */
  connection(): (chunk: Buffer) => void;
  /** The keys since the last call; null where bytes were not understood. */
  take(): string[] | null;
}

/** A command or key that is longer is no GET of Trivy's. */
const LONGEST_WORD = 512;
const LONGEST_LENGTH = 16;
/** More keys than any image has layers; a client cannot make us remember without bound. */
const MOST_KEYS = 10_000;

export function watchReads(): Reads {
  let keys: string[] = [];
  let isKnown = true;
  const note = (words: readonly string[]) => {
    const [command = '', key] = words;
    if (key === undefined || command.toUpperCase() !== 'GET') return;
    if (keys.length < MOST_KEYS) keys.push(key);
    else isKnown = false;
  };
  return {
    connection() {
      const reader = commandReader(note);
      let isBroken = false;
      return (chunk) => {
        if (isBroken || reader(chunk)) return;
        isBroken = true;
        isKnown = false;
      };
    },
    take() {
      const taken = isKnown ? keys : null;
      keys = [];
      return taken;
    },
  };
}

/** Calls back with the first two words of each command. Returns false at bytes that are none. */
function commandReader(onCommand: (words: readonly string[]) => void) {
  let held: Buffer = Buffer.alloc(0);
  let skip = 0;
  let left = 0;
  let words: string[] = [];

  /** Consumes a part of `held`. False where more bytes are needed, null where they are invalid. */
  function step(): boolean | null {
    if (skip > 0) {
      const skipped = Math.min(skip, held.length);
      held = held.subarray(skipped);
      skip -= skipped;
      return skip === 0;
    }
    const length = lengthAt(held, 0, left === 0 ? '*' : '$');
    if (length === null) return held.length > LONGEST_LENGTH || hasLine(held) ? null : false;
    if (left > 0) return readWord(length);
    held = held.subarray(length.end);
    left = length.value;
    words = [];
    return true;
  }

  function readWord({ value, end }: { value: number; end: number }): boolean {
    const isWanted = words.length < 2 && value <= LONGEST_WORD;
    if (isWanted && held.length < end + value + 2) return false;
    if (words.length < 2) words.push(isWanted ? held.toString('utf8', end, end + value) : '');
    held = held.subarray(end);
    skip = value + 2;
    left -= 1;
    if (left === 0) onCommand(words);
    return true;
  }

  return (chunk: Buffer): boolean => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (;;) {
      if (held.length === 0) return true;
      const went = step();
      if (went !== true) return went !== null;
    }
  };
}

function hasLine(bytes: Buffer): boolean {
  return bytes.includes('\r\n');
}
