/**
 * The catalog of known exploited vulnerabilities (KEV) as CISA publishes it:
 * `known_exploited_vulnerabilities.json`.
 */
import { invalid } from '@portcullis/errors';
import { parseStrictJson } from '@portcullis/oci';
import { cveNumber } from './cve-id.ts';
import { type CveEntry, CveTable } from './cve-table.ts';
import type { ParsedFeed } from './parsed-feed.ts';

/** The catalog of 2025 has 1,300 entries in 1.3 MB. */
export const KEV_LIMITS = { bytes: 32 * 1024 * 1024, entries: 100_000 } as const;

const JSON_LIMITS = { maxDepth: 8, maxMembers: 100, maxValues: 4_000_000 };
const VERSION = /^[\w.-]{1,64}$/;

/** @throws invalid `FEED_INVALID` */
export async function parseKev(bytes: Uint8Array): Promise<ParsedFeed> {
  if (bytes.byteLength > KEV_LIMITS.bytes) throw fault(`more than ${KEV_LIMITS.bytes} bytes`);
  const { catalogVersion, dateReleased, count, vulnerabilities } = recordOf(await jsonOf(bytes));
  if (typeof catalogVersion !== 'string' || !VERSION.test(catalogVersion))
    throw fault('catalogVersion is missing or invalid');
  if (!Array.isArray(vulnerabilities)) throw fault('vulnerabilities has to be an array');
  if (count !== vulnerabilities.length)
    throw fault(`count is ${String(count)}, and there are ${vulnerabilities.length} entries`);
  if (vulnerabilities.length === 0) throw fault('it has no entries');
  if (vulnerabilities.length > KEV_LIMITS.entries)
    throw fault(`more than ${KEV_LIMITS.entries} entries`);
  return {
    kind: 'kev',
    version: catalogVersion,
    publishedAt: timeOf(dateReleased),
    entries: CveTable.of(vulnerabilities.map(entryOf)),
  };
}

async function jsonOf(bytes: Uint8Array): Promise<unknown> {
  try {
    return await parseStrictJson(bytes, JSON_LIMITS);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw invalid('FEED_INVALID', `no KEV catalog: ${why}`, { cause });
  }
}

function entryOf(value: unknown, at: number): CveEntry {
  const { cveID, dateAdded } = recordOf(value);
  const cve = typeof cveID === 'string' ? cveNumber(cveID) : null;
  if (cve === null) throw fault(`vulnerabilities[${at}].cveID is no CVE id`);
  return { cve, value: dayNumber(dateAdded) };
}

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d\d-\d\d$/;
const UNKNOWN_DAY = 0;

/** Days since 1970; an entry without a date is an entry, too. */
function dayNumber(value: unknown): number {
  const time = typeof value === 'string' && DAY.test(value) ? Date.parse(value) : Number.NaN;
  return time > 0 ? time / DAY_MS : UNKNOWN_DAY;
}

/** The inverse, as the entries of the catalog have it. */
export function dayAdded(value: number): string | null {
  return value === UNKNOWN_DAY ? null : new Date(value * DAY_MS).toISOString().slice(0, 10);
}

function timeOf(value: unknown): Date {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) throw fault('dateReleased is missing or no time');
  return new Date(time);
}

function recordOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fault('an object is expected');
  return value as Record<string, unknown>;
}

function fault(why: string): Error {
  return invalid('FEED_INVALID', `no KEV catalog: ${why}`);
}
