/**
 * Splits a JSON object into its members while it is read: each element of an array is a member of
 * its own. Documents reach hundreds of megabytes, of which one member is in memory at a time.
 */
import { tooLarge, unavailable } from '@portcullis/errors';

export interface JsonMember {
  key: string;
  /** The JSON of the value, or of one element of an array. */
  text: string;
}

/** A run of SARIF, the largest member, has all findings of a platform. */
const MAX_MEMBER_BYTES = 128 * 1024 * 1024;

/**
 * Members with other keys than these are left out. @throws unavailable `SCAN_REPORT_INVALID` if the
 * content is no complete object; too_large `REPORT_TOO_LARGE`
 */
export async function* jsonMembers(
  content: AsyncIterable<Buffer>,
  wanted: readonly string[],
): AsyncGenerator<JsonMember> {
  const splitter = createSplitter(wanted);
  for await (const chunk of content) yield* splitter.read(chunk);
  if (!splitter.isComplete()) throw unreadable();
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
/** No other character of JSON outside strings is as low as its white space. */
const SPACE = 0x20;

/** What comes next: the object, a key, the value of the key, an element of its array, nothing. */
type ExpectedToken = 'object' | 'key' | 'value' | 'element' | 'nothing';

function createSplitter(wanted: readonly string[]) {
  let expected: ExpectedToken = 'object';
  let key = '';
  let scan: ReturnType<typeof scanValue> | null = null;

  function* read(chunk: Buffer): Generator<JsonMember> {
    for (let at = 0; at < chunk.length; ) {
      if (scan === null && isSeparator(chunk[at] ?? 0)) {
        at += 1;
        continue;
      }
      scan ??= scanValue(expected === 'key' || wanted.includes(key));
      const end = scan.read(chunk, at);
      if (end === null) return;
      at = end;
      const text = scan.text();
      scan = null;
      if (expected === 'key') [key, expected] = [JSON.parse(text), 'value'];
      else {
        if (wanted.includes(key)) yield { key, text };
        if (expected === 'value') expected = 'key';
      }
    }
  }

  /** Also what begins and ends the object and an array in it. */
  function isSeparator(byte: number): boolean {
    if (byte <= SPACE || byte === COMMA || byte === COLON) return true;
    if (expected === 'object' && byte === OPEN_OBJECT) expected = 'key';
    else if (expected === 'key' && byte === CLOSE_OBJECT) expected = 'nothing';
    else if (expected === 'value' && byte === OPEN_ARRAY) expected = 'element';
    else if (expected === 'element' && byte === CLOSE_ARRAY) expected = 'key';
    else if (expected === 'object' || expected === 'nothing') throw unreadable();
    else return false;
    return true;
  }

  return { read, isComplete: () => expected === 'nothing' };
}

/** Reads one value, which may lie in several chunks; its text is kept if `isKept`. */
function scanValue(isKept: boolean) {
  const parts: Buffer[] = [];
  let size = 0;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;

  /** Where the value ends in the chunk; null if it continues in the next one. */
  function read(chunk: Buffer, from: number): number | null {
    const end = endIn(chunk, from);
    keep(chunk.subarray(from, end ?? chunk.length));
    return end;
  }

  function endIn(chunk: Buffer, from: number): number | null {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInString = false;
        if (!isInString && depth === 0) return at + 1;
      } else if (byte === QUOTE) isInString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        // The end of what a number or a word is in.
        if (depth === 0) return at;
        depth -= 1;
        if (depth === 0) return at + 1;
      } else if (depth === 0 && (byte <= SPACE || byte === COMMA)) return at;
    }
    return null;
  }

  function keep(part: Buffer): void {
    if (!isKept) return;
    size += part.length;
    if (size > MAX_MEMBER_BYTES)
      throw tooLarge('REPORT_TOO_LARGE', 'A part of the report is too large to be read.');
    parts.push(part);
  }

  return { read, text: () => Buffer.concat(parts).toString('utf8') };
}

function unreadable(): Error {
  return unavailable('SCAN_REPORT_INVALID', "the scanner's report could not be read");
}
