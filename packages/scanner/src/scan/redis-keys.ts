/**
 * Rewrites and records the keys in the commands that Trivy sends to Redis. What a scan writes gets
 * a name that no other scan knows: Trivy warns when it analyses a layer and is silent when it finds
 * the analysis, so another scan may find it only after its warnings were heard. Values that it
 * writes are passed on, not held: an analysis may have many megabytes.
 */
import { randomUUID } from 'node:crypto';
import { lengthAt } from './redis-protocol.ts';

export interface WrittenKey {
  /** As Trivy knows it. */
  key: string;
  /** Its name in Redis. */
  unheard: string;
}

export interface ScanKeys {
  /** Rewrites the bytes of one connection; null for what is no command, or none that we know. */
  connection(): (chunk: Buffer) => Buffer | null;
  /** The keys that were read since the last call; null where bytes were not understood. */
  takeReads(): string[] | null;
  /** The keys that were written since the last call; later reads use their own names. */
  takeWritten(): WrittenKey[];
}

/** A command or key that is longer is none of Trivy's. */
const LONGEST_WORD = 512;
const LONGEST_LENGTH = 16;
/** More keys than any image has layers; a client cannot make us remember without bound. */
const MOST_KEYS = 10_000;

export function createScanKeys(): ScanKeys {
  const prefix = `portcullis:unheard:${randomUUID()}:`;
  const written = new Map<string, WrittenKey>();
  let reads: string[] = [];
  let isKnown = true;

  /** The name in Redis; null where the command can't be carried out. */
  function nameOf(command: string, key: string): string | null {
    switch (command.toUpperCase()) {
      case 'GET':
        if (reads.length < MOST_KEYS) reads.push(key);
        else isKnown = false;
        return written.get(key)?.unheard ?? key;
      case 'SET':
        if (written.size >= MOST_KEYS) return null;
        written.set(key, { key, unheard: prefix + key });
        return prefix + key;
      default:
        return key;
    }
  }

  return {
    connection() {
      const rewrite = commandRewriter(nameOf);
      return (chunk) => {
        const rewritten = rewrite(chunk);
        isKnown &&= rewritten !== null;
        return rewritten;
      };
    },
    takeReads() {
      const taken = isKnown ? reads : null;
      reads = [];
      return taken;
    },
    takeWritten() {
      const taken = [...written.values()];
      written.clear();
      return taken;
    },
  };
}

type NameOf = (command: string, key: string) => string | null;

/** Rewrites the second word of each command. Returns null from the first bytes that are none. */
function commandRewriter(nameOf: NameOf): (chunk: Buffer) => Buffer | null {
  let held: Buffer = Buffer.alloc(0);
  let out: Buffer[] = [];
  let isBroken = false;
  let skip = 0;
  let left = 0;
  let words: string[] = [];

  function pass(bytes: number): void {
    out.push(held.subarray(0, bytes));
    held = held.subarray(bytes);
  }

  /** Consumes a part of `held`. False where more bytes are needed, null where they are invalid. */
  function step(): boolean | null {
    if (skip > 0) {
      const skipped = Math.min(skip, held.length);
      pass(skipped);
      skip -= skipped;
      return skip === 0;
    }
    const length = lengthAt(held, 0, left === 0 ? '*' : '$');
    if (length === null) return held.length > LONGEST_LENGTH || hasLine(held) ? null : false;
    if (left > 0) return passWord(length);
    pass(length.end);
    left = length.value;
    words = [];
    return true;
  }

  function passWord({ value, end }: { value: number; end: number }): boolean | null {
    if (words.length < 2) {
      if (value > LONGEST_WORD) return null;
      if (held.length < end + value + 2) return false;
      if (!takeWord(held.toString('utf8', end, end + value), end + value + 2)) return null;
    } else {
      pass(end);
      skip = value + 2;
    }
    left -= 1;
    return true;
  }

  /** False where the command can't be carried out. */
  function takeWord(word: string, bytes: number): boolean {
    const [command] = words;
    words.push(word);
    const name = command === undefined ? word : nameOf(command, word);
    if (name === null) return false;
    if (name === word) pass(bytes);
    else {
      out.push(Buffer.from(`$${Buffer.byteLength(name)}\r\n${name}\r\n`));
      held = held.subarray(bytes);
    }
    return true;
  }

  return (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (let went: boolean | null = true; went && held.length > 0; ) {
      went = isBroken ? null : step();
      isBroken = went === null;
    }
    const rewritten = Buffer.concat(out);
    out = [];
    return isBroken ? null : rewritten;
  };
}

function hasLine(bytes: Buffer): boolean {
  return bytes.includes('\r\n');
}
