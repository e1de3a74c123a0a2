/** Keyset paging: a page begins after the (time, id) of the last row seen, so that new rows shift nothing. */
import { invalid } from '@portcullis/errors';
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
  if (!/^\d{1,15}$/.test(time) || !isId(id))
    throw invalid('CURSOR_INVALID', 'the cursor is not one that a list gave');
  return { at: new Date(Number(time)), id };
}
