import { expect, it } from 'vitest';
import { auditLogOf } from './audit-log.ts';
import { clock } from './finding.ts';
import { clocksOf } from './processes.ts';
import { clusterOf, evictionOf, infoOf, persistenceOf, versionOf } from './redis.ts';
import { kindOf } from './registry.ts';
import { ageOf } from './scanner.ts';

const info = (text: string) => infoOf(text.replaceAll('\n', '\r\n'));

it.each([
  ['redis_version:7.4.1', 'ok'],
  ['redis_version:6.2.0', 'ok'],
  ['redis_version:6.0.16', 'fail'],
  ['redis_version:7.2.4\nvalkey_version:8.1.0', 'ok'],
])('of Redis, %s is %s', (text, state) => {
  expect(versionOf(info(`# Server\n${text}\n`)).state).toBe(state);
});

it.each([
  ['noeviction', 'ok'],
  ['allkeys-lru', 'fail'],
])('maxmemory-policy %s is %s: queues must not be evicted', (policy, state) => {
  expect(evictionOf(info(`maxmemory_policy:${policy}`)).state).toBe(state);
});

it.each([
  ['aof_enabled:1\naof_last_write_status:ok', 'ok'],
  ['aof_enabled:0', 'warn'],
  ['aof_enabled:1\naof_last_write_status:err', 'fail'],
])('persistence %j is %s', (text, state) => {
  expect(persistenceOf(info(text)).state).toBe(state);
});

it.each([
  [{ count: 0, oldestAgeMs: null }, 'ok'],
  [{ count: 3, oldestAgeMs: 2_000 }, 'ok'],
  [{ count: 3, oldestAgeMs: 120_000 }, 'warn'],
])('an audit outbox of %j is %s', (waiting, state) => {
  expect(auditLogOf(waiting).state).toBe(state);
});

it.each([
  ['127.0.0.1', 'loopback'],
  ['::1', 'loopback'],
  ['10.1.2.3', 'private'],
  ['fd00::1', 'private'],
  ['8.8.8.8', 'public'],
  ['2001:4860::8888', 'public'],
])('the registry at %s is on a %s network', (address, kind) => {
  expect(kindOf(address)).toBe(kind);
});

it.each([
  [1_000, []],
  [-1_900, []],
  [5_000, ['warn']],
  [-60_000, ['fail']],
])('a clock that is off by %i ms gives %j', (skew, states) => {
  expect(
    clock('x', 1_000_000 + skew, { from: 999_990, to: 1_000_010 }).map(({ state }) => state),
  ).toEqual(states);
});

it.each([
  [2.9, 'ok'],
  [3.1, 'warn'],
])('a vulnerability database of %f days is %s', (days, state) => {
  expect(ageOf(new Date(0), days * 86_400_000).state).toBe(state);
});

it.each([
  [0, []],
  [9_000, []],
  [-7_200_000, ['fail']],
  [-5_000, ['warn']],
  [70_000, ['fail']],
])('a beat %d ms ago is from a clock that is %j', (ago, states) => {
  const now = Date.parse('2026-01-01T12:00:00Z');
  const beat = { name: 'worker', instance: 'a', seenAt: new Date(now - ago).toISOString() };
  expect(clocksOf([beat], now).map(({ state }) => state)).toEqual(states);
});

it('a node of a Redis Cluster is refused', () => {
  expect(clusterOf(infoOf('cluster_enabled:1')).map(({ state }) => state)).toEqual(['fail']);
  expect(clusterOf(infoOf('cluster_enabled:0'))).toEqual([]);
});
