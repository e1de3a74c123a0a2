import { unavailable } from '@portcullis/errors';
import { describe, expect, it } from 'vitest';
import { unlessBlob } from './blob-as-manifest.ts';

const DIGEST = `sha256:${'a'.repeat(64)}` as const;
const FAILED = unavailable('REGISTRY_FAILED', 'the registry failed (500)');

interface Asked {
  method?: string;
  reference?: string;
  hasBlob?: () => Promise<boolean>;
  stored?: number | null;
  error?: Error;
}

async function answer({ method = 'GET', reference = DIGEST, error = FAILED, ...has }: Asked) {
  const route = { kind: 'manifest', repository: 'a/b', reference } as const;
  const registryClient = { hasBlob: has.hasBlob ?? (async () => false) };
  const storedReads = { blobSize: async () => has.stored ?? null };
  return unlessBlob({ storedReads, registryClient }, { v2Request: { method }, route }, error);
}

describe('a failure of the registry', () => {
  it.each<[string, Asked]>([
    ['stored on our disk', { stored: 5 }],
    ['empty', { stored: 0 }],
    ['at the registry alone', { hasBlob: async () => true }],
    [
      'asked for with HEAD, whose reply has no reason',
      { method: 'HEAD', stored: 5, error: unavailable('REGISTRY_UNAVAILABLE', 'no answer') },
    ],
  ])('means no manifest where the digest is that of a blob, %s', async (_, asked) => {
    expect(await answer(asked)).toMatchObject({ kind: 'not_found', code: 'MANIFEST_UNKNOWN' });
  });

  it.each<[string, Asked]>([
    ['has no such blob', {}],
    ['cannot say', { hasBlob: () => Promise.reject(new Error('down')) }],
    ['was asked for a tag', { reference: 'latest', stored: 5 }],
    ['was asked to store it', { method: 'PUT', stored: 5 }],
    ['failed in another way', { stored: 5, error: new Error('other') }],
  ])('stays one where the registry %s', async (_, asked) => {
    expect(await answer(asked)).toBe(asked.error ?? FAILED);
  });
});
