import { expect, it } from 'vitest';
import { ownEndpoints } from './own-endpoints.ts';
import { createOwnHosts } from './own-hosts.ts';

const NAMES: Record<string, string[]> = {
  'alias.example': ['127.0.0.1'],
  'mapped.example': ['::ffff:10.9.8.7'],
  'elsewhere.example': ['203.0.113.5'],
};
const ADMIN = { isAdmin: true };

function ownHosts(marks: Record<string, string> = {}) {
  const probed: string[] = [];
  const hosts = createOwnHosts({
    own: () => ownEndpoints(['https://registry.example.com', 'http://10.9.8.7:5000'], 8080),
    resolve: async (name) => NAMES[name] ?? [],
    readMark: async (host) => {
      probed.push(host);
      return marks[host] ?? null;
    },
    mark: 'us',
    now: () => 0,
  });
  return { hosts, probed };
}

it.each([
  ['registry.example.com', true],
  ['REGISTRY.EXAMPLE.COM.:443', true],
  ['localhost:8080', true],
  ['[::ffff:127.0.0.1]:8080', true],
  ['2130706433:8080', true],
  ['10.9.8.7:5000', true],
  ['alias.example:8080', true],
  ['mapped.example:5000', true],
  ['alias.example:9999', false],
  ['elsewhere.example:8080', false],
  ['ghcr.io', false],
  ['not a host', false],
])('whether %s is this installation: %s', async (host, own) => {
  expect(await ownHosts().hosts.isOwn(host, ADMIN)).toBe(own);
});

it('recognizes this installation behind another port by its mark, with one probe', async () => {
  const { hosts, probed } = ownHosts({ 'elsewhere.example:9000': 'us', 'other.example': 'them' });
  expect(await hosts.isOwn('elsewhere.example:9000', ADMIN)).toBe(true);
  expect(await hosts.isOwn('elsewhere.example:9000', ADMIN)).toBe(true);
  expect(await hosts.isOwn('other.example', ADMIN)).toBe(false);
  expect(probed).toEqual(['elsewhere.example:9000', 'other.example']);
});
