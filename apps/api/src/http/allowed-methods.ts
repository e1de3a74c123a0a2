/**
 * Which methods a path has, by the route table: 405 with `Allow` for another one, and the answer to
 * `OPTIONS`. Express would count every route that matches, though only the most specific one serves
 * a path (RFC 9110 §§ 9.3.7, 15.5.6).
 */
import type { Operation } from '@portcullis/contract';
import type { RequestHandler } from 'express';

type Method = Operation['method'];
export type PathMethod = Pick<Operation, 'method' | 'path'>;

export function allowedMethods(operations: readonly PathMethod[]): RequestHandler {
  const find = methodsByPath(operations);
  return (request, response, next) => {
    const methods = find(request.path);
    if (methods === null) return next();
    const allowed = allowOf(methods);
    if (allowed.includes(request.method) && request.method !== 'OPTIONS') return next();
    response.setHeader('Allow', allowed.join(', '));
    if (request.method === 'OPTIONS') return void response.status(204).end();
    next(Object.assign(new Error('method not allowed'), { type: 'method.unsupported' }));
  };
}

function allowOf(methods: readonly Method[]): string[] {
  const named = methods.map((method) => method.toUpperCase());
  return [...named, ...(named.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].toSorted();
}

interface Template {
  segments: string[];
  methods: Method[];
}

/**
 * Null for a path that no operation has. Of several that match, the one whose first differing
 * segment is literal.
 */
export function methodsByPath(
  operations: readonly PathMethod[],
): (path: string) => Method[] | null {
  const templates = [...Map.groupBy(operations, ({ path }) => path)].map(
    ([path, those]): Template => ({
      segments: segmentsOf(path),
      methods: those.map(({ method }) => method),
    }),
  );
  const ordered = templates.toSorted((a, b) => compare(a.segments, b.segments));
  return (path) => {
    const segments = segmentsOf(path);
    return ordered.find((template) => fits(template.segments, segments))?.methods ?? null;
  };
}

/** A slash at the end makes no difference to a route. */
function segmentsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/').slice(1);
}

/**
 * Only templates of equal length are compared: over all lengths the comparison is not transitive.
 */
function compare(a: string[], b: string[]): number {
  if (a.length !== b.length) return a.length - b.length;
  const at = a.findIndex((segment, n) => isParameter(segment) !== isParameter(b[n] ?? ''));
  if (at < 0) return 0;
  return isParameter(a[at] ?? '') ? 1 : -1;
}

function fits(template: string[], path: string[]): boolean {
  return (
    template.length === path.length &&
    template.every((segment, n) => (isParameter(segment) ? path[n] !== '' : path[n] === segment))
  );
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}
