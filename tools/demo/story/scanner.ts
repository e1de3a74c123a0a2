/** Waits until scans and rules have all that they need. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '@portcullis/client';
import { Refusal } from '../refusal.ts';

const POLL_MS = 300;

/**
 * The scanner with its databases, and the threat feeds: an image that is scanned before gets
 * another verdict. A build of the scanner takes minutes. @returns what is ready, for people
 */
export async function scannerReady(admin: ApiClient): Promise<string> {
  for (;;) {
    const missing = await missingPart(admin);
    if (missing === null) break;
    await sleep(POLL_MS);
  }
  const { version } = await admin.call('trivy.state');
  return `Trivy ${version} has the sample database, and the policy has the sample feeds`;
}

/** Null where nothing is missing. @throws Refusal where a part failed */
async function missingPart(admin: ApiClient): Promise<string | null> {
  const { dependencies } = await admin.call('system.dependencyHealth');
  const { ok, code, message } = dependencies.scanner;
  if (!ok && !UNDER_WAY.includes(code ?? '')) throw new Refusal(`the scanner: ${message}`);
  if (!ok) return 'scanner';
  const { java_index } = await admin.call('trivy.getDatabase');
  if (java_index.state === 'failed')
    throw new Refusal(`the index of Java archives: ${java_index.message}`);
  if (java_index.state !== 'ready') return 'java index';
  const feeds = await admin.call('maintenance.listFeeds');
  for (const { kind, error } of feeds)
    if (error !== null) throw new Refusal(`the feed ${kind}: ${error.message}`);
  return feeds.find(({ entries }) => entries === 0)?.kind ?? null;
}

const UNDER_WAY = ['SCANNER_PENDING', 'SCANNER_BUILDING', 'SCAN_DATABASE_MISSING'];
