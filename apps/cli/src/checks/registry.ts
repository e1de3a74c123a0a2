/** Checks the built-in registry, and who can reach it without credentials. */
import { lookup } from 'node:dns/promises';
import { BlockList, isIPv6 } from 'node:net';
import { isHealthy, parseRegistryUrl } from '@portcullis/local-registry';
import { type DoctorCheck, type DoctorFinding, fail, ok, warn } from './finding.ts';

const ABOUT = 'registry';

export const checkRegistry: DoctorCheck = async ({ surroundings }) => {
  const url = await surroundings.url('registry');
  const { base, socketPath } = parseRegistryUrl(url);
  const place = socketPath ?? base.origin;
  if (!(await isHealthy(url, { timeoutMs: 5_000 })))
    return [
      fail(
        ABOUT,
        `${place} does not answer as a registry, or refuses the login of REGISTRY_URL`,
        'Start it, or set REGISTRY_URL to where it is, with a login where it asks for one.',
      ),
    ];
  const answers = ok(ABOUT, `it answers at ${place}`);
  // A socket is reachable only for accounts that may enter its directory, not by network.
  return socketPath === null ? [answers, ...(await checkAuthentication(base.origin))] : [answers];
};

/** A registry that requires no credentials gives every client that reaches it full access. */
async function checkAuthentication(origin: string): Promise<DoctorFinding[]> {
  const { hostname } = new URL(origin);
  const addresses = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true });
  const kinds = new Set(addresses.map(({ address }) => kindOf(address)));
  const advice =
    'Bind it to a network that only the api and the workers reach, or ask for credentials there.';
  if (kinds.has('public'))
    return [fail(ABOUT, 'its address is public: clients could bypass the gate', advice)];
  if (await asksForCredentials(origin)) return [];
  return [
    kinds.has('private')
      ? warn(ABOUT, 'every client that reaches its address may change all images', advice)
      : warn(
          ABOUT,
          'every account of this machine may change all images',
          'Ask for credentials there.',
        ),
  ];
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

async function asksForCredentials(origin: string): Promise<boolean> {
  const response = await fetch(new URL('/v2/', origin), { signal: AbortSignal.timeout(5_000) });
  await response.body?.cancel();
  return response.status === 401;
}
