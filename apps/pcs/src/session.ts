/** The installation that the command talks to, and the token for it. */
import { readFile } from 'node:fs/promises';
import { type ApiClient, type ConnectionOptions, openApi, siteOf } from '@portcullis/client';
import { unauthenticated } from '@portcullis/errors';
import type { PcsConfig } from './config.ts';
import { readLogin, type StoredLogin } from './credentials.ts';

interface SessionOptions {
  config: PcsConfig;
  /** `--ca`. */
  caFile: string | undefined;
}

/** @throws unauthenticated `LOGIN_MISSING` or `LOGIN_EXPIRED` */
export async function openSession({ config, caFile }: SessionOptions): Promise<ApiClient> {
  const stored = await readLogin(config.credentialsFile);
  const address = config.site ?? stored?.url;
  if (address === undefined) throw missing('there is no login');
  const site = siteOf(address);
  const token = config.token ?? tokenFor(site, stored);
  const ca = (await caOf({ config, caFile })) ?? stored?.ca ?? undefined;
  return openApi({ ...connectionTo(site, config, ca), token });
}

/** A stored token is never sent to another installation. */
function tokenFor(site: URL, stored: StoredLogin | null): string {
  if (stored === null || siteOf(stored.url).origin !== site.origin)
    throw missing(`there is no login for ${site.host}`);
  if (stored.expires_at !== null && new Date(stored.expires_at) <= new Date())
    throw unauthenticated('LOGIN_EXPIRED', `the login for ${site.host} has ended; log in again`);
  return stored.token;
}

function missing(what: string) {
  const remedy = 'run `pcs login`, or set PORTCULLIS_URL and PORTCULLIS_TOKEN';
  return unauthenticated('LOGIN_MISSING', `${what}; ${remedy}`);
}

export function connectionTo(
  site: URL,
  { proxy, version }: PcsConfig,
  ca: string | undefined,
): ConnectionOptions {
  return { site, name: `pcs/${version}`, ca, proxy };
}

export async function caOf({ config, caFile }: SessionOptions): Promise<string | undefined> {
  const file = caFile ?? config.caFile;
  return file === undefined ? undefined : readFile(file, 'utf8');
}
