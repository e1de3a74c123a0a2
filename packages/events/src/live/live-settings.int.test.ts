import { DEFAULT_NETWORK, networkKey } from '@portcullis/domain';
import { unavailable } from '@portcullis/errors';
import { createLogger, openRedis, type Redis, redisReady } from '@portcullis/runtime';
import { startRedis, type TestServer } from '@portcullis/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type LiveSettings,
  liveNetwork,
  liveSettings,
  publishChange,
  watchAfterSettings,
} from '../index.ts';

const log = createLogger({ name: 'test', level: 'silent' });
let server: TestServer;
let redis: Redis;
let stored: Record<string, unknown>;
let reads: number;
let broken: boolean;
let settings: LiveSettings;

/** The settings of one process, after its subscription is active. */
beforeEach(async () => {
  server = await startRedis();
  redis = openRedis(server.url, { mode: 'patient' });
  await redisReady(redis);
  [stored, reads, broken] = [{}, 0, false];
  settings = liveSettings(redis, { all });
  const readsOfTwo = async () => {
    const before = reads;
    await settings.find('x');
    await settings.find('x');
    return reads - before;
  };
  await expect.poll(readsOfTwo).toBeLessThan(2);
  reads = 0;
});

afterEach(async () => {
  settings.close();
  redis.disconnect();
  await server.stop();
});

async function all(): Promise<Record<string, unknown>> {
  reads += 1;
  if (broken) throw unavailable('DATABASE_UNAVAILABLE', 'not now');
  return { ...stored };
}

describe('stored settings', () => {
  it('are read once, and again after a change by any process', async () => {
    stored = { a: 1 };
    await settings.changed();
    for (const _ of [1, 2, 3]) expect(await settings.find('a')).toBe(1);
    expect(await settings.find('b')).toBeNull();
    expect(reads).toBeLessThanOrEqual(2);
    stored = { a: 2 };
    await publishChange(redis, 'settings');
    await expect.poll(() => settings.find('a')).toBe(2);
  });

  it('are new when a watch reports their change', async () => {
    const seen: unknown[] = [];
    const watch = watchAfterSettings(redis, settings, (kind) => {
      if (kind === 'settings') void settings.find('a').then((value) => seen.push(value));
    });
    await expect.poll(() => watch.live()).toBe(true);
    for (let value = 1; value <= 20; value += 1) {
      stored = { a: value };
      await publishChange(redis, 'settings');
      await expect.poll(() => seen.at(-1)).toBe(value);
    }
    watch.close();
  });

  it('are current in the process that changed them before others are notified', async () => {
    await settings.find('a');
    stored = { a: 2 };
    const announced = settings.changed();
    expect(await settings.find('a')).toBe(2);
    await announced;
  });

  it('are not kept after a failed read', async () => {
    stored = { a: 1 };
    broken = true;
    await settings.changed();
    await expect(settings.find('a')).rejects.toThrow('not now');
    broken = false;
    expect(await settings.find('a')).toBe(1);
  });

  it('are read every time while changes may be missed', async () => {
    await server.stop();
    const isReadNow = async () => {
      stored = { a: reads };
      return (await settings.find('a')) === reads - 1;
    };
    await expect.poll(isReadNow).toBe(true);
    const before = reads;
    for (const _ of [1, 2, 3]) await settings.find('a');
    expect(reads - before).toBe(3);
  });
});

describe('network settings', () => {
  it('apply after a change without a restart, and fall back to the environment when the override is removed', async () => {
    const env = {
      ...DEFAULT_NETWORK,
      proxy: { ...DEFAULT_NETWORK.proxy, http_proxy: 'http://from-env' },
    };
    const network = liveNetwork({ settings, env, open: (sealed) => `opened ${sealed}`, log });
    await network.start();
    const listener = vi.fn();
    network.onChange(listener);
    expect(network.current().proxy.http_proxy).toBe('http://from-env');

    stored = { [networkKey('proxy')]: { http_proxy: 'it', since: 5 } };
    await publishChange(redis, 'settings');
    await expect.poll(() => network.current().proxy.http_proxy).toBe('opened it');
    expect(network.since('proxy')).toBe(5);
    expect(listener).toHaveBeenCalledTimes(1);

    stored = {};
    await publishChange(redis, 'settings');
    await expect.poll(() => network.current().proxy.http_proxy).toBe('http://from-env');
    network.stop();
  });

  it('stay unchanged while the store is unreachable, and are read again', async () => {
    const network = liveNetwork({ settings, env: DEFAULT_NETWORK, open: (sealed) => sealed, log });
    await network.start();
    const before = reads;
    broken = true;
    stored = { [networkKey('proxy')]: { http_proxy: 'new' } };
    await publishChange(redis, 'settings');
    await expect.poll(() => reads).toBeGreaterThan(before);
    expect(network.current()).toEqual(DEFAULT_NETWORK);
    broken = false;
    await expect.poll(() => network.current().proxy.http_proxy).toBe('new');
    network.stop();
  });
});
