import { rateLimited, tooLarge, unavailable } from '@portcullis/errors';
import { createLogger } from '@portcullis/runtime';
import type { ImageScan } from '@portcullis/store';
import { describe, expect, it } from 'vitest';
import { type RunImageScanPorts, runImageScan } from './run-image-scan.ts';

const never = new AbortController().signal;

function setUp(tries: number, change: Partial<RunImageScanPorts>) {
  const did: unknown[] = [];
  const scan = { id: 's', attempts: 7, tries } as ImageScan;
  const ports: RunImageScanPorts = {
    scans: {
      renew: async () => true,
      release: async (...given) => void did.push(['release', ...given]),
    },
    scan: async () => undefined,
    end: async (_, error) => void did.push(['end', error?.code ?? null]),
    backoff: { maxAttempts: 3, firstSeconds: 2, longestSeconds: 900, random: () => 0 },
    log: createLogger({ name: 'test', level: 'silent' }),
    ...change,
  };
  return { did, perform: (signal = never) => runImageScan(scan, ports, signal) };
}

describe('a scan on demand', () => {
  it.each<[string, number, Error, unknown[]]>([
    [
      'whose registry is unreachable is retried after a pause',
      1,
      unavailable('REGISTRY_UNREACHABLE', 'x'),
      ['release', 's', 7, { seconds: 1 }],
    ],
    [
      'whose registry is unreachable waits longer each time',
      2,
      unavailable('REGISTRY_UNREACHABLE', 'x'),
      ['release', 's', 7, { seconds: 2 }],
    ],
    [
      'fails after its third attempt',
      3,
      unavailable('REGISTRY_UNREACHABLE', 'x'),
      ['end', 'REGISTRY_UNREACHABLE'],
    ],
    [
      'waits as long as a registry that limits requests asks for',
      1,
      rateLimited('REGISTRY_RATE_LIMITED', 'x', { retryAfter: 120 }),
      ['release', 's', 7, { seconds: 120 }],
    ],
    [
      'fails where the registry asks for more than the longest pause',
      1,
      rateLimited('REGISTRY_RATE_LIMITED', 'x', { retryAfter: 86_400 }),
      ['end', 'REGISTRY_RATE_LIMITED'],
    ],
    [
      'that is redirected to a forbidden address is not retried',
      1,
      unavailable('REDIRECT_REFUSED', 'x'),
      ['end', 'REDIRECT_REFUSED'],
    ],
    [
      'that lacks disk space waits, without a lost attempt',
      3,
      unavailable('DISK_RESERVE', 'x', { retryAfter: 60 }),
      ['release', 's', 7, { seconds: 60, uncounted: true }],
    ],
    [
      'that no disk could hold fails',
      1,
      tooLarge('DISK_TOO_SMALL', 'x'),
      ['end', 'DISK_TOO_SMALL'],
    ],
    ['with an internal fault fails', 1, new Error('x'), ['end', 'INTERNAL']],
  ])('%s', async (_, tries, error, expected) => {
    const { did, perform } = setUp(tries, { scan: () => Promise.reject(error) });
    await perform();
    expect(did).toEqual([expected]);
  });

  it.each([
    ['runs again after six killed workers', 6, ['scanned']],
    ['fails before a seventh attempt', 7, [['end', 'TOO_MANY_TRIES']]],
  ])('that kills its worker %s', async (_, tries, expected) => {
    const done: unknown[] = [];
    const { did, perform } = setUp(tries, { scan: async () => void done.push('scanned') });
    await perform();
    expect([...done, ...did].slice(0, 1)).toEqual(expected);
  });

  it('of a stopping worker is released at once, without a lost attempt', async () => {
    const stopping = new AbortController();
    const { did, perform } = setUp(3, {
      async scan() {
        stopping.abort();
        throw new Error('stopped');
      },
    });
    await perform(stopping.signal);
    expect(did).toEqual([['release', 's', 7]]);
  });

  it('that succeeded but could not be recorded has not failed', async () => {
    const ends: unknown[] = [];
    const { did, perform } = setUp(1, {
      async end(_, error) {
        ends.push(error);
        throw unavailable('DATABASE_UNAVAILABLE', 'x');
      },
    });
    await expect(perform()).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    expect({ did, ends }).toEqual({ did: [], ends: [null] });
  });
});
