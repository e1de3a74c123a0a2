/**
 * Full-text search of audit events: whole words, in any order, in any case. The archive indexes the
 * words of each event. A term such as `team/app:1.2` has several words: the index narrows the
 * events, and the text of each is then searched for the term.
 */

/** A UUID is one word, because parts of one are not searched for. */
const WORD = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\p{L}\p{N}]{1,128}/gu;
const MOST_WORDS = 200;

export interface AuditSearch {
  /** The event must contain all of these words. */
  words: string[];
  /** The lower-case text of the event must contain all of these terms. */
  pieces: string[];
}

interface Searchable {
  event: string;
  outcome: string;
  actor: { name: string };
  action: string;
  resource: object | null;
  client_ip: string | null;
  user_agent: string | null;
  path: string | null;
  request_id: string | null;
  detail: Record<string, unknown>;
}

export function auditWords(event: Searchable): string[] {
  const { actor, resource, detail, outcome, action, client_ip, user_agent, path, request_id } =
    event;
  const texts = [event.event, outcome, actor.name, action, client_ip, user_agent, path, request_id];
  const all = [...texts, resource, detail].flatMap(textsIn).flatMap(wordsOf);
  return [...new Set(all)].slice(0, MOST_WORDS);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

/** Null where the text has no word. */
export function searchOf(text: string): AuditSearch | null {
  const words = [...new Set(wordsOf(text))];
  if (words.length === 0) return null;
  const pieces = text.toLowerCase().split(/\s+/).map(trimmed);
  return { words, pieces: pieces.filter((piece) => wordsOf(piece).length > 1) };
}

function trimmed(piece: string): string {
  return piece.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}

export function matchesSearch(event: Searchable, { words, pieces }: AuditSearch): boolean {
  const has = new Set(auditWords(event));
  if (!words.every((word) => has.has(word))) return false;
  const text = pieces.length > 0 ? JSON.stringify(event).toLowerCase() : '';
  return pieces.every((piece) => text.includes(piece));
}
