import { lookup } from 'node:dns/promises';
import { BlockList, isIPv6 } from 'node:net';
import { isHealthy } from '@portcullis/local-registry';
import { type Check, type Finding, fail, ok, warn } from './finding.ts';

const ABOUT = 'registry';

export const checkRegistry: Check = async ({ surroundings }) => {
  const url = await surroundings.url('registry');
  if (!(await isHealthy(url, { timeoutMs: 5_000 })))
    return [
      fail(ABOUT, `${url} does not answer as a registry`, 'Start it, or set REGISTRY_URL to where it is.'),
    ];
  return [ok(ABOUT, `it answers at ${url}`), ...(await exclusivity(url))];
};

/** It knows no accounts: whoever reaches it may read and write everything. */
async function exclusivity(url: string): Promise<Finding[]> {
  const { hostname } = new URL(url);
  const addresses = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true });
  const kinds = new Set(addresses.map(({ address }) => kindOf(address)));
  const advice =
    'Bind it to a network that only the api and the workers reach, or ask for credentials there.';
  if (kinds.has('public'))
    return [fail(ABOUT, 'its address is a public one: nobody may pass the gate by', advice)];
  if (!kinds.has('private')) return [];
  return (await asksForCredentials(url))
    ? []
    : [warn(ABOUT, 'whoever reaches its address may change all images', advice)];
}

export function kindOf(address: string): 'loopback' | 'private' | 'public' {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  if (LOOPBACK.check(address, family)) return 'loopback';
  return PRIVATE.check(address, family) ? 'private' : 'public';
}

const LOOPBACK = blocks(['127.0.0.0/8', '::1/128']);
const PRIVATE = blocks([
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '169.254.0.0/16',
  'fc00::/7',
  'fe80::/10',
]);

function blocks(ranges: string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), isIPv6(network) ? 'ipv6' : 'ipv4');
  }
  return list;
}

async function asksForCredentials(url: string): Promise<boolean> {
  const response = await fetch(new URL('/v2/', url), { signal: AbortSignal.timeout(5_000) });
  await response.body?.cancel();
  return response.status === 401;
}
