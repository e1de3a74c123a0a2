/**
 * "Is this our own registry?", asked of the resolved host, not of a string. First by
 * every spelling and address of ours; then by asking: whatever leads back here answers with our instance's mark.
 */
import { type Endpoint, foldAddress, isOwnEndpoint, normaliseHost } from '@portcullis/domain';

export interface OwnHosts {
  /** @param asker decides how far the question may travel */
  isOwn(host: string, asker: { isAdmin: boolean }): Promise<boolean>;
}

export interface OwnHostsPorts {
  /** The public URL, the inner registry, and what this process listens on. */
  own(): Endpoint[];
  /** All addresses of a name; none where it has none. */
  resolve(hostname: string): Promise<string[]>;
  /** The mark a `/v2/` answers with; null where there is none. */
  markOf(host: string, asker: { isAdmin: boolean }): Promise<string | null>;
  mark: string;
  now(): number;
}

/** The header by which `/v2` tells which installation it belongs to. */
export const MARK_HEADER = 'Portcullis-Instance';

const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 1_000;

export function createOwnHosts(ports: OwnHostsPorts): OwnHosts {
  const asked = new Map<string, { mine: boolean; until: number }>();

  async function isOwn(host: string, asker: { isAdmin: boolean }): Promise<boolean> {
    const endpoint = normaliseHost(host);
    if (!endpoint) return false;
    return (await isOurAddress(endpoint)) || answersAsUs(host, asker);
  }

  async function isOurAddress({ host, port }: Endpoint): Promise<boolean> {
    const own = ports.own();
    if (isOwnEndpoint({ host, port }, own)) return true;
    const addresses = await ports.resolve(host);
    return addresses.some((address) => isOwnEndpoint({ host: foldAddress(address), port }, own));
  }

  async function answersAsUs(host: string, asker: { isAdmin: boolean }): Promise<boolean> {
    const key = `${asker.isAdmin} ${host}`;
    const known = asked.get(key);
    if (known && known.until > ports.now()) return known.mine;
    const mine = (await ports.markOf(host, asker)) === ports.mark;
    if (asked.size >= MOST_REMEMBERED) asked.clear();
    asked.set(key, { mine, until: ports.now() + REMEMBERED_MS });
    return mine;
  }

  return { isOwn };
}
