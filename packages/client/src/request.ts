/**
 * The request of an operation: its path, headers and the next page, in browsers as well. It imports
 * no schema, so that none is bundled with the page.
 */
import type { OperationEndpoint } from './endpoint.ts';

export type { OperationEndpoint } from './endpoint.ts';
export type {
  AnswerFor,
  OperationName,
  RequestArgs,
  RequestFor,
} from './operation-name.ts';

export interface RequestParts {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

export interface AnswerPage<T> {
  items: T;
  next: string | null;
  total: number | null;
}

/** From the root of the site. */
export function requestPath({ path }: OperationEndpoint, request: RequestParts): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(String(textsOf(request.params).find(([each]) => each === key)?.[1])),
  );
  const query = new URLSearchParams(textsOf(request.query)).toString();
  return `/api${filled}${query && `?${query}`}`;
}

/** With a new `Idempotency-Key`, where the operation accepts one: repetitions send the same. */
export function requestHeaders(
  { idempotent }: OperationEndpoint,
  { body }: RequestParts,
): Record<string, string> {
  return {
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(idempotent && { 'idempotency-key': randomKey() }),
  };
}

/** `crypto.randomUUID` is missing on pages served without TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** Lists become comma-separated values; empty values are left out. */
function textsOf(given: unknown): [string, string][] {
  return Object.entries(given ?? {})
    .filter(
      ([, value]) => value !== undefined && value !== null && value !== '' && !isEmptyList(value),
    )
    .map(([key, value]) => [key, String(value)]);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** From the `Link` of a page of a list. */
export function nextCursor(link: string | null | undefined): string | null {
  const target = /<([^>]+)>;\s*rel="next"/.exec(link ?? '')?.[1];
  return target === undefined ? null : new URL(target, 'http://page').searchParams.get('cursor');
}
