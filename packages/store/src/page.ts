/**
 * Keyset paging: a page begins after the last row of the previous one, by (time, id) or by name, so
 * that new rows shift nothing.
 */
import { type AppError, invalid } from '@portcullis/errors';
import { isId } from './database.ts';
import type { Page, PageOptions } from './port.ts';

const DEFAULT_SIZE = 50;
const LARGEST_SIZE = 200;

export function pageSize(limit: number | undefined): number {
  return Math.min(Math.max(1, Math.trunc(limit ?? DEFAULT_SIZE)), LARGEST_SIZE);
}

export function encodeCursor(at: Date, id: string): string {
  return Buffer.from(`${at.getTime()}.${id}`).toString('base64url');
}

/** @throws invalid `CURSOR_INVALID` */
export function decodeCursor(cursor: string): { at: Date; id: string } {
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split('.');
  if (!/^\d{1,15}$/.test(time) || !isId(id)) throw cursorInvalid();
  return { at: new Date(Number(time)), id };
}

/**
 * Condition and size of a page of a list by name: one row more than requested shows whether there
 * is a next page.
 */
export function pageByName({ limit, cursor }: PageOptions) {
  return {
    where: cursor ? { name: { gt: decodeName(cursor) } } : {},
    orderBy: { name: 'asc' },
    take: pageSize(limit) + 1,
  } as const;
}

export function cutByName<T extends { name: string }>(
  rows: T[],
  total: number,
  limit?: number,
): Page<T> {
  const items = rows.slice(0, pageSize(limit));
  const last = items.at(-1);
  const nextCursor = rows.length > items.length && last ? encodeName(last.name) : null;
  return { items, total, nextCursor };
}

export function encodeName(name: string): string {
  return Buffer.from(name).toString('base64url');
}

/** Refuses text that no name can contain. */
export function decodeName(cursor: string): string {
  const name = Buffer.from(cursor, 'base64url').toString('utf8');
  if (name === '' || /[\p{Cc}\uFFFD]/u.test(name)) throw cursorInvalid();
  return name;
}

function cursorInvalid(): AppError {
  return invalid('CURSOR_INVALID', 'the cursor is not one that a list gave');
}
