/**
 * Text that PostgreSQL can store. JSON may have NUL and half characters (unpaired surrogates),
 * which neither `text` nor `jsonb` takes (PostgreSQL § 8.14.1).
 */
const REPLACEMENT = '\uFFFD';

export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', REPLACEMENT);
}

/** As `JSON.stringify` writes both, and how a text may look that only has a backslash. */
const SUSPECT = /\\u(?:0000|d[89a-f])/;

/** JSON that `jsonb` accepts, with names and texts as `storableText` writes them. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  return SUSPECT.test(text) ? JSON.stringify(storable(JSON.parse(text))) : text;
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    storableText(name),
    storable(member),
  ]);
  return Object.fromEntries(members);
}
