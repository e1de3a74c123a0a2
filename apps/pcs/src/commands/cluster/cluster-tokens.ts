/**
 * Tokens that were given for the identity tokens of pods, in files of their owner alone, until they
 * end. The names of the files are digests of the identity tokens.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writePrivately } from '../../credentials.ts';

export interface KeptToken {
  token: string;
  username: string;
  expiresAt: Date;
}

interface TokenFile {
  folder: string;
  site: string;
  identity: string;
}

/** Less than the kubelet keeps credentials before they end. */
const LEAST_LEFT_MS = 60_000;
/** Longer than any token of a trust rule is valid. */
const OLD_MS = 3_600_000;
const LOOKS = 25;
const LOOK_MS = 200;

/** Null where there is none, or it ends soon. */
export async function keptToken(place: TokenFile): Promise<KeptToken | null> {
  const kept = await formerToken(place);
  return kept !== null && kept.expiresAt.getTime() - Date.now() > LEAST_LEFT_MS ? kept : null;
}

/** Also one that has ended. */
export async function formerToken(place: TokenFile): Promise<KeptToken | null> {
  const text = await readFile(fileOf(place), 'utf8').catch(() => null);
  return text === null ? null : parse(text);
}

/** Until another process has written it. Null: it did not. */
export async function waitForToken(place: TokenFile): Promise<KeptToken | null> {
  for (let looked = 0; looked < LOOKS; looked += 1) {
    const kept = await keptToken(place);
    if (kept !== null) return kept;
    await sleep(LOOK_MS);
  }
  return null;
}

export async function keepToken(place: TokenFile, token: KeptToken): Promise<void> {
  await writePrivately(fileOf(place), JSON.stringify(token));
  await removeOld(place.folder);
}

function fileOf({ folder, site, identity }: TokenFile): string {
  const name = createHash('sha256').update(`${site}\0${identity}`).digest('hex');
  return path.join(folder, name);
}

async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    const facts = await stat(file).catch(() => null);
    if (facts && Date.now() - facts.mtimeMs > OLD_MS) await rm(file, { force: true });
  }
}

function parse(text: string): KeptToken | null {
  try {
    const { token, username, expiresAt } = JSON.parse(text);
    const end = new Date(expiresAt);
    const isWhole = typeof token === 'string' && typeof username === 'string';
    return isWhole && !Number.isNaN(end.getTime()) ? { token, username, expiresAt: end } : null;
  } catch {
    return null;
  }
}
