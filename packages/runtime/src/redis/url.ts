/**
 * The addresses that `REDIS_URL` may have: a server by TCP or Unix socket, or Sentinels, which know
 * the present primary: `redis+sentinel://user:password@s1:26379,s2:26379/mymaster/0`.
 */
import type { RedisOptions } from 'ioredis';
import { socketOf } from '../socket-url.ts';

interface RedisLogin {
  username?: string;
  password?: string;
}

export interface RedisAddress {
  host: string;
  port: number;
}

/** How to reach a Redis that keeps the data; `db` is its database. */
export type RedisTarget = { login: RedisLogin; db: number } & (
  | { kind: 'socket'; path: string }
  | { kind: 'server'; address: RedisAddress; tls: boolean }
  | ({ kind: 'sentinels'; tls: boolean } & Sentinels)
);

export interface Sentinels {
  sentinels: RedisAddress[];
  /** The name under which they watch the primary. */
  name: string;
  /** The Sentinels' own account: `?sentinel_username=…&sentinel_password=…`. */
  sentinelLogin: RedisLogin;
}

const SERVER = /^(rediss?):\/\//;
const SENTINELS = /^(rediss?)\+sentinel:\/\/(?:([^@/]*)@)?([^@/?#]+)(\/[^?#]*)?(\?[^#]*)?$/;
const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;

/** Undefined where it is none of them. */
export function parseRedisUrl(text: string): RedisTarget | undefined {
  return SENTINELS.test(text) ? parseSentinels(text) : parseServer(text);
}

/** @throws where it is none of them: the settings have checked it */
export function readRedisUrl(text: string): RedisTarget {
  const target = parseRedisUrl(text);
  if (target === undefined) throw new Error('REDIS_URL is no address of a Redis');
  return target;
}

function parseServer(text: string): RedisTarget | undefined {
  if (!SERVER.test(text) || !URL.canParse(text)) return;
  const { protocol, username, password, hostname, port, pathname } = new URL(text);
  const login = loginOf(username, password);
  const db = databaseOf(pathname.slice(1));
  if (login === undefined || db === undefined || hostname === '') return;
  const path = socketOf(text);
  if (path !== null) return { kind: 'socket', path, login, db };
  const address = { host: bare(hostname), port: Number(port) || REDIS_PORT };
  return { kind: 'server', address, tls: protocol === 'rediss:', login, db };
}

function parseSentinels(text: string): RedisTarget | undefined {
  const [, scheme, userinfo = '', hosts = '', pathname = '', search = ''] =
    SENTINELS.exec(text) ?? [];
  const [, name = '', number = ''] = pathname.split('/');
  const [username = '', ...rest] = userinfo.split(':');
  const query = new URLSearchParams(search);
  const login = loginOf(username, rest.join(':'));
  const db = databaseOf(number);
  const sentinels = hosts.split(',').map(addressOf);
  if (login === undefined || db === undefined || name === '' || pathname.split('/').length > 3)
    return;
  if (sentinels.some((address) => address === undefined)) return;
  return {
    kind: 'sentinels',
    sentinels: sentinels.flatMap((address) => address ?? []),
    name: decode(name) ?? name,
    tls: scheme === 'rediss',
    login,
    sentinelLogin: {
      ...(query.has('sentinel_username') && { username: query.get('sentinel_username') ?? '' }),
      ...(query.has('sentinel_password') && { password: query.get('sentinel_password') ?? '' }),
    },
    db,
  };
}

function addressOf(text: string): RedisAddress | undefined {
  const url = `redis://${text}`;
  if (!URL.canParse(url)) return;
  const { hostname, port, username, pathname } = new URL(url);
  if (hostname === '' || username !== '' || pathname !== '') return;
  return { host: bare(hostname), port: Number(port) || SENTINEL_PORT };
}

function loginOf(username: string, password: string): RedisLogin | undefined {
  const [user, secret] = [decode(username), decode(password)];
  if (user === undefined || secret === undefined) return;
  return { ...(user !== '' && { username: user }), ...(secret !== '' && { password: secret }) };
}

function databaseOf(text: string): number | undefined {
  if (text === '') return 0;
  return /^\d{1,5}$/.test(text) ? Number(text) : undefined;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Without the brackets of an IPv6 address. */
const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '');

/** For ioredis. */
export function optionsOf(target: RedisTarget): RedisOptions {
  const common = { ...target.login, db: target.db };
  if (target.kind === 'socket') return { ...common, path: target.path };
  if (target.kind === 'server')
    return { ...common, ...target.address, ...(target.tls && { tls: {} }) };
  const { sentinels, name, tls, sentinelLogin } = target;
  return {
    ...common,
    sentinels,
    name,
    ...(sentinelLogin.username !== undefined && { sentinelUsername: sentinelLogin.username }),
    ...(sentinelLogin.password !== undefined && { sentinelPassword: sentinelLogin.password }),
    // It hears of a failover from them before the old primary answers again as a replica.
    failoverDetector: true,
    ...(tls && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  };
}

/**
 * URLs of our services that connect over the network, for rules by host: of Sentinels each, of a
 * Unix socket none.
 */
export function overNetwork(urls: readonly (string | undefined)[]): string[] {
  return urls.flatMap((url) => {
    if (url === undefined) return [];
    const target = parseRedisUrl(url);
    if (target?.kind === 'sentinels') return target.sentinels.map(urlOf);
    return socketOf(url) === null ? [url] : [];
  });
}

function urlOf({ host, port }: RedisAddress): string {
  return `redis://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
