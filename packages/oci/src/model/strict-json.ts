/**
 * JSON parser that rejects documents which other parsers read differently. `JSON.parse` silently
 * keeps the last of two equal members, and Go's `encoding/json` reads `Layers`, `layerſ` (U+017F)
 * or `linKs` (U+212A) as `layers` or `links`, so one document could describe two images. Such
 * members are rejected at any depth before parsing. The same linear pass limits depth and size.
 */
import { invalid, type OciError } from '../oci-error.ts';

export interface JsonLimits {
  /** Nesting depth of objects and arrays. */
  maxDepth: number;
  /** Members per object. */
  maxMembers: number;
  /** Members and elements in the whole document. */
  maxValues: number;
}

export const JSON_LIMITS: JsonLimits = { maxDepth: 32, maxMembers: 2_000, maxValues: 64_000 };

/**
 * Maps with arbitrary keys in the OCI specifications, where keys that differ only in case are
 * different keys.
 */
const FREE_FORM = new Set(['annotations', 'Labels', 'ExposedPorts', 'Volumes']);

/**
 * Folds a member name as Go's `encoding/json` does when it compares it with an ASCII field name.
 */
export function foldedName(name: string): string {
  return name.toLowerCase().replaceAll('\u017F', 's');
}

/** @throws invalid `JSON_INVALID`: not JSON in UTF-8, ambiguous, or beyond the limits */
export function parseStrictJson(bytes: Uint8Array, limits: JsonLimits = JSON_LIMITS): unknown {
  const text = decode(bytes);
  assertUnambiguous(text, limits);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refused('the document is not JSON', cause);
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw refused('the document is not UTF-8', cause);
  }
}

interface Container {
  /** Names seen in an object; null for an array. */
  names: Set<string> | null;
  isFreeForm: boolean;
  /** The member whose value is read next. */
  member: string;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Text that is not JSON may pass; `JSON.parse` rejects it afterwards. */
function assertUnambiguous(text: string, limits: JsonLimits): void {
  const stack: Container[] = [];
  let values = 0;
  // The last string, until a colon makes it a name: reading one again for each colon after it would
  // take a time that grows with the square of the document's size.
  let string: { start: number; end: number } | null = null;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        string = { start: at, end: endOfString(text, at) };
        at = string.end;
        break;
      case COLON:
        if (string === null) throw refused('the document is not JSON');
        enter(stack.at(-1), nameIn(text.slice(string.start, string.end + 1)), limits);
        string = null;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        values += 1;
        stack.push(containerIn(stack.at(-1), text.charCodeAt(at) === OPEN_BRACE));
        if (stack.length > limits.maxDepth)
          throw refused(`it is nested more than ${limits.maxDepth} deep`);
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        stack.pop();
        break;
      case COMMA:
        values += 1;
        break;
    }
    if (values > limits.maxValues) throw refused(`it has more than ${limits.maxValues} values`);
  }
}

function containerIn(parent: Container | undefined, isObject: boolean): Container {
  return {
    names: isObject ? new Set() : null,
    isFreeForm: parent?.names != null && FREE_FORM.has(parent.member),
    member: '',
  };
}

/** The closing quote: the next one after an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at > 0; at = text.indexOf('"', at + 1)) {
    let first = at;
    while (text[first - 1] === '\\') first -= 1;
    if ((at - first) % 2 === 0) return at;
  }
  return text.length;
}

function nameIn(literal: string): string {
  const name = literal.includes('\\') ? unescaped(literal) : literal.slice(1, -1);
  if (!name.isWellFormed()) throw refused('a member is named by half a character');
  return name;
}

function unescaped(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch (cause) {
    throw refused('a member has no valid name', cause);
  }
}

function enter(container: Container | undefined, name: string, { maxMembers }: JsonLimits): void {
  if (!container?.names) return;
  const compared = container.isFreeForm ? name : foldedName(name);
  if (container.names.has(compared)) throw refused(`the member ${shown(name)} occurs twice`);
  if (container.names.size >= maxMembers)
    throw refused(`an object has more than ${maxMembers} members`);
  container.names.add(compared);
  container.member = name;
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}

function refused(why: string, cause?: unknown): OciError {
  return invalid('JSON_INVALID', why, { cause });
}

/**
 * Finds a member whose name differs from a known one only in case, such as `Layers`: Go readers
 * treat it as `layers` and this parser does not.
 */
export function misspelled(json: object, names: ReadonlySet<string>): string | undefined {
  const folded = foldedNames(names);
  return Object.keys(json).find((name) => !names.has(name) && folded.has(foldedName(name)));
}

const FOLDED = new WeakMap<ReadonlySet<string>, Set<string>>();

function foldedNames(names: ReadonlySet<string>): Set<string> {
  const known = FOLDED.get(names);
  if (known) return known;
  const folded = new Set([...names].map(foldedName));
  FOLDED.set(names, folded);
  return folded;
}
