/** The waivers that an OpenVEX document requests: each once, and none that is requested already. */
import { type SkippedStatement, type WaiverScope, waiversOfVex } from '@portcullis/domain';
import { conflict } from '@portcullis/errors';
import type { NewWaiver, Store } from '@portcullis/store';

interface VexOrder {
  requestedById: string;
  /** Null: all folders. */
  folder: string | null;
  /** Until the waivers end. */
  days: number;
  /** Of this installation's registry, in lower case. */
  host: string;
}

interface VexRequests {
  wanted: NewWaiver[];
  skipped: SkippedStatement[];
}

type VexDocument = Parameters<typeof waiversOfVex>[0];

const MOST_WAIVERS = 500;
const DAY_MS = 86_400_000;

/** @throws conflict `VEX_TOO_LARGE` */
export async function vexRequests(
  { waivers, now }: { waivers: Pick<Store['waivers'], 'openScopesOf'>; now: Date },
  document: VexDocument & { '@id': string; author: string },
  { requestedById, folder, days, host }: VexOrder,
): Promise<VexRequests> {
  const read = waiversOfVex(document, [host]);
  if (!read || read.waivers.length > MOST_WAIVERS)
    throw conflict('VEX_TOO_LARGE', `The document makes more than ${MOST_WAIVERS} waivers.`);
  const vulnerabilities = read.waivers.map(({ vulnerability }) => vulnerability);
  const open = await waivers.openScopesOf({ requestedById, folder, vulnerabilities }, now);
  const seen = new Set(open.map(keyOf));
  const wanted: NewWaiver[] = [];
  const skipped = [...read.skipped];
  const shared = {
    folder,
    requestedById,
    status: 'not_affected' as const,
    ticket: null,
    vexDocument: document['@id'],
    vexAuthor: document.author,
    expiresAt: new Date(now.getTime() + days * DAY_MS),
  };
  for (const { statement, ...waiver } of read.waivers) {
    const key = keyOf(waiver);
    if (seen.has(key)) skipped.push({ statement, reason: 'ALREADY_REQUESTED' });
    else wanted.push({ ...waiver, ...shared });
    seen.add(key);
  }
  return { wanted, skipped };
}

function keyOf(scope: Omit<WaiverScope, 'folder'>): string {
  const { vulnerability, package: name, packageVersion, repository, digest } = scope;
  return JSON.stringify([vulnerability, name, packageVersion, repository, digest]);
}
