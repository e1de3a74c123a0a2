/**
 * The orders of the tags of a repository: the columns, and where the next page begins. Equal tags
 * are by name, which is unique in a repository, so that each has one place.
 */
import type { TagOrder } from '@portcullis/domain';
import { TAG_STANDINGS } from '@portcullis/domain/tag-standing';
import { Prisma } from '../database.ts';
import { columnOf } from '../keyed-order.ts';
import { cursorInvalid, decodeNamed, encodeNamed } from '../page.ts';
import type { IndexedTag } from './records.ts';

/** One of the groups, of tags joined with their manifests and standings. */
export const STANDING = Prisma.sql`
  CASE WHEN s.passes IS FALSE THEN 'blocked'
       WHEN m.artifact_type IS NOT NULL AND m.platforms = '{}' THEN 'artifact'
       WHEN s.passes AND s.waived THEN 'waived'
       WHEN s.passes AND s.verdict IN ('findings', 'unscannable', 'clean') THEN s.verdict
       ELSE 'unscanned' END`;

/** The place of the group among all; 1 is the most urgent. */
export const RANK = Prisma.sql`array_position(${[...TAG_STANDINGS]}::text[], ${STANDING})`;

export type RankedTag = IndexedTag & { rank: number };

interface TagColumn {
  key: Prisma.Sql;
  name: Prisma.Sql;
  /** The key of a tag as text, of digits. */
  of(tag: RankedTag): string | null;
  /** A value to compare the key with. */
  read(value: string | null, tag: string): Prisma.Sql;
}

const UPDATED_AT: TagColumn = {
  key: Prisma.sql`t.updated_at`,
  name: Prisma.sql`t.tag`,
  of: ({ updatedAt }) => String(updatedAt.getTime()),
  read: (value) => Prisma.sql`${new Date(Number(digits(value)))}`,
};
const SIZE: TagColumn = {
  key: Prisma.sql`coalesce(m.total_size, 0)`,
  name: Prisma.sql`t.tag`,
  of: ({ size }) => String(size),
  read: (value) => Prisma.sql`${BigInt(digits(value))}`,
};
/** As the index `local_tags_order_idx` has it: case-insensitive, then by character. */
const TAG: TagColumn = {
  key: Prisma.sql`lower(t.tag) COLLATE "C"`,
  name: Prisma.sql`t.tag COLLATE "C"`,
  of: () => null,
  read: (_, tag) => Prisma.sql`lower(${tag}::text) COLLATE "C"`,
};

const STANDINGS: TagColumn = {
  key: RANK,
  name: Prisma.sql`t.tag`,
  of: ({ rank }) => String(rank),
  read: (value) => Prisma.sql`${rankIn(value)}::int`,
};

const COLUMNS: Record<string, TagColumn> = {
  updated_at: UPDATED_AT,
  size: SIZE,
  tag: TAG,
  standing: STANDINGS,
};

/** The columns by which the list is ordered. */
export function tagsBy(order: TagOrder): Prisma.Sql {
  const { key, name, direction } = partsOf(order);
  return Prisma.sql`${key} ${direction}, ${name}`;
}

/** The tags after those of the previous page. @throws invalid `CURSOR_INVALID` */
export function tagsAfter(order: TagOrder, cursor: string | undefined): Prisma.Sql {
  if (cursor === undefined) return Prisma.sql`TRUE`;
  const { key, name, read, beyond } = partsOf(order);
  const rank = decodeNamed(order, cursor);
  const value = read(rank.value, rank.name);
  return Prisma.sql`(${key} ${beyond} ${value} OR (${key} = ${value} AND ${name} > ${rank.name}))`;
}

/** The cursor of the page after this tag. */
export function cursorAfterTag(order: TagOrder, tag: RankedTag): string {
  return encodeNamed(order, { value: partsOf(order).of(tag), name: tag.tag });
}

function partsOf(order: TagOrder) {
  return columnOf<TagColumn>(order, COLUMNS);
}

function rankIn(value: string | null): number {
  const rank = Number(digits(value));
  if (rank > TAG_STANDINGS.length) throw cursorInvalid();
  return rank;
}

function digits(value: string | null): string {
  if (value === null || !/^\d{1,15}$/.test(value)) throw cursorInvalid();
  return value;
}
