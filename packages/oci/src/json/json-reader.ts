/**
 * Reads JSON (RFC 8259) from bytes, in steps, so that a long document does not hold the event loop.
 * It accepts what `JSON.parse` accepts, within limits. Documents are untrusted: `JSON.parse`
 * silently keeps the last of two equal members, and Go's `encoding/json` reads `Layers`, `layerſ`
 * (U+017F) or `linKs` (U+212A) as `layers` or `links`, so one document could describe two images.
 * Unless the limits say otherwise, such members are rejected at any depth.
 */
import { invalid, type OciError } from '../oci-error.ts';
import { foldedName } from './member-names.ts';
import type { Steps } from './slices.ts';

export interface JsonLimits {
  /** Nesting depth of objects and arrays. */
  maxDepth: number;
  /** Members per object. */
  maxMembers: number;
  /** Members and elements in the whole document. */
  maxValues: number;
  /** True to keep the last of two equal members, and to replace what is not UTF-8. */
  isLenient?: boolean;
}

/**
 * Maps with arbitrary keys in the OCI specifications, where keys that differ only in case are
 * different keys.
 */
const FREE_FORM = new Set(['annotations', 'Labels', 'ExposedPorts', 'Volumes']);

const STEP_BYTES = 4 * 1024;

/** @throws invalid `JSON_INVALID`: not JSON in UTF-8, ambiguous, or beyond the limits */
export function* readJson(bytes: Uint8Array, limits: JsonLimits): Steps<unknown> {
  const reader = new JsonReader(bytes, limits);
  let stepEnd = STEP_BYTES;
  while (!reader.isAtEnd) {
    reader.readValue();
    if (reader.position < stepEnd) continue;
    yield;
    stepEnd = reader.position + STEP_BYTES;
  }
  return reader.document();
}

interface Container {
  value: unknown[] | Record<string, unknown>;
  /** Folded names seen in an object; null for an array. */
  names: Set<string> | null;
  isFreeForm: boolean;
  /** The member whose value is read next. */
  member: string;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;
const ZERO = 0x30;
const NINE = 0x39;
/** Not a byte. */
const END = -1;

/** Bytes that may follow a number or a literal. */
const isDelimiter = (byte: number) =>
  byte <= SPACE || byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LENIENT_UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

class JsonReader {
  readonly #bytes: Buffer;
  readonly #limits: JsonLimits;
  readonly #open: Container[] = [];
  #at = 0;
  #values = 0;
  #document: unknown;
  isAtEnd = false;

  constructor({ buffer, byteOffset, byteLength }: Uint8Array, limits: JsonLimits) {
    this.#bytes = Buffer.from(buffer, byteOffset, byteLength);
    this.#limits = limits;
  }

  get position(): number {
    return this.#at;
  }

  /** Reads a value, or the beginning of one that contains others. */
  readValue(): void {
    const byte = this.#next();
    if (byte === OPEN_BRACE) this.#begin({}, new Set());
    else if (byte === OPEN_BRACKET) this.#begin([], null);
    else this.#add(byte === QUOTE ? this.#string() : this.#scalar());
  }

  document(): unknown {
    if (this.#next() !== END) throw notJson();
    return this.#document;
  }

  /** The next byte that is not white space. */
  #next(): number {
    for (; this.#at < this.#bytes.length; this.#at += 1) {
      const byte = this.#bytes[this.#at] ?? END;
      if (byte > SPACE) return byte;
      if (byte !== SPACE && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) throw notJson();
    }
    return END;
  }

  #begin(value: Container['value'], names: Container['names']): void {
    const parent = this.#open.at(-1);
    const isFreeForm = parent?.names != null && FREE_FORM.has(parent.member);
    const container = { value, names, isFreeForm, member: '' };
    this.#at += 1;
    this.#count();
    this.#open.push(container);
    const { maxDepth } = this.#limits;
    if (this.#open.length > maxDepth) throw refused(`it is nested more than ${maxDepth} deep`);
    if (this.#next() === endOf(container)) this.#close();
    else if (names) this.#name(container, names);
  }

  #close(): void {
    this.#at += 1;
    this.#add(this.#open.pop()?.value);
  }

  #count(): void {
    const { maxValues } = this.#limits;
    this.#values += 1;
    if (this.#values > maxValues) throw tooMany(maxValues);
  }

  /** Adds a whole value, and what ends with it, to what contains them. */
  #add(value: unknown): void {
    let whole = value;
    for (let container = this.#open.at(-1); container; container = this.#open.at(-1)) {
      put(container, whole);
      const byte = this.#next();
      if (byte !== COMMA && byte !== endOf(container)) throw notJson();
      this.#at += 1;
      if (byte === COMMA) {
        this.#goOn(container);
        return;
      }
      this.#open.pop();
      whole = container.value;
    }
    this.#document = whole;
    this.isAtEnd = true;
  }

  #goOn(container: Container): void {
    this.#count();
    if (container.names) this.#name(container, container.names);
  }

  #name(container: Container, names: Set<string>): void {
    if (this.#next() !== QUOTE) throw notJson();
    const name = this.#string();
    if (this.#next() !== COLON) throw notJson();
    this.#at += 1;
    container.member = name;
    if (this.#limits.isLenient) return;
    if (!name.isWellFormed()) throw refused('a member is named by half a character');
    const { maxMembers } = this.#limits;
    const compared = container.isFreeForm ? name : foldedName(name);
    if (names.has(compared)) throw refused(`the member ${quote(name)} occurs twice`);
    if (names.size >= maxMembers) throw refused(`an object has more than ${maxMembers} members`);
    names.add(compared);
  }

  #string(): string {
    const bytes = this.#bytes;
    const start = this.#at;
    let isAscii = true;
    let isEscaped = false;
    let at = start + 1;
    for (let byte = bytes[at] ?? END; byte !== QUOTE; byte = bytes[at] ?? END) {
      if (byte < SPACE) throw notJson();
      if (byte === BACKSLASH) {
        isEscaped = true;
        at += 1;
      } else if (byte > 0x7f) isAscii = false;
      at += 1;
    }
    this.#at = at + 1;
    if (isEscaped) return String(parse(this.#decoded(start, this.#at)));
    return isAscii ? bytes.toString('latin1', start + 1, at) : this.#decoded(start + 1, at);
  }

  /** Bytes outside of ASCII are in strings alone. */
  #decoded(start: number, end: number): string {
    const decoder = this.#limits.isLenient ? LENIENT_UTF8 : UTF8;
    try {
      return decoder.decode(this.#bytes.subarray(start, end));
    } catch (cause) {
      throw refused('the document is not UTF-8', cause);
    }
  }

  /** A number, `true`, `false` or `null`. */
  #scalar(): unknown {
    const bytes = this.#bytes;
    const start = this.#at;
    let at = start;
    let whole = 0;
    for (let byte = bytes[at] ?? SPACE; !isDelimiter(byte); byte = bytes[at] ?? SPACE) {
      whole = byte >= ZERO && byte <= NINE ? 10 * whole + byte - ZERO : Number.NaN;
      at += 1;
    }
    this.#at = at;
    // Most numbers are sizes.
    const isSize = whole <= Number.MAX_SAFE_INTEGER && bytes[start] !== ZERO && at > start;
    return isSize ? whole : parse(bytes.toString('latin1', start, at));
  }
}

function endOf({ names }: Container): number {
  return names ? CLOSE_BRACE : CLOSE_BRACKET;
}

function put({ value, member }: Container, child: unknown): void {
  if (Array.isArray(value)) value.push(child);
  else if (member !== '__proto__') value[member] = child;
  else {
    const own = { value: child, enumerable: true, configurable: true, writable: true };
    Object.defineProperty(value, member, own);
  }
}

function parse(token: string): unknown {
  try {
    return JSON.parse(token);
  } catch (cause) {
    throw notJson(cause);
  }
}

function quote(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}

function notJson(cause?: unknown): OciError {
  return refused('the document is not JSON', cause);
}

/** Readers of bodies tell it from what is no JSON. */
function tooMany(most: number): OciError {
  const detail = { limit: 'values' };
  return invalid('JSON_INVALID', `it has more than ${most} values`, { detail });
}

function refused(why: string, cause?: unknown): OciError {
  return invalid('JSON_INVALID', why, { cause });
}
