import { expect, it } from 'vitest';
import { type BannerFacts, banner, innerUrl, publicUrl } from './banner.ts';

const READY = { state: 'ready', version: '0.74.0', message: '', lacks: null } as const;

const FACTS: Omit<BannerFacts, 'password'> = {
  url: 'http://127.0.0.1:8080',
  host: '127.0.0.1',
  dataDir: '/data',
  databaseDir: null,
  cacheDir: '/cache',
  username: 'admin',
  scanner: READY,
};

const MISSING = {
  state: 'unavailable',
  version: null,
  message: "GitHub can't be reached",
  lacks: 'the scanner is not ready',
} as const;

it('the first start shows the credential', () => {
  expect(banner({ ...FACTS, password: 'abc' })).toMatch(/User +admin\n +Password +abc /);
});

it('a later start shows only the address', () => {
  expect(banner({ ...FACTS, password: null })).not.toMatch(/user|password/i);
});

it.each<[string, Partial<BannerFacts>, RegExp]>([
  [
    'O19: a scanner that could not be acquired',
    { scanner: MISSING },
    /Scanner +MISSING.*: GitHub can't be reached/,
  ],
  [
    'O19: a scanner that is being set up',
    { scanner: { ...MISSING, state: 'acquiring' } },
    /Scanner +NOT READY/,
  ],
  ['O19: a scanner that is ready', {}, /Scanner +Trivy 0\.74\.0\n/],
  [
    'a scanner whose database could not be downloaded',
    { scanner: { ...READY, lacks: "the registry can't be reached" } },
    /Scanner +Trivy 0\.74\.0, ITS DATABASE IS MISSING: the registry can't be reached\..*docs\/guide\/air-gap\.md/,
  ],
  ['O19: a scanner that is disabled', { scanner: null }, /Scanner +switched off/],
  [
    'O17: a database outside DATA_DIR',
    { databaseDir: '/var/lib/p/postgres-1' },
    /Database +\/var\/lib\/p\/postgres-1 /,
  ],
  ['O18: the cache of downloads', {}, /Downloads +\/cache\n/],
  [
    'O33: how to open it to others',
    {},
    /Open to +this machine alone\. HOST=0\.0\.0\.0 .*docs\/guide\/tls\.md/,
  ],
  [
    'O33: that it is open to others',
    { host: '0.0.0.0' },
    /Open to +every client that reaches 0\.0\.0\.0: plain HTTP/,
  ],
])('the console shows %s', (_, facts, line) => {
  expect(banner({ ...FACTS, ...facts, password: null })).toMatch(line);
});

it.each([
  ['0.0.0.0', 'http://localhost:1', 'http://127.0.0.1:1'],
  ['::', 'http://localhost:1', 'http://127.0.0.1:1'],
  ['127.0.0.1', 'http://127.0.0.1:1', 'http://127.0.0.1:1'],
  ['::1', 'http://[::1]:1', 'http://[::1]:1'],
  ['gate.example', 'http://gate.example:1', 'http://gate.example:1'],
])('with HOST %s the console shows %s and we request %s', (host, shown, inner) => {
  expect([publicUrl(host, 1), innerUrl(host, 1)]).toEqual([shown, inner]);
});
