import { expect, it } from 'vitest';
import { cacheDir } from '../programs/cache.ts';
import { redisConfig } from './redis.ts';
import { isMapped, maySearch } from './unprivileged.ts';

const POSTGRES = { uid: 100, gid: 200 };

it.each([
  ['its owner by the owner bits', { uid: 100, gid: 1, mode: 0o700 }, true],
  ['its owner, but not by the bits of others', { uid: 100, gid: 1, mode: 0o077 }, false],
  ['its group by the group bits', { uid: 1, gid: 200, mode: 0o710 }, true],
  ['any other account by the bits of others', { uid: 1, gid: 1, mode: 0o701 }, true],
  ['no other account, where it is closed like /root', { uid: 0, gid: 0, mode: 0o700 }, false],
])('a directory can be traversed by %s', (_, folder, passes) => {
  expect(maySearch(POSTGRES, folder)).toBe(passes);
});

it.each([
  [{ PORTCULLIS_CACHE: '/a', XDG_CACHE_HOME: '/b' }, '/a'],
  [{ XDG_CACHE_HOME: '/b' }, '/b/portcullis'],
])('the cache of %o is %s', (env, dir) => {
  expect(cacheDir(env)).toBe(dir);
});

it('redis stores data, on loopback, with a password of any characters', () => {
  const lines = redisConfig({ dir: '/d', listen: { port: 1 }, password: 'a"b\\c' }).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'bind 127.0.0.1',
      'requirepass "a\\"b\\\\c"',
      'maxmemory-policy noeviction',
      'appendonly yes',
    ]),
  );
});

it('redis on a Unix socket has no port', () => {
  const lines = redisConfig({
    dir: '/d',
    listen: { socketPath: '/d e/r.sock' },
    password: 'p',
  }).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining(['port 0', 'unixsocket "/d e/r.sock"', 'unixsocketperm 700']),
  );
});

it.each([
  ['every id of the machine itself', '         0          0 4294967295\n', 64_738, true],
  ['the ids of a container with 65536 of them', '0 100000 65536\n', 64_738, true],
  ['no id beyond the last one', '0 1000 1\n1 100000 64737\n', 64_738, false],
  ['no id without a map', '', 64_738, false],
])('a user namespace maps %s', (_, map, uid, mapped) => {
  expect(isMapped(uid, map)).toBe(mapped);
});
