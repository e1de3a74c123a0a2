import { expect, it } from 'vitest';
import { banner, innerUrl, publicUrl } from './banner.ts';

const FACTS = { url: 'http://localhost:8080', dataDir: '/data', username: 'admin' };

it('the first start shows the credential', () => {
  expect(banner({ ...FACTS, password: 'abc' })).toMatch(/User +admin\n +Password +abc /);
});

it('a later start shows the address alone', () => {
  expect(banner({ ...FACTS, password: null })).not.toMatch(/user|password/i);
});

it.each([
  ['0.0.0.0', 'http://localhost:1', 'http://127.0.0.1:1'],
  ['::', 'http://localhost:1', 'http://127.0.0.1:1'],
  ['127.0.0.1', 'http://127.0.0.1:1', 'http://127.0.0.1:1'],
  ['::1', 'http://[::1]:1', 'http://[::1]:1'],
  ['gate.example', 'http://gate.example:1', 'http://gate.example:1'],
])('on %s people are told %s and we ask %s', (host, shown, inner) => {
  expect([publicUrl(host, 1), innerUrl(host, 1)]).toEqual([shown, inner]);
});
