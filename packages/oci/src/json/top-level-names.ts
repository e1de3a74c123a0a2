/**
 * Reads the names of the members of a JSON object from its bytes as they arrive, without building a
 * value: stored documents are untrusted, and parsing one of some megabytes blocks the event loop
 * for seconds. It keeps one name at a time, and only as much of it as a wanted name could have.
 */
import { foldedName } from './member-names.ts';

export interface NameScanner {
  /** True as soon as a member with the wanted name has begun. */
  scan(chunk: Uint8Array): boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Each character of a wanted name may be escaped with six, such as `\u0072`. */
const MOST_BYTES_OF_CHARACTER = 6;

/**
 * Compares as Go's `encoding/json` does. Bytes that are not JSON may give any answer.
 * @param wanted in lower case
 */
export function createNameScanner(wanted: string): NameScanner {
  const mostBytes = wanted.length * MOST_BYTES_OF_CHARACTER;
  let depth = 0;
  let isObject = false;
  let inString = false;
  let isEscaped = false;
  /** The last string at the top level of the object; null for one that is too long. */
  let name: number[] | null = null;
  let isFound = false;

  function inText(byte: number): void {
    if (!isEscaped && byte === QUOTE) {
      inString = false;
      return;
    }
    isEscaped = !isEscaped && byte === BACKSLASH;
    if (name === null) return;
    if (name.length >= mostBytes) name = null;
    else name.push(byte);
  }

  function outside(byte: number): void {
    switch (byte) {
      case QUOTE:
        inString = true;
        name = isObject && depth === 1 ? [] : null;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (depth === 0) isObject = byte === OPEN_BRACE;
        depth += 1;
        name = null;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1;
        break;
      case COLON:
        isFound ||= name !== null && depth === 1 && isNamed(name, wanted);
        name = null;
        break;
    }
  }

  return {
    scan(chunk) {
      for (let at = 0; at < chunk.length && !isFound; at += 1) {
        const byte = chunk[at] ?? 0;
        if (inString) inText(byte);
        else outside(byte);
      }
      return isFound;
    },
  };
}

function isNamed(bytes: number[], wanted: string): boolean {
  const literal = new TextDecoder().decode(Uint8Array.from(bytes));
  try {
    return foldedName(String(JSON.parse(`"${literal}"`))) === wanted;
  } catch {
    return false;
  }
}
