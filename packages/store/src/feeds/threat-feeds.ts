/**
 * Threat feeds. The entries of a feed are one compact table in compressed parts: a backup reads
 * many rows at once, so each has to be small.
 */

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  type AuditEvent,
  CveTable,
  type FeedKind,
  isOlderFeed,
  type ParsedFeed,
} from '@portcullis/domain';
import { putReady } from '../audit/outbox.ts';
import type { Connection, Database } from '../database.ts';
import { inTransaction, Prisma, run } from '../database.ts';
import type { ThreatFeed as Row } from '../generated/client.ts';
import { json } from '../jobs/job-row.ts';
import type { FeedContent, FeedFailure, FeedRead, ThreatFeedState } from './records.ts';

/** In place of the address of a feed that is switched off. */
const OFF = 'off';
const PART_BYTES = 256 * 1024;
const compress = promisify(gzip);
const decompress = promisify(gunzip);

interface Part {
  part: number;
  content: Uint8Array<ArrayBuffer>;
}

export function createThreatFeeds(db: Database) {
  return {
    /** Feeds that were read, or tried to be. */
    async list(): Promise<ThreatFeedState[]> {
      return (await run(() => db.threatFeed.findMany({ orderBy: { kind: 'asc' } }))).map(toState);
    },
    /** The feed with its entries; null where it was never read. */
    find: (kind: FeedKind) => find(db, kind),
    /**
     * Replaces all entries in one transaction, with the event of the change. `unchanged`: the kept
     * content is the same; `older`: it is newer, and stays. In both cases nothing but the time of
     * the check is written, in the second not even that.
     */
    async replace(
      feed: ParsedFeed,
      { source, validator, at }: FeedRead,
      event: AuditEvent,
    ): Promise<'replaced' | 'unchanged' | 'older'> {
      const bytes = feed.entries.bytes();
      const digest = createHash('sha256').update(bytes).digest('hex');
      const [parts, { kind, version, publishedAt }] = [await inParts(bytes), feed];
      const checked = { source, validator, checkedAt: at, error: Prisma.DbNull, failedAt: null };
      return inTransaction(db, async (tx) => {
        const kept = await lock(tx, kind, source);
        if (isOlderFeed(feed, kept)) return 'older';
        if (isSame(feed, digest, kept)) {
          await tx.threatFeed.update({ where: { kind }, data: checked });
          return 'unchanged';
        }
        const content = { version, publishedAt, entries: feed.entries.size, digest, fetchedAt: at };
        await tx.threatFeed.update({ where: { kind }, data: { ...checked, ...content } });
        await tx.threatFeedPart.deleteMany({ where: { kind } });
        await tx.threatFeedPart.createMany({ data: parts.map((part) => ({ kind, ...part })) });
        await putReady(tx, [event]);
        return 'replaced';
      });
    },
    /** The source has nothing newer. */
    async confirm(kind: FeedKind, { source, validator, at }: FeedRead): Promise<void> {
      const data = { source, validator, checkedAt: at, error: Prisma.DbNull, failedAt: null };
      await run(() => db.threatFeed.updateMany({ where: { kind }, data }));
    },
    /** Of a feed without content, which no worker reads. One from a file keeps its source. */
    async switchOff(kind: FeedKind): Promise<void> {
      const off = { source: OFF, error: Prisma.DbNull, failedAt: null };
      await run(() =>
        db.threatFeed.upsert({ where: { kind }, create: { kind, ...off }, update: off }),
      );
    },
    /** Keeps the content. */
    async fail(kind: FeedKind, { at, ...error }: FeedFailure): Promise<void> {
      const failed = { error: json(error), failedAt: at };
      await run(() =>
        db.threatFeed.upsert({
          where: { kind },
          create: { kind, source: error.source, ...failed },
          update: failed,
        }),
      );
    },
  };
}

/** Serialises writers of one feed, also before its first row. */
async function lock(tx: Connection, kind: FeedKind, source: string): Promise<FeedContent | null> {
  const where = { kind };
  await tx.threatFeed.upsert({ where, create: { kind, source }, update: { kind } });
  return contentOf(await tx.threatFeed.findUniqueOrThrow({ where }));
}

function isSame(
  { version, publishedAt }: ParsedFeed,
  digest: string,
  kept: FeedContent | null,
): boolean {
  if (kept?.digest !== digest || kept.version !== version) return false;
  return kept.publishedAt.getTime() === publishedAt.getTime();
}

async function inParts(bytes: Uint8Array): Promise<Part[]> {
  const parts: Part[] = [];
  for (let part = 0; part * PART_BYTES < bytes.byteLength; part += 1) {
    const piece = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
    parts.push({ part, content: Uint8Array.from(await compress(piece)) });
  }
  return parts;
}

/** One statement reads one snapshot, so that the parts are those of the row. */
async function find(db: Database, kind: FeedKind) {
  const rows = await run(
    () => db.$queryRaw<(Part & FeedContent)[]>`
      SELECT p.part, p.content, f.version, f.digest, f.entries,
             f.published_at AS "publishedAt", f.fetched_at AS "fetchedAt", f.checked_at AS "checkedAt"
        FROM threat_feeds f JOIN threat_feed_parts p USING (kind)
       WHERE f.kind = ${kind} ORDER BY p.part`,
  );
  const [first] = rows;
  if (!first) return null;
  const { version, publishedAt, checkedAt, digest } = first;
  const pieces = await Promise.all(rows.map(({ content }) => decompress(content)));
  const entries = CveTable.from(Buffer.concat(pieces));
  return { kind, version, publishedAt, checkedAt, digest, entries };
}

function toState(row: Row): ThreatFeedState {
  const { kind, source, validator } = row;
  // The columns contain what this file wrote.
  const error = row.error as Omit<FeedFailure, 'at'> | null;
  const failure = error && row.failedAt && { ...error, at: row.failedAt };
  return { kind: kind as FeedKind, source, validator, content: contentOf(row), failure };
}

function contentOf({
  version,
  publishedAt,
  checkedAt,
  fetchedAt,
  digest,
  entries,
}: Row): FeedContent | null {
  if (version === null || digest === null) return null;
  if (publishedAt === null || checkedAt === null || fetchedAt === null) return null;
  return { version, publishedAt, checkedAt, fetchedAt, digest, entries };
}
