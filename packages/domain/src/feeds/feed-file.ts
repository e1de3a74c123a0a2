/** Recognises a feed by its content, because a download or an import may have any name. */
import { invalid } from '@portcullis/errors';
import { EPSS_LIMITS, parseEpss } from './epss.ts';
import { KEV_LIMITS, parseKev } from './kev.ts';
import type { ParsedFeed } from './parsed-feed.ts';
import type { FeedKind } from './threat-feeds.ts';

export const MAX_FEED_BYTES = Math.max(EPSS_LIMITS.bytes, KEV_LIMITS.bytes);

/** A file that is dated later than this after now would hide all later ones. */
const TOLERANCE_MS = 86_400_000;

const BRACE = 0x7b;
const HASH = 0x23;
const BLANK: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** `bytes` are unpacked. @throws invalid `FEED_INVALID` */
export async function parseFeedFile(bytes: Uint8Array, now: Date): Promise<ParsedFeed> {
  const feed = await { kev: parseKev, epss: parseEpss }[kindOf(bytes)](bytes);
  if (feed.publishedAt.getTime() > now.getTime() + TOLERANCE_MS)
    throw invalid('FEED_INVALID', `the date of the file, ${dayOf(feed.publishedAt)}, is not yet`);
  return feed;
}

function kindOf(bytes: Uint8Array): FeedKind {
  const first = bytes[firstOf(bytes)];
  if (first === BRACE) return 'kev';
  if (first === HASH) return 'epss';
  throw invalid('FEED_INVALID', 'the file is neither a KEV catalog nor EPSS scores');
}

function firstOf(bytes: Uint8Array): number {
  let at = 0;
  while (BLANK.has(bytes[at])) at += 1;
  return at;
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
