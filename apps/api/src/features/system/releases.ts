/**
 * The latest release according to `RELEASE_CHECK_URL`, requested every few hours per installation.
 */
import { unavailable } from '@portcullis/errors';
import { parseJson } from '@portcullis/oci';
import type { Transport } from '@portcullis/oci/remote';
import type { Redis } from '@portcullis/runtime';
import { z } from 'zod';

/** GitHub's format of a release, or a subset of it. */
const ReleaseReply = z
  .object({
    tag_name: z.string().optional(),
    version: z.string().optional(),
    html_url: z.string().nullish(),
    published_at: z.string().nullish(),
  })
  .transform(({ tag_name, version = tag_name, html_url, published_at }, context) => {
    if (version !== undefined && VERSION.test(version))
      return {
        version: version.replace(/^v/, ''),
        url: linkOf(html_url),
        publishedAt: timeOf(published_at),
      };
    context.addIssue({ code: 'custom', message: 'a version is expected' });
    return z.NEVER;
  });
export type Release = z.output<typeof ReleaseReply>;

export interface ReleasePorts {
  /** Null: the check is disabled. */
  url: string | null;
  transport: Pick<Transport, 'send'>;
  redis: Pick<Redis, 'get' | 'set'>;
}

const VERSION = /^v?(\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z.-]+)?$/;
const KEY = 'portcullis:latest-release';
const KEPT_SECONDS = 6 * 3600;
const PATIENCE_MS = 5_000;
const MAX_BYTES = 1024 * 1024;

/** Null if the check is disabled. @throws unavailable `RELEASES_UNAVAILABLE` */
export async function latestRelease({
  url,
  transport,
  redis,
}: ReleasePorts): Promise<Release | null> {
  if (url === null) return null;
  const kept = await redis.get(KEY).catch(() => null);
  if (kept !== null) return parse(Buffer.from(kept));
  const text = await fetchText(new URL(url), transport);
  const release = await parse(text);
  // Without the cache, requests are repeated.
  await redis.set(KEY, text, 'EX', KEPT_SECONDS).catch(() => null);
  return release;
}

/** A release is newer than its pre-releases. */
export function isNewer(candidate: string, than: string): boolean {
  const [a, b] = [VERSION.exec(candidate), VERSION.exec(than)];
  if (!a || !b) return false;
  for (const part of [1, 2, 3]) {
    const difference = Number(a[part]) - Number(b[part]);
    if (difference !== 0) return difference > 0;
  }
  return a[4] === undefined && b[4] !== undefined;
}

async function fetchText(url: URL, transport: Pick<Transport, 'send'>): Promise<Buffer> {
  try {
    const { status, body } = await transport.send({
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
      trust: { verify: true },
      maxBytes: MAX_BYTES,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (status !== 200) throw new Error(`the answer was ${status}`);
    return body;
  } catch (cause) {
    throw unreachable(cause);
  }
}

async function parse(body: Buffer): Promise<Release> {
  try {
    return ReleaseReply.parse(await parseJson(body));
  } catch (cause) {
    throw unreachable(cause);
  }
}

function unreachable(cause: unknown): Error {
  return unavailable('RELEASES_UNAVAILABLE', 'The list of releases can not be reached.', {
    cause,
    retryAfter: 60,
  });
}

/** The web page shows it as a link. */
function linkOf(text: string | null | undefined): string | null {
  return text && /^https?:$/.test(URL.parse(text)?.protocol ?? '') ? text : null;
}

function timeOf(text: string | null | undefined): string | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
