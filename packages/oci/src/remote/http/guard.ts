/**
 * SSRF guard: decides which resolved addresses an outgoing connection may use. `lookup.ts` calls it
 * for every redirect hop and pins the allowed addresses.
 */
import ipaddr from 'ipaddr.js';

export interface Address {
  /** The resolved address; undefined if only a proxy can resolve the name. */
  ip: string | undefined;
  port: number;
  /** The requested host name, lower case, IPv6 without brackets. */
  host: string;
}

type AddressDecision = { allowed: true } | { allowed: false; code: string; reason: string };
export type AddressGuard = (address: Address) => AddressDecision;

export interface AddressGuardOptions {
  /** CIDRs, addresses and `host[:port]` that are always allowed. */
  allow?: readonly string[];
  /** CIDRs, addresses and `host[:port]` that are always denied. */
  deny?: readonly string[];
  /**
   * `host:port` of internal services, as names and addresses (see `resolveEndpoints`): never
   * allowed.
   */
  own?: readonly string[];
  /** Whether private and loopback addresses are allowed. */
  privateAllowed?: boolean;
}

type Ip = ipaddr.IPv4 | ipaddr.IPv6;
type Matcher = (address: Address, ips: readonly Ip[]) => boolean;
type Zone = 'public' | 'private' | 'never';

/**
 * Metadata services that hide outside the link-local range; the rest is in 169.254.0.0/16 and
 * fe80::/10.
 */
const METADATA = new Set([
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd20:ce::254',
]);

/**
 * Order of the rules: internal services and link-local or metadata addresses are always refused;
 * then `deny`; then `allow`; private and loopback addresses need `privateAllowed`; public addresses
 * are allowed.
 * @throws RangeError on an invalid entry.
 */
export function createAddressGuard(options: AddressGuardOptions): AddressGuard {
  const own = (options.own ?? []).map(ownMatcher);
  const deny = (options.deny ?? []).map(matcher);
  const allow = (options.allow ?? []).map(matcher);
  return (address) => {
    const ips = address.ip === undefined ? [] : spellingsOf(address.ip);
    const hits = (matchers: Matcher[]) => matchers.some((matches) => matches(address, ips));
    const zone = zoneOf(ips);
    if (hits(own)) return options.privateAllowed ? OWN_SERVICE : PRIVATE;
    if (zone === 'never')
      return refuse('EGRESS_REFUSED', 'link-local and metadata addresses are never allowed');
    if (hits(deny)) return refuse('EGRESS_DENIED', 'a deny rule covers it');
    if (zone === 'public' || options.privateAllowed || hits(allow)) return { allowed: true };
    return PRIVATE;
  };
}

/**
 * Only callers with `privateAllowed` see this code; for others an internal service is any private
 * address.
 */
const OWN_SERVICE = refuse('EGRESS_OWN_SERVICE', 'it is an internal service');
const PRIVATE = refuse(
  'EGRESS_PRIVATE',
  'private and loopback addresses are not allowed for this host',
);

function refuse(code: string, reason: string): AddressDecision {
  return { allowed: false, code, reason };
}

/**
 * The address and the IPv4 address embedded in it (mapped, NAT64, 6to4). All of them have to be
 * allowed.
 */
function spellingsOf(text: string): Ip[] {
  const ip = ipaddr.process(text.replace(/%.*$/, ''));
  if (ip instanceof ipaddr.IPv4) return [ip];
  const inner = embeddedIpv4(ip);
  return inner ? [ip, inner] : [ip];
}

function embeddedIpv4(ip: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = ip.toByteArray();
  const range = ip.range();
  if (range === 'rfc6052' || range === 'rfc6145') return new ipaddr.IPv4(bytes.slice(12));
  if (range === '6to4') return new ipaddr.IPv4(bytes.slice(2, 6));
  return undefined;
}

function zoneOf(ips: readonly Ip[]): Zone {
  const zones = ips.map(zoneOfOne);
  if (zones.includes('never')) return 'never';
  return zones.includes('private') ? 'private' : 'public';
}

const TRANSLATED = new Set(['rfc6052', 'rfc6145', '6to4']);

function zoneOfOne(ip: Ip): Zone {
  if (METADATA.has(ip.toString())) return 'never';
  const range = ip.range();
  if (range === 'unicast') return isDeprecatedCompatible(ip) ? 'never' : 'public';
  // The embedded IPv4 address decides; 64:ff9b:1::/48 is reserved for local translators.
  if (TRANSLATED.has(range)) return isLocalNat64(ip) ? 'private' : 'public';
  const inner = ['private', 'loopback', 'uniqueLocal', 'carrierGradeNat', 'deprecatedSiteLocal'];
  return inner.includes(range) ? 'private' : 'never';
}

/** `::a.b.c.d` (RFC 4291 § 2.5.5.1): deprecated and unused, but it looks like another address. */
function isDeprecatedCompatible(ip: Ip): boolean {
  return ip instanceof ipaddr.IPv6 && ip.parts.slice(0, 6).every((part) => part === 0);
}

function isLocalNat64(ip: Ip): boolean {
  return ip instanceof ipaddr.IPv6 && ip.parts[2] === 1;
}

/** Whether an entry is valid in `allow` or `deny`. */
export function isAddressRule(entry: string): boolean {
  try {
    matcher(entry);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function matcher(entry: string): Matcher {
  const text = entry.trim();
  if (text.includes('/')) return cidrMatcher(text);
  const { host, port } = splitEntry(text);
  const ip = ipaddr.isValid(host) ? ipaddr.process(host).toString() : undefined;
  return (address, ips) => {
    if (port !== undefined && port !== address.port) return false;
    if (ip !== undefined) return ips.some((each) => each.toString() === ip);
    return canonicalName(address.host) === host;
  };
}

function cidrMatcher(text: string): Matcher {
  const [network, bits] = parseCidr(text);
  return (_, ips) => ips.some((ip) => ip.kind() === network.kind() && ip.match(network, bits));
}

function parseCidr(text: string): [Ip, number] {
  try {
    return ipaddr.parseCIDR(text);
  } catch (cause) {
    throw new RangeError(`not an address range: ${text}`, { cause });
  }
}

/**
 * Loopback has many addresses and 0.0.0.0 leads there too: an internal service on one of them is on
 * all.
 */
function ownMatcher(entry: string): Matcher {
  const { host, port } = splitEntry(entry.trim());
  const literal = ipaddr.isValid(host) ? ipaddr.process(host) : undefined;
  const onLoopback = host === 'localhost' || (literal !== undefined && leadsToLoopback(literal));
  return (address, ips) => {
    if (port !== undefined && port !== address.port) return false;
    if (onLoopback && ips.some(leadsToLoopback)) return true;
    if (literal !== undefined) return ips.some((ip) => ip.toString() === literal.toString());
    return canonicalName(address.host) === host;
  };
}

function leadsToLoopback(ip: Ip): boolean {
  return ip.range() === 'loopback' || ip.range() === 'unspecified';
}

const ENTRY = /^(?:\[(?<v6>[^\]]+)\]|(?<name>[^:\s]+))(?::(?<port>\d{1,5}))?$/;

function splitEntry(text: string): { host: string; port: number | undefined } {
  if (ipaddr.IPv6.isValid(text)) return { host: text, port: undefined };
  const groups = ENTRY.exec(text)?.groups;
  const host = groups?.v6 ?? groups?.name;
  if (host === undefined) throw new RangeError(`neither an address range nor host[:port]: ${text}`);
  return {
    host: canonicalName(host),
    port: groups?.port === undefined ? undefined : Number(groups.port),
  };
}

function canonicalName(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
