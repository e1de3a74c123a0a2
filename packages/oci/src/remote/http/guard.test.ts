import { describe, expect, it } from 'vitest';
import { type Address, type AddressGuardOptions, createAddressGuard } from './guard.ts';

function at(ip: string | undefined, port = 443, host = ip ?? 'registry.example'): Address {
  return { ip, port, host };
}

function codeFor(options: AddressGuardOptions, address: Address): string {
  const decision = createAddressGuard(options)(address);
  return decision.allowed ? 'allowed' : decision.code;
}

describe('an address', () => {
  it.each([
    ['of the internet', '93.184.216.34', 'allowed'],
    ['of the internet, IPv6', '2606:2800:220:1::1', 'allowed'],
    ['of a private network', '10.1.2.3', 'EGRESS_PRIVATE'],
    ['of a private network', '192.168.1.1', 'EGRESS_PRIVATE'],
    ['of a private network, IPv6', 'fd12::1', 'EGRESS_PRIVATE'],
    ['of a carrier', '100.64.0.1', 'EGRESS_PRIVATE'],
    ['of loopback', '127.9.9.9', 'EGRESS_PRIVATE'],
    ['of loopback, IPv6', '::1', 'EGRESS_PRIVATE'],
    ['of loopback, mapped into IPv6', '::ffff:127.0.0.1', 'EGRESS_PRIVATE'],
    ['of loopback, through NAT64', '64:ff9b::7f00:1', 'EGRESS_PRIVATE'],
    ['of loopback, through 6to4', '2002:7f00:1::', 'EGRESS_PRIVATE'],
    ['of loopback, the deprecated way', '::127.0.0.1', 'EGRESS_PRIVATE'],
    ['of a site, deprecated', 'fec0::1', 'EGRESS_PRIVATE'],
    ['of the link', '169.254.1.1', 'EGRESS_REFUSED'],
    ['of cloud metadata', '169.254.169.254', 'EGRESS_REFUSED'],
    ['of cloud metadata, through NAT64', '64:ff9b::a9fe:a9fe', 'EGRESS_REFUSED'],
    ['of cloud metadata outside the link-local range', '100.100.100.200', 'EGRESS_REFUSED'],
    ['of cloud metadata outside the link-local range', '168.63.129.16', 'EGRESS_REFUSED'],
    ['of cloud metadata, IPv6', 'fd00:ec2::254', 'EGRESS_REFUSED'],
    ['of the link, IPv6 with a zone', 'fe80::1%eth0', 'EGRESS_REFUSED'],
    ['that is unspecified', '0.0.0.0', 'EGRESS_REFUSED'],
    ['that is broadcast', '255.255.255.255', 'EGRESS_REFUSED'],
    ['of many', '224.0.0.1', 'EGRESS_REFUSED'],
  ])('%s (%s) is %s for an account', (_, ip, expected) => {
    expect(codeFor({}, at(ip))).toBe(expected);
  });

  it.each(['10.1.2.3', '127.0.0.1', '::1', 'fd12::1'])('%s is allowed for administrators', (ip) => {
    expect(codeFor({ privateAllowed: true }, at(ip))).toBe('allowed');
  });

  it.each(['169.254.169.254', '::ffff:169.254.169.254', 'fe80::1', '100.100.100.200'])(
    '%s is closed to administrators, and to EGRESS_ALLOW',
    (ip) => {
      expect(codeFor({ privateAllowed: true, allow: [ip, '0.0.0.0/0', '::/0'] }, at(ip))).toBe(
        'EGRESS_REFUSED',
      );
    },
  );
});

describe('the allow list', () => {
  it.each([
    ['10.0.0.0/8', at('10.9.9.9'), 'allowed'],
    ['10.0.0.0/8', at('192.168.0.1'), 'EGRESS_PRIVATE'],
    ['10.0.0.5', at('10.0.0.5', 5000), 'allowed'],
    ['10.0.0.5:5000', at('10.0.0.5', 5000), 'allowed'],
    ['10.0.0.5:5000', at('10.0.0.5', 5001), 'EGRESS_PRIVATE'],
    ['[::1]:5000', at('::1', 5000), 'allowed'],
    ['fd00::/8', at('fd12::1'), 'allowed'],
    ['registry.lan', at('10.0.0.5', 443, 'registry.lan.'), 'allowed'],
    ['REGISTRY.lan:5000', at('10.0.0.5', 5000, 'registry.lan'), 'allowed'],
    ['registry.lan', at('10.0.0.5', 443, 'evil.registry.lan'), 'EGRESS_PRIVATE'],
  ])('%s allows exactly what it names (%o: %s)', (entry, address, expected) => {
    expect(codeFor({ allow: [entry] }, address)).toBe(expected);
  });

  it.each(['10.0.0.0/99', 'http://host/', 'a b'])('with the entry %s is refused', (entry) => {
    expect(() => createAddressGuard({ allow: [entry] })).toThrow(RangeError);
  });
});

describe('the deny list', () => {
  it('also applies with privateAllowed, and wins over the allow list', () => {
    const options = { allow: ['8.8.8.8'], deny: ['8.8.8.0/24'], privateAllowed: true };
    expect(codeFor(options, at('8.8.8.8'))).toBe('EGRESS_DENIED');
  });

  it('is applied to a name that only a proxy can resolve', () => {
    expect(codeFor({ deny: ['evil.example'] }, at(undefined, 443, 'EVIL.example.'))).toBe(
      'EGRESS_DENIED',
    );
    expect(codeFor({ deny: ['evil.example'] }, at(undefined, 443, 'good.example'))).toBe('allowed');
  });
});

describe('an internal service', () => {
  it.each([
    ['127.0.0.1:6379', at('127.0.0.1', 6379)],
    ['127.0.0.1:6379', at('::1', 6379)],
    ['127.0.0.1:6379', at('127.8.8.8', 6379)],
    ['localhost:6379', at('::ffff:127.0.0.1', 6379)],
    ['127.0.0.1:6379', at('0.0.0.0', 6379)],
    ['db:5432', at('10.0.0.2', 5432, 'db')],
    ['10.0.0.2:5432', at('10.0.0.2', 5432, 'other-name')],
  ])('%s is never reachable (%o)', (own, address) => {
    expect(codeFor({ own: [own], privateAllowed: true, allow: ['0.0.0.0/0'] }, address)).toBe(
      'EGRESS_OWN_SERVICE',
    );
  });

  it('G6: is reported like any other private address, where those are denied', () => {
    const own = { own: ['127.0.0.1:6379', 'db.example:5432'] };
    const refused = [
      at('127.0.0.1', 6379),
      at('127.0.0.1', 6380),
      at('8.8.8.8', 5432, 'db.example'),
    ].map(createAddressGuard(own));
    expect(refused[0]).toMatchObject({ allowed: false, code: 'EGRESS_PRIVATE' });
    expect(refused[1]).toEqual(refused[0]);
    expect(refused[2]).toEqual(refused[0]);
  });

  it('does not affect neighbouring addresses', () => {
    expect(codeFor({ own: ['127.0.0.1:6379'], privateAllowed: true }, at('127.0.0.1', 5000))).toBe(
      'allowed',
    );
  });
});
