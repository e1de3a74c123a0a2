/**
 * Detects hosts that are this installation: by every name and address it listens on, then by the
 * mark in the answer of the host's `/v2/`, which also finds us behind a load balancer.
 */
import { foldAddress, type HostPort, isOwnEndpoint, normalizeHost } from '@portcullis/domain';
import type { Trust } from './trust.ts';

export interface OwnHosts {
  /** @param account decides whether the probe may reach private addresses */
  isOwn(host: string, account: Trust): Promise<boolean>;
}

export interface OwnHostsPorts {
  /** The public URL, the built-in registry, and the addresses this process listens on. */
  own(): HostPort[];
  /** All addresses of a name; an empty list for an unknown one. */
  resolve(hostname: string): Promise<string[]>;
  /** The mark in the answer of the host's `/v2/`; null without one. */
  readMark(host: string, account: Trust): Promise<string | null>;
  mark: string;
  now(): number;
}

const CACHE_MS = 60_000;
const CACHE_ENTRIES = 1_000;

export function createOwnHosts(ports: OwnHostsPorts): OwnHosts {
  const probed = new Map<string, { own: boolean; until: number }>();

  async function isOwn(host: string, account: Trust): Promise<boolean> {
    const endpoint = normalizeHost(host);
    if (!endpoint) return false;
    return (await isOurAddress(endpoint)) || answersWithOurMark(host, account);
  }

  async function isOurAddress({ host, port }: HostPort): Promise<boolean> {
    const own = ports.own();
    if (isOwnEndpoint({ host, port }, own)) return true;
    const addresses = await ports.resolve(host);
    return addresses.some((address) => isOwnEndpoint({ host: foldAddress(address), port }, own));
  }

  async function answersWithOurMark(host: string, account: Trust): Promise<boolean> {
    const key = `${account.isAdmin} ${host}`;
    const known = probed.get(key);
    if (known && known.until > ports.now()) return known.own;
    const own = (await ports.readMark(host, account)) === ports.mark;
    if (probed.size >= CACHE_ENTRIES) probed.clear();
    probed.set(key, { own, until: ports.now() + CACHE_MS });
    return own;
  }

  return { isOwn };
}
