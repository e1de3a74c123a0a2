/** Pagination of `/v2` lists: `n`, `last` and a `Link` (RFC 8288). */

import { formatQuery, type Query } from './query.ts';
import { pathOf, type V2Route } from './routes.ts';

const MOST = 1000;

/** The requested size within its limits. */
export function sizeOf(query: Query, usual: number): number {
  return Math.min(Number(query.get('n') ?? usual), MOST);
}

export function linkTo(route: V2Route, query: Record<string, string>): string {
  return `<${pathOf(route)}${formatQuery(new Map(Object.entries(query)))}>; rel="next"`;
}
