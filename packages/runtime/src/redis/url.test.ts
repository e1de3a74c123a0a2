import { expect, it } from 'vitest';
import { optionsOf, overNetwork, parseRedisUrl, readRedisUrl } from './url.ts';

it('reads a server, a socket and Sentinels', () => {
  expect(parseRedisUrl('rediss://ann:p%40ss@redis.example.com:6380/2')).toEqual({
    kind: 'server',
    address: { host: 'redis.example.com', port: 6380 },
    tls: true,
    login: { username: 'ann', password: 'p@ss' },
    db: 2,
  });
  expect(parseRedisUrl('redis://:word@%2Frun%2Fredis.sock/0')).toEqual({
    kind: 'socket',
    path: '/run/redis.sock',
    login: { password: 'word' },
    db: 0,
  });
  expect(
    parseRedisUrl('redis+sentinel://:pa:ss@s1,[::1]:26380/mymaster/3?sentinel_password=other'),
  ).toEqual({
    kind: 'sentinels',
    sentinels: [
      { host: 's1', port: 26_379 },
      { host: '::1', port: 26_380 },
    ],
    name: 'mymaster',
    tls: false,
    login: { password: 'pa:ss' },
    sentinelLogin: { password: 'other' },
    db: 3,
  });
});

it.each([
  'redis://',
  'http://redis:6379',
  'redis://redis:6379/zero',
  'redis://redis:99999',
  'redis://:%ff@redis',
  'redis+sentinel://s1:26379',
  'redis+sentinel://s1:26379/',
  'redis+sentinel://s1:26379,/mymaster',
  'redis+sentinel://s1:26379/mymaster/0/more',
  'redis+sentinel://s1:26379/mymaster/x',
])('refuses %s', (url) => {
  expect(parseRedisUrl(url)).toBeUndefined();
  expect(() => readRedisUrl(url)).toThrow('no address');
});

it('encrypts the way to Sentinels as well as that to the primary', () => {
  expect(optionsOf(readRedisUrl('rediss+sentinel://s1/main'))).toMatchObject({
    name: 'main',
    tls: {},
    sentinelTLS: {},
    enableTLSForSentinelMode: true,
  });
  expect(optionsOf(readRedisUrl('redis+sentinel://s1/main'))).not.toHaveProperty('tls');
});

it('URLs over the network are found, of Sentinels each, and missing ones omitted', () => {
  const urls = ['http+unix://%2Fa.sock', undefined, 'redis://there', 'postgresql://%2Fa/db'];
  expect(overNetwork([...urls, 'redis+sentinel://s1,[::1]/m'])).toEqual([
    'redis://there',
    'redis://s1:26379',
    'redis://[::1]:26379',
  ]);
});
