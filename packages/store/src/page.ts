/**
 * Keyset paging: a page begins after the last row of the previous one, by (time, id) or by name, so
 * that new rows shift nothing.
 */
import { type AppError, invalid } from '@portcullis/errors';
import { isId } from './database.ts';

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

/** A place in a list by another column: its value, then newest first. */
export interface KeyedCursor {
  value: string;
  at: Date;
  id: string;
}

/** A cursor of one order is none of another. */
export function encodeKeyed(order: string, { value, at, id }: KeyedCursor): string {
  return Buffer.from(JSON.stringify([order, at.getTime(), id, value])).toString('base64url');
}

/** @throws invalid `CURSOR_INVALID` */
export function decodeKeyed(order: string, cursor: string): KeyedCursor {
  const [of, time, id, value] = listIn(cursor);
  const isPlace = typeof time === 'number' && typeof id === 'string' && typeof value === 'string';
  if (of !== order || !isPlace || !isId(id) || !isStorable(value)) throw cursorInvalid();
  return { value, at: timeIn(time), id };
}

/**
 * A time in a cursor; before 1970 there was none, and PostgreSQL knows no time before 4713 BC.
 * @throws invalid `CURSOR_INVALID`
 */
export function timeIn(value: unknown): Date {
  const at = new Date(Number.isInteger(value) && Number(value) >= 0 ? Number(value) : Number.NaN);
  if (Number.isNaN(at.getTime())) throw cursorInvalid();
  return at;
}

/** A place in a list by another column, and then by name. */
export interface NamedCursor {
  /** Null for a list by name alone, and for a value that is not known. */
  value: string | null;
  name: string;
}

/** A cursor of one order is none of another. */
export function encodeNamed(order: string, { value, name }: NamedCursor): string {
  return Buffer.from(JSON.stringify([order, value, name])).toString('base64url');
}

/** @throws invalid `CURSOR_INVALID` */
export function decodeNamed(order: string, cursor: string): NamedCursor {
  const [of, value, name] = listIn(cursor);
  if (of !== order || typeof name !== 'string' || !isStorable(name)) throw cursorInvalid();
  if (value !== null && (typeof value !== 'string' || !isStorable(value))) throw cursorInvalid();
  return { value, name };
}

/** The fields of a cursor; empty where it has none. */
export function listIn(cursor: string): unknown[] {
  try {
    const list: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
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
  if (name === '' || !isStorable(name)) throw cursorInvalid();
  return name;
}

/** Whether PostgreSQL can have it: a cursor is text from outside. */
export function isStorable(text: string): boolean {
  return !/[\p{Cc}\uFFFD]/u.test(text);
}

export function cursorInvalid(): AppError {
  return invalid('CURSOR_INVALID', 'the cursor is not one that a list gave');
}

/** How many rows match, and since when the oldest of them exists. */
export interface WaitingCount {
  count: number;
  oldestAt: Date | null;
}

export interface Page<T> {
  items: T[];
  /** Opaque; null on the last page. */
  nextCursor: string | null;
  total: number;
}

export interface PageOptions {
  /** Default 50, at most 200. */
  limit?: number | undefined;
  cursor?: string | null | undefined;
}
