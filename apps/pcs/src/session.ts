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
  const stored = await storedLogin(config);
  const address = config.site ?? stored?.url;
  if (address === undefined) throw missing('there is no login');
  const site = siteOf(address);
  // A stored token is sent to its own installation alone, and its authority trusted for that one.
  const own = stored !== null && siteOf(stored.url).origin === site.origin ? stored : null;
  const token = config.token ?? tokenOf(own, site);
  const ca = (await caOf({ config, caFile })) ?? own?.ca ?? undefined;
  return openApi({ ...connectionTo(site, config, ca), token });
}

/** A file that is unreadable matters only where it is needed. */
async function storedLogin({ site, token, credentialsFile }: PcsConfig) {
  const login = readLogin(credentialsFile);
  return site !== undefined && token !== undefined ? login.catch(() => null) : login;
}

function tokenOf(login: StoredLogin | null, { host }: URL): string {
  if (login === null) throw missing(`there is no login for ${host}`);
  if (login.expires_at !== null && new Date(login.expires_at) <= new Date())
    throw unauthenticated('LOGIN_EXPIRED', `the login for ${host} has ended; log in again`);
  return login.token;
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
