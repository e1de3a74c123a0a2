/**
 * The settings in force: stored settings take precedence over the environment, and both over
 * defaults. A change takes effect in every process at once.
 */
import type { LiveSettings } from '@portcullis/events';
import type { Sealer } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';

export const TOKEN_AUTH_METHODS = ['auto', 'client_secret_basic', 'client_secret_post'] as const;
export type TokenAuthMethod = (typeof TOKEN_AUTH_METHODS)[number];

interface OidcFields {
  enabled: boolean;
  providerName: string;
  issuer: string | null;
  clientId: string | null;
  scopes: string[];
  usernameClaim: string;
  groupsClaim: string;
  adminGroups: string[];
  allowedGroups: string[];
  groupMapping: { claim: string; group: string }[];
  oidcOnly: boolean;
  allowInsecure: boolean;
  caCert: string | null;
  /** How the secret is sent; from the environment alone, like the next one. */
  tokenAuthMethod: TokenAuthMethod;
  /** By how much the clocks of the provider and of this machine may differ. */
  clockToleranceSeconds: number;
}

/**
 * The secret stays sealed until a connection needs it: if it cannot be opened, only the connection
 * fails.
 */
export interface OidcSettingsInForce extends OidcFields {
  sealedSecret: string | null;
}

/** As sent by clients. */
export interface OidcGiven extends OidcFields {
  clientSecret: string | null;
}

export const OIDC_DEFAULTS: OidcSettingsInForce = {
  enabled: false,
  providerName: 'OpenID Connect',
  issuer: null,
  clientId: null,
  scopes: ['openid', 'profile', 'email'],
  usernameClaim: 'preferred_username',
  groupsClaim: 'groups',
  adminGroups: [],
  allowedGroups: [],
  groupMapping: [],
  oidcOnly: false,
  allowInsecure: false,
  caCert: null,
  tokenAuthMethod: 'auto',
  clockToleranceSeconds: 60,
  sealedSecret: null,
};

/** An absent field is kept; null removes the stored value. */
export type OidcChange = { [K in keyof OidcGiven]?: OidcGiven[K] | null | undefined };

/** Settings that are complete enough for a login. */
export type Usable = OidcSettingsInForce & { issuer: string; clientId: string };

export interface OidcSettingsReader {
  inForce(): Promise<OidcSettingsInForce>;
  /** The settings in force after the change. */
  after(change: OidcChange): Promise<OidcSettingsInForce>;
  save(change: OidcChange): Promise<void>;
}

export interface OidcSettingsPorts {
  store: Pick<Store['settings'], 'find' | 'set'>;
  live: Pick<LiveSettings, 'find' | 'changed'>;
  sealer: Sealer;
  /** `OIDC_*`. */
  env: Partial<OidcGiven>;
}

const KEY = 'oidc';

export function createOidcSettings({
  store,
  live,
  sealer,
  env,
}: OidcSettingsPorts): OidcSettingsReader {
  const base: OidcSettingsInForce = { ...OIDC_DEFAULTS, ...sealedIn(env) };

  /** The stored value needs no validation: only the api writes it. */
  async function storedIn(
    settings: Pick<LiveSettings, 'find'>,
  ): Promise<Partial<OidcSettingsInForce>> {
    const found = await settings.find(KEY);
    return typeof found === 'object' && found !== null ? found : {};
  }

  async function overlaid(change: OidcChange): Promise<Partial<OidcSettingsInForce>> {
    const before = await storedIn(store);
    const fields = { ...before, ...differing(sealedIn(change), { ...base, ...before }) };
    return withoutNulls(fields);
  }

  async function save(change: OidcChange): Promise<void> {
    await store.set(KEY, await overlaid(change));
    await live.changed();
  }

  function sealedIn({ clientSecret, ...rest }: OidcChange): Partial<OidcSettingsInForce> {
    if (clientSecret === undefined) return withoutUndefined(rest);
    return withoutUndefined({ ...rest, sealedSecret: clientSecret && sealer.seal(clientSecret) });
  }

  return {
    inForce: async () => ({ ...base, ...(await storedIn(live)) }),
    after: async (change) => ({ ...base, ...(await overlaid(change)) }),
    save,
  };
}

/**
 * Forms send all fields: unchanged values are not stored, so that the environment continues to
 * apply.
 */
function differing(
  change: Partial<OidcSettingsInForce>,
  now: OidcSettingsInForce,
): Partial<OidcSettingsInForce> {
  const isNews = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(Reflect.get(now, name));
  return Object.fromEntries(Object.entries(change).filter(isNews));
}

function withoutNulls(fields: object): Partial<OidcSettingsInForce> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function withoutUndefined(fields: object): Partial<OidcSettingsInForce> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Null if a login is not possible. */
export function usable(settings: OidcSettingsInForce): Usable | null {
  const { enabled, issuer, clientId } = settings;
  if (!enabled || issuer === null || clientId === null || !isSecure(settings)) return null;
  return { ...settings, issuer, clientId };
}

/** Over plain HTTP an attacker could forge identities. */
export function isSecure({
  issuer,
  allowInsecure,
}: Pick<OidcSettingsInForce, 'issuer' | 'allowInsecure'>): boolean {
  const url = issuer === null ? null : URL.parse(issuer);
  if (url === null || url.protocol === 'https:') return url !== null;
  return allowInsecure || LOOPBACK.test(url.hostname);
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
