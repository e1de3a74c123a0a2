import type { ApiCall } from './call.ts';

export interface PageInfo {
  nextCursor: string | null;
  /** Null if counting would be expensive. */
  total: number | null;
}

/** RFC 8288: the same query with the next cursor. */
export function announcePage(call: ApiCall, { nextCursor, total }: PageInfo): void {
  if (total !== null) call.header('X-Total-Count', String(total));
  if (nextCursor === null) return;
  const url = new URL(call.request.originalUrl, 'http://localhost');
  url.searchParams.set('cursor', nextCursor);
  call.header('Link', `<${url.pathname}${url.search}>; rel="next"`);
}

interface NumberedPage {
  /** From 1. */
  page: number;
  pageSize: number;
}

/** A page of a list whose pages have numbers. */
export function presentPage<T>(
  found: { items: T[]; total: number },
  { page, pageSize }: NumberedPage,
) {
  return { ...found, page, pageSize, totalPages: Math.ceil(found.total / pageSize) };
}
